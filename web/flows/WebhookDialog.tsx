import { Checkbox, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { toast } from "#web/core/toast/toast.ts";
import { companies } from "#shared/companies/companies.ts";
import { type Webhook, webhooks } from "#shared/webhooks/webhooks.ts";

type Props = { webhook?: Webhook; onClose: () => void; onSecret: (name: string, secret: string) => void };

/** Adds or changes a webhook. */
export function WebhookDialog({ webhook, onClose, onSecret }: Props) {
  const { t } = useTranslation();
  const create = useApiMutation(webhooks.create, { quiet: true });
  const update = useApiMutation(webhooks.update, { quiet: true });
  const { data: tenants } = useQuery(queryFor(companies.choices));
  const form = useForm({
    initialValues: {
      name: webhook?.name ?? "",
      url: webhook?.url ?? "https://",
      companyId: webhook?.companyId ?? null,
      includesNames: webhook?.includesNames ?? false,
    },
  });
  const { failure, attempt } = useFormErrors(form.setErrors);
  const save = () =>
    attempt(async () => {
      if (webhook) {
        const { version } = webhook;
        await update.mutateAsync({ params: { id: webhook.id }, body: { ...form.values, version } });
        toast.done(t("flows.hooks.saved"));
      } else {
        const { name, secret } = await create.mutateAsync({ body: form.values });
        toast.done(t("flows.hooks.created"));
        onSecret(name, secret);
      }
      onClose();
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={webhook ? t("flows.hooks.edit", { name: webhook.name }) : t("flows.hooks.add")}
      submitLabel={webhook ? t("flows.save") : t("flows.hooks.add")}
      busy={create.isPending || update.isPending}
      failure={failure}
      onSubmit={save}
    >
      <TextInput label={t("flows.hooks.name")} data-autofocus {...form.getInputProps("name")} />
      <TextInput
        label={t("flows.hooks.url")}
        description={t("flows.hooks.urlHint")}
        type="url"
        {...form.getInputProps("url")}
      />
      <Select
        label={t("flows.hooks.company")}
        placeholder={t("flows.hooks.allCompanies")}
        clearable
        searchable
        data={(tenants?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps("companyId")}
      />
      <Checkbox
        label={t("flows.hooks.includesNames")}
        description={t("flows.hooks.includesNamesHint")}
        {...form.getInputProps("includesNames", { type: "checkbox" })}
      />
    </FormDialog>
  );
}
