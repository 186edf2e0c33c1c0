import { Button } from "@mantine/core";
import { IconPlayerPlayFilled } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { CourseNote } from "#web/courses/learner/CourseNote.tsx";
import { CourseProgress } from "#web/courses/learner/CourseProgress.tsx";
import { launchAction } from "#web/courses/learner/launchAction.ts";
import classes from "#web/today/nextCard.module.css";
import { Cover } from "#web/core/brand/Cover.tsx";
import { formatDuration } from "#web/core/format/format.ts";
import { launchPath } from "#web/core/format/launchPath.ts";
import type { NextCourse } from "#shared/today/today.ts";

/** The one course to continue or to start, with the part that opens, and a button that opens it. */
export function NextCard({ course }: { course: NextCourse }) {
  const { t } = useTranslation();
  const { courseId, title, part, parts, partsDone, status, progress, minutesLeft } = course;
  const action = launchAction(course) ?? "continue";
  const isStarted = status === "in_progress";
  const time = minutesLeft && formatDuration(minutesLeft * 60);
  const label = time ? t(isStarted ? "today.nextAboutLeft" : "today.nextAbout", { time }) : t("today.next");
  const hasProgress = parts > 1 || (isStarted && progress !== null);
  const hasNote = course.dueDate !== null || course.isRenewal || status === "failed" || course.exemptUntil !== null;
  return (
    <section className={classes.card} aria-labelledby="next-step">
      <div className={classes.words}>
        <p className={classes.label}>{label}</p>
        <h2 id="next-step" className={classes.title}>
          <Link to={`/courses/${courseId}`}>{part?.title ?? title}</Link>
        </h2>
        {part && <p className={classes.course}>{t("today.part", { course: title, number: part.number })}</p>}
        {hasProgress && (
          <div className={classes.progress}>
            <CourseProgress course={course} size="md" />
            {parts > 1 && (
              <span aria-hidden={parts <= 24}>
                {t("courses.mine.partsOf", { done: Math.min(partsDone, parts), count: parts })}
              </span>
            )}
          </div>
        )}
        {hasNote && (
          <div className={classes.note}>
            <CourseNote course={course} />
          </div>
        )}
        <Button
          component={Link}
          to={launchPath(course, action === "again")}
          size="md"
          className={classes.button}
          leftSection={<IconPlayerPlayFilled size={16} className={classes.play} />}
        >
          {t(`courses.verbs.${action}`)}
          <span className="ly-hidden"> {title}</span>
        </Button>
      </div>
      <div className={classes.cover}>
        <Cover code={course.code} />
      </div>
    </section>
  );
}
