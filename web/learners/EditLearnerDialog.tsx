import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { isCode } from "#web/core/api/http.ts";
import { issuesOf } from "#web/core/api/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { type Learner, learners } from "#shared/learners.ts";
import { email as emailShape } from "#shared/users.ts";

type Props = { opened: boolean; onClose: () => void; learner: Learner; onResend: (learner: Learner) => void };
type Fields = Pick<Learner, "name" | "email">;

/** Edits name and email of a learner. A version conflict is shown in a dialog, so that no change is lost. */
export function EditLearnerDialog({ opened, onClose, learner, onResend }: Props) {
  const { t } = useTranslation();
  const [base, setBase] = useState(learner);
  const [failure, setFailure] = useState<unknown>(null);
  /** The current row: its name is sent if the name was not changed here. */
  const latest = useRef(learner);
  const update = useApiMutation(learners.update, {
    quiet: true,
  });
  const form = useForm<Fields>({
    initialValues: { name: learner.name, email: learner.email },
    validate: {
      name: (name) => (name.trim() ? null : t("learners.edit.noName")),
      email: (email) => (emailShape.safeParse(email).success ? null : t("learners.rowStatus.badAddress")),
    },
  });
  const send = async (ownChanges: Partial<Fields>, version: number) => {
    const name = ownChanges.name ?? latest.current.name;
    const saved = await update.mutateAsync({
      params: { id: learner.id },
      body: { name, ...(ownChanges.email && { email: ownChanges.email }), version },
    });
    const needsNewInvitation = saved.status === "invited" && saved.email !== learner.email;
    toast.done(
      t("learners.edit.done"),
      needsNewInvitation
        ? {
            text: t("learners.edit.newAddress"),
            action: { label: t("learners.resend.verb"), run: () => onResend(saved) },
          }
        : {},
    );
    onClose();
  };
  const failed = async (error: unknown, ownChanges: Partial<Fields>) => {
    if (isCode(error, "core.conflict")) latest.current = error.details.current as Learner;
    if (await conflict.handleError(error, ownChanges)) return;
    const issues = issuesOf(error);
    form.setErrors(issues);
    setFailure(Object.keys(issues).length > 0 ? null : error);
  };
  const conflict = useConflict<Learner>({
    labels: { name: t("learners.name"), email: t("learners.email") },
    onKeepMine: (ownChanges, version) => {
      const { name, email } = latest.current;
      setBase(latest.current);
      form.setValues({ name, email, ...ownChanges });
      return send(ownChanges, version).catch((error: unknown) => failed(error, ownChanges));
    },
    onTakeTheirs: (theirs) => {
      setBase(theirs);
      form.setValues({ name: theirs.name, email: theirs.email });
    },
  });
  const submit = async () => {
    setFailure(null);
    if (form.validate().hasErrors) return;
    const { name, email } = form.values;
    const ownChanges = {
      ...(name.trim() !== base.name && { name: name.trim() }),
      ...(email.trim() !== base.email && { email: email.trim() }),
    };
    if (Object.keys(ownChanges).length === 0) return onClose();
    await send(ownChanges, base.version).catch((error: unknown) => failed(error, ownChanges));
  };
  return (
    <>
      <FormDialog
        opened={opened}
        onClose={onClose}
        title={t("learners.edit.title", { name: learner.name || learner.email })}
        submitLabel={t("learners.edit.verb")}
        busy={update.isPending}
        failure={failure}
        onSubmit={submit}
      >
        <TextInput
          data-autofocus
          label={t("learners.name")}
          autoComplete="off"
          maxLength={120}
          {...form.getInputProps("name")}
        />
        <TextInput
          label={t("learners.email")}
          type="email"
          autoComplete="off"
          {...form.getInputProps("email")}
          description={learner.status === "invited" ? t("learners.edit.invitedHint") : t("learners.edit.emailHint")}
        />
      </FormDialog>
      {conflict.dialog}
    </>
  );
}
