import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/auth/AuthFrame.module.css";
import { sendRequest } from "#web/core/api/http.ts";
import { messageOf } from "#web/core/api/messages.ts";
import { auth } from "#shared/auth.ts";

/** Below "Confirm your mailbox first": another mail. */
export function ResendConfirmation({ email }: { email: string }) {
  const { t } = useTranslation();
  const [said, setSaid] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    await sendRequest(auth.resendConfirmation, { body: { email } }).then(
      () => setSaid(t("auth.login.sentAgain")),
      (error: unknown) => setSaid(messageOf(error)),
    );
    setBusy(false);
  };
  return (
    <div className={classes.more}>
      <Button variant="default" loading={busy} onClick={() => void send()}>
        {t("auth.login.sendAgain")}
      </Button>
      <p role="status" className={classes.quiet} hidden={!said}>
        {said}
      </p>
    </div>
  );
}
