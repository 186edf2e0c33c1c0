import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { AnswerFacts } from "#web/chatbots/comparison/AnswerFacts.tsx";
import { AnswerFailure } from "#web/chatbots/comparison/AnswerFailure.tsx";
import { formatOffset } from "#web/core/format/format.ts";
import classes from "#web/reports/replay/conversation/chatStage.module.css";
import { branchAt, type ConversationIndex } from "#web/reports/replay/conversation/conversationIndex.ts";
import replayClasses from "#web/reports/replay/replay.module.css";
import { indexAt, type ReplayClock, useClock } from "#web/reports/replay/replayClock.ts";

type Props = { index: ConversationIndex; clock: ReplayClock };

/** The facts behind the latest answer at the position: versions, model, passages with scores, times and cost. */
export function TurnPane({ index, clock }: Props) {
  const { t } = useTranslation();
  const at = useClock(clock, ({ now }) => indexAt(index.stageTimes, now()));
  const now = index.stageTimes[at] ?? -1;
  const turn = useMemo(
    () => branchAt(index.turns, now).findLast(({ facts, parentId }) => facts !== null && parentId !== null),
    [index, now],
  );
  const reason = turn?.ratingReason
    ? t(`chatbots.talks.reasons.${turn.ratingReason as "wrong"}`, { defaultValue: turn.ratingReason })
    : "";
  return (
    <section className={classes.facts} aria-label={t("replay.conversation.answer")}>
      <div className={replayClasses.paneHead}>
        <h2>{turn ? t("replay.conversation.turn", { number: turn.number }) : t("replay.conversation.answer")}</h2>
        {turn && <span>{formatOffset(turn.at)}</span>}
      </div>
      {!turn?.facts && <p className={replayClasses.none}>{t("replay.conversation.noAnswer")}</p>}
      {turn?.facts && (
        <>
          <AnswerFailure answer={{ ...turn, ...turn.facts }} />
          {turn.rating && (
            <p className={classes.rated}>
              {t(`chatbots.talks.rated.${turn.rating}`)}
              {(reason || turn.ratingText) && `: ${[reason, turn.ratingText].filter(Boolean).join(", ")}`}.{" "}
              {t("replay.conversation.ratedWhen")}
            </p>
          )}
          <AnswerFacts answer={{ ...turn, ...turn.facts }} />
        </>
      )}
    </section>
  );
}
