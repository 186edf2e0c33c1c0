import { useSuspenseQuery } from "@tanstack/react-query";
import { Trans, useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { MailServerForm } from "#web/settings/mailServer/MailServerForm.tsx";
import classes from "#web/settings/mailServer/mailServer.module.css";
import { TestMail } from "#web/settings/mailServer/TestMail.tsx";
import { useTestMail } from "#web/settings/mailServer/useTestMail.ts";
import { mailServers, type MailServerState } from "#shared/mails/mailServer.ts";

/** The mail server: a form, or the settings of the operator (SMTP_URL). */
export function MailServerTab() {
  const { data } = useSuspenseQuery(queryFor(mailServers.get));
  return data.operator ? <OperatorServer operator={data.operator} /> : <MailServerForm server={data.server} />;
}

function OperatorServer({ operator: { host, sender } }: { operator: NonNullable<MailServerState["operator"]> }) {
  const { t } = useTranslation();
  const test = useTestMail();
  if (!host)
    return (
      <p className={classes.lead}>
        <Trans i18nKey="mails.server.off" components={{ code: <code /> }} />
      </p>
    );
  return (
    <div className={classes.page}>
      <p className={classes.lead}>
        <Trans i18nKey="mails.server.byOperator" components={{ code: <code /> }} />
      </p>
      <dl className={classes.facts}>
        <dt>{t("mails.server.host")}</dt>
        <dd>{host}</dd>
        <dt>{t("mails.server.sender")}</dt>
        <dd>{sender}</dd>
      </dl>
      <TestMail test={test} onSend={() => test.send()} />
    </div>
  );
}
