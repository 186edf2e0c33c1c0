import { useQuery } from "@tanstack/react-query";
import { queryFor } from "#web/core/api/api.ts";
import { courses } from "#shared/courses/courses.ts";
import type { PathDetail } from "#shared/paths/paths.ts";

export type StepCourse = Pick<PathDetail["courses"][number], "id" | "title" | "code" | "status">;

/** The courses of a path, and those that can be added to it, by id. */
export function useCourses(path: PathDetail) {
  const { data } = useQuery(queryFor(courses.choices));
  const known: StepCourse[] = [...(data?.items ?? []), ...path.courses];
  const byId: ReadonlyMap<string, StepCourse> = new Map(known.map((course) => [course.id, course]));
  const titles: ReadonlyMap<string, string> = new Map(known.map(({ id, title }) => [id, title]));
  return { courses: byId, titles };
}
