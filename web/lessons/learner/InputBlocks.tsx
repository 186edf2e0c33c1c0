import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import { Runs } from "#web/lessons/learner/Runs.tsx";
import classes from "#web/lessons/learner/inputs.module.css";
import { formatNumber } from "#web/core/format/format.ts";
import type { ShownBlockOf } from "#shared/lessons/shownLesson.ts";
import { MAX_TEXT_CHARS } from "#shared/variables/variableTypes.ts";

// Blocks that write a variable

/** A typed text is kept this long after the last key, in ms. */
const TYPING_MS = 800;

/** Writes a variable, at once or after a pause. What waits is written when the block goes. */
function useWriting(key: string) {
  const { record, readOnly } = useLesson();
  const waiting = useRef<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const write = useRef((_: string) => {});
  useEffect(() => {
    write.current = (value) => record({ type: "variable.set", key, value });
  });
  const flush = useRef(() => {
    clearTimeout(timer.current);
    if (waiting.current !== null) write.current(waiting.current);
    waiting.current = null;
  });
  useEffect(() => {
    const now = flush.current;
    const onHidden = () => document.visibilityState === "hidden" && now();
    document.addEventListener("visibilitychange", onHidden, { capture: true });
    return () => {
      document.removeEventListener("visibilitychange", onHidden, { capture: true });
      now();
    };
  }, []);
  return {
    later(value: string | number) {
      if (readOnly) return;
      waiting.current = JSON.stringify(value);
      clearTimeout(timer.current);
      timer.current = setTimeout(flush.current, TYPING_MS);
    },
    flush: () => flush.current(),
  };
}

function Prompt({ id, children, required }: { id: string; children: ReactNode; required: boolean }) {
  const { t } = useTranslation();
  return (
    <p id={id} className={classes.prompt}>
      {children}
      {required && <span className={classes.required}> {t("lessons.required")}</span>}
    </p>
  );
}

export function ReflectionBlock({ block }: { block: ShownBlockOf<"reflection"> }) {
  const { t } = useTranslation();
  const { facts, readOnly } = useLesson();
  const id = useId();
  const stored = facts.value(block.variable);
  const [text, setText] = useState(typeof stored === "string" ? stored : "");
  const writing = useWriting(block.variable);
  return (
    <div className={classes.input}>
      <Prompt id={id} required={block.required}>
        <Runs text={block.text} />
      </Prompt>
      <textarea
        aria-labelledby={id}
        rows={4}
        value={text}
        maxLength={MAX_TEXT_CHARS}
        readOnly={readOnly}
        placeholder={t("lessons.reflect")}
        onChange={({ target }) => {
          setText(target.value);
          writing.later(target.value.trim());
        }}
        onBlur={writing.flush}
      />
    </div>
  );
}

export function RatingBlock({ block }: { block: ShownBlockOf<"rating"> }) {
  const { facts, record, readOnly } = useLesson();
  const id = useId();
  const value = facts.value(block.variable);
  return (
    <div className={classes.input}>
      <Prompt id={id} required={block.required}>
        <Runs text={block.text} />
      </Prompt>
      <div role="radiogroup" aria-labelledby={id} className={classes.rating} data-many={block.steps > 7 || undefined}>
        {Array.from({ length: block.steps }, (_, index) => index + 1).map((step) => (
          <label key={step}>
            <input
              type="radio"
              name={id}
              checked={value === step}
              disabled={readOnly}
              onChange={() => record({ type: "variable.set", key: block.variable, value: JSON.stringify(step) })}
            />
            <span>{step}</span>
          </label>
        ))}
      </div>
      <p className={classes.ends} aria-hidden>
        <span>{block.lowLabel}</span>
        <span>{block.highLabel}</span>
      </p>
    </div>
  );
}

export function SliderBlock({ block }: { block: ShownBlockOf<"slider"> }) {
  const { facts, readOnly } = useLesson();
  const id = useId();
  const stored = facts.value(block.variable);
  const middle = block.min + Math.round((block.max - block.min) / block.step / 2) * block.step;
  const [value, setValue] = useState(typeof stored === "number" ? stored : null);
  const writing = useWriting(block.variable);
  const withUnit = (one: number) =>
    `${formatNumber(one, Number.isInteger(one) ? 0 : 2)}${block.unit && ` ${block.unit}`}`;
  const choose = (next: number) => {
    setValue(next);
    writing.later(next);
  };
  return (
    <div className={classes.input}>
      <Prompt id={id} required={block.required}>
        <Runs text={block.text} />
      </Prompt>
      <div className={classes.slider}>
        <input
          type="range"
          aria-labelledby={id}
          aria-valuetext={value === null ? undefined : withUnit(value)}
          min={block.min}
          max={block.max}
          step={block.step}
          value={value ?? middle}
          disabled={readOnly}
          data-empty={value === null || undefined}
          onChange={({ target }) => choose(Number(target.value))}
          onPointerUp={({ currentTarget }) => value === null && choose(Number(currentTarget.value))}
          onBlur={writing.flush}
        />
        <output>{value === null ? "–" : withUnit(value)}</output>
      </div>
      <p className={classes.ends} aria-hidden>
        <span>{withUnit(block.min)}</span>
        <span>{withUnit(block.max)}</span>
      </p>
    </div>
  );
}
