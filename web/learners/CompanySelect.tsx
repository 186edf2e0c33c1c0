import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { companies, type CompanyRow } from "#shared/companies/companies.ts";

type Props = {
  value: CompanyRow | null;
  onChange: (company: CompanyRow | null) => void;
  label: string;
  description?: ReactNode;
  error?: ReactNode;
  /** A company to exclude, such as the current one. */
  except?: string | undefined;
};

/** Selects an active company. Searched by name or code on the server, as there may be thousands. */
export function CompanySelect({ value, onChange, except, ...rest }: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value?.name ?? "");
  const [q] = useDebouncedValue(typed === value?.name ? "" : typed.trim(), 200);
  const { data } = useQuery(pagedQueryFor(companies.list, { query: { status: "active", size: 50, ...(q && { q }) } }));
  const matches = (data?.items ?? []).filter(({ id }) => id !== except);
  const rows = value && !matches.some(({ id }) => id === value.id) ? [value, ...matches] : matches;
  return (
    <Select
      {...rest}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      value={value?.id ?? null}
      filter={({ options }) => options}
      placeholder={t("learners.chooseCompany")}
      nothingFoundMessage={t("learners.noCompanyFound")}
      allowDeselect={false}
      data={rows.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(id) => onChange(rows.find((row) => row.id === id) ?? null)}
    />
  );
}
