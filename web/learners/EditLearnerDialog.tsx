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
import { fieldText } from "#web/fields/fieldText.ts";
import { useFields } from "#web/fields/useFields.ts";
import { FieldInput } from "#web/learners/FieldInput.tsx";
import { learnerInputs } from "#web/learners/learnerFields.tsx";
import type { FieldValue, FieldValues } from "#shared/fields/fields.ts";
import { readFieldText } from "#shared/fields/readFieldText.ts";
import { type Learner, type LearnerInput, learners } from "#shared/learners/learners.ts";

type Props = { opened: boolean; onClose: () => void; learner: Learner; onResend: (learner: Learner) => void };
type Field = keyof LearnerInput;
/** Values of own fields are texts in the form, and empty without one. */
type Values = LearnerInput & { fields: Record<string, string> };
type Changes = Partial<LearnerInput> & { fields?: Record<string, FieldValue | null> };

const toTexts = (values: FieldValues) =>
  Object.fromEntries(Object.entries(values).map(([id, value]) => [id, String(value)]));
const toValues = ({ name, email, fields }: Learner): Values => ({ name, email: email ?? "", fields: toTexts(fields) });

/**
 * Edits a learner; only changed fields are sent. A version conflict is shown in a dialog, so that no change is lost.
 */
export function EditLearnerDialog({ opened, onClose, learner, onResend }: Props) {
  const { t } = useTranslation();
  const inputs = learnerInputs();
  const names = Object.keys(inputs) as Field[];
  const ownFields = useFields(learner.companyId) ?? [];
  const [base, setBase] = useState(learner);
  /** The current row, as the last conflict has reported it. */
  const latest = useRef(learner);
  const [changed, setChanged] = useState<Changes>({});
  const update = useApiMutation(learners.update, { quiet: true });
  const form = useForm<Values>({
    initialValues: toValues(learner),
    validate: {
      name: (value) => inputs.name.check?.(value) ?? null,
      // A person without an address may stay so.
      email: (value) => (value === "" && learner.email === null ? null : (inputs.email.check?.(value) ?? null)),
    },
  });
  const { failure, setFailure, showError } = useFormErrors(form.setErrors);
  const send = async (ownChanges: Changes, version: number) => {
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
  const failed = async (error: unknown, ownChanges: Changes) => {
    if (isCode(error, "core.conflict")) latest.current = error.details.current as Learner;
    setChanged(ownChanges);
    if (!(await conflict.handleError(error, ownChanges as Partial<Learner>))) showError(error);
  };
  /** Those of the values that the person has changed, by the names of their fields. */
  const changedTexts = (values: unknown) =>
    ownFields
      .filter(({ id }) => changed.fields && id in changed.fields)
      .map((field) => `${field.name}: ${fieldText(field, (values as FieldValues)[field.id] ?? undefined) ?? "–"}`)
      .join(", ");
  const conflict = useConflict<Learner>({
    labels: { name: inputs.name.label, email: inputs.email.label, fields: t("learners.ownFields") },
    formatValue: (name, value) => (name === "fields" ? changedTexts(value) : String(value ?? "–")),
    onKeepMine: (mine, version) => {
      setBase(latest.current);
      const ownChanges = mine as Changes;
      const theirs = toValues(latest.current);
      form.setValues({ ...theirs, ...ownChanges, fields: { ...theirs.fields, ...form.values.fields } });
      return send(ownChanges, version).catch((error: unknown) => failed(error, ownChanges));
    },
    onTakeTheirs: (theirs) => {
      setBase(theirs);
      form.setValues(toValues(theirs));
    },
  });
  /** The values of own fields that differ; null if one cannot be read. */
  const readFields = () => {
    const before = toTexts(base.fields);
    const values: Record<string, FieldValue | null> = {};
    let isRight = true;
    for (const field of ownFields) {
      const text = (form.values.fields[field.id] ?? "").trim();
      if (text === (before[field.id] ?? "")) continue;
      if (text === "" || field.kind === "choice") values[field.id] = text || null;
      else {
        const read = readFieldText(field, text);
        if ("value" in read) values[field.id] = read.value;
        else {
          form.setFieldError(`fields.${field.id}`, t("fields.notANumber"));
          isRight = false;
        }
      }
    }
    return isRight ? values : null;
  };
  const submit = async () => {
    setFailure(null);
    if (form.validate().hasErrors) return;
    const fields = readFields();
    if (!fields) return;
    const ownChanges: Changes = Object.fromEntries(
      names
        .map((name) => [name, form.values[name].trim()])
        .filter(([name, value]) => value !== (base[name as Field] ?? "")),
    );
    if (Object.keys(fields).length > 0) ownChanges.fields = fields;
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
        {ownFields.map((field) => (
          <FieldInput
            key={field.id}
            field={field}
            value={form.values.fields[field.id] ?? ""}
            error={form.errors[`fields.${field.id}`]}
            onChange={(value) => form.setFieldValue(`fields.${field.id}`, value)}
          />
        ))}
      </FormDialog>
      {conflict.dialog}
    </>
  );
}
