import { IconMicrophone } from "@tabler/icons-react";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/conversations/voice/voice.module.css";
import type { VoiceSession } from "#web/conversations/voice/voiceSession.ts";
import { MAX_MS, type VoicePhase } from "#web/conversations/voice/voiceState.ts";

type Props = { session: VoiceSession; phase: VoicePhase; isDisabled: boolean };

/** After a longer press, releasing ends the recording; after a shorter one, the next press does. In ms. */
const HOLD_MS = 400;
/** The remaining seconds are shown from this time on, in ms. */
const COUNT_FROM_MS = MAX_MS - 15_000;

/** Can be held or tapped, with mouse, finger, Space or Enter. A synthetic click, as from a screen reader, is a tap. */
export function TalkButton({ session, phase, isDisabled }: Props) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  /** Time of the press that started the recording, by `performance.now`; null after its release. */
  const heldSince = useRef<number | null>(null);
  const isPressed = phase === "listening" || phase === "starting";
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
  const down = () => {
    if (isDisabled) return;
    if (phase === "listening") return void session.finish();
    heldSince.current = performance.now();
    session.press();
  };
  const up = () => {
    const since = heldSince.current;
    heldSince.current = null;
    // While the browser asks for permission nothing is recorded: that press counts as a tap.
    if (since === null || session.state.get().phase !== "listening") return;
    if (performance.now() - since > HOLD_MS) void session.finish();
  };
  const isKey = ({ key }: KeyboardEvent) => key === " " || key === "Enter";
  return (
    <button
      ref={button}
      type="button"
      className={classes.talk}
      data-phase={phase}
      aria-label={t("chat.voice.talk")}
      aria-pressed={isPressed}
      aria-disabled={isDisabled || phase === "transcribing"}
      onPointerDown={(event: PointerEvent<HTMLButtonElement>) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        down();
      }}
      onPointerUp={up}
      onPointerCancel={up}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key === "Escape" && isPressed) {
          event.stopPropagation();
          session.discard();
        }
        if (!isKey(event)) return;
        event.preventDefault();
        if (!event.repeat) down();
      }}
      onKeyUp={(event) => {
        if (!isKey(event)) return;
        event.preventDefault();
        up();
      }}
      onBlur={up}
      onClick={(event) => event.detail === 0 && down()}
    >
      <Level session={session} isListening={phase === "listening"} />
      <IconMicrophone size={36} stroke={1.6} />
    </button>
  );
}

/** The current volume as a ring, and the remaining seconds near the end. */
function Level({ session, isListening }: { session: VoiceSession; isListening: boolean }) {
  const ring = useRef<HTMLSpanElement>(null);
  const countdown = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!isListening) return undefined;
    const startedAt = performance.now();
    let frame = 0;
    const draw = () => {
      ring.current?.style.setProperty("--level", session.level().toFixed(2));
      const passed = performance.now() - startedAt;
      if (countdown.current) countdown.current.textContent = passed > COUNT_FROM_MS ? secondsLeft(passed) : "";
      frame = requestAnimationFrame(draw);
    };
    frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }, [isListening, session]);
  if (!isListening) return null;
  return (
    <>
      <span ref={ring} className={classes.level} aria-hidden />
      <span ref={countdown} className={classes.left} aria-hidden />
    </>
  );
}
const secondsLeft = (passed: number) => String(Math.max(0, Math.ceil((MAX_MS - passed) / 1000)));
