import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/auth/AuthFrame.module.css";
import { sendRequest } from "#web/core/http/http.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { auth } from "#shared/auth/auth.ts";

/** Button to resend the verification email, with its result. */
export function ResendConfirmation({ email }: { email: string }) {
  const { t } = useTranslation();
  const [result, setResult] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    await sendRequest(auth.resendConfirmation, { body: { email } }).then(
      () => setResult(t("auth.login.resent")),
      (error: unknown) => setResult(messageOf(error)),
    );
    setBusy(false);
  };
  return (
    <div className={classes.resend}>
      <Button variant="default" loading={busy} onClick={() => void send()}>
        {t("auth.login.resend")}
      </Button>
      <p role="status" className={classes.quiet} hidden={!result}>
        {result}
      </p>
    </div>
  );
}
