import { IconMessageCircle, IconSignature, IconSparkles } from "@tabler/icons-react";
import { lazy, Suspense, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTimeIn, formatZone } from "#web/core/format/format.ts";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import { Paragraphs, Runs } from "#web/lessons/learner/Runs.tsx";
import groups from "#web/lessons/learner/groups.module.css";
import classes from "#web/lessons/learner/inputs.module.css";
import type { ShownBlockOf } from "#shared/lessons/shownLesson.ts";

const MarkdownText = lazy(() =>
  import("#web/core/display/MarkdownText.tsx").then((module) => ({ default: module.MarkdownText })),
);

/** Nothing if the learner may not use the chatbot. */
export function ChatbotBlock({ block }: { block: ShownBlockOf<"chatbot"> }) {
  const { t } = useTranslation();
  const { bots, openChat, readOnly } = useLesson();
  const bot = block.chatbotId === null ? bots[0] : bots.find(({ id }) => id === block.chatbotId);
  if (!bot) return null;
  return (
    <div className={classes.ask}>
      <p>
        <Runs text={block.text} />
      </p>
      <button type="button" className={groups.button} disabled={readOnly} onClick={() => openChat(bot.id)}>
        <IconMessageCircle size={18} stroke={1.7} aria-hidden />
        {t("player.chat", { name: bot.name })}
      </button>
    </div>
  );
}

export function PromptBlock({ block }: { block: ShownBlockOf<"prompt"> }) {
  const { t } = useTranslation();
  const { runPrompt, readOnly } = useLesson();
  const [state, setState] = useState<{ isRunning: boolean; text: string; hasFailed: boolean } | null>(null);
  const run = async () => {
    setState({ isRunning: true, text: "", hasFailed: false });
    setState({ isRunning: false, ...(await runPrompt(block.key)) });
  };
  return (
    <div className={classes.ask}>
      <p>
        <Runs text={block.text} />
      </p>
      <button
        type="button"
        className={groups.button}
        disabled={readOnly || state?.isRunning}
        onClick={() => void run()}
      >
        <IconSparkles size={18} stroke={1.7} aria-hidden />
        {t(state?.isRunning ? "lessons.asking" : "lessons.ask")}
      </button>
      <div role="status" className={classes.answer} data-failed={state?.hasFailed || undefined}>
        {state &&
          state.text !== "" &&
          (state.hasFailed ? (
            state.text
          ) : (
            <Suspense>
              <MarkdownText from={3}>{state.text}</MarkdownText>
            </Suspense>
          ))}
      </div>
    </div>
  );
}

export function ConfirmationBlock({ block }: { block: ShownBlockOf<"confirmation"> }) {
  const { t } = useTranslation();
  const { lesson, record, learner, readOnly } = useLesson();
  const id = useId();
  const [isAgreed, setAgreed] = useState(false);
  const signed = lesson.state.confirmed[block.id];
  const sign = () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    record({ type: "block.confirm", key: block.id, value: JSON.stringify({ zone: timeZone }) }, true);
  };
  return (
    <section className={classes.confirmation} aria-label={t("lessons.confirmation")}>
      <div>
        <Paragraphs texts={block.text} />
      </div>
      <div role="status">
        {signed && (
          <p className={classes.signed}>
            <IconSignature size={20} stroke={1.7} aria-hidden />
            <span>
              <strong>{block.meaning}</strong>
              <br />
              {t("lessons.signed", {
                name: learner,
                when: formatDateTimeIn(signed.at, signed.zone),
                zone: formatZone(signed.at, signed.zone),
              })}
            </span>
          </p>
        )}
      </div>
      {!signed && (
        <>
          <label className={classes.agree}>
            <input
              type="checkbox"
              id={id}
              checked={isAgreed}
              disabled={readOnly}
              onChange={({ target }) => setAgreed(target.checked)}
            />
            <span>{block.meaning}</span>
          </label>
          <button type="button" className={groups.button} disabled={!isAgreed || readOnly} onClick={sign}>
            {t("lessons.sign")}
          </button>
        </>
      )}
    </section>
  );
}
