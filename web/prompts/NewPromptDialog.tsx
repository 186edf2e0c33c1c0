import { Select, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { suggestPromptKey } from "#web/prompts/promptKey.ts";
import { type PromptPurpose, promptPurpose, prompts } from "#shared/prompts/prompts.ts";

/** Creates a prompt and opens it. */
export function NewPromptDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const create = useApiMutation(prompts.create, { quiet: true });
  const form = useForm({ initialValues: { name: "", key: "", purpose: "button" as PromptPurpose, body: "" } });
  const { failure, attempt } = useFormErrors(form.setErrors);
  const submit = () =>
    attempt(async () => {
      const { id } = await create.mutateAsync({ body: form.values });
      await navigate(`/admin/prompts/${id}`);
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("prompts.add")}
      submitLabel={t("prompts.create")}
      busy={create.isPending}
      failure={failure}
      onSubmit={submit}
    >
      <TextInput
        label={t("prompts.name")}
        data-autofocus
        {...form.getInputProps("name")}
        onChange={(event) => {
          const { value } = event.currentTarget;
          if (form.values.key === suggestPromptKey(form.values.name))
            form.setFieldValue("key", suggestPromptKey(value));
          form.setFieldValue("name", value);
        }}
      />
      <TextInput
        label={t("prompts.key")}
        description={t("prompts.keyHint")}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        {...form.getInputProps("key")}
      />
      <Select
        label={t("prompts.purpose")}
        allowDeselect={false}
        data={promptPurpose.options.map((value) => ({ value, label: t(`prompts.purposes.${value}`) }))}
        {...form.getInputProps("purpose")}
      />
      <Textarea
        label={t("prompts.text")}
        description={t("prompts.textHint")}
        autosize
        minRows={5}
        maxRows={14}
        {...form.getInputProps("body")}
      />
    </FormDialog>
  );
}
