import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { newId } from "#web/core/random.ts";
import { EditorSection } from "#web/events/editor/EditorSection.tsx";
import classes from "#web/events/editor/EventEditor.module.css";
import { QuestionEditor } from "#web/events/editor/fields/QuestionEditor.tsx";
import { RowTools } from "#web/events/editor/fields/RowTools.tsx";
import type { EventForm } from "#web/events/editor/useEventForm.ts";
import type { Question } from "#shared/events/eventQuestions.ts";

const MAX_QUESTIONS = 40;
/** Removes conditions that no longer refer to an earlier question, after a move or a removal. */
const removeInvalidConditions = (questions: Question[]) =>
  questions.map((question, index) =>
    question.showIf && !questions.slice(0, index).some(({ id }) => id === question.showIf?.questionId)
      ? { ...question, showIf: null }
      : question,
  );

/** The questions of the registration form, in order. */
export function QuestionFields({ form }: { form: EventForm }) {
  const { t } = useTranslation();
  const { questions } = form.getValues();
  const set = (next: Question[]) => form.setFieldValue("questions", removeInvalidConditions(next));
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
          {questions.map((question, index) => (
            <li key={question.id} className={classes.row}>
              <RowTools
                title={question.label || t("events.edit.question", { number: index + 1 })}
                index={index}
                count={questions.length}
                onMove={(to) => move(index, to)}
                onRemove={() => set(questions.toSpliced(index, 1))}
              />
              <QuestionEditor form={form} index={index} question={question} previous={questions.slice(0, index)} />
            </li>
          ))}
        </ol>
      )}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={18} stroke={1.7} />}
          disabled={questions.length >= MAX_QUESTIONS}
          onClick={add}
        >
          {t("events.edit.addQuestion")}
        </Button>
      </div>
    </EditorSection>
  );
}
