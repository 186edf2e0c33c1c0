import { IconHelpCircle } from "@tabler/icons-react";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import classes from "#web/lessons/learner/unclear.module.css";
import type { ShownBlock } from "#shared/lessons/shownLesson.ts";
import { MAX_UNCLEAR_CHARS, mayBeUnclear } from "#shared/lessons/unclear/unclear.ts";

/** Marks a block as unclear with one press, and takes an optional line for its author. */
export function Unclear({ block }: { block: ShownBlock }) {
  const { lesson, isBeside, isReplayed } = useLesson();
  const line = lesson.state.unclear?.[block.id]?.line ?? null;
  // A course outside of its academy reaches no author; a replay shows what is marked.
  if (isBeside || !mayBeUnclear(block) || (isReplayed && line === null)) return null;
  return <Mark id={block.id} line={line} />;
}

/** `line`: null if the block is not marked. */
function Mark({ id, line }: { id: string; line: string | null }) {
  const { t } = useTranslation();
  const { record, readOnly } = useLesson();
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState(line ?? "");
  const [said, setSaid] = useState("");
  const name = useId();
  const isMarked = line !== null;
  const send = (value: { isMarked: boolean; line?: string }, announced: string) => {
    record({ type: "block.unclear", key: id, value: JSON.stringify(value) }, true);
    setSaid(announced);
  };
  const press = () => {
    if (isMarked) return setOpen(!isOpen);
    setText("");
    setOpen(true);
    send({ isMarked: true }, t("lessons.unclear.announceMarked"));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === line) return;
    setOpen(false);
    send({ isMarked: true, line: text.trim() }, t("lessons.unclear.announceSent"));
    document.getElementById(`${name}-mark`)?.focus();
  };
  const takeBack = () => {
    setOpen(false);
    send({ isMarked: false }, t("lessons.unclear.announceBack"));
    document.getElementById(`${name}-mark`)?.focus();
  };
  return (
    <div className={classes.unclear} data-marked={isMarked || undefined} data-open={isOpen || undefined}>
      <button
        id={`${name}-mark`}
        type="button"
        className={classes.mark}
        title={t("lessons.unclear.promise")}
        aria-describedby={isMarked ? undefined : `${name}-promise`}
        aria-expanded={isMarked ? isOpen : undefined}
        disabled={readOnly}
        onClick={press}
      >
        <IconHelpCircle size={17} stroke={1.7} aria-hidden />
        <span>{t(isMarked ? "lessons.unclear.marked" : "lessons.unclear.mark")}</span>
      </button>
      <span id={`${name}-promise`} hidden>
        {t("lessons.unclear.promise")}
      </span>
      {isMarked && isOpen && !readOnly && (
        <form className={classes.form} onSubmit={submit}>
          <label htmlFor={`${name}-line`}>{t("lessons.unclear.line")}</label>
          <input
            id={`${name}-line`}
            value={text}
            dir="auto"
            maxLength={MAX_UNCLEAR_CHARS}
            aria-describedby={`${name}-hint`}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <p id={`${name}-hint`}>{t("lessons.unclear.promise")}</p>
          <div className={classes.buttons}>
            <button type="submit" className={classes.send} disabled={text.trim() === line}>
              {t("lessons.unclear.send")}
            </button>
            <button type="button" className={classes.back} onClick={takeBack}>
              {t("lessons.unclear.takeBack")}
            </button>
          </div>
        </form>
      )}
      <span className="ly-hidden" role="status">
        {said}
      </span>
    </div>
  );
}
