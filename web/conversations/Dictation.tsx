import { Button } from "@mantine/core";
import { IconMicrophone } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Chat } from "#web/conversations/chat.ts";
import panelsClasses from "#web/conversations/panels.module.css";
import { Note } from "#web/conversations/turns/AnswerEnd.tsx";

/** What is used here of the recognition of browsers (Web Speech API). */
type Recognition = {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  onresult: ((event: { results: ArrayLike<ArrayLike<{ transcript: string }>> }) => void) | null;
  onerror: ((event: { error: string }) => void) | null;
  onend: (() => void) | null;
  start: () => void;
  abort: () => void;
  stop: () => void;
};
type Browser = { SpeechRecognition?: new () => Recognition; webkitSpeechRecognition?: new () => Recognition };
const recognitionOf = (browser: Browser) => browser.SpeechRecognition ?? browser.webkitSpeechRecognition;
export const canListen = () => recognitionOf(globalThis as Browser) !== undefined;

type Phase = "off" | "asks" | "listens" | "denied" | "failed";
/** Whether the person has read on this page that their voice leaves the device. */
let hasAgreed = false;

export type Dictation = ReturnType<typeof useDictation>;

/** Writes what is said behind the draft. It ends when the message is sent. */
export function useDictation(chat: Chat) {
  const [phase, setPhase] = useState<Phase>("off");
  const running = useRef<Recognition | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const end = (next: Phase = "off") => {
    running.current?.abort();
    running.current = null;
    setPhase(next);
  };
  useEffect(() => () => running.current?.abort(), []);
  const listen = () => {
    hasAgreed = true;
    const Recognition = recognitionOf(globalThis as Browser);
    if (!Recognition) return;
    const recognition = new Recognition();
    const before = chat.state.get().draft.trimEnd();
    recognition.lang = navigator.language;
    recognition.continuous = true;
    recognition.interimResults = true;
    recognition.onresult = ({ results }) => {
      if (running.current !== recognition) return;
      const said = Array.from(results, (result) => result[0]?.transcript.trim() ?? "").join(" ");
      chat.type([before, said].filter(Boolean).join(" "));
    };
    recognition.onerror = ({ error }) => {
      if (running.current !== recognition || error === "no-speech" || error === "aborted") return;
      end(error === "not-allowed" || error === "audio-capture" ? "denied" : "failed");
    };
    recognition.onend = () => {
      if (running.current === recognition) end();
    };
    running.current = recognition;
    setPhase("listens");
    recognition.start();
    // The button in the note, which had the focus, is gone.
    button.current?.focus();
  };
  return {
    phase,
    button,
    end,
    listen,
    toggle: () => {
      if (phase === "listens" || phase === "asks") end();
      else if (hasAgreed) listen();
      else setPhase("asks");
    },
  };
}

/** What somebody has to know before they speak, and why nothing is heard. */
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
