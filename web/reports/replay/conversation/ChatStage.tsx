import { IconMicrophone } from "@tabler/icons-react";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { AskTodayButton } from "#web/chatbots/comparison/AskTodayButton.tsx";
import { FormulaMarkdown } from "#web/core/display/FormulaMarkdown.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import { formatOffset } from "#web/core/format/format.ts";
import classes from "#web/reports/replay/conversation/chatStage.module.css";
import {
  branchAt,
  type ConversationIndex,
  stateAt,
  type TimedTurn,
} from "#web/reports/replay/conversation/conversationIndex.ts";
import { indexAt, type ReplayClock, useClock } from "#web/reports/replay/replayClock.ts";
import stageClasses from "#web/reports/replay/stage.module.css";
import type { ConversationReplay } from "#shared/reports/replays.ts";

type Props = { replay: ConversationReplay; index: ConversationIndex; clock: ReplayClock };

/** The chat at the position: the branch that was on screen, and the answer that was being written. */
export function ChatStage({ replay, index, clock }: Props) {
  const { t } = useTranslation();
  const log = useRef<HTMLDivElement>(null);
  const at = useClock(clock, ({ now }) => indexAt(index.stageTimes, now()));
  const now = index.stageTimes[at] ?? -1;
  const branch = useMemo(() => branchAt(index.turns, now), [index, now]);
  // Keeps the latest turn in view.
  useEffect(() => {
    const node = log.current as HTMLDivElement;
    node.scrollTop = node.scrollHeight;
  }, [at]);
  const last = branch.at(-1);
  return (
    <section className={stageClasses.stage} aria-label={t("replay.stage.title")}>
      <div className={stageClasses.bar}>
        <strong>{replay.chatbot}</strong>
        <span className={stageClasses.place}>
          {last
            ? t("replay.conversation.place", { number: last.number, all: index.turns.length })
            : t("replay.conversation.before")}
        </span>
      </div>
      <div className={`${stageClasses.body} ${classes.body}`}>
        <div className={classes.log} ref={log} tabIndex={0} role="group" aria-label={t("replay.stage.title")}>
          {branch.length === 0 && <p className={classes.note}>{t("replay.conversation.nothing")}</p>}
          <ol>
            {branch.map((turn, place) =>
              turn.role === "user" ? (
                <Question key={turn.id} turn={turn} answer={branch[place + 1]} />
              ) : (
                <Answer key={turn.id} turn={turn} now={now} />
              ),
            )}
          </ol>
        </div>
      </div>
      <div className={stageClasses.mode}>
        <span>{t("replay.conversation.rebuilt")}</span>
      </div>
    </section>
  );
}

function Question({ turn, answer }: { turn: TimedTurn; answer: TimedTurn | undefined }) {
  const { t } = useTranslation();
  const { id, at, text, spoken, button, instead } = turn;
  return (
    <li className={classes.turn} data-role="user">
      <p className={classes.said}>{text}</p>
      <p className={classes.line}>
        {spoken && (
          <>
            <IconMicrophone size={14} stroke={1.8} aria-hidden /> {t("chatbots.talks.spoken")}{" "}
          </>
        )}
        {button && `${t("replay.line.button", { label: button })} `}
        {instead !== null && `${t("replay.conversation.edited", { number: instead })} `}
        <time>{formatOffset(at)}</time>
      </p>
      <AskTodayButton questionId={id} answerId={answer?.id ?? null} className={classes.askToday} />
    </li>
  );
}

function Answer({ turn, now }: { turn: TimedTurn; now: number }) {
  const { t } = useTranslation();
  const { at, end, text, state, rating, options, instead } = turn;
  const phase = stateAt(turn, now);
  if (phase !== "ended")
    return (
      <li className={classes.turn} data-role="assistant">
        <p className={classes.growing}>
          <span className={classes.caret} aria-hidden />
          {t(`replay.conversation.${phase}`)}
        </p>
        <p className={classes.line}>
          {end === Infinity
            ? t("replay.conversation.open")
            : t("replay.conversation.wholeAt", { time: formatOffset(end) })}
        </p>
      </li>
    );
  return (
    <li className={classes.turn} data-role="assistant">
      {text && <FormulaMarkdown from={3}>{text}</FormulaMarkdown>}
      {options.length > 0 && (
        <p className={classes.line}>{t("chatbots.talks.options", { options: options.join(" / ") })}</p>
      )}
      <p className={classes.line}>
        {state !== "done" && (
          <Pill tone={state === "care" || state === "failed" ? "bad" : "warn"}>
            {t(`chatbots.talks.states.${state}`)}
          </Pill>
        )}{" "}
        {instead !== null && `${t("replay.conversation.again", { number: instead })} `}
        {rating && <Pill tone={rating === "up" ? "ok" : "bad"}>{t(`replay.conversation.rated.${rating}`)}</Pill>}{" "}
        <time>{end > at ? `${formatOffset(at)} – ${formatOffset(end)}` : formatOffset(at)}</time>
      </p>
    </li>
  );
}
