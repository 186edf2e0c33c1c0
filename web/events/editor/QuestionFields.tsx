import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { newId } from "#web/core/random.ts";
import { EditorSection } from "#web/events/editor/EditorSection.tsx";
import classes from "#web/events/editor/EventEditor.module.css";
import { QuestionEditor } from "#web/events/editor/QuestionEditor.tsx";
import { RowTools } from "#web/events/editor/RowTools.tsx";
import type { EventForm } from "#web/events/editor/useEventForm.ts";
import type { Question } from "#shared/eventQuestions.ts";

const MOST = 40;
/** A condition may only look at an earlier question: one that fell behind its question, or away, is taken off. */
const tidy = (questions: Question[]) =>
  questions.map((question, at) =>
    question.showIf && !questions.slice(0, at).some(({ id }) => id === question.showIf?.questionId)
      ? { ...question, showIf: null }
      : question,
  );

/** The organiser's own questions, in order, each with its condition. */
export function QuestionFields({ form }: { form: EventForm }) {
  const { t } = useTranslation();
  const { questions } = form.getValues();
  const set = (next: Question[]) => form.setFieldValue("questions", tidy(next));
  const move = (from: number, to: number) => {
    const next = questions.toSpliced(from, 1);
    set(next.toSpliced(to, 0, questions[from] as Question));
  };
  const add = () =>
    set([
      ...questions,
      {
        id: newId(),
        label: "",
        help: "",
        kind: "line",
        options: [],
        required: false,
        showIf: null,
        retentionDays: null,
      },
    ]);
  return (
    <EditorSection name="questions" hint={t("events.edit.questionsHint")}>
      {questions.length > 0 && (
        <ol className={classes.rows}>
          {questions.map((question, at) => (
            <li key={question.id} className={classes.row}>
              <RowTools
                title={question.label || t("events.edit.question", { number: at + 1 })}
                at={at}
                count={questions.length}
                onMove={(to) => move(at, to)}
                onRemove={() => set(questions.toSpliced(at, 1))}
              />
              <QuestionEditor form={form} at={at} question={question} before={questions.slice(0, at)} />
            </li>
          ))}
        </ol>
      )}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={18} stroke={1.7} />}
          disabled={questions.length >= MOST}
          onClick={add}
        >
          {t("events.edit.addQuestion")}
        </Button>
      </div>
    </EditorSection>
  );
}
