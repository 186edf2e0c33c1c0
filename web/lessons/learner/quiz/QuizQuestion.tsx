import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import { chooseNth, type Draft, isBadNumber, newDraft, responseOf } from "#web/lessons/learner/questions/draft.ts";
import { Feedback } from "#web/lessons/learner/questions/Feedback.tsx";
import { useQuestions } from "#web/lessons/learner/questions/questionList.ts";
import { QuestionFields } from "#web/lessons/learner/questions/QuestionFields.tsx";
import classes from "#web/lessons/learner/questions/questions.module.css";
import { pointsText } from "#web/lessons/learner/questions/QuestionBlock.tsx";
import type { QuizQuestionBlock } from "#web/lessons/learner/quiz/useQuizPage.ts";
import { Runs } from "#web/lessons/learner/Runs.tsx";

type Props = { block: QuizQuestionBlock; at: number; total: number };
/** What is typed is saved after this pause, in ms; what is chosen, at once. */
const TYPING_MS = 400;

/** A question of a quiz: saved as it is answered, or judged once, as the quiz says. */
export function QuizQuestion({ block, at, total }: Props) {
  const { t } = useTranslation();
  const { lesson, record, readOnly } = useLesson();
  const { question, id } = block;
  const isEach = lesson.document.quiz?.feedback === "each";
  const attempt = lesson.state.quiz?.open?.no;
  const answer = lesson.state.answers[id];
  const pending = lesson.pending[id];
  const reveal = lesson.revealed[id];
  const { register, activate } = useQuestions(id);
  const [draft, setDraft] = useState<Draft>(() => newDraft(question, pending?.response ?? answer?.response));
  const [openedAt] = useState(() => Date.now());
  const name = useId();
  const isGiven = answer !== undefined || pending !== undefined;
  const open = attempt !== undefined && !readOnly && !(isEach && isGiven) && lesson.waiting?.type !== "quiz.end";
  const response = responseOf(question, draft);
  const canCheck = isEach && open && response !== null;
  const unsaved = useRef<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const send = (given: unknown) => {
    unsaved.current = null;
    clearTimeout(timer.current);
    const ms = Math.max(0, Math.min(86_400_000, Date.now() - openedAt));
    record({ type: "block.answer", key: id, value: JSON.stringify({ response: given, ms, attempt }) }, true);
  };
  const change = (next: Draft) => {
    setDraft(next);
    activate();
    const given = isEach ? null : responseOf(question, next);
    clearTimeout(timer.current);
    unsaved.current = given && JSON.stringify(given);
    if (!given) return;
    const isTyped = given.kind === "fill" || given.kind === "number" || given.kind === "text";
    if (isTyped) timer.current = setTimeout(() => send(given), TYPING_MS);
    else send(given);
  };
  const check = () => {
    if (canCheck) send(response);
  };
  const actions = useRef({ check, change, send });
  useEffect(() => {
    actions.current = { check, change, send };
  });
  // What was typed last is saved when the question is left.
  useEffect(
    () => () => {
      if (unsaved.current !== null) actions.current.send(JSON.parse(unsaved.current));
    },
    [],
  );
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check();
  };
  return (
    <form className={classes.question} data-plain="" onSubmit={submit} onFocus={activate} data-question={id} noValidate>
      <p className={classes.meta}>
        <span>{t("quizzes.questionOf", { at, total })}</span>
        <span>
          {reveal && !pending
            ? t("lessons.pointsOf", { count: question.points, points: pointsText(answer?.best, question.points) })
            : t("lessons.points", { count: question.points })}
        </span>
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
          reveal={isEach && !pending ? reveal : undefined}
          disabled={!open}
          onChange={change}
        />
        {isBadNumber(question, draft) && <p className={classes.hint}>{t("lessons.numberOnly")}</p>}
        {isEach && (
          <button type="submit" className={classes.check} disabled={!canCheck}>
            {t("lessons.check")}
          </button>
        )}
      </fieldset>
      {isEach ? (
        <Feedback id={`${name}-feedback`} block={block} isJudged={reveal !== undefined && !pending} isOpen={false} />
      ) : (
        <SavedNote id={`${name}-feedback`} block={block} />
      )}
    </form>
  );
}

/** Whether the answer is stored, or waits for the network. */
function SavedNote({ id, block }: { id: string; block: QuizQuestionBlock }) {
  const { t } = useTranslation();
  const { lesson, isOffline } = useLesson();
  const isPending = lesson.pending[block.id] !== undefined;
  const isTimed = lesson.state.quiz?.open?.endsAt != null;
  return (
    <div id={id} role="status" className={classes.feedback}>
      {isPending && isOffline && !isTimed && <p className={classes.hint}>{t("quizzes.offline.untimed")}</p>}
      {!isPending && lesson.lost[block.id] && <p>{t("lessons.lost")}</p>}
      {!isPending && lesson.state.answers[block.id] && <p className={classes.hint}>{t("quizzes.saved")}</p>}
    </div>
  );
}
