import { Checkbox } from "@mantine/core";
import type { Editor } from "@tiptap/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import classes from "#web/lessons/author/settings/settings.module.css";
import type { QuizPool } from "#shared/lessons/quiz.ts";

/** A question of the open lesson, also one that is not finished. */
type Listed = { id: string; text: string; pool: string | null };

export function listQuestions({ state }: Editor): Listed[] {
  const found: Listed[] = [];
  state.doc.forEach(({ type, attrs, firstChild }) => {
    if (type.name !== "question") return;
    const pool = attrs["pool"] ? String(attrs["pool"]) : null;
    found.push({ id: String(attrs["id"]), text: firstChild?.textContent.trim() ?? "", pool });
  });
  return found;
}

/** Puts questions into a pool, or takes them out of it, in one step that can be undone. */
function changePool(editor: Editor, key: string, chosen: ReadonlyMap<string, boolean>) {
  editor.commands.command(({ tr }) => {
    tr.doc.forEach((node, pos) => {
      const isChosen = chosen.get(String(node.attrs["id"]));
      const isInPool = node.attrs["pool"] === key;
      if (node.type.name !== "question" || isChosen === undefined || isChosen === isInPool) return;
      tr.setNodeAttribute(pos, "pool", isChosen ? key : null);
    });
    return true;
  });
}

type Props = { editor: Editor; pool: QuizPool; pools: QuizPool[]; opened: boolean; onClose: () => void };

/** Which questions of a quiz are in a pool. */
export function PoolQuestions({ editor, pool, pools, opened, onClose }: Props) {
  const { t } = useTranslation();
  const [questions] = useState(() => listQuestions(editor));
  // Only what is changed here is stored: another author may be changing the others.
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isChosen = ({ id, pool: key }: Listed) => changed.get(id) ?? key === pool.key;
  const count = questions.filter(isChosen).length;
  const last = useRef(0);
  const isRange = useRef(false);
  const set = (listed: Listed[], chosen: boolean) =>
    setChanged(new Map([...changed, ...listed.map(({ id }) => [id, chosen] as const)]));
  const choose = (at: number, chosen: boolean) => {
    const [from, to] = isRange.current ? [Math.min(at, last.current), Math.max(at, last.current)] : [at, at];
    last.current = at;
    set(questions.slice(from, to + 1), chosen);
  };
  const titleOf = (key: string | null) => (key === pool.key ? undefined : pools.find((one) => one.key === key)?.title);
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t("lessonDrafts.quiz.questionsOf", { title: pool.title })}
      submitLabel={t("lessonDrafts.quiz.saveQuestions")}
      onSubmit={() => {
        changePool(editor, pool.key, changed);
        onClose();
      }}
    >
      <p className={classes.dim}>
        {questions.length === 0 ? t("lessonDrafts.quiz.noQuestions") : t("lessonDrafts.quiz.questionsHint")}
      </p>
      {questions.length > 0 && (
        <>
          <Checkbox
            label={t("lessonDrafts.quiz.allQuestions")}
            checked={count === questions.length}
            indeterminate={count > 0 && count < questions.length}
            onChange={(event) => set(questions, event.currentTarget.checked)}
          />
          <ol className={classes.poolQuestions}>
            {questions.map((question, at) => {
              const other = titleOf(question.pool);
              return (
                <li key={question.id}>
                  <Checkbox
                    label={question.text || t("lessonDrafts.quiz.unnamedQuestion", { number: at + 1 })}
                    description={other && t("lessonDrafts.quiz.inPool", { title: other })}
                    checked={isChosen(question)}
                    onClick={(event) => (isRange.current = event.shiftKey)}
                    onChange={(event) => choose(at, event.currentTarget.checked)}
                  />
                </li>
              );
            })}
          </ol>
          <p className={classes.dim} role="status">
            {t("lessonDrafts.quiz.chosen", { count, draw: pool.draw })}
          </p>
        </>
      )}
    </FormDialog>
  );
}
