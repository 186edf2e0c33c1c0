import { useTranslation } from "react-i18next";
import { Colonnade } from "#web/core/display/Colonnade.tsx";
import { Meter } from "#web/core/display/Meter.tsx";
import type { MyCourse } from "#shared/courses.ts";

/** How far a learner is: columns for parts; for a course of one part a meter, once it is known how far. */
export function CourseProgress({ course, size = "sm" }: { course: MyCourse; size?: "sm" | "md" }) {
  const { t } = useTranslation();
  const { parts, partsDone, currentPart, progress, status } = course;
  const completed = status === "completed";
  if (parts <= 1) {
    const percent = completed ? 100 : progress;
    return percent === null ? null : <Meter percent={percent} label={t("courses.enrolment.progress")} />;
  }
  const all = completed ? parts : Math.min(partsDone, parts);
  const here = currentPart !== null && !completed && currentPart >= all ? currentPart + 1 : null;
  return <Colonnade total={parts} done={all} current={here} size={size} />;
}
