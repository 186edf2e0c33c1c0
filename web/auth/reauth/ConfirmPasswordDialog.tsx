import { Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Password } from "#web/auth/Password.tsx";
import { issuesOf } from "#web/core/http/messages.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";

type PasswordConfirmation = { password?: string };
type Props = {
  opened: boolean;
  onClose: () => void;
  title: string;
  text: string;
  verb: string;
  keep?: string;
  danger?: boolean;
  /** False for people without a password: the dialog then only asks for confirmation. */
  askPassword: boolean;
  onConfirm: (confirmation: PasswordConfirmation) => Promise<unknown>;
};

/** Asks for the password before a sensitive change, so that an unattended session is not enough. */
export function ConfirmPasswordDialog({
  opened,
  onClose,
  title,
  text,
  verb,
  keep,
  danger,
  askPassword,
  onConfirm,
}: Props) {
  const { t } = useTranslation();
  const [password, setPassword] = useState("");
  const [fieldError, setFieldError] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const close = () => {
    setPassword("");
    setFieldError(null);
    setFailure(null);
    onClose();
  };
  const submit = async () => {
    if (askPassword && !password) return setFieldError(t("account.factors.enterPassword"));
    setBusy(true);
    setFieldError(null);
    setFailure(null);
    try {
      await onConfirm(askPassword ? { password } : {});
      close();
    } catch (error) {
      const issue = issuesOf(error).password;
      if (issue) setFieldError(issue);
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
      {askPassword && (
        <Password
          data-autofocus
          label={t("account.factors.confirmPassword")}
          autoComplete="current-password"
          value={password}
          error={fieldError}
          onChange={(change) => setPassword(change.currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}
