import { Text, TextInput } from "@mantine/core";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/auth/account/Account.module.css";
import { Password } from "#web/auth/Password.tsx";
import { Qr } from "#web/core/display/Qr.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { issuesOf } from "#web/core/api/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { accounts } from "#shared/account.ts";

type Props = { opened: boolean; onClose: () => void; needed: boolean; onCodes: (codes: string[]) => void };

/** Password, QR code, first code: then the app is on and the recovery codes are shown. */
export function TotpDialog({ opened, onClose, needed, onCodes }: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const start = useApiMutation(accounts.startApp, { quiet: true });
  const confirm = useApiMutation(accounts.confirmApp, { quiet: true });
  const made = start.data;

  const work = async (field: string, run: () => Promise<void>) => {
    setFault(null);
    setFailure(null);
    try {
      await run();
    } catch (error) {
      const found = issuesOf(error)[field];
      if (found) setFault(found);
      else setFailure(error);
    }
  };
  const close = () => {
    setTyped("");
    setFault(null);
    setFailure(null);
    start.reset();
    onClose();
  };
  const begin = () =>
    work("password", async () => {
      await start.mutateAsync({ body: needed ? { password: typed } : {} });
      setTyped("");
    });
  const finish = () =>
    work("code", async () => {
      const { codes } = await confirm.mutateAsync({ body: { code: typed } });
      toast.done(t("account.app.on"));
      close();
      onCodes(codes);
    });
  const submit = () => {
    if (!made) return needed && !typed ? setFault(t("account.factors.enterPassword")) : begin();
    return typed.trim() ? finish() : setFault(t("account.app.enterCode"));
  };
  // Nothing to ask of people without a password: the key is made as the dialog opens.
  const goOn = useEffectEvent(() => void begin());
  const straight = opened && !needed && !made && start.isIdle;
  useEffect(() => {
    if (straight) goOn();
  }, [straight]);

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={t("account.app.title")}
      submitLabel={t(made ? "account.app.confirm" : "account.app.next")}
      busy={start.isPending || confirm.isPending}
      failure={failure}
      onSubmit={submit}
      size={480}
    >
      {made ? (
        <>
          <div className={classes.scan}>
            <Qr text={made.address} size={168} label={t("account.app.qr")} />
            <div>
              <Text size="sm" mb="xs">
                {t("account.app.scan")}
              </Text>
              <code className={classes.key}>{made.secret.replace(/(.{4})(?=.)/g, "$1 ")}</code>
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
            error={fault}
            onChange={(change) => setTyped(change.currentTarget.value)}
          />
        </>
      ) : (
        needed && (
          <>
            <Text size="sm" c="dimmed">
              {t("account.app.proofLead")}
            </Text>
            <Password
              key="password"
              data-autofocus
              label={t("account.factors.confirmPassword")}
              autoComplete="current-password"
              value={typed}
              error={fault}
              onChange={(change) => setTyped(change.currentTarget.value)}
            />
          </>
        )
      )}
    </FormDialog>
  );
}
