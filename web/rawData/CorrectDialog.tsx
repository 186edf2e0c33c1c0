import { Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { toast } from "#web/core/toast/toast.ts";
import { draftOf, readDraft, ValueInput } from "#web/variables/ValueInput.tsx";
import { valueText } from "#web/variables/valueText.ts";
import { rawData, type RawValue, type ValueHistory } from "#shared/rawData/rawData.ts";

/** Minimum length of a reason, in characters. */
const MIN_REASON = 3;

type Props = {
  value: RawValue;
  rules: Pick<ValueHistory, "type" | "unit" | "constraints">;
  onClose: () => void;
  /** Called with the id of the new value. */
  onDone: (id: number) => void;
};

/** Corrects a value, with a reason. */
export function CorrectDialog({ value, rules, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const form = useForm({ initialValues: { value: draftOf(value.value, rules), reason: "" } });
  const correct = useApiMutation(rawData.correct, { quiet: true });
  const isMasked = value.privacy === "sensitive";
  const { failure, attempt } = useFormErrors(form.setErrors);
  const submit = () =>
    attempt(async () => {
      const parsed = readDraft(form.values.value, rules);
      const reason = form.values.reason.trim();
      const errors = {
        ...(parsed.error && { value: t(`rawData.correct.${parsed.error}`) }),
        ...(reason.length < MIN_REASON && { reason: t("rawData.correct.reasonShort") }),
      };
      form.setErrors(errors);
      if (Object.keys(errors).length > 0 || parsed.error) return;
      const { id } = await correct.mutateAsync({
        params: { valueId: value.id },
        body: { value: parsed.value, reason },
      });
      toast.done(t("rawData.correct.done", { label: value.label }));
      onDone(id);
      onClose();
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={460}
      title={t("rawData.correct.title", { label: value.label })}
      submitLabel={t("rawData.correct.action")}
      busy={correct.isPending}
      failure={failure}
      onSubmit={submit}
    >
      <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }} lineClamp={4}>
        {isMasked
          ? t("rawData.correct.wasMasked")
          : t("rawData.correct.was", { value: valueText(value.value, value, t) })}
      </Text>
      <ValueInput rules={rules} label={t("rawData.correct.value")} {...form.getInputProps("value")} />
      <TextInput
        label={t("rawData.correct.reason")}
        description={t("rawData.correct.reasonHint")}
        maxLength={300}
        {...form.getInputProps("reason")}
      />
    </FormDialog>
  );
}
