import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { NoMailNote } from "#web/mails/NoMailNote.tsx";
import { ADMIN_INVITATION_DAYS, admins, type SentInvitation } from "#shared/auth/admins.ts";

const address = z.email();
type Props = { onClose: () => void; onSent: (sent: SentInvitation) => void };

/** Invites an admin by email. */
export function InviteAdminDialog({ onClose, onSent }: Props) {
  const { t } = useTranslation();
  const invite = useApiMutation(admins.invite, { quiet: true });
  const form = useForm({
    initialValues: { email: "", name: "" },
    validate: {
      email: (email) => (address.safeParse(email.trim()).success ? null : t("admins.invite.enterEmail")),
    },
  });
  const { failure, attempt } = useFormErrors(form.setErrors);
  const send = () =>
    attempt(async () => {
      if (form.validate().hasErrors) return;
      const { email, name } = form.values;
      const sent = await invite.mutateAsync({ body: { email: email.trim(), name: name.trim() } });
      onClose();
      onSent(sent);
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("admins.invite.verb")}
      submitLabel={t("admins.invite.send")}
      busy={invite.isPending}
      failure={failure}
      onSubmit={send}
    >
      <p style={{ margin: 0 }}>{t("admins.invite.text", { count: ADMIN_INVITATION_DAYS })}</p>
      <NoMailNote />
      <TextInput
        type="email"
        label={t("admins.email")}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("email")}
      />
      <TextInput
        label={<OptionalLabel>{t("admins.name")}</OptionalLabel>}
        description={t("admins.invite.nameHint")}
        autoComplete="off"
        maxLength={120}
        {...form.getInputProps("name")}
      />
    </FormDialog>
  );
}
