import { Anchor, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/chatbots/transcripts/conversation.module.css";
import { TranscriptTurn } from "#web/chatbots/transcripts/TranscriptTurn.tsx";
import { formatMoney } from "#web/connectors/amounts.ts";
import { queryFor } from "#web/core/api/api.ts";
import { formatDateTime } from "#web/core/format/format.ts";
import { conversationReplayPath } from "#web/core/format/replayPath.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { SidePanel } from "#web/core/layout/SidePanel.tsx";
import { connectors } from "#shared/connectors/connectors.ts";
import { conversations, type Transcript } from "#shared/conversations/conversations.ts";

/** The transcript of a conversation, with its cost and the facts behind each answer. */
export function TranscriptPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(queryFor(conversations.transcript, { params: { id } }));
  const { data: spending } = useQuery(queryFor(connectors.spending));
  const currency = spending?.currency ?? "EUR";
  return (
    <SidePanel
      title={data?.title || t("chatbots.talks.untitled")}
      line={data && <Facts transcript={data} currency={currency} />}
      onClose={onClose}
    >
      {error && <ErrorPanel error={error} title={t("chatbots.talks.failed")} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={240} />}
      {data && (
        <ol className={classes.turns}>
          {data.turns.map((turn) => (
            <TranscriptTurn
              key={turn.id}
              turn={turn}
              isAlternative={data.turns.some((one) => one.parentId === turn.parentId && one.number < turn.number)}
              currency={currency}
            />
          ))}
        </ol>
      )}
    </SidePanel>
  );
}

function Facts({ transcript, currency }: { transcript: Transcript; currency: string }) {
  const { t } = useTranslation();
  const { id, person, company, course, courseId, sessionId, versionNumber, startedAt, turns } = transcript;
  const cost = turns.reduce((sum, { costMicros }) => sum + (costMicros ?? 0), 0);
  const report = person && `/learners/report/${person.id}`;
  const facts = [
    company,
    course,
    formatDateTime(startedAt),
    versionNumber === null ? t("chatbots.talks.draft") : t("chatbots.versionNumber", { number: versionNumber }),
    cost === 0 ? t("chatbots.free") : formatMoney(cost / 1e6, currency),
  ];
  return (
    <>
      {person && report ? (
        <Anchor component={Link} to={report}>
          {person.name}
        </Anchor>
      ) : (
        t("chatbots.talks.visitor")
      )}
      {", "}
      {facts.filter(Boolean).join(", ")}
      {report && sessionId && courseId && (
        <>
          {". "}
          <Anchor component={Link} to={`${report}?session=${sessionId}`}>
            {t("chatbots.talks.session")}
          </Anchor>
        </>
      )}
      {". "}
      <Anchor component={Link} to={conversationReplayPath(id)}>
        {t("replay.conversation.link")}
      </Anchor>
    </>
  );
}
