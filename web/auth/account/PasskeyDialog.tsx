import { TextInput } from "@mantine/core";
import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/browser";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Password } from "#web/auth/Password.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { ApiError } from "#web/core/http/http.ts";
import { toast } from "#web/core/toast/toast.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { accounts } from "#shared/auth/account.ts";

const empty = { name: "", password: "" };

/** Asks for a name and the password; then the device asks for fingerprint, face or PIN. */
export function PasskeyDialog({
  opened,
  onClose,
  askPassword,
}: {
  opened: boolean;
  onClose: () => void;
  askPassword: boolean;
}) {
  const { t } = useTranslation();
  const [form, setForm] = useState(empty);
  const [fieldErrors, setFieldErrors] = useState<Record<string, string>>({});
  const { failure, setFailure, showError } = useFormErrors(setFieldErrors);
  const [busy, setBusy] = useState(false);
  const start = useApiMutation(accounts.startPasskey, { quiet: true });
  const add = useApiMutation(accounts.addPasskey, { quiet: true });
  const close = () => {
    setForm(empty);
    setFieldErrors({});
    setFailure(null);
    onClose();
  };
  const submit = async () => {
    const missing = {
      ...(!form.name.trim() && { name: t("account.passkeys.enterName") }),
      ...(askPassword && !form.password && { password: t("account.factors.enterPassword") }),
    };
    setFieldErrors(missing);
    setFailure(null);
    if (Object.keys(missing).length > 0) return;
    setBusy(true);
    try {
      const options = await start.mutateAsync({ body: askPassword ? { password: form.password } : {} });
      const { startRegistration } = await import("@simplewebauthn/browser");
      const response = await startRegistration({
        optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
      });
      await add.mutateAsync({ body: { name: form.name.trim(), response } });
      toast.done(t("account.passkeys.added"));
      close();
    } catch (error) {
      const notCreated = new ApiError(0, { code: "auth.passkeyFailed", error: t("account.passkeys.failed") });
      showError(error instanceof ApiError ? error : notCreated);
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={t("account.passkeys.add")}
      submitLabel={t("account.passkeys.add")}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      size={440}
    >
      <TextInput
        data-autofocus
        label={t("account.passkeys.name")}
        description={t("account.passkeys.nameHint")}
        maxLength={60}
        autoComplete="off"
        value={form.name}
        error={fieldErrors.name}
        onChange={(change) => setForm({ ...form, name: change.currentTarget.value })}
      />
      {askPassword && (
        <Password
          label={t("account.factors.confirmPassword")}
          autoComplete="current-password"
          value={form.password}
          error={fieldErrors.password}
          onChange={(change) => setForm({ ...form, password: change.currentTarget.value })}
        />
      )}
    </FormDialog>
  );
}
