import { Button } from "@mantine/core";
import { IconPlayerPlayFilled } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { CourseNote } from "#web/courses/learner/CourseNote.tsx";
import { CourseProgress } from "#web/courses/learner/CourseProgress.tsx";
import { launchPath } from "#web/core/format/launchPath.ts";
import classes from "#web/courses/learner/ResumeCard.module.css";
import { Cover } from "#web/core/brand/Cover.tsx";
import { formatAgo, formatDuration } from "#web/core/format/format.ts";
import type { MyCourse } from "#shared/courses/enrolments.ts";
import { minutesLeft } from "#shared/courses/nextCourse.ts";

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** The large card at the top: the course used last, with a button to continue it. */
export function ResumeCard({ course }: { course: MyCourse }) {
  const { t } = useTranslation();
  const { parts, partsDone, currentPart, nextPart, title, lastActivityAt } = course;
  const left = minutesLeft(course);
  const time = left ? t("courses.mine.aboutLeft", { time: formatDuration(left * 60) }) : "";
  const next =
    nextPart === null || currentPart === null
      ? ""
      : t(currentPart >= partsDone ? "courses.mine.next" : "courses.mine.lastOpened", {
          number: currentPart + 1,
          title: nextPart,
        });

  return (
    <section className={classes.card} aria-labelledby="resume">
      <div className={classes.words}>
        <p className={classes.when}>
          {lastActivityAt
            ? t("courses.mine.leftOff", { when: lowerFirst(formatAgo(lastActivityAt)) })
            : t("courses.mine.leftOffNoDate")}
        </p>
        <h2 id="resume" className={classes.title}>
          <Link to={`/courses/${course.courseId}`}>{title}</Link>
        </h2>
        {(next || time) && <p className={classes.next}>{[next, time].filter(Boolean).join(" ")}</p>}
        <div className={classes.progress}>
          <CourseProgress course={course} size="md" />
          {parts > 1 && <span>{t("courses.mine.partsOf", { done: partsDone, count: parts })}</span>}
          {course.dueDate && (
            <span>
              <CourseNote course={course} />
            </span>
          )}
        </div>
        <div>
          <Button component={Link} to={launchPath(course)} size="md" leftSection={<IconPlayerPlayFilled size={16} />}>
            {t("courses.verbs.continue")}
            <span className="ly-hidden"> {title}</span>
          </Button>
        </div>
      </div>
      <div className={classes.cover}>
        <Cover code={course.code} />
      </div>
    </section>
  );
}
