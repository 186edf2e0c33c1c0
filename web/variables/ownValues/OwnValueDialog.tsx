import { Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { toast } from "#web/core/toast/toast.ts";
import { draftOf, readDraft, ValueInput } from "#web/variables/ValueInput.tsx";
import { type OwnValue, rawData } from "#shared/rawData/rawData.ts";

type Props = { courseId: string; ownValue: OwnValue; onClose: () => void };

/** A learner replaces one of their own values. */
export function OwnValueDialog({ courseId, ownValue, onClose }: Props) {
  const { t } = useTranslation();
  const { variableId, valueId, label, description } = ownValue;
  const form = useForm({ initialValues: { value: draftOf(ownValue.value, ownValue) } });
  const correct = useApiMutation(rawData.correctMine, { quiet: true });
  const { failure, attempt } = useFormErrors(form.setErrors);
  const submit = () =>
    attempt(async () => {
      const { value, error } = readDraft(form.values.value, ownValue);
      if (error) return form.setErrors({ value: t(`rawData.correct.${error}`) });
      await correct.mutateAsync({ params: { variableId }, body: { courseId, valueId, value } });
      toast.done(t("rawData.correct.done", { label }));
      onClose();
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={460}
      title={t("rawData.correct.title", { label })}
      submitLabel={t("rawData.own.save")}
      busy={correct.isPending}
      failure={failure}
      onSubmit={submit}
    >
      {description && (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
      <ValueInput rules={ownValue} label={t("rawData.correct.value")} {...form.getInputProps("value")} />
      <Text size="sm" c="dimmed">
        {t("rawData.own.kept")}
      </Text>
    </FormDialog>
  );
}
