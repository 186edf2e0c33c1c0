import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor, queryFor } from "#web/core/api/api.ts";
import { learners } from "#shared/learners/learners.ts";
import { nameOf } from "#web/core/display/person.ts";

const FOUND = 20;

/** Chooses a learner by name or email; searches on the server. */
export function PersonSelect({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const [text] = useDebouncedValue(search.trim(), 200);
  const { data } = useQuery(pagedQueryFor(learners.list, { query: { size: FOUND, ...(text && { q: text }) } }));
  const chosen = useQuery({ ...queryFor(learners.get, { params: { id: value ?? "" } }), enabled: value !== null }).data;
  const matches = (data?.items ?? []).map((person) => ({ value: person.id, label: nameOf(person) }));
  const options =
    chosen && !matches.some((one) => one.value === chosen.id)
      ? [{ value: chosen.id, label: nameOf(chosen) }, ...matches]
      : matches;
  return (
    <Select
      aria-label={t("analysis.review.person")}
      placeholder={t("analysis.review.person")}
      searchable
      clearable
      value={value}
      onChange={onChange}
      onSearchChange={setSearch}
      filter={({ options: all }) => all}
      data={options}
      my="sm"
      maw={420}
    />
  );
}
