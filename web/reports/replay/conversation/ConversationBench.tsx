import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { TimeZone } from "#web/core/format/TimeZone.tsx";
import { conversationReplayPath } from "#web/core/format/replayPath.ts";
import { ChatStage } from "#web/reports/replay/conversation/ChatStage.tsx";
import { ConversationHead } from "#web/reports/replay/conversation/ConversationHead.tsx";
import { type ConversationData, indexConversation } from "#web/reports/replay/conversation/conversationIndex.ts";
import { TurnPane } from "#web/reports/replay/conversation/TurnPane.tsx";
import { ReplayBench } from "#web/reports/replay/ReplayBench.tsx";
import { type ConversationReplay, conversationReplays } from "#shared/reports/replays.ts";

/** The replay of a conversation. */
export function ConversationBench({ replay, data }: { replay: ConversationReplay; data: ConversationData }) {
  const { t } = useTranslation();
  const index = useMemo(() => indexConversation(replay, data, t), [replay, data, t]);
  const { id, person } = replay;
  const linkTo = useCallback((second: number) => location.origin + conversationReplayPath(id, second * 1000), [id]);
  const reveal = useApiMutation(conversationReplays.revealConversationValues, { quiet: true, refetch: false });
  return (
    <ReplayBench
      index={index}
      linkTo={linkTo}
      cut={index.turns.some(({ end }) => end === Infinity) ? "live" : null}
      texts={{
        slider: t("replay.conversation.slider"),
        empty: t("replay.conversation.empty"),
        emptyText: t("replay.conversation.emptyText"),
        noVariables: t("replay.conversation.noVariables"),
      }}
      name={person?.name ?? t("replay.conversation.visitor")}
      onReveal={(body) => reveal.mutateAsync({ params: { id }, body })}
      head={(clock) => (
        <TimeZone value={replay.zone}>
          <ConversationHead replay={replay} index={index} clock={clock} linkTo={linkTo} />
        </TimeZone>
      )}
      stage={(clock) => <ChatStage replay={replay} index={index} clock={clock} />}
      facts={{ title: t("replay.conversation.answer"), pane: (clock) => <TurnPane index={index} clock={clock} /> }}
    />
  );
}
