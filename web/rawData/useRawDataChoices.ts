import { useQuery } from "@tanstack/react-query";
import { queryFor } from "#web/core/api/api.ts";
import { fetchAllRows } from "#web/core/table/csv.ts";
import { courses } from "#shared/courses/courses.ts";
import { type Variable, variables } from "#shared/variables/variables.ts";

/** All courses by title, as choices of filters. Empty while loading. */
export function useCourseChoices() {
  const { data } = useQuery({ ...queryFor(courses.choices), staleTime: 60_000 });
  return data?.items ?? [];
}

/** The variables of a course, or all, archived ones last. Undefined while loading. */
export function useVariableChoices(courseId?: string): Variable[] | undefined {
  const { data } = useQuery({
    queryKey: ["variables", "choices", courseId ?? ""],
    queryFn: async () => {
      const read = (status: string) => fetchAllRows(variables.list, { status, ...(courseId && { courseId }) });
      return [...(await read("active")), ...(await read("archived"))];
    },
    staleTime: 60_000,
  });
  return data;
}
