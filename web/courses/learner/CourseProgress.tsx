import { useTranslation } from "react-i18next";
import { Colonnade } from "#web/core/display/Colonnade.tsx";
import { Meter } from "#web/core/display/Meter.tsx";
import type { MyCourse } from "#shared/courses/enrolments.ts";

/** Parts from the first that are completed; 0 if only their number is known, because they were not taken in order. */
export function partsDoneInOrder({ parts, partsDone, currentPart, status }: MyCourse) {
  if (status === "completed") return parts;
  return currentPart !== null && currentPart >= partsDone ? Math.min(partsDone, parts) : 0;
}

/** The progress in a course: a column per part, or a meter for a course with a single part that reports progress. */
export function CourseProgress({ course, size = "sm" }: { course: MyCourse; size?: "sm" | "md" }) {
  const { t } = useTranslation();
  const { parts, partsDone, currentPart, progress, status } = course;
  const completed = status === "completed";
  if (parts <= 1) {
    const percent = completed ? 100 : progress;
    return percent === null ? null : <Meter percent={percent} label={t("courses.enrolment.progress")} />;
  }
  const done = completed ? parts : Math.min(partsDone, parts);
  const current = currentPart !== null && !completed && currentPart >= done ? currentPart + 1 : null;
  return <Colonnade total={parts} done={done} current={current} size={size} />;
}
