import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { type Variable, variables } from "#shared/variables/variables.ts";

type Props = {
  label: string;
  value: Variable | null;
  onChange: (variable: Variable | null) => void;
  /** A variable that cannot be chosen. */
  except?: string;
  error?: ReactNode;
};
const FOUND = 50;

/** Chooses an active variable by name or key; searches on the server. */
export function VariableSelect({ label, value, onChange, except, error }: Props) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const [text] = useDebouncedValue(search, 200);
  const q = value && text === value.label ? "" : text.trim();
  const { data } = useQuery(pagedQueryFor(variables.list, { query: { size: FOUND, ...(q && { q }) } }));
  const found = (data?.items ?? []).filter(({ id }) => id !== except);
  const shown = value && !found.some(({ id }) => id === value.id) ? [value, ...found] : found;
  return (
    <Select
      label={label}
      searchable
      error={error}
      value={value?.id ?? null}
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      nothingFoundMessage={t("variables.none")}
      onChange={(id) => onChange(shown.find((one) => one.id === id) ?? null)}
      data={shown.map((one) => ({ value: one.id, label: one.label }))}
    />
  );
}
