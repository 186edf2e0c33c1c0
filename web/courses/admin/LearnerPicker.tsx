import { MultiSelect, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { type Learner, learners } from "#shared/learners/learners.ts";
import { contactOf, nameOf } from "#web/core/display/person.ts";

/** A multi-select that searches learners by name, email or company. */
export function LearnerPicker({ value, onChange }: { value: string[]; onChange: (ids: string[]) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), 250);
  const { data, isFetching } = useQuery(pagedQueryFor(learners.list, { query: { q, size: 20 } }));
  const [chosen, setChosen] = useState<ReadonlyMap<string, Learner>>(new Map());

  const matches = data?.items ?? [];
  const learnersById = new Map([...chosen, ...matches.map((learner) => [learner.id, learner] as const)]);
  const shown = [...new Set([...value, ...matches.map(({ id }) => id)])].flatMap((id) => learnersById.get(id) ?? []);
  const change = (ids: string[]) => {
    setChosen(new Map(ids.flatMap((id) => (learnersById.has(id) ? [[id, learnersById.get(id) as Learner]] : []))));
    onChange(ids);
  };
  return (
    <MultiSelect
      label={t("courses.assign.learners")}
      description={t("courses.assign.learnersHint")}
      placeholder={value.length === 0 ? t("courses.assign.findLearners") : ""}
      data={shown.map((person) => ({ value: person.id, label: nameOf(person) }))}
      value={value}
      onChange={change}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) =>
        options.filter((option) => "value" in option && matches.some(({ id }) => id === option.value))
      }
      renderOption={({ option }) => {
        const learner = learnersById.get(option.value);
        return (
          <div>
            <Text size="sm">{option.label}</Text>
            <Text size="xs" c="dimmed">
              {learner && `${contactOf(learner)}, ${learner.company}`}
            </Text>
          </div>
        );
      }}
      nothingFoundMessage={isFetching ? t("core.loading") : t("web.table.noMatches")}
      hidePickedOptions
      maxDropdownHeight={240}
    />
  );
}
