import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "#web/core/format/format.ts";
import { isOpen } from "#web/lessons/learner/lessonBook.ts";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import { useQuestions } from "#web/lessons/learner/questions/questionList.ts";
import { chooseNth, type Draft, isBadNumber, newDraft, responseOf } from "#web/lessons/learner/questions/draft.ts";
import { Feedback } from "#web/lessons/learner/questions/Feedback.tsx";
import { QuestionFields } from "#web/lessons/learner/questions/QuestionFields.tsx";
import { Runs } from "#web/lessons/learner/Runs.tsx";
import classes from "#web/lessons/learner/questions/questions.module.css";
import type { ShownBlockOf } from "#shared/lessons/shownLesson.ts";

/** A question: what is entered, the answer that was given, and what is said of it. */
export function QuestionBlock({ block }: { block: ShownBlockOf<"question"> }) {
  const { t } = useTranslation();
  const { lesson, record, readOnly } = useLesson();
  const { question, id } = block;
  const answer = lesson.state.answers[id];
  const pending = lesson.pending[id];
  const reveal = lesson.revealed[id];
  const { place, total, register, activate } = useQuestions(id);
  const [draft, setDraft] = useState<Draft>(() => newDraft(question, pending?.response ?? answer?.response));
  /** The learner has changed the answer since it was judged. */
  const [isChanged, setChanged] = useState(false);
  const [openedAt] = useState(() => Date.now());
  const answeredAt = useRef<number | null>(null);
  const name = useId();
  const open = isOpen(block, lesson) && !readOnly;
  const isJudged = reveal !== undefined && !pending && !isChanged;
  const response = responseOf(question, draft);
  const canCheck = open && response !== null && (answer === undefined || isChanged);

  const change = (next: Draft) => {
    setDraft(next);
    setChanged(true);
    activate();
  };
  const check = () => {
    if (!canCheck) return;
    const now = Date.now();
    const ms = Math.max(0, Math.min(86_400_000, now - (answeredAt.current ?? openedAt)));
    answeredAt.current = now;
    record({ type: "block.answer", key: id, value: JSON.stringify({ response, ms }) }, true);
    setChanged(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check();
  };
  const actions = useRef({ check, change });
  useEffect(() => {
    actions.current = { check, change };
  });
  useEffect(
    () =>
      register({
        canCheck,
        isOpen: open,
        check: () => actions.current.check(),
        choose: (index) => {
          const next = chooseNth(question, draft, index);
          if (next && open) actions.current.change(next);
        },
      }),
    [register, canCheck, open, question, draft],
  );

  return (
    <form className={classes.question} onSubmit={submit} onFocus={activate} data-question={id} noValidate>
      <p className={classes.meta}>
        <span>{t("lessons.questionOf", { at: place, total })}</span>
        {question.graded && (
          <span>
            {reveal && !pending
              ? t("lessons.pointsOf", { count: question.points, points: pointsText(answer?.best, question.points) })
              : t("lessons.points", { count: question.points })}
          </span>
        )}
      </p>
      <fieldset disabled={!open} aria-describedby={`${name}-feedback`}>
        <legend className={classes.text} tabIndex={-1}>
          <Runs text={question.text} />
        </legend>
        {question.kind === "multiple" && <p className={classes.hint}>{t("lessons.chooseSeveral")}</p>}
        <QuestionFields
          question={question}
          draft={draft}
          name={name}
          reveal={isJudged ? reveal : undefined}
          disabled={!open}
          onChange={change}
        />
        {open && isBadNumber(question, draft) && <p className={classes.hint}>{t("lessons.numberOnly")}</p>}
        <button type="submit" className={classes.check} disabled={!canCheck}>
          {t("lessons.check")}
        </button>
      </fieldset>
      <Feedback id={`${name}-feedback`} block={block} isJudged={isJudged} isOpen={open} />
    </form>
  );
}

export const pointsText = (share = 0, points: number) =>
  formatNumber(share * points, Number.isInteger(share * points) ? 0 : 1);
