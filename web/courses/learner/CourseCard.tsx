import { Button } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/courses/learner/CourseCard.module.css";
import { CourseNote } from "#web/courses/learner/CourseNote.tsx";
import { CourseProgress } from "#web/courses/learner/CourseProgress.tsx";
import { launchPath } from "#web/core/format/launchPath.ts";
import { launchAction } from "#web/courses/learner/launchAction.ts";
import { Cover } from "#web/core/brand/Cover.tsx";
import type { MyPath } from "#shared/paths/myPaths.ts";
import type { MyCourse } from "#shared/courses/enrolments.ts";

/** A course of a learner: cover, title, note, its path, progress and launch button. A row on phones. */
export function CourseCard({ course, path }: { course: MyCourse; path?: MyPath | undefined }) {
  const { t } = useTranslation();
  const action = launchAction(course);
  return (
    <li className={classes.card}>
      <div className={classes.cover}>
        <Cover code={course.code} />
      </div>
      <div className={classes.body}>
        <h3 className={classes.title}>
          <Link to={`/courses/${course.courseId}`}>{course.title}</Link>
        </h3>
        <div className={classes.note}>
          <CourseNote course={course} />
          {path && (
            <span className={classes.path}>
              <Link to={`/paths/${path.id}`}>{t("paths.mine.partOf", { path: path.title })}</Link>
            </span>
          )}
        </div>
        <div className={classes.foot}>
          <CourseProgress course={course} />
          {action && (
            <Button
              component={Link}
              to={launchPath(course, action === "again")}
              variant={action === "review" ? "subtle" : "default"}
              size="xs"
              className={classes.verb}
              aria-label={t("courses.mine.verbFor", { verb: t(`courses.verbs.${action}`), title: course.title })}
            >
              <span className={classes.word}>{t(`courses.verbs.${action}`)}</span>
              <IconChevronRight size={18} stroke={1.7} className={classes.chevron} aria-hidden />
            </Button>
          )}
        </div>
      </div>
    </li>
  );
}
