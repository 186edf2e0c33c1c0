import { Checkbox, Select, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { clientScopeText } from "#web/statements/clientScopeText.ts";
import { companies } from "#shared/companies/companies.ts";
import { type ClientScope, clientScope, statements } from "#shared/statements/statements.ts";

export type NewClient = { name: string; userName: string; secret: string };
type Props = { onClose: () => void; onCreated: (client: NewClient) => void };

/** Creates a key of the record store. */
export function ClientDialog({ onClose, onCreated }: Props) {
  const { t } = useTranslation();
  const create = useApiMutation(statements.createClient, { quiet: true });
  const { data: tenants } = useQuery(queryFor(companies.choices));
  const form = useForm({
    initialValues: {
      name: "",
      companyId: null as string | null,
      scopes: ["statements/write", "statements/read/mine", "state", "profile"] as ClientScope[],
    },
    validate: {
      companyId: (id) => (id === null ? t("statements.companyRequired") : null),
      scopes: (scopes) => (scopes.length === 0 ? t("statements.scopesRequired") : null),
    },
  });
  const { failure, attempt } = useFormErrors(form.setErrors);
  const save = () =>
    attempt(async () => {
      const { name, companyId, scopes } = form.values;
      if (form.validate().hasErrors || companyId === null) return;
      onCreated(await create.mutateAsync({ body: { name, companyId, scopes } }));
      onClose();
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("statements.add")}
      submitLabel={t("statements.add")}
      busy={create.isPending}
      failure={failure}
      onSubmit={save}
    >
      <TextInput
        label={t("statements.name")}
        description={t("statements.nameHint")}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Select
        label={t("statements.company")}
        searchable
        data={(tenants?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps("companyId")}
      />
      <Checkbox.Group label={t("statements.scopes")} {...form.getInputProps("scopes")}>
        <Stack gap="xs" mt={4}>
          {clientScope.options.map((scope) => (
            <Checkbox key={scope} value={scope} label={clientScopeText(scope, t)} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}
