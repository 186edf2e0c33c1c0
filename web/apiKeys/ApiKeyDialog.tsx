import { Checkbox, Select, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { scopeText } from "#web/apiKeys/scopeText.ts";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { apiKeys } from "#shared/apiKeys/apiKeys.ts";
import { companies } from "#shared/companies/companies.ts";
import { type KeyScope, keyScope } from "#shared/core/users.ts";

const PERIODS = [30, 90, 365, 1095];
const NEVER = "never";
type Props = { onClose: () => void; onCreated: (name: string, key: string) => void };

/** Creates an API key. */
export function ApiKeyDialog({ onClose, onCreated }: Props) {
  const { t } = useTranslation();
  const create = useApiMutation(apiKeys.create, { quiet: true });
  const { data: tenants } = useQuery(queryFor(companies.choices));
  const form = useForm({
    initialValues: { name: "", scopes: [] as KeyScope[], companyId: null as string | null, period: "365" },
    validate: { scopes: (scopes) => (scopes.length === 0 ? t("apiKeys.scopesRequired") : null) },
  });
  const { failure, attempt } = useFormErrors(form.setErrors);
  const save = () =>
    attempt(async () => {
      if (form.validate().hasErrors) return;
      const { period, ...input } = form.values;
      const expiresInDays = period === NEVER ? null : Number(period);
      const { name, key } = await create.mutateAsync({ body: { ...input, expiresInDays } });
      onCreated(name, key);
      onClose();
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("apiKeys.add")}
      submitLabel={t("apiKeys.add")}
      busy={create.isPending}
      failure={failure}
      onSubmit={save}
    >
      <TextInput
        label={t("apiKeys.name")}
        description={t("apiKeys.nameHint")}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Checkbox.Group label={t("apiKeys.scopes")} {...form.getInputProps("scopes")}>
        <Stack gap="xs" mt={4}>
          {keyScope.options.map((scope) => (
            <Checkbox key={scope} value={scope} label={scopeText(scope, t)} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label={t("apiKeys.company")}
        placeholder={t("apiKeys.allCompanies")}
        clearable
        searchable
        data={(tenants?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps("companyId")}
      />
      <Select
        label={t("apiKeys.expiresAfter")}
        allowDeselect={false}
        data={[
          ...PERIODS.map((days) => ({ value: String(days), label: t("apiKeys.days", { count: days }) })),
          { value: NEVER, label: t("apiKeys.never") },
        ]}
        {...form.getInputProps("period")}
      />
    </FormDialog>
  );
}
