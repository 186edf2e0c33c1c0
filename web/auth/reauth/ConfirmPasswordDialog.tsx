import { Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Password } from "#web/auth/Password.tsx";
import { issuesOf } from "#web/core/api/messages.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";

type Proof = { password?: string };
type Props = {
  opened: boolean;
  onClose: () => void;
  title: string;
  text: string;
  verb: string;
  keep?: string;
  danger?: boolean;
  /** False for people without a password: then it only asks whether. */
  needed: boolean;
  act: (proof: Proof) => Promise<unknown>;
};

/** Asks for the password again before something that a stranger at an open screen must not do. */
export function ConfirmPasswordDialog({ opened, onClose, title, text, verb, keep, danger, needed, act }: Props) {
  const { t } = useTranslation();
  const [password, setPassword] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const close = () => {
    setPassword("");
    setFault(null);
    setFailure(null);
    onClose();
  };
  const submit = async () => {
    if (needed && !password) return setFault(t("account.factors.enterPassword"));
    setBusy(true);
    setFault(null);
    setFailure(null);
    try {
      await act(needed ? { password } : {});
      close();
    } catch (error) {
      const found = issuesOf(error).password;
      if (found) setFault(found);
      else setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={title}
      submitLabel={verb}
      {...(keep && { cancelLabel: keep })}
      {...(danger && { danger })}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      size={440}
    >
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      {needed && (
        <Password
          data-autofocus
          label={t("account.factors.confirmPassword")}
          autoComplete="current-password"
          value={password}
          error={fault}
          onChange={(change) => setPassword(change.currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}
