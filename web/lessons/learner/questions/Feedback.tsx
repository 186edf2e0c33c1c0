import { IconCheck, IconCloudOff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import { solutionText } from "#web/lessons/learner/questions/solutionText.ts";
import { Runs } from "#web/lessons/learner/Runs.tsx";
import classes from "#web/lessons/learner/questions/questions.module.css";
import type { ShownBlockOf } from "#shared/lessons/shownLesson.ts";

type Props = { id: string; block: ShownBlockOf<"question">; isJudged: boolean; isOpen: boolean };

/** What is said of an answer, announced to screen readers. */
export function Feedback({ id, block, isJudged, isOpen }: Props) {
  const { t } = useTranslation();
  const { lesson, isOffline } = useLesson();
  const reveal = lesson.revealed[block.id];
  const isPending = lesson.pending[block.id] !== undefined;
  const shows = isJudged && reveal && !isPending ? reveal : null;
  const solution = shows?.solution && shows.result !== "right" ? solutionText(block.question, shows.solution, t) : null;
  return (
    <div id={id} role="status" className={classes.feedback}>
      {isPending && (
        <p className={classes.pending}>
          {isOffline && <IconCloudOff size={18} stroke={1.7} aria-hidden />}
          {t(isOffline ? "lessons.countsOnline" : "lessons.checking")}
        </p>
      )}
      {lesson.lost[block.id] && !isPending && <p>{t("lessons.lost")}</p>}
      {shows && (
        <p>
          <strong data-result={shows.result}>
            {shows.result === "right" && <IconCheck size={18} stroke={2} aria-hidden />}
            {t(`lessons.results.${shows.result}`)}
          </strong>{" "}
          {shows.feedback && <Runs text={shows.feedback} />}
        </p>
      )}
      {solution && <p>{t("lessons.solution", { text: solution })}</p>}
      {shows && isOpen && (
        <p className={classes.hint}>
          {shows.triesLeft === null ? t("lessons.tryAgain") : t("lessons.triesLeft", { count: shows.triesLeft })}
        </p>
      )}
    </div>
  );
}
