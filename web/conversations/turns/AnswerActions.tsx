import { Button } from "@mantine/core";
import { IconCopy, IconRefresh, IconThumbDown, IconThumbUp, IconVolume, IconVolumeOff } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "#web/core/display/copyText.ts";
import { toast } from "#web/core/toast/toast.ts";
import { BranchArrows } from "#web/conversations/turns/BranchArrows.tsx";
import type { Chat } from "#web/conversations/chat.ts";
import { spokenText } from "#shared/core/sentences.ts";
import { TurnButton } from "#web/conversations/turns/TurnButton.tsx";
import classes from "#web/conversations/chat.module.css";
import transcriptClasses from "#web/conversations/transcript.module.css";
import type { PublicBot } from "#shared/chatbots/chatbots.ts";
import { ratingReason, type Turn } from "#shared/conversations/conversations.ts";

type Props = { chat: Chat; bot: PublicBot; turn: Turn; siblings: readonly string[]; isLast: boolean };

export function AnswerActions({ chat, bot, turn, siblings, isLast }: Props) {
  const { t } = useTranslation();
  const [asksReason, setAsksReason] = useState(false);
  const rate = (rating: "up" | "down") => {
    const next = turn.rating === rating ? null : rating;
    setAsksReason(next === "down");
    chat.rate(turn, { rating: next }).catch(toast.failed);
  };
  const isFinal = turn.state === "care" || turn.state === "blocked" || turn.state === "cut";
  const canRegenerate = isLast && bot.pedagogy !== "scene" && !isFinal;
  return (
    <>
      <div className={transcriptClasses.actions}>
        <BranchArrows chat={chat} id={turn.id} siblings={siblings} />
        <TurnButton label={t("chat.actions.up")} isPressed={turn.rating === "up"} onClick={() => rate("up")}>
          <IconThumbUp size={17} stroke={1.7} />
        </TurnButton>
        <TurnButton label={t("chat.actions.down")} isPressed={turn.rating === "down"} onClick={() => rate("down")}>
          <IconThumbDown size={17} stroke={1.7} />
        </TurnButton>
        <TurnButton
          label={t("chat.actions.copy")}
          onClick={() => void copyText(turn.text, t("chat.actions.copied"), turn.text.slice(0, 60))}
        >
          <IconCopy size={17} stroke={1.7} />
        </TurnButton>
        {"speechSynthesis" in globalThis && <ReadAloud text={turn.text} />}
        {canRegenerate && turn.state !== "stopped" && (
          <TurnButton label={t("chat.actions.regenerate")} onClick={() => void chat.regenerate(turn)}>
            <IconRefresh size={17} stroke={1.7} />
          </TurnButton>
        )}
      </div>
      {asksReason && <Reason chat={chat} turn={turn} onDone={() => setAsksReason(false)} />}
    </>
  );
}

/** Reads aloud with the browser's voice; we send nothing. */
function ReadAloud({ text }: { text: string }) {
  const { t } = useTranslation();
  const [isSpeaking, setSpeaking] = useState(false);
  useEffect(() => (isSpeaking ? () => speechSynthesis.cancel() : undefined), [isSpeaking]);
  const toggle = () => {
    if (isSpeaking) return setSpeaking(false);
    const speech = new SpeechSynthesisUtterance(spokenText(text));
    speech.addEventListener("end", () => setSpeaking(false));
    speech.addEventListener("error", () => setSpeaking(false));
    speechSynthesis.cancel();
    speechSynthesis.speak(speech);
    return setSpeaking(true);
  };
  return (
    <TurnButton label={t(isSpeaking ? "chat.actions.silence" : "chat.actions.speak")} onClick={toggle}>
      {isSpeaking ? <IconVolumeOff size={17} stroke={1.7} /> : <IconVolume size={17} stroke={1.7} />}
    </TurnButton>
  );
}

type ReasonKey = (typeof ratingReason.options)[number];

function Reason({ chat, turn, onDone }: { chat: Chat; turn: Turn; onDone: () => void }) {
  const { t } = useTranslation();
  const [reason, setReason] = useState<ReasonKey | null>(null);
  const [text, setText] = useState("");
  const send = async () => {
    await chat.rate(turn, { rating: "down", reason, text: text.trim() });
    toast.done(t("chat.rating.thanks"));
    onDone();
  };
  return (
    <form
      className={transcriptClasses.reason}
      onSubmit={(event) => {
        event.preventDefault();
        send().catch(toast.failed);
      }}
    >
      <fieldset>
        <legend>{t("chat.rating.title")}</legend>
        {ratingReason.options.map((one) => (
          <button
            key={one}
            type="button"
            className={transcriptClasses.reply}
            aria-pressed={reason === one}
            onClick={() => setReason(reason === one ? null : one)}
          >
            {t(`chat.rating.reasons.${one}`)}
          </button>
        ))}
      </fieldset>
      <textarea
        className={classes.field}
        aria-label={t("chat.rating.text")}
        placeholder={t("chat.rating.text")}
        maxLength={1000}
        rows={2}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" size="compact-md" disabled={!reason && !text.trim()}>
        {t("chat.rating.send")}
      </Button>
    </form>
  );
}
