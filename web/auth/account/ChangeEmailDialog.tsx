import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { refreshToken } from "#web/core/session/token.ts";
import { toast } from "#web/core/toast/toast.ts";
import { mailServers } from "#shared/mails/mailServer.ts";
import { accounts } from "#shared/auth/account.ts";

const address = z.email();

/** Changes the email address of one's own account. */
export function ChangeEmailDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const change = useApiMutation(accounts.changeEmail, { quiet: true });
  const { data: mail } = useQuery(queryFor(mailServers.get));
  const sendsNoMail = mail !== undefined && !mail.operator?.host && (mail.operator !== null || mail.server === null);
  const form = useForm({
    initialValues: { email: "" },
    validate: { email: (email) => (address.safeParse(email.trim()).success ? null : t("account.newEmail.enter")) },
  });
  const { failure, attempt } = useFormErrors(form.setErrors);
  const send = () =>
    attempt(async () => {
      if (form.validate().hasErrors) return;
      const email = form.values.email.trim();
      const { outcome } = await change.mutateAsync({ body: { email } });
      onClose();
      if (outcome === "linkSent") return toast.done(t("account.newEmail.sent", { email }));
      toast.done(t("account.newEmail.changed"));
      await refreshToken();
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("account.newEmail.title")}
      submitLabel={t("account.newEmail.send")}
      cancelLabel={t("account.newEmail.keep")}
      busy={change.isPending}
      failure={failure}
      onSubmit={send}
    >
      <p style={{ margin: 0 }}>{t(sendsNoMail ? "account.newEmail.textAtOnce" : "account.newEmail.text")}</p>
      <TextInput
        type="email"
        label={t("account.newEmail.label")}
        autoComplete="email"
        data-autofocus
        {...form.getInputProps("email")}
      />
    </FormDialog>
  );
}
