import { Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { paths } from "#shared/paths/paths.ts";

/** Adds a path and opens its steps. */
export function NewPathDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const create = useApiMutation(paths.create, { quiet: true });
  const form = useForm({
    initialValues: { title: "", description: "" },
    validate: { title: (title) => (title.trim() ? null : t("paths.noTitle")) },
  });
  const { failure, attempt } = useFormErrors(form.setErrors, { fields: ["title", "description"] });
  const save = () =>
    attempt(async () => {
      if (form.validate().hasErrors) return;
      const { id, title } = await create.mutateAsync({ body: form.values });
      toast.done(t("paths.created", { title }));
      onClose();
      void navigate(`/courses/paths/${id}`);
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("paths.newTitle")}
      submitLabel={t("paths.add")}
      onSubmit={save}
      busy={create.isPending}
      failure={failure}
    >
      <TextInput label={t("paths.fields.title")} maxLength={120} autoComplete="off" {...form.getInputProps("title")} />
      <Textarea
        label={<OptionalLabel>{t("paths.fields.description")}</OptionalLabel>}
        description={t("paths.fields.descriptionHint")}
        maxLength={1000}
        autosize
        minRows={2}
        {...form.getInputProps("description")}
      />
    </FormDialog>
  );
}
