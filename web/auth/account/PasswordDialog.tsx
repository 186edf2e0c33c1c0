import { useTranslation } from "react-i18next";
import { checkNewPassword, NewPassword, weakPasswordText } from "#web/auth/NewPassword.tsx";
import { Password } from "#web/auth/Password.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useTextForm } from "#web/core/dialog/useTextForm.ts";
import { accounts } from "#shared/auth/account.ts";
import type { PasswordOwner } from "#shared/auth/auth.ts";

const empty = { current: "", password: "" };

type Props = { opened: boolean; onClose: () => void; owner: PasswordOwner };

/** Changes the password; asks for the current one. */
export function PasswordDialog({ opened, onClose, owner }: Props) {
  const { t } = useTranslation();
  const { form, field, failure, accept, setFieldErrors, showError, close } = useTextForm(empty, onClose);
  const change = useApiMutation(accounts.changePassword, { quiet: true });
  const submit = async () => {
    const missing = {
      ...(!form.current && { current: t("account.password.enterCurrent") }),
      ...checkNewPassword(form.password, owner),
    };
    if (!accept(missing)) return;
    try {
      await change.mutateAsync({ body: form });
      toast.done(t("account.password.done"), { text: t("account.password.doneText") });
      close();
    } catch (error) {
      const weak = weakPasswordText(error);
      if (weak) setFieldErrors({ password: weak });
      else showError(error);
    }
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={t("account.password.change")}
      submitLabel={t("account.password.change")}
      cancelLabel={t("account.password.keep")}
      busy={change.isPending}
      failure={failure}
      onSubmit={submit}
      size={440}
    >
      <input type="email" name="email" autoComplete="username" value={owner.email ?? ""} readOnly hidden />
      <Password
        data-autofocus
        label={t("account.password.current")}
        autoComplete="current-password"
        {...field("current")}
      />
      <NewPassword label={t("account.password.new")} {...field("password")} />
    </FormDialog>
  );
}
