import { Button, CloseButton, NumberInput, TextInput } from "@mantine/core";
import { IconListCheck, IconPlus } from "@tabler/icons-react";
import type { Editor } from "@tiptap/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "#web/core/toast/toast.ts";
import { useOutline } from "#web/lessons/author/contents/useOutline.ts";
import { listQuestions, PoolQuestions } from "#web/lessons/author/settings/PoolQuestions.tsx";
import classes from "#web/lessons/author/settings/settings.module.css";
import type { QuestionFact } from "#web/lessons/author/settings/useLessonFacts.ts";
import type { CourseDraft } from "#shared/lessons/drafts.ts";
import { newId } from "#shared/lessons/editing/nodeJson.ts";
import type { DraftLesson } from "#shared/lessons/outline.ts";
import { MAX_DRAW, MAX_POOLS, type QuizPool, type QuizSettings } from "#shared/lessons/quiz.ts";

type Props = {
  draft: CourseDraft;
  lesson: DraftLesson & { quiz: QuizSettings };
  questions: QuestionFact[];
  editor: Editor | null;
};

/** The pools of a quiz, and how many questions an attempt draws of each. */
export function Pools({ draft, lesson, questions, editor }: Props) {
  const { t } = useTranslation();
  const { change } = useOutline(draft.id);
  const { pools } = lesson.quiz;
  /** The pool that was just added: its name is typed first. */
  const [added, setAdded] = useState("");
  const [chosenKey, setChosenKey] = useState("");
  const chosen = pools.find(({ key }) => key === chosenKey);
  const [isChoosing, setChoosing] = useState(false);
  const set = (pool: QuizPool) => void change({ kind: "setPool", id: lesson.id, pool });
  const remove = async (pool: QuizPool) => {
    if (!(await change({ kind: "removePool", id: lesson.id, key: pool.key }))) return;
    toast.done(t("lessonDrafts.quiz.poolRemoved", { title: pool.title }), {
      action: { label: t("lessonDrafts.undo"), run: () => set(pool) },
    });
  };
  return (
    <fieldset className={classes.set}>
      <legend>{t("lessonDrafts.quiz.pools")}</legend>
      <p className={classes.dim}>{t("lessonDrafts.quiz.poolsHint")}</p>
      {pools.map((pool) => {
        const has = questions.filter((one) => one.pool === pool.key).length;
        return (
          <div key={pool.key} className={classes.pool}>
            <TextInput
              key={pool.title}
              aria-label={t("lessonDrafts.quiz.poolName")}
              defaultValue={pool.title}
              maxLength={100}
              autoFocus={pool.key === added}
              onFocus={(event) => pool.key === added && event.currentTarget.select()}
              onBlur={(event) => {
                setAdded("");
                const title = event.currentTarget.value.trim();
                if (title && title !== pool.title) set({ ...pool, title });
              }}
            />
            <CloseButton
              size="md"
              aria-label={t("lessonDrafts.quiz.removePool", { title: pool.title })}
              onClick={() => void remove(pool)}
            />
            <span className={classes.draw}>
              <span aria-hidden>{t("lessonDrafts.quiz.draw")}</span>
              <NumberInput
                key={pool.draw}
                aria-label={t("lessonDrafts.quiz.drawOf", { title: pool.title })}
                defaultValue={pool.draw}
                min={1}
                max={MAX_DRAW}
                allowDecimal={false}
                error={has < pool.draw}
                onBlur={(event) => {
                  const value = Math.min(MAX_DRAW, Math.max(1, Math.round(Number(event.currentTarget.value))));
                  if (value && value !== pool.draw) set({ ...pool, draw: value });
                }}
              />
              <span data-short={has < pool.draw || undefined}>{t("lessonDrafts.quiz.drawnOf", { count: has })}</span>
            </span>
            {editor && (
              <Button
                variant="subtle"
                size="compact-sm"
                className={classes.start ?? ""}
                leftSection={<IconListCheck size={16} stroke={1.8} />}
                aria-label={t("lessonDrafts.quiz.chooseQuestionsOf", { title: pool.title })}
                onClick={() => {
                  setChosenKey(pool.key);
                  setChoosing(true);
                }}
              >
                {t("lessonDrafts.quiz.chooseQuestions")}
              </Button>
            )}
          </div>
        );
      })}
      {pools.length < MAX_POOLS && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.start ?? ""}
          leftSection={<IconPlus size={16} stroke={1.8} />}
          onClick={() => {
            const title = t("lessonDrafts.quiz.newPool", { count: pools.length + 1 });
            const key = newId();
            setAdded(key);
            // `questions` are those of a moment ago.
            const count = (editor ? listQuestions(editor) : questions).length;
            set({ key, title, draw: Math.min(MAX_DRAW, Math.max(1, Math.ceil(count / 2))) });
          }}
        >
          {t("lessonDrafts.quiz.addPool")}
        </Button>
      )}
      {editor && chosen && (
        <PoolQuestions
          key={`${chosen.key} ${isChoosing}`}
          editor={editor}
          pool={chosen}
          pools={pools}
          opened={isChoosing}
          onClose={() => setChoosing(false)}
        />
      )}
    </fieldset>
  );
}
