import { MultiSelect, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { catalogue, CHOICES } from "#shared/catalogue/catalogue.ts";

type Choice = { id: string; title: string };
/** A course that comes first; nobody can complete an archived one. */
export type Required = Choice & { isArchived?: boolean | undefined };

/** Published courses that match what was typed, a bounded number of them; those in `known` keep their titles. */
function useChoices(companyId: string, isFor: "offer" | "prerequisite", typed: string, known: Choice[]) {
  const [q] = useDebouncedValue(typed.trim().slice(0, 200), 250);
  const { data, isFetching } = useQuery(
    pagedQueryFor(catalogue.choices, { params: { id: companyId }, query: { ...(q && { q }), isFor } }),
  );
  const [seen, setSeen] = useState<ReadonlyMap<string, Choice>>(new Map());
  const found = data?.items ?? [];
  const byId = new Map([...known, ...seen.values(), ...found].map((one) => [one.id, one]));
  const remember = (ids: string[]) =>
    setSeen(new Map(ids.flatMap((id) => (byId.has(id) ? [[id, byId.get(id)!]] : []))));
  return { found, byId, remember, isFetching };
}

const toOption = ({ id, title }: Choice) => ({ value: id, label: title });

type OneProps = {
  companyId: string;
  value: string | null;
  error: string | undefined;
  onChange: (id: string | null) => void;
};

/** The course of a new offer, searched on the server. */
export function CoursePicker({ companyId, value, error, onChange }: OneProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const { found, byId, remember, isFetching } = useChoices(companyId, "offer", typed, []);
  const chosen = value ? byId.get(value) : undefined;
  const shown = chosen && !found.some(({ id }) => id === value) ? [chosen, ...found] : found;
  return (
    <Select
      label={t("catalogue.form.course")}
      description={t("catalogue.form.courseHint")}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      data={shown.map(toOption)}
      filter={({ options }) => options}
      limit={CHOICES + 1}
      nothingFoundMessage={isFetching ? t("core.loading") : t("catalogue.form.nothing")}
      value={value}
      error={error}
      onChange={(id) => {
        remember(id ? [id] : []);
        onChange(id);
      }}
    />
  );
}

type ManyProps = {
  companyId: string;
  /** The course itself, which it cannot need. */
  courseId: string | null;
  value: string[];
  known: Required[];
  error: string | undefined;
  /** `chosen`: the courses of `ids`. */
  onChange: (ids: string[], chosen: Required[]) => void;
};

/** Courses that come first, searched on the server. */
export function PrerequisitePicker({ companyId, courseId, value, known, error, onChange }: ManyProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const { found, byId, remember, isFetching } = useChoices(companyId, "prerequisite", typed, known);
  const archived = known.filter(({ id, isArchived }) => isArchived && value.includes(id)).map(({ id }) => id);
  const labelOf = (choice: Choice) =>
    archived.includes(choice.id) ? t("catalogue.form.archived", { course: choice.title }) : choice.title;
  const ids = [...new Set([...value, ...found.map(({ id }) => id)])].filter((id) => id !== courseId);
  return (
    <MultiSelect
      label={t("catalogue.form.requires")}
      description={t(archived.length > 0 ? "catalogue.form.archivedHint" : "catalogue.form.requiresHint")}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      data={ids.flatMap((id) => byId.get(id) ?? []).map((choice) => ({ value: choice.id, label: labelOf(choice) }))}
      filter={({ options }) =>
        options.filter((option) => "value" in option && found.some(({ id }) => id === option.value))
      }
      nothingFoundMessage={isFetching ? t("core.loading") : t("catalogue.form.nothing")}
      hidePickedOptions
      maxDropdownHeight={220}
      value={value}
      error={error}
      onChange={(next) => {
        remember(next);
        onChange(
          next,
          next.flatMap((id) => byId.get(id) ?? []),
        );
      }}
    />
  );
}
