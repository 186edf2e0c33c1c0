import { Button } from "@mantine/core";
import { IconMicrophone } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Chat } from "#web/conversations/chat.ts";
import { agreement, type Listening, startRecognition } from "#web/conversations/voice/recognition.ts";
import panelsClasses from "#web/conversations/panels.module.css";
import { Note } from "#web/conversations/turns/AnswerEnd.tsx";

type Phase = "off" | "asks" | "listens" | "denied" | "failed";
export type Dictation = ReturnType<typeof useDictation>;

/** Appends recognised speech to the draft. Ends when the message is sent. */
export function useDictation(chat: Chat) {
  const [phase, setPhase] = useState<Phase>("off");
  const running = useRef<Listening | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const end = (next: Phase = "off") => {
    running.current?.abort();
    running.current = null;
    setPhase(next);
  };
  useEffect(() => () => running.current?.abort(), []);
  const listen = () => {
    agreement.give();
    const before = chat.state.get().draft.trimEnd();
    setPhase("listens");
    running.current = startRecognition({
      onText: (said) => chat.type([before, said].filter(Boolean).join(" ")),
      onEnd: (failure) => end(failure ?? "off"),
    });
    // The focused button of the notice has been removed.
    button.current?.focus();
  };
  return {
    phase,
    button,
    end,
    listen,
    toggle: () => {
      if (phase === "listens" || phase === "asks") end();
      else if (agreement.isGiven()) listen();
      else setPhase("asks");
    },
  };
}

/** The privacy notice before the first dictation, and why dictation failed. */
export function DictationNote({ dictation, academy }: { dictation: Dictation; academy: string }) {
  const { t } = useTranslation();
  const { phase, listen } = dictation;
  if (phase === "asks")
    return (
      <Note
        kind="info"
        icon={<IconMicrophone size={18} stroke={1.7} />}
        action={
          <Button variant="default" size="compact-md" onClick={listen}>
            {t("chat.dictation.agree")}
          </Button>
        }
      >
        {t("chat.dictation.notice", { academy })}
      </Note>
    );
  return phase === "denied" || phase === "failed" ? <Note kind="bad">{t(`chat.dictation.${phase}`)}</Note> : null;
}

export function DictationButton({ dictation: { phase, button, toggle } }: { dictation: Dictation }) {
  const { t } = useTranslation();
  const isListening = phase === "listens";
  return (
    <button
      ref={button}
      type="button"
      className={panelsClasses.speak}
      aria-label={t("chat.dictation.label")}
      title={t(isListening ? "chat.dictation.stop" : "chat.dictation.label")}
      aria-pressed={isListening}
      onClick={toggle}
    >
      <IconMicrophone size={20} stroke={1.7} />
    </button>
  );
}
