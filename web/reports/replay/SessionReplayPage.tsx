import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { call, queryFor } from "#web/core/api/api.ts";
import { isStatus } from "#web/core/http/http.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { NotFoundPage } from "#web/core/layout/NotFoundPage.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { useWorkBench } from "#web/core/layout/workBench.ts";
import { readAllPages, readAllValues } from "#web/reports/replay/readPages.ts";
import { SessionBench } from "#web/reports/replay/SessionBench.tsx";
import type { ReplayData } from "#web/reports/replay/replayData.ts";
import { replays } from "#shared/reports/replays.ts";

/** `/reports/session/replay/:id`: what happened in a session, second by second. */
export function SessionReplayPage() {
  const { id = "" } = useParams();
  const { t } = useTranslation();
  useWorkBench();
  const head = useQuery({
    ...queryFor(replays.replay, { params: { id } }),
    throwOnError: (error) => !isStatus(error, 404),
    // A live session grows; reloading the page shows newer events.
    staleTime: Infinity,
  });
  const timeline = useQuery({
    queryKey: [replays.replayEvents.domain, replays.replayEvents.path, "all", id],
    queryFn: ({ signal }) => readTimeline(id, signal),
    enabled: head.data !== undefined,
    staleTime: Infinity,
  });
  if (isStatus(head.error, 404)) return <NotFoundPage title={t("replay.notFound")} text={t("replay.notFoundText")} />;
  if (timeline.error) return <ErrorPanel error={timeline.error} onRetry={() => void timeline.refetch()} />;
  if (!head.data || !timeline.data) return <PageSkeleton />;
  return <SessionBench key={id} replay={head.data} data={timeline.data} />;
}

/** All pages of the timeline of a session. */
async function readTimeline(id: string, signal: AbortSignal): Promise<ReplayData> {
  const params = { id };
  const data: ReplayData = { events: [], commits: [], values: [], turns: [] };
  for (let after: number | null = 0; after !== null;) {
    const page: Awaited<ReturnType<typeof readEvents>> = await readEvents(params, after, signal);
    data.events.push(...page.events);
    data.commits.push(...page.commits);
    after = page.next;
  }
  data.values = await readAllValues((query) => call(replays.replayValues, { params, query }, signal));
  data.turns = await readAllPages((query) => call(replays.replayTurns, { params, query }, signal));
  return data;
}
type Params = { id: string };
const readEvents = (params: Params, after: number, signal: AbortSignal) =>
  call(replays.replayEvents, { params, query: { after } }, signal);
