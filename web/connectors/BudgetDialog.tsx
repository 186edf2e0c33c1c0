import { ActionIcon, Group, Input, NumberInput, Select, SimpleGrid, Stack, Text, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useCompanyChoices } from "#web/connectors/useCompanyChoices.ts";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { toast } from "#web/core/toast/toast.ts";
import { connectors } from "#shared/connectors/connectors.ts";
import type { Spending } from "#shared/connectors/spending.ts";

const CURRENCIES = ["EUR", "USD", "GBP", "CHF", "NOK", "SEK", "DKK", "PLN", "CZK", "JPY", "CAD", "AUD"];
type Amount = number | "";
const limitOf = (amount: Amount) => (amount === "" ? null : amount);

/** Budgets of the academy and of companies, and the text shown when one is used up. */
export function BudgetDialog({ spending, onClose }: { spending: Spending; onClose: () => void }) {
  const { t } = useTranslation();
  const companies = useCompanyChoices();
  const form = useForm({
    initialValues: {
      currency: spending.currency,
      monthlyBudget: spending.monthlyBudget ?? ("" as Amount),
      limitText: spending.limitText,
      companies: spending.companies.map(({ companyId, company, monthlyBudget }) => ({
        companyId,
        company,
        amount: monthlyBudget ?? ("" as Amount),
      })),
    },
  });
  const save = useApiMutation(connectors.setSpending, { quiet: true });
  const saveCompany = useApiMutation(connectors.setCompanyBudget, { quiet: true });
  const { failure, attempt } = useFormErrors(form.setErrors);
  const submit = () =>
    attempt(async () => {
      const { currency, monthlyBudget, limitText } = form.values;
      await save.mutateAsync({ body: { currency, limitText, monthlyBudget: limitOf(monthlyBudget) } });
      const removed = spending.companies
        .filter((before) => !form.values.companies.some(({ companyId }) => companyId === before.companyId))
        .map(({ companyId }) => ({ companyId, amount: "" as Amount }));
      for (const { companyId, amount } of [...form.values.companies, ...removed])
        await saveCompany.mutateAsync({ body: { companyId, monthlyBudget: limitOf(amount) } });
      toast.done(t("connectors.budgets.saved"));
      onClose();
    });
  const free = companies.filter(({ value }) => !form.values.companies.some(({ companyId }) => companyId === value));
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("connectors.budgets.title")}
      submitLabel={t("connectors.budgets.save")}
      busy={save.isPending || saveCompany.isPending}
      failure={failure}
      onSubmit={submit}
    >
      <SimpleGrid cols={2} spacing="sm">
        <NumberInput
          label={t("connectors.budgets.academy")}
          hideControls
          min={0}
          decimalScale={2}
          {...form.getInputProps("monthlyBudget")}
        />
        <Select
          label={t("connectors.budgets.currency")}
          allowDeselect={false}
          searchable
          data={CURRENCIES.includes(spending.currency) ? CURRENCIES : [spending.currency, ...CURRENCIES]}
          {...form.getInputProps("currency")}
        />
      </SimpleGrid>
      <Textarea
        label={t("connectors.budgets.limitText")}
        description={t("connectors.budgets.limitTextHint")}
        autosize
        minRows={2}
        maxLength={500}
        {...form.getInputProps("limitText")}
      />
      <Input.Wrapper label={t("connectors.budgets.companies")}>
        <Stack gap="xs">
          {form.values.companies.map(({ companyId, company }, at) => (
            <Group key={companyId} gap="xs" wrap="nowrap">
              <Text flex={1} size="sm">
                {company}
              </Text>
              <NumberInput
                aria-label={`${company}, ${t("connectors.budgets.monthly")}`}
                w={130}
                hideControls
                min={0}
                decimalScale={2}
                {...form.getInputProps(`companies.${at}.amount`)}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size={34}
                aria-label={t("connectors.budgets.remove", { company })}
                title={t("connectors.budgets.remove", { company })}
                onClick={() => form.removeListItem("companies", at)}
              >
                <IconX size={18} stroke={1.7} />
              </ActionIcon>
            </Group>
          ))}
          <Select
            aria-label={t("connectors.budgets.add")}
            placeholder={t("connectors.budgets.add")}
            searchable
            data={free}
            value={null}
            onChange={(companyId, option) =>
              companyId &&
              form.insertListItem("companies", { companyId, company: option?.label ?? "", amount: "" as Amount })
            }
          />
        </Stack>
      </Input.Wrapper>
    </FormDialog>
  );
}
