import { CloseButton } from "@mantine/core";
import { IconCircleCheck, IconCloudUp } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { EarnedCertificate } from "#web/certificates/CertificateCard.tsx";
import { NextToDo } from "#web/courses/completion/OwnCompletion.tsx";
import classes from "#web/courses/learner/ExitNotice.module.css";
import { formatPercent } from "#web/core/format/format.ts";
import type { MyCourse } from "#shared/courses/enrolments.ts";

type Props = { course: MyCourse | undefined; saved: boolean; onClose: () => void };

/** Shown after leaving the player: the state of the course, and whether everything is saved. */
export function ExitNotice({ course, saved, onClose }: Props) {
  const { t } = useTranslation();
  const Icon = saved ? IconCircleCheck : IconCloudUp;
  return (
    <div className={classes.notice} data-saved={saved || undefined} role="status">
      <Icon size={22} stroke={1.6} aria-hidden />
      <div className={classes.words}>
        {course && (
          <p className={classes.title}>
            {course.title}: <CourseState course={course} />
          </p>
        )}
        {course?.status === "completed" && <EarnedCertificate courseId={course.courseId} />}
        {course && saved && course.status !== "completed" && <NextToDo courseId={course.courseId} />}
        <p>{saved ? t("courses.exitNotice.saved") : t("courses.exitNotice.pending")}</p>
      </div>
      <CloseButton aria-label={t("courses.exitNotice.close")} onClick={onClose} />
    </div>
  );
}

function CourseState({ course: { status, success, scorePercent, partsDone, parts, progress } }: { course: MyCourse }) {
  const { t } = useTranslation();
  const score = scorePercent === null ? "" : `, ${formatPercent(scorePercent)}`;
  if (status === "completed")
    return <>{(success === "passed" ? t("courses.exitNotice.passed") : t("courses.exitNotice.completed")) + score}</>;
  if (status === "failed") return <>{t("courses.exitNotice.failed") + score}</>;
  if (parts > 1) return <>{t("courses.exitNotice.parts", { done: partsDone, count: parts })}</>;
  return (
    <>
      {progress === null
        ? t("courses.exitNotice.started")
        : t("courses.exitNotice.percent", { percent: formatPercent(progress) })}
    </>
  );
}
