import { NumberInput, Select, Switch } from "@mantine/core";
import type { Editor } from "@tiptap/core";
import { useTranslation } from "react-i18next";
import { useOutline } from "#web/lessons/author/contents/useOutline.ts";
import { Pools } from "#web/lessons/author/settings/Pools.tsx";
import classes from "#web/lessons/author/settings/settings.module.css";
import type { LessonFacts } from "#web/lessons/author/settings/useLessonFacts.ts";
import { formatNumber } from "#web/core/format/format.ts";
import type { CourseDraft } from "#shared/lessons/drafts.ts";
import type { DraftLesson } from "#shared/lessons/outline.ts";
import { MAX_ATTEMPTS, MAX_QUIZ_MINUTES, type QuizSettings as Quiz, sizeOfQuiz } from "#shared/lessons/quiz.ts";

type Props = { draft: CourseDraft; lesson: DraftLesson; facts: LessonFacts | null; editor: Editor | null };
type Changes = Partial<Omit<Quiz, "pools">>;

/** Whether a lesson is a quiz, and its rules. */
export function QuizSettings({ draft, lesson, facts, editor }: Props) {
  const { t } = useTranslation();
  const { change } = useOutline(draft.id);
  const { quiz } = lesson;
  const set = (settings: Changes | null) => void change({ kind: "changeQuiz", id: lesson.id, settings });
  const size = quiz && facts ? sizeOfQuiz(facts.questions, quiz) : null;
  return (
    <section className={classes.part}>
      <Switch
        className={classes.switch ?? ""}
        labelPosition="left"
        label={t("lessonDrafts.quiz.isQuiz")}
        description={t("lessonDrafts.quiz.isQuizHint")}
        checked={quiz !== undefined}
        onChange={(event) => set(event.currentTarget.checked ? {} : null)}
      />
      {quiz && (
        <>
          {size && size.questions > 0 && (
            <p className={classes.dim}>
              {t("lessonDrafts.quiz.asks", {
                count: size.questions,
                points: formatNumber(size.points, Number.isInteger(size.points) ? 0 : 1),
              })}
            </p>
          )}
          <WholeNumber
            label={t("lessonDrafts.quiz.passPercent")}
            hint={t("lessonDrafts.quiz.passPercentHint")}
            value={quiz.passPercent}
            max={100}
            onChange={(value) => value !== null && set({ passPercent: value })}
          />
          <Choice
            label={t("lessonDrafts.quiz.attempts")}
            value={String(quiz.attempts ?? "")}
            options={[...Array.from({ length: MAX_ATTEMPTS }, (_, n) => String(n + 1)), ""].map((value) => ({
              value,
              label: value || t("lessonDrafts.quiz.unlimited"),
            }))}
            onChange={(value) => set({ attempts: value ? Number(value) : null })}
          />
          {quiz.attempts !== 1 && (
            <Choice
              label={t("lessonDrafts.quiz.counts")}
              value={quiz.counts}
              options={(["best", "last"] as const).map((value) => ({
                value,
                label: t(`lessonDrafts.quiz.countsOptions.${value}`),
              }))}
              onChange={(counts) => set({ counts })}
            />
          )}
          <WholeNumber
            label={t("lessonDrafts.quiz.minutes")}
            hint={t("lessonDrafts.quiz.minutesHint")}
            placeholder={t("lessonDrafts.quiz.noLimit")}
            value={quiz.minutes}
            min={1}
            max={MAX_QUIZ_MINUTES}
            onChange={(minutes) => set({ minutes })}
          />
          {quiz.minutes !== null && (
            <Toggle
              label={t("lessonDrafts.quiz.mayPause")}
              checked={quiz.mayPause}
              onChange={(mayPause) => set({ mayPause })}
            />
          )}
          <Choice
            label={t("lessonDrafts.quiz.layout")}
            value={quiz.layout}
            options={(["one", "all"] as const).map((value) => ({
              value,
              label: t(`lessonDrafts.quiz.layouts.${value}`),
            }))}
            onChange={(layout) => set({ layout })}
          />
          <Choice
            label={t("lessonDrafts.quiz.feedback")}
            value={quiz.feedback}
            options={(["end", "each"] as const).map((value) => ({
              value,
              label: t(`lessonDrafts.quiz.feedbacks.${value}`),
            }))}
            onChange={(feedback) => set({ feedback })}
          />
          <Choice
            label={t("lessonDrafts.quiz.review")}
            value={quiz.review}
            options={(["always", "passed", "lastAttempt", "never"] as const).map((value) => ({
              value,
              label: t(`lessonDrafts.quiz.reviews.${value}`),
            }))}
            onChange={(review) => set({ review })}
          />
          <Toggle
            label={t("lessonDrafts.quiz.shuffleQuestions")}
            checked={quiz.shuffleQuestions}
            onChange={(shuffleQuestions) => set({ shuffleQuestions })}
          />
          <Toggle
            label={t("lessonDrafts.quiz.shuffleChoices")}
            checked={quiz.shuffleChoices}
            onChange={(shuffleChoices) => set({ shuffleChoices })}
          />
          <Pools draft={draft} lesson={{ ...lesson, quiz }} questions={facts?.questions ?? []} editor={editor} />
        </>
      )}
    </section>
  );
}

type ChoiceProps<V extends string> = {
  label: string;
  value: V;
  options: { value: V; label: string }[];
  onChange: (value: V) => void;
};
const Choice = <V extends string>({ label, value, options, onChange }: ChoiceProps<V>) => (
  <Select
    label={label}
    allowDeselect={false}
    value={value}
    data={options}
    onChange={(next) => next !== null && onChange(next as V)}
  />
);

type ToggleProps = { label: string; checked: boolean; onChange: (checked: boolean) => void };
const Toggle = ({ label, checked, onChange }: ToggleProps) => (
  <Switch
    className={classes.switch ?? ""}
    labelPosition="left"
    label={label}
    checked={checked}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
);

type NumberProps = {
  label: string;
  hint?: string;
  placeholder?: string;
  value: number | null;
  min?: number;
  max: number;
  onChange: (value: number | null) => void;
};
/** Stored when it is left: every digit would be a change for all authors. */
const WholeNumber = ({ label, hint, placeholder, value, min = 0, max, onChange }: NumberProps) => (
  <NumberInput
    key={String(value)}
    label={label}
    description={hint}
    placeholder={placeholder ?? ""}
    defaultValue={value ?? ""}
    min={min}
    max={max}
    allowDecimal={false}
    onBlur={(event) => {
      const text = event.currentTarget.value.trim();
      const next = text === "" ? null : Math.min(max, Math.max(min, Math.round(Number(text))));
      if (next !== value && !Number.isNaN(next)) onChange(next);
    }}
  />
);
