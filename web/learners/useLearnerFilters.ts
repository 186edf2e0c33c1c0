import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { z } from "zod";
import { queryFor } from "#web/core/api/api.ts";
import { useListState } from "#web/core/table/useListState.ts";
import type { Filter } from "#web/core/filter/filter.ts";
import { useFields } from "#web/fields/useFields.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { groups } from "#shared/groups/groups.ts";
import type { Field } from "#shared/fields/fields.ts";
import { userStatus } from "#shared/core/users.ts";

const isId = (key: string) => z.uuid().safeParse(key).success;

/**
 * Filters of the learner list, and the fields that it offers as columns and filters: those of the chosen company. An
 * archived company or course in the URL is an option, too.
 */
export function useLearnerFilters(
  companyId: string | undefined,
  prefix: string,
): { filters: Filter[]; fields: Field[] } {
  const { t } = useTranslation();
  const { state } = useListState({ filters: ["companyId", "courseId", "groupId"], prefix });
  const company = state.filters.companyId ?? "";
  const course = state.filters.courseId ?? "";
  const ofCompany = companyId ?? company;
  const { data: allGroups } = useQuery({
    ...queryFor(groups.choices, { query: { companyId: ofCompany } }),
    enabled: ofCompany !== "",
  });
  const groupOptions = (allGroups?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const known = useFields(ofCompany);
  const fields = known ?? [];
  const [params] = useSearchParams();
  // Filters by fields in the address apply before the fields are known.
  const expected = known ? [] : [...params.keys()].map((key) => key.slice(prefix.length)).filter(isId);

  const { data: allCompanies } = useQuery({
    ...queryFor(companies.choices),
    enabled: !companyId,
  });
  const { data: allCourses } = useQuery(queryFor(courses.choices, { query: { ...(companyId && { companyId }) } }));
  const hasCompany = !company || !allCompanies || allCompanies.items.some(({ id }) => id === company);
  const hasCourse = !course || !allCourses || allCourses.items.some(({ id }) => id === course);
  const { data: selectedCompany } = useQuery({
    ...queryFor(companies.get, { params: { id: company } }),
    enabled: !hasCompany,
  });
  const { data: selectedCourse } = useQuery({
    ...queryFor(courses.get, { params: { id: course } }),
    enabled: !hasCourse,
  });

  const companyOptions = [...(allCompanies?.items ?? []), ...(selectedCompany ? [selectedCompany] : [])].map(
    ({ id, name }) => ({ value: id, label: name }),
  );
  const courseOptions = [...(allCourses?.items ?? []), ...(selectedCourse ? [selectedCourse] : [])].map(
    ({ id, title }) => ({
      value: id,
      label: title,
    }),
  );
  const filters: Filter[] = [
    ...(companyId ? [] : [{ key: "companyId", label: t("learners.company"), options: companyOptions }]),
    { key: "courseId", label: t("learners.course"), options: courseOptions },
    // Groups belong to companies.
    ...(groupOptions.length > 0 || state.filters.groupId
      ? [{ key: "groupId", label: t("groups.filter"), options: groupOptions }]
      : []),
    {
      key: "status",
      label: t("learners.status"),
      options: userStatus.options.map((value) => ({ value, label: t(`learners.is.${value}`) })),
    },
    {
      key: "progress",
      label: t("learners.progress"),
      options: (["overdue", "notStarted", "completed"] as const).map((value) => ({
        value,
        label: t(`learners.progressIs.${value}`),
      })),
    },
    {
      key: "managerId",
      label: t("managers.manager"),
      options: [{ value: "none", label: t("managers.noManager") }],
      isRare: true,
    },
    { key: "joinedOn", label: t("learners.joinedOn"), kind: "day", isRare: true },
    { key: "completedOn", label: t("learners.completedOn"), kind: "day", isRare: true },
    { key: "overdueOn", label: t("learners.overdueOn"), kind: "day", isRare: true },
    ...expected.map((key): Filter => ({ key, label: "…", of: "fields", isRare: true })),
    ...fields.map(({ id, name, kind, choices }): Filter => ({
      key: id,
      label: name,
      of: "fields",
      isRare: true,
      ...(kind === "choice" && { options: choices.map((choice) => ({ value: choice.id, label: choice.name })) }),
      ...(kind === "date" && { kind: "day" }),
    })),
  ];
  return { filters, fields };
}
