import { Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useAuthor } from "#web/lessons/author/authorContext.ts";
import { NumberField } from "#web/lessons/author/settings/fields.tsx";
import classes from "#web/lessons/author/settings/settings.module.css";
import { changeSettings, type Settings, textOf } from "#web/lessons/author/settings/settings.ts";
import { lessonsOf } from "#shared/lessons/outline.ts";
import type { QuizSettings } from "#shared/lessons/quiz.ts";

/** What a question in a quiz has: its points, its pool, and what to read after an answer that was not right. */
export function InQuiz({ of, quiz }: { of: Settings; quiz: QuizSettings }) {
  const { t } = useTranslation();
  const { draft, lessonId } = useAuthor();
  const others = lessonsOf(draft).filter(({ id }) => id !== lessonId);
  const pool = textOf(of, "pool");
  return (
    <>
      <p className={classes.dim}>{t("lessonDrafts.quiz.inQuiz")}</p>
      <NumberField of={of} name="points" label={t("lessonDrafts.question.points")} min={0} max={100} decimals />
      {quiz.pools.length > 0 && (
        <Select
          label={t("lessonDrafts.quiz.pool")}
          allowDeselect={false}
          value={quiz.pools.some(({ key }) => key === pool) ? pool : ""}
          data={[
            { value: "", label: t("lessonDrafts.quiz.noPool") },
            ...quiz.pools.map(({ key, title }) => ({ value: key, label: title })),
          ]}
          onChange={(value) => changeSettings(of, { pool: value || null })}
        />
      )}
      {others.length > 0 && (
        <Select
          label={t("lessonDrafts.quiz.readLesson")}
          allowDeselect={false}
          value={others.some(({ id }) => id === textOf(of, "lessonId")) ? textOf(of, "lessonId") : ""}
          data={[
            { value: "", label: t("lessonDrafts.quiz.noLesson") },
            ...others.map(({ id, title }) => ({ value: id, label: title })),
          ]}
          onChange={(value) => changeSettings(of, { lessonId: value || null })}
        />
      )}
    </>
  );
}
