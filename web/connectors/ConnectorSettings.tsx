import { MultiSelect, NumberInput, Select, SimpleGrid, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ConnectorForm } from "#web/connectors/useConnectorForm.ts";
import { useCompanyChoices } from "#web/connectors/useCompanyChoices.ts";
import { type Connector, isLanguageModel } from "#shared/connectors/connectors.ts";

type Props = { form: ConnectorForm; others: Connector[]; isLocal: boolean };

/** Budget, fallbacks, limits and companies of a connector; of a model on this server only what applies to it. */
export function ConnectorSettings({ form, others, isLocal }: Props) {
  const { t } = useTranslation();
  const companies = useCompanyChoices();
  const chatModels = form.values.models.filter(({ use, id }) => use === "chat" && id.trim() !== "");
  const numberProps = (name: "monthlyBudget" | "firstTokenSeconds" | "totalSeconds" | "maxConcurrent") => ({
    hideControls: true,
    min: 0,
    value: form.values[name],
    onChange: (value: string | number) => form.setFieldValue(name, typeof value === "number" ? value : ""),
    error: form.errors[name],
  });
  const companyField = (
    <MultiSelect
      label={t("connectors.form.companies")}
      placeholder={form.values.companyIds.length === 0 ? t("connectors.form.allCompanies") : ""}
      searchable
      data={companies}
      {...form.getInputProps("companyIds")}
    />
  );
  if (isLocal) return companyField;
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <NumberInput
          label={t("connectors.form.budget")}
          description={t("connectors.form.budgetHint")}
          decimalScale={2}
          {...numberProps("monthlyBudget")}
        />
        <Select
          label={t("connectors.form.cheaper")}
          description={t("connectors.form.cheaperHint")}
          clearable
          data={[...new Set(chatModels.map(({ id }) => id.trim()))]}
          {...form.getInputProps("cheaperModel")}
        />
      </SimpleGrid>
      <MultiSelect
        label={t("connectors.form.fallbacks")}
        description={t("connectors.form.fallbacksHint")}
        maxValues={5}
        data={others.filter(({ kind }) => isLanguageModel(kind)).map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps("fallbackIds")}
        error={form.errors["fallbacks"]}
      />
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        <NumberInput
          label={t("connectors.form.firstToken")}
          suffix={` ${t("connectors.form.secondsUnit")}`}
          {...numberProps("firstTokenSeconds")}
        />
        <NumberInput
          label={t("connectors.form.total")}
          suffix={` ${t("connectors.form.secondsUnit")}`}
          {...numberProps("totalSeconds")}
        />
        <NumberInput label={t("connectors.form.concurrent")} allowDecimal={false} {...numberProps("maxConcurrent")} />
      </SimpleGrid>
      {companyField}
      <Switch
        label={t("connectors.form.isDefault")}
        checked={form.values.isDefault}
        onChange={(event) => form.setFieldValue("isDefault", event.currentTarget.checked)}
      />
    </>
  );
}
