import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { learners } from "#shared/learners/learners.ts";
import { nameOf } from "#web/core/display/person.ts";

type Props = { value: string | null; onChange: (userId: string | null) => void };
const FOUND = 30;

/** Selects a learner whose values fill the placeholders; searches on the server. */
export function LearnerSelect({ value, onChange }: Props) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const [text] = useDebouncedValue(search.trim(), 200);
  const [chosen, setChosen] = useState<{ value: string; label: string } | null>(null);
  const q = chosen && text === chosen.label ? "" : text;
  const { data } = useQuery(pagedQueryFor(learners.list, { query: { size: FOUND, ...(q && { q }) } }));
  const found = (data?.items ?? []).map((person) => ({ value: person.id, label: nameOf(person) }));
  const shown = chosen && !found.some((one) => one.value === chosen.value) ? [chosen, ...found] : found;
  return (
    <Select
      aria-label={t("prompts.sampleLearner")}
      placeholder={t("prompts.sampleLearner")}
      size="xs"
      w={190}
      searchable
      clearable
      value={value}
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      data={shown}
      onChange={(id) => {
        setChosen(shown.find((one) => one.value === id) ?? null);
        onChange(id);
      }}
    />
  );
}
