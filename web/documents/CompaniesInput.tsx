import { MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { companies } from "#shared/companies/companies.ts";

type Named = { id: string; name: string };
type Props = {
  value: string[];
  onChange: (ids: string[]) => void;
  /** Companies that are already selected. */ known?: Named[];
  description?: string;
};

/** Companies whose people may see quotes from a document; none means all. */
export function CompaniesInput({ value, onChange, known = [], description }: Props) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(companies.choices));
  const choices = new Map([...known, ...(data?.items ?? [])].map(({ id, name }) => [id, { value: id, label: name }]));
  return (
    <MultiSelect
      label={t("documents.settings.companies")}
      description={description ?? t("documents.settings.companiesHint")}
      placeholder={value.length === 0 ? t("documents.settings.allCompanies") : ""}
      data={[...choices.values()]}
      value={value}
      onChange={onChange}
      searchable
      clearable
    />
  );
}
