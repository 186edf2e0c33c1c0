import { Button } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/courses/admin/CourseCard.module.css";
import { CourseNote } from "#web/courses/learner/CourseNote.tsx";
import { CourseProgress } from "#web/courses/learner/CourseProgress.tsx";
import { launchPath } from "#web/courses/launchPath.ts";
import { launchVerb } from "#web/courses/learner/launchVerb.ts";
import { Cover } from "#web/core/brand/Cover.tsx";
import type { MyCourse } from "#shared/courses.ts";

/** One course of a learner: cover, title, what matters now, progress, one verb. A row on a phone. */
export function CourseCard({ course }: { course: MyCourse }) {
  const { t } = useTranslation();
  const verb = launchVerb(course);
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
        </div>
        <div className={classes.foot}>
          <CourseProgress course={course} />
          {verb && (
            <Button
              component={Link}
              to={launchPath(course, verb === "again")}
              variant={verb === "review" ? "subtle" : "default"}
              size="xs"
              className={classes.verb}
              aria-label={t("courses.mine.verbFor", { verb: t(`courses.verbs.${verb}`), title: course.title })}
            >
              <span className={classes.word}>{t(`courses.verbs.${verb}`)}</span>
              <IconChevronRight size={18} stroke={1.7} className={classes.chevron} aria-hidden />
            </Button>
          )}
        </div>
      </div>
    </li>
  );
}
