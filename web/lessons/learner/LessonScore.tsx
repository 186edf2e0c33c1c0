import { useTranslation } from "react-i18next";
import { formatNumber } from "#web/core/format/format.ts";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import classes from "#web/lessons/learner/score.module.css";
import { resultOf } from "#shared/lessons/judge.ts";
import { PASS_PERCENT } from "#shared/lessons/quiz.ts";
import { plainText } from "#shared/lessons/richText.ts";
import type { ShownBlock, ShownBlockOf } from "#shared/lessons/shownLesson.ts";

/** Shown once all graded questions of the lesson are answered: the points, question by question. */
export function LessonScore({ blocks }: { blocks: ShownBlock[] }) {
  const { t } = useTranslation();
  const { lesson } = useLesson();
  const graded = blocks.filter(
    (block): block is ShownBlockOf<"question"> => block.kind === "question" && block.question.graded,
  );
  const isAnswered = graded.length > 1 && graded.every(({ id }) => lesson.state.answers[id] && !lesson.pending[id]);
  if (!isAnswered) return null;
  const rows = graded.map(({ id, question }) => ({
    id,
    text: plainText(question.text),
    points: question.points,
    share: lesson.state.answers[id]?.best ?? 0,
  }));
  const total = rows.reduce((sum, { points }) => sum + points, 0);
  const earned = rows.reduce((sum, { points, share }) => sum + points * share, 0);
  const needed = Math.ceil((total * PASS_PERCENT) / 100);
  const isEnough = total > 0 && (earned / total) * 100 >= PASS_PERCENT;
  const number = (value: number) => formatNumber(value, Number.isInteger(value) ? 0 : 1);
  const goTo = (id: string) => {
    const legend = document.querySelector<HTMLElement>(`[data-question="${CSS.escape(id)}"] legend`);
    legend?.scrollIntoView({ block: "center" });
    legend?.focus({ preventScroll: true });
  };
  return (
    <section className={classes.score} aria-label={t("lessons.scoreTitle")}>
      <h3>{isEnough ? t("lessons.enough") : t("lessons.morePoints", { count: Math.ceil(needed - earned) })}</h3>
      <p>{t("lessons.scoreText", { earned: number(earned), total: number(total), needed: number(needed) })}</p>
      <ol className={classes.columns} aria-hidden>
        {rows.map(({ id, share }) => (
          <li key={id}>
            <span className={classes.column} data-share={resultOf(share)} />
          </li>
        ))}
      </ol>
      <ol className={classes.rows}>
        {rows.map(({ id, text, points, share }) => (
          <li key={id}>
            <button type="button" onClick={() => goTo(id)}>
              {text}
            </button>
            <span data-full={share >= 1 || undefined}>
              {t("lessons.pointsShort", { earned: number(points * share), total: number(points) })}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
