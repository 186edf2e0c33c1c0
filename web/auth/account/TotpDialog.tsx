import { Text, TextInput } from "@mantine/core";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/auth/account/Account.module.css";
import { Password } from "#web/auth/Password.tsx";
import { Qr } from "#web/core/display/Qr.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { issuesOf } from "#web/core/http/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { accounts } from "#shared/auth/account.ts";

type Props = { opened: boolean; onClose: () => void; askPassword: boolean; onCodes: (codes: string[]) => void };

/** Asks for the password, shows the QR code, verifies the first code, and passes on the recovery codes. */
export function TotpDialog({ opened, onClose, askPassword, onCodes }: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [fieldError, setFieldError] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const start = useApiMutation(accounts.startApp, { quiet: true });
  const confirm = useApiMutation(accounts.confirmApp, { quiet: true });
  const setup = start.data;

  const submitField = async (field: string, run: () => Promise<void>) => {
    setFieldError(null);
    setFailure(null);
    try {
      await run();
    } catch (error) {
      const issue = issuesOf(error)[field];
      if (issue) setFieldError(issue);
      else setFailure(error);
    }
  };
  const close = () => {
    setTyped("");
    setFieldError(null);
    setFailure(null);
    start.reset();
    onClose();
  };
  const startSetup = () =>
    submitField("password", async () => {
      await start.mutateAsync({ body: askPassword ? { password: typed } : {} });
      setTyped("");
    });
  const confirmCode = () =>
    submitField("code", async () => {
      const { codes } = await confirm.mutateAsync({ body: { code: typed } });
      toast.done(t("account.app.done"));
      close();
      onCodes(codes);
    });
  const submit = () => {
    if (!setup) return askPassword && !typed ? setFieldError(t("account.factors.enterPassword")) : startSetup();
    return typed.trim() ? confirmCode() : setFieldError(t("account.app.enterCode"));
  };
  // Without a password to ask for, the setup starts as soon as the dialog opens.
  const startImmediately = useEffectEvent(() => void startSetup());
  const skipsPassword = opened && !askPassword && !setup && start.isIdle;
  useEffect(() => {
    if (skipsPassword) startImmediately();
  }, [skipsPassword]);

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={t("account.app.title")}
      submitLabel={t(setup ? "account.app.confirm" : "account.app.next")}
      busy={start.isPending || confirm.isPending}
      failure={failure}
      onSubmit={submit}
      size={480}
    >
      {setup ? (
        <>
          <div className={classes.scan}>
            <Qr text={setup.address} size={168} label={t("account.app.qr")} />
            <div>
              <Text size="sm" mb="xs">
                {t("account.app.scan")}
              </Text>
              <code className={classes.key}>{setup.secret.replace(/(.{4})(?=.)/g, "$1 ")}</code>
            </div>
          </div>
          <TextInput
            key="code"
            autoFocus
            label={t("account.app.code")}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={9}
            value={typed}
            error={fieldError}
            onChange={(change) => setTyped(change.currentTarget.value)}
          />
        </>
      ) : (
        askPassword && (
          <>
            <Text size="sm" c="dimmed">
              {t("account.app.passwordLead")}
            </Text>
            <Password
              key="password"
              data-autofocus
              label={t("account.factors.confirmPassword")}
              autoComplete="current-password"
              value={typed}
              error={fieldError}
              onChange={(change) => setTyped(change.currentTarget.value)}
            />
          </>
        )
      )}
    </FormDialog>
  );
}
