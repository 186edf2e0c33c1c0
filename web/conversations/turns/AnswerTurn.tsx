import { memo, Suspense, useCallback, useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { lazyWithPreload } from "#web/core/rendering/lazyWithPreload.tsx";
import type { AnswerTextProps } from "#web/conversations/turns/AnswerMarkdown.tsx";
import { AnswerActions } from "#web/conversations/turns/AnswerActions.tsx";
import { AnswerEnd } from "#web/conversations/turns/AnswerEnd.tsx";
import type { Chat } from "#web/conversations/chat.ts";
import { spokenText } from "#shared/core/sentences.ts";
import { isSameList } from "#web/conversations/turns/OwnTurn.tsx";
import classes from "#web/conversations/chat.module.css";
import transcriptClasses from "#web/conversations/transcript.module.css";
import type { PublicBot } from "#shared/chatbots/chatbots.ts";
import { isOpenState, type Turn, type TurnSource } from "#shared/conversations/conversations.ts";

type Props = {
  chat: Chat;
  bot: PublicBot;
  turn: Turn;
  siblings: readonly string[];
  isLast: boolean;
  isConnected: boolean;
  hasLinks: boolean;
  onSource: (sources: TurnSource[], n: number) => void;
};

export const AnswerMarkdown = lazyWithPreload(() =>
  import("#web/conversations/turns/AnswerMarkdown.tsx").then(({ AnswerMarkdown }) => AnswerMarkdown),
);

/** An answer, shown word by word while it grows, with its sources and actions. */
export const AnswerTurn = memo(
  function AnswerTurn({ chat, bot, turn, siblings, isLast, isConnected, hasLinks, onSource }: Props) {
    const { t } = useTranslation();
    const { sources, state } = turn;
    const isOpen = isOpenState(state);
    const text = useDeferredValue(isOpen ? wholeWords(turn.text) : turn.text);
    const openSource = useCallback((n: number) => onSource(sources, n), [onSource, sources]);
    const isBare = state === "limited" || text === "";
    return (
      <div className={classes.turn}>
        <span className="ly-hidden">{bot.name}: </span>
        {isOpen && text === "" && (
          <p className={transcriptClasses.thinking}>
            <span className={transcriptClasses.spinner} aria-hidden />
            {t("chat.thinking", { name: bot.name })}
          </p>
        )}
        {!isBare && (
          <div className={classes.answer} data-growing={isOpen || undefined} data-care={state === "care" || undefined}>
            <AnswerText text={text} sources={sources} onSource={openSource} hasLinks={hasLinks} />
            {sources.length > 0 && <Chips sources={sources} onSource={openSource} />}
          </div>
        )}
        <AnswerEnd chat={chat} bot={bot} turn={turn} isLast={isLast} isConnected={isConnected} />
        {!isOpen && !isBare && <AnswerActions chat={chat} bot={bot} turn={turn} siblings={siblings} isLast={isLast} />}
      </div>
    );
  },
  (before, after) =>
    before.turn === after.turn &&
    before.isLast === after.isLast &&
    before.isConnected === after.isConnected &&
    before.bot === after.bot &&
    isSameList(before.siblings, after.siblings),
);

/** Up to the last white space, to hide an incomplete word. */
const wholeWords = (text: string) => text.slice(0, Math.max(text.lastIndexOf(" "), text.lastIndexOf("\n")) + 1);

/** Plain text until the renderer of Markdown is loaded. */
const AnswerText = (props: AnswerTextProps) => (
  <Suspense fallback={<p className={transcriptClasses.plain}>{spokenText(props.text)}</p>}>
    <AnswerMarkdown {...props} />
  </Suspense>
);

function Chips({ sources, onSource }: { sources: TurnSource[]; onSource: (n: number) => void }) {
  const { t } = useTranslation();
  return (
    <div className={transcriptClasses.chips}>
      {sources.map(({ n, title, page, part }) => (
        <button key={n} type="button" className={transcriptClasses.chip} onClick={() => onSource(n)}>
          <span className={transcriptClasses.chipNumber}>{n}</span>
          <span className={transcriptClasses.chipTitle}>
            {title}
            {page !== null && `, ${part ? part.title : t("chat.sources.page", { page })}`}
          </span>
        </button>
      ))}
    </div>
  );
}
