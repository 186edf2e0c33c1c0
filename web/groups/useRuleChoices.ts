import { useQuery } from "@tanstack/react-query";
import { queryFor } from "#web/core/api/api.ts";
import { useFields } from "#web/fields/useFields.ts";
import type { RuleNames } from "#web/groups/ruleText.ts";
import { courses } from "#shared/courses/courses.ts";
import type { Field } from "#shared/fields/fields.ts";
import { groups } from "#shared/groups/groups.ts";
import { variables } from "#shared/variables/variables.ts";

type Choice = { value: string; label: string };
export type RuleChoices = {
  fields: Field[];
  courses: Choice[];
  groups: Choice[];
  variables: Choice[];
  names: RuleNames;
};

/**
 * What a rule of a company, or without one of all companies, can refer to. `names`: of what it refers to already.
 * `groupId` does not refer to itself.
 */
export function useRuleChoices(companyId: string | null, groupId?: string, names: RuleNames = {}): RuleChoices {
  const fields = useFields(companyId) ?? [];
  const { data: allCourses } = useQuery(queryFor(courses.choices));
  const { data: allGroups } = useQuery({
    ...queryFor(groups.choices, { query: { companyId: companyId ?? "" } }),
    enabled: companyId !== null,
  });
  const { data: allVariables } = useQuery(queryFor(variables.list, { query: { status: "active", size: 200 } }));
  const offered = {
    fields,
    courses: (allCourses?.items ?? []).map(({ id, title }) => ({ value: id, label: title })),
    groups: (allGroups?.items ?? [])
      .filter(({ id }) => id !== groupId)
      .map(({ id, name }) => ({ value: id, label: name })),
    variables: (allVariables?.items ?? [])
      .filter(({ scope, privacy }) => scope === "learner" && privacy !== "sensitive")
      .map(({ key, label }) => ({ value: key, label })),
  };
  const pairs = [
    ...fields.flatMap(({ id, name, choices }) => [[id, name], ...choices.map((choice) => [choice.id, choice.name])]),
    ...[...offered.courses, ...offered.groups, ...offered.variables].map(({ value, label }) => [value, label]),
  ];
  return { ...offered, names: { ...names, ...(Object.fromEntries(pairs) as RuleNames) } };
}
