import { Button, NumberInput, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { type PromptCase, prompts } from "#shared/prompts/prompts.ts";

type Props = { promptId: string; question?: PromptCase; onClose: () => void; onRemove?: () => Promise<void> };

/** A test question, with texts that its answer must and must not contain. */
export function CaseDialog({ promptId, question, onClose, onRemove }: Props) {
  const { t } = useTranslation();
  const add = useApiMutation(prompts.addCase, { quiet: true });
  const update = useApiMutation(prompts.updateCase, { quiet: true });
  const form = useForm({
    initialValues: {
      name: question?.name ?? "",
      message: question?.message ?? "",
      contains: question?.contains ?? [],
      lacks: question?.lacks ?? [],
      maxWords: question?.maxWords ?? ("" as number | ""),
    },
  });
  const { failure, attempt } = useFormErrors(form.setErrors);
  const submit = () =>
    attempt(async () => {
      const { maxWords, ...rest } = form.values;
      const body = { ...rest, maxWords: maxWords === "" ? null : maxWords };
      if (question) await update.mutateAsync({ params: { id: promptId, caseId: question.id }, body });
      else await add.mutateAsync({ params: { id: promptId }, body });
      onClose();
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={question ? t("prompts.editQuestion", { name: question.name }) : t("prompts.addQuestion")}
      submitLabel={question ? t("prompts.saveQuestion") : t("prompts.addQuestion")}
      busy={add.isPending || update.isPending}
      failure={failure}
      onSubmit={submit}
    >
      <TextInput
        label={t("prompts.expected")}
        description={t("prompts.expectedHint")}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Textarea label={t("prompts.message")} autosize minRows={2} maxRows={8} {...form.getInputProps("message")} />
      <TagsInput
        label={t("prompts.contains")}
        description={t("prompts.tagsHint")}
        {...form.getInputProps("contains")}
      />
      <TagsInput label={t("prompts.lacks")} {...form.getInputProps("lacks")} />
      <NumberInput
        label={t("prompts.maxWords")}
        description={t("prompts.maxWordsHint")}
        hideControls
        min={1}
        allowDecimal={false}
        {...form.getInputProps("maxWords")}
      />
      {onRemove && (
        <Button variant="subtle" color="red" size="compact-sm" w="fit-content" onClick={() => void onRemove()}>
          {t("prompts.removeQuestion")}
        </Button>
      )}
    </FormDialog>
  );
}
