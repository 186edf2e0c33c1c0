import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { isCode } from "#web/core/http/http.ts";
import { toast } from "#web/core/toast/toast.ts";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { learnerInputs } from "#web/learners/learnerFields.tsx";
import { type Learner, type LearnerInput, learners } from "#shared/learners/learners.ts";

type Props = { opened: boolean; onClose: () => void; learner: Learner; onResend: (learner: Learner) => void };
type Field = keyof LearnerInput;

/**
 * Edits a learner; only changed fields are sent. A version conflict is shown in a dialog, so that no change is lost.
 */
export function EditLearnerDialog({ opened, onClose, learner, onResend }: Props) {
  const { t } = useTranslation();
  const inputs = learnerInputs();
  const names = Object.keys(inputs) as Field[];
  /** An object with a value per field. */
  const collect = <V,>(valueOf: (name: Field) => V) =>
    Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Field, V>;
  const [base, setBase] = useState(learner);
  /** The current row, as the last conflict has reported it. */
  const latest = useRef(learner);
  const update = useApiMutation(learners.update, { quiet: true });
  const form = useForm<LearnerInput>({
    initialValues: collect((name) => learner[name]),
    validate: collect((name) => (value: string) => inputs[name].check?.(value) ?? null),
  });
  const { failure, setFailure, showError } = useFormErrors(form.setErrors);
  const send = async (ownChanges: Partial<LearnerInput>, version: number) => {
    const saved = await update.mutateAsync({ params: { id: learner.id }, body: { ...ownChanges, version } });
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
  const failed = async (error: unknown, ownChanges: Partial<LearnerInput>) => {
    if (isCode(error, "core.conflict")) latest.current = error.details.current as Learner;
    if (!(await conflict.handleError(error, ownChanges))) showError(error);
  };
  const conflict = useConflict<Learner>({
    labels: collect((name) => inputs[name].label),
    onKeepMine: (ownChanges, version) => {
      setBase(latest.current);
      form.setValues({ ...collect((name) => latest.current[name]), ...ownChanges });
      return send(ownChanges, version).catch((error: unknown) => failed(error, ownChanges));
    },
    onTakeTheirs: (theirs) => {
      setBase(theirs);
      form.setValues(collect((name) => theirs[name]));
    },
  });
  const submit = async () => {
    setFailure(null);
    if (form.validate().hasErrors) return;
    const values = collect((name) => form.values[name].trim());
    const ownChanges = Object.fromEntries(
      names.filter((name) => values[name] !== base[name]).map((name) => [name, values[name]]),
    ) as Partial<LearnerInput>;
    if (Object.keys(ownChanges).length === 0) return onClose();
    await send(ownChanges, base.version).catch((error: unknown) => failed(error, ownChanges));
  };
  const emailHint = learner.status === "invited" ? t("learners.edit.invitedHint") : t("learners.edit.emailHint");
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
        {Object.entries(inputs).map(([name, { check: _, ...input }], index) => (
          <TextInput
            key={name}
            autoComplete="off"
            {...input}
            {...form.getInputProps(name)}
            {...(index === 0 && { "data-autofocus": true })}
            {...(name === "email" && { description: emailHint })}
          />
        ))}
      </FormDialog>
      {conflict.dialog}
    </>
  );
}
