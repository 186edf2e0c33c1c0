import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { MailDrawer } from "#web/mails/MailDrawer.tsx";
import classes from "#web/mails/MailsPage.module.css";
import { MailStatus } from "#web/mails/MailStatus.tsx";
import { mailReasonText } from "#web/mails/mailReasonText.ts";
import { type Mail, mails, mailStatus } from "#shared/mails.ts";

export function MailsPage() {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const [mail, setMail] = useState<Mail | null>(null);
  const { data: newest } = useQuery(queryFor(mails.list, { query: { size: 1 } }));
  const open = (row: Mail) => {
    setMail(row);
    setOpened(true);
  };
  return (
    <>
      <PageHead title={t("mails.title")} line={t("mails.line")} />
      {newest?.items[0]?.status === "kept" && (
        <p className={classes.note} role="note">
          {t("mails.noServer")}
        </p>
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
