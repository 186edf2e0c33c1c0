import { Button } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { copyAllLinks } from "#web/mails/copyAllLinks.ts";
import { MailDrawer } from "#web/mails/MailDrawer.tsx";
import classes from "#web/mails/MailsPage.module.css";
import { MailStatus } from "#web/mails/MailStatus.tsx";
import { mailReasonText } from "#web/mails/mailReasonText.ts";
import { isAcademyAdmin } from "#shared/core/users.ts";
import { type Mail, mails, mailStatus } from "#shared/mails/mails.ts";

export function MailsPage() {
  const { t } = useTranslation();
  const user = useUser();
  const [opened, setOpened] = useState(false);
  const [mail, setMail] = useState<Mail | null>(null);
  const { data: newest } = useSuspenseQuery(queryFor(mails.list, { query: { size: 1 } }));
  const [copying, setCopying] = useState(false);
  const copy = () => {
    setCopying(true);
    return copyAllLinks(t)
      .catch((error: unknown) => toast.failed(error))
      .finally(() => setCopying(false));
  };
  const open = (row: Mail) => {
    setMail(row);
    setOpened(true);
  };
  return (
    <>
      <PageHead title={t("mails.title")} line={t("mails.line")} />
      {!newest.isSending && newest.total > 0 && (
        <div className={classes.note} role="note">
          <span>{t("mails.noServer")}</span>
          {isAcademyAdmin(user) && (
            <Button component={Link} to="/admin/settings?tab=mail" variant="default" size="xs">
              {t("mails.setUp")}
            </Button>
          )}
          <Button variant="default" size="xs" loading={copying} onClick={() => void copy()}>
            {t("mails.copyAllLinks")}
          </Button>
        </div>
      )}
      <DataTable
        list={mails.list}
        search={t("mails.search")}
        noun={t("mails.noun")}
        rowKey={(row) => row.id}
        name={(row) => row.recipient}
        onOpen={open}
        filters={[
          {
            key: "status",
            label: t("mails.status"),
            options: mailStatus.options.map((value) => ({ value, label: t(`mails.is.${value}`) })),
          },
        ]}
        columns={[
          { key: "recipient", head: t("mails.to") },
          { key: "subject", head: t("mails.subject"), render: (row) => row.subject },
          {
            key: "reason",
            head: t("mails.reason"),
            minor: true,
            render: (row) => <span className={classes.reason}>{mailReasonText(row.reason)}</span>,
          },
          { key: "status", head: t("mails.status"), render: (row) => <MailStatus status={row.status} /> },
          { key: "createdAt", head: t("mails.written"), render: (row) => <Time at={row.createdAt} /> },
        ]}
        phone={(row) => ({
          line: row.subject,
          side: <Time at={row.createdAt} />,
          sideLine: t(`mails.is.${row.status}`),
        })}
        empty={{ title: t("mails.none"), text: t("mails.noneText") }}
      />
      <MailDrawer mail={mail} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
