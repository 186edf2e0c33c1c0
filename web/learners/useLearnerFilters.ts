import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { useListState } from "#web/core/table/useListState.ts";
import type { Filter } from "#web/core/filter/filter.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { userStatus } from "#shared/core/users.ts";

/**
 * Filters of the learner list. An archived company or course in the URL is an option, too.
 */
export function useLearnerFilters(companyId: string | undefined, prefix: string): Filter[] {
  const { t } = useTranslation();
  const { state } = useListState({ filters: ["companyId", "courseId"], prefix });
  const company = state.filters.companyId ?? "";
  const course = state.filters.courseId ?? "";

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
  return [
    ...(companyId ? [] : [{ key: "companyId", label: t("learners.company"), options: companyOptions }]),
    { key: "courseId", label: t("learners.course"), options: courseOptions },
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
    { key: "joinedOn", label: t("learners.joinedOn"), kind: "day", isRare: true },
    { key: "completedOn", label: t("learners.completedOn"), kind: "day", isRare: true },
    { key: "overdueOn", label: t("learners.overdueOn"), kind: "day", isRare: true },
  ];
}
