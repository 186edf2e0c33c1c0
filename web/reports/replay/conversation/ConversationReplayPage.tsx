import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { call, queryFor } from "#web/core/api/api.ts";
import { isStatus } from "#web/core/http/http.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { NotFoundPage } from "#web/core/layout/NotFoundPage.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { useWorkBench } from "#web/core/layout/workBench.ts";
import { ConversationBench } from "#web/reports/replay/conversation/ConversationBench.tsx";
import type { ConversationData } from "#web/reports/replay/conversation/conversationIndex.ts";
import { readAllPages, readAllValues } from "#web/reports/replay/readPages.ts";
import { conversationReplays } from "#shared/reports/replays.ts";

/** `/reports/conversation/replay/:id`: what happened in a conversation, second by second. */
export function ConversationReplayPage() {
  const { id = "" } = useParams();
  const { t } = useTranslation();
  useWorkBench();
  const head = useQuery({
    ...queryFor(conversationReplays.conversationReplay, { params: { id } }),
    throwOnError: (error) => !isStatus(error, 404),
    // A continuing conversation grows; reloading the page shows newer turns.
    staleTime: Infinity,
  });
  const turns = conversationReplays.conversationTurns;
  const data = useQuery({
    queryKey: [turns.domain, turns.path, "all", id],
    queryFn: ({ signal }) => readConversation(id, signal),
    enabled: head.data !== undefined,
    staleTime: Infinity,
  });
  if (isStatus(head.error, 404))
    return <NotFoundPage title={t("replay.conversation.notFound")} text={t("replay.conversation.notFoundText")} />;
  if (data.error) return <ErrorPanel error={data.error} onRetry={() => void data.refetch()} />;
  if (!head.data || !data.data) return <PageSkeleton />;
  return <ConversationBench key={id} replay={head.data} data={data.data} />;
}

async function readConversation(id: string, signal: AbortSignal): Promise<ConversationData> {
  const params = { id };
  return {
    turns: await readAllPages((query) => call(conversationReplays.conversationTurns, { params, query }, signal)),
    values: await readAllValues((query) => call(conversationReplays.conversationValues, { params, query }, signal)),
  };
}
