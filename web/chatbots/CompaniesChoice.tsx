import { Group, MultiSelect, Radio } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useCompanyChoices } from "#web/connectors/useCompanyChoices.ts";
import type { BotSettings } from "#shared/chatbots/botSettings.ts";

type Choice = Pick<BotSettings, "allCompanies" | "companyIds">;
type Props = { value: Choice; onChange: (choice: Choice) => void; error?: string | undefined };

/** Whose people can use a chatbot: those of the chosen companies, or of all. */
export function CompaniesChoice({ value: { allCompanies, companyIds }, onChange, error }: Props) {
  const { t } = useTranslation();
  const companies = useCompanyChoices();
  const isAll = allCompanies && companyIds.length === 0;
  return (
    <>
      <Radio.Group
        label={t("chatbots.fields.companies")}
        value={isAll ? "all" : "some"}
        onChange={(choice) => onChange({ allCompanies: choice === "all", companyIds: [] })}
      >
        <Group gap="md" mt="xs">
          {(["some", "all"] as const).map((value) => (
            <Radio key={value} value={value} label={t(`chatbots.fields.companiesAre.${value}`)} />
          ))}
        </Group>
      </Radio.Group>
      {!isAll && (
        <MultiSelect
          label={t("chatbots.fields.companiesAre.some")}
          description={t("chatbots.fields.companiesHint")}
          searchable
          data={companies}
          value={companyIds}
          onChange={(ids) => onChange({ allCompanies: false, companyIds: ids })}
          error={error}
        />
      )}
    </>
  );
}
