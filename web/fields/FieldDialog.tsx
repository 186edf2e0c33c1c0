import { SegmentedControl, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { useUser } from "#web/core/session/session.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { ChoiceInputs, type EditedChoice } from "#web/fields/ChoiceInputs.tsx";
import { type Field, type FieldKind, fieldKind, fields, visibleTo } from "#shared/fields/fields.ts";
import { isAcademyAdmin } from "#shared/core/users.ts";

type Props = { companyId: string; field?: Field; onClose: () => void };

/** `Entry date` becomes `entry_date`. */
const keyOf = (name: string) =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replaceAll("ß", "ss")
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "")
    .slice(0, 64);

/** Adds a field, or changes its name, its choices and who sees it. */
export function FieldDialog({ companyId, field, onClose }: Props) {
  const { t } = useTranslation();
  const canAddForAll = isAcademyAdmin(useUser());
  const create = useApiMutation(fields.create, { quiet: true });
  const update = useApiMutation(fields.update, { quiet: true });
  const form = useForm({
    initialValues: {
      name: field?.name ?? "",
      key: field?.key ?? "",
      kind: (field?.kind ?? "text") as FieldKind,
      of: field && field.companyId === null ? "all" : "one",
      visibleTo: field?.visibleTo ?? "admins",
      choices: (field?.choices ?? [{ name: "" }, { name: "" }]) as EditedChoice[],
    },
    validate: { name: (name) => (name.trim() ? null : t("fields.noName")) },
  });
  const { failure, attempt } = useFormErrors(form.setErrors, {
    toField: (path) => (path.startsWith("choices") ? "choices" : path),
  });
  const { values } = form;
  const send = async (version: number) => {
    const choices = values.choices.filter(({ name }) => name.trim() !== "");
    const settings = { name: values.name, visibleTo: values.visibleTo, choices };
    if (field) await update.mutateAsync({ params: { id: field.id }, body: { ...settings, version } });
    else {
      const { key, kind, of } = values;
      await create.mutateAsync({
        body: { ...settings, key: key || keyOf(values.name), kind, companyId: of === "all" ? null : companyId },
      });
    }
    toast.done(t(field ? "fields.saved" : "fields.added", { name: values.name.trim() }));
    onClose();
  };
  const save = (version: number): Promise<void> =>
    attempt(
      async () => {
        if (form.validate().hasErrors) return;
        const isEmpty = values.choices.every(({ name }) => name.trim() === "");
        if (values.kind === "choice" && isEmpty) return form.setFieldError("choices", t("fields.noChoices"));
        await send(version);
      },
      (error) => conflict.handleError(error, { name: values.name, visibleTo: values.visibleTo }),
    );
  const conflict = useConflict<Field>({
    labels: { name: t("fields.name"), visibleTo: t("fields.visibleTo") },
    formatValue: (name, value) =>
      name === "visibleTo" ? t(`fields.visible.${visibleTo.parse(value)}`) : String(value),
    onKeepMine: (_, version) => save(version),
    onTakeTheirs: onClose,
  });
  return (
    <>
      <FormDialog
        opened
        onClose={onClose}
        title={field ? t("fields.editTitle", { name: field.name }) : t("fields.add")}
        submitLabel={field ? t("fields.save") : t("fields.add")}
        busy={create.isPending || update.isPending}
        failure={failure}
        onSubmit={() => save(field?.version ?? 0)}
      >
        <TextInput
          label={t("fields.name")}
          maxLength={80}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps("name")}
        />
        {!field && (
          <>
            <TextInput
              label={t("fields.key")}
              description={t("fields.keyHint")}
              placeholder={keyOf(values.name)}
              maxLength={64}
              autoComplete="off"
              {...form.getInputProps("key")}
            />
            <Select
              label={t("fields.kind")}
              allowDeselect={false}
              data={fieldKind.options.map((value) => ({ value, label: t(`fields.kinds.${value}`) }))}
              {...form.getInputProps("kind")}
            />
          </>
        )}
        {values.kind === "choice" && (
          <ChoiceInputs
            choices={values.choices}
            error={form.errors.choices}
            onChange={(choices) => {
              form.setFieldValue("choices", choices);
              form.clearFieldError("choices");
            }}
          />
        )}
        {!field && canAddForAll && (
          <SegmentedControl
            fullWidth
            aria-label={t("fields.scope")}
            data={(["one", "all"] as const).map((value) => ({ value, label: t(`fields.scopes.${value}`) }))}
            {...form.getInputProps("of")}
          />
        )}
        <Select
          label={t("fields.visibleTo")}
          allowDeselect={false}
          data={visibleTo.options.map((value) => ({ value, label: t(`fields.visible.${value}`) }))}
          {...form.getInputProps("visibleTo")}
        />
      </FormDialog>
      {conflict.dialog}
    </>
  );
}
