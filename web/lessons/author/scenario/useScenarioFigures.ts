import { useQuery } from "@tanstack/react-query";
import { queryFor } from "#web/core/api/api.ts";
import { useAuthor } from "#web/lessons/author/authorContext.ts";
import { reports } from "#shared/reports/reports.ts";

/** How many learners have come by each step and choice of a scenario. */
export function useScenarioFigures(block: string) {
  const { draft, lessonId } = useAuthor();
  return useQuery(queryFor(reports.scenario, { params: { id: draft.id }, query: { lesson: lessonId, block } })).data;
}
