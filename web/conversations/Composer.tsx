import { Button } from "@mantine/core";
import { IconArrowUp, IconMicrophone, IconPlayerStopFilled, IconWifiOff } from "@tabler/icons-react";
import { type FormEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { DictationButton, DictationNote, useDictation } from "#web/conversations/Dictation.tsx";
import { canListen } from "#web/conversations/voice/recognition.ts";
import { Note } from "#web/conversations/turns/AnswerEnd.tsx";
import type { ShownTurn } from "#web/conversations/branch.ts";
import type { Chat } from "#web/conversations/chat.ts";
import type { ChatState } from "#web/conversations/chatState.ts";
import transcriptClasses from "#web/conversations/transcript.module.css";
import panelsClasses from "#web/conversations/panels.module.css";
import type { PublicBot } from "#shared/chatbots/chatbots.ts";
import { isOpenState, isVisible } from "#shared/conversations/conversations.ts";

type Props = {
  chat: Chat;
  bot: PublicBot;
  state: ChatState;
  branch: ShownTurn[];
  /** False next to a form, whose focus a restarted conversation must not take. */
  takesFocus: boolean;
  /** Whether this place of the chat may use a microphone. */
  canSpeak: boolean;
  /** Starts voice mode; undefined where it is not available. */
  onSpeak?: (() => void) | undefined;
};
/** The length is shown from this share of the maximum on. */
const COUNT_FROM = 0.8;

/**
 * The message field. Enter sends, Shift and Enter starts a new line, arrow up in an empty field edits the last message.
 */
export function Composer({ chat, bot, state, branch, takesFocus, canSpeak, onSpeak }: Props) {
  const { t } = useTranslation();
  const { draft, editing, unsent, problem, isConnected, conversation } = state;
  const field = useRef<HTMLTextAreaElement>(null);
  const dictation = useDictation(chat);
  const hasDictation = canSpeak && bot.dictation && !onSpeak && canListen();
  const isAnswering = conversation?.turns.some((turn) => isOpenState(turn.state)) ?? false;
  const editedId = editing?.id;
  useEffect(() => {
    // Not on phones, where the keyboard would cover the greeting.
    const isWanted = takesFocus || editedId !== undefined;
    if (isWanted && matchMedia("(hover: hover)").matches) field.current?.focus({ preventScroll: true });
  }, [editedId, conversation?.id, takesFocus]);
  const isOffline = !isConnected;
  const hint = isAnswering ? "chat.answering" : "chat.write";
  const placeholder = t(isOffline ? "chat.later" : hint, { name: bot.name });
  // Also measures the placeholder, which takes two lines on a phone while an answer is being written.
  useLayoutEffect(() => {
    const box = field.current;
    if (!box) return;
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight, 180)}px`;
  }, [draft, placeholder]);

  if (conversation?.endedAt)
    return (
      <div className={transcriptClasses.foot}>
        <div className={panelsClasses.ended}>
          <p>{t(`chat.ended.${conversation.outcome === "goal" ? "goal" : "ended"}`)}</p>
          <Button onClick={() => void chat.startNew()}>{t("chat.ended.again")}</Button>
        </div>
      </div>
    );
  const canSend = isVisible(draft) && !unsent && draft.length <= bot.inputChars;
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!canSend) return;
    dictation.end();
    chat.send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      submit();
    }
    if (event.key === "Escape" && editing) {
      event.stopPropagation();
      chat.edit(null);
    }
    const lastOwn = branch.findLast(({ turn }) => turn.role === "user")?.turn;
    if (event.key === "ArrowUp" && draft === "" && lastOwn && bot.pedagogy !== "scene") {
      event.preventDefault();
      chat.edit(lastOwn);
    }
  };
  return (
    <form className={transcriptClasses.foot} onSubmit={submit}>
      {unsent && (
        <Note kind={isOffline ? "warn" : "quiet"} icon={isOffline && <IconWifiOff size={18} stroke={1.7} />}>
          {isOffline
            ? t(`chat.offline.${navigator.onLine ? "server" : "message"}`)
            : t(isAnswering ? "chat.queued" : "chat.sending")}
        </Note>
      )}
      {hasDictation && <DictationNote dictation={dictation} academy={bot.academy} />}
      {problem && <Note kind="bad">{problem}</Note>}
      {editing && (
        <Note
          kind="quiet"
          action={
            <Button variant="subtle" size="compact-md" onClick={() => chat.edit(null)}>
              {t("chat.cancelEdit")}
            </Button>
          }
        >
          {t("chat.editing")}
        </Note>
      )}
      <div className={panelsClasses.composer}>
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          value={draft}
          aria-label={t("chat.write", { name: bot.name })}
          placeholder={placeholder}
          onChange={(event) => chat.type(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {hasDictation && <DictationButton dictation={dictation} />}
        {onSpeak && (
          <button
            type="button"
            className={panelsClasses.speak}
            aria-label={t("chat.voice.start")}
            title={t("chat.voice.startHint")}
            onClick={onSpeak}
          >
            <IconMicrophone size={20} stroke={1.7} />
          </button>
        )}
        {isAnswering && !unsent ? (
          <button
            type="button"
            className={panelsClasses.go}
            aria-label={t("chat.stop")}
            onClick={() => void chat.stopAnswer()}
          >
            <IconPlayerStopFilled size={16} />
          </button>
        ) : (
          <button type="submit" className={panelsClasses.go} aria-label={t("chat.send")} disabled={!canSend}>
            <IconArrowUp size={20} stroke={2} />
          </button>
        )}
      </div>
      {draft.length > bot.inputChars * COUNT_FROM && (
        <p className={panelsClasses.count} data-over={draft.length > bot.inputChars || undefined}>
          {t("chat.count", { count: draft.length, max: bot.inputChars })}
        </p>
      )}
    </form>
  );
}
