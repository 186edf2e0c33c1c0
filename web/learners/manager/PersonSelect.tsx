import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { type Learner, learners } from "#shared/learners/learners.ts";
import { contactOf } from "#web/core/display/person.ts";

export type ChosenPerson = Pick<Learner, "id" | "name" | "email" | "personnelNumber">;
type Props = {
  value: ChosenPerson | null;
  onChange: (person: ChosenPerson | null) => void;
  /** Only people of this company. */
  companyId?: string | undefined;
  /** People who are not offered. */
  except?: string[];
  label: string;
  description?: ReactNode;
  error?: ReactNode;
  disabled?: boolean;
};

const FOUND = 30;

/** Selects an active or invited learner. Searched on the server, as there may be thousands. */
export function PersonSelect({ value, onChange, companyId, except = [], ...rest }: Props) {
  const { t } = useTranslation();
  const labelOf = (person: ChosenPerson) => [person.name, contactOf(person)].filter(Boolean).join(", ");
  const [typed, setTyped] = useState(value ? labelOf(value) : "");
  const [q] = useDebouncedValue(value && typed === labelOf(value) ? "" : typed.trim(), 200);
  const { data } = useQuery(
    pagedQueryFor(learners.list, { query: { size: FOUND, ...(companyId && { companyId }), ...(q && { q }) } }),
  );
  const matches = (data?.items ?? []).filter(({ id, status }) => status !== "suspended" && !except.includes(id));
  const people: ChosenPerson[] = value && !matches.some(({ id }) => id === value.id) ? [value, ...matches] : matches;
  return (
    <Select
      {...rest}
      searchable
      clearable
      clearButtonProps={{ "aria-label": t("learners.clear") }}
      searchValue={typed}
      onSearchChange={setTyped}
      value={value?.id ?? null}
      filter={({ options }) => options}
      placeholder={t("managers.set.placeholder")}
      nothingFoundMessage={t("managers.set.nothingFound")}
      data={people.map((person) => ({ value: person.id, label: labelOf(person) }))}
      onChange={(id) => onChange(people.find((person) => person.id === id) ?? null)}
    />
  );
}
