import { Checkbox, TagsInput, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { DocumentChoice } from "#web/chatbots/choices.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { botQuestions } from "#shared/chatbots/botQuestions.ts";
import type { Chatbot } from "#shared/chatbots/chatbots.ts";

/** A test question, and the documents and facts expected in its answer. */
export function BotQuestionDialog({ bot, onClose }: { bot: Chatbot; onClose: () => void }) {
  const { t } = useTranslation();
  const add = useApiMutation(botQuestions.add, { quiet: true });
  const form = useForm({
    initialValues: { question: "", documentIds: [] as string[], facts: [] as string[], expectsRefusal: false },
  });
  const { failure, attempt } = useFormErrors(form.setErrors);
  const submit = () =>
    attempt(async () => {
      await add.mutateAsync({ params: { id: bot.id }, body: form.values });
      onClose();
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("chatbots.questions.add")}
      submitLabel={t("chatbots.questions.add")}
      busy={add.isPending}
      disabled={form.values.question.trim() === ""}
      failure={failure}
      onSubmit={submit}
    >
      <Textarea
        label={t("chatbots.questions.question")}
        autosize
        minRows={2}
        maxLength={2000}
        data-autofocus
        {...form.getInputProps("question")}
      />
      <Checkbox
        label={t("chatbots.questions.expectsRefusal")}
        {...form.getInputProps("expectsRefusal", { type: "checkbox" })}
      />
      {!form.values.expectsRefusal && (
        <>
          <TagsInput
            label={t("chatbots.questions.facts")}
            description={t("chatbots.questions.factsHint")}
            maxTags={10}
            splitChars={[]}
            {...form.getInputProps("facts")}
          />
          <DocumentChoice
            label={t("chatbots.questions.documents")}
            maxValues={20}
            {...form.getInputProps("documentIds")}
          />
        </>
      )}
    </FormDialog>
  );
}
