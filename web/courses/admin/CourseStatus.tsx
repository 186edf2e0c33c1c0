import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { hasNoCompletions } from "#web/courses/admin/hasNoCompletions.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import type { Course } from "#shared/courses/courses.ts";

/** The status of a course as a dot, or a pill if there is a problem with its package. `plain`: always the status. */
export function CourseStatus({
  course,
  plain,
}: {
  course: Pick<Course, "status" | "warnings" | "inProgress" | "completed">;
  plain?: boolean;
}) {
  const { t } = useTranslation();
  const { status, warnings } = course;
  let problem: string | null = null;
  if (hasNoCompletions(course)) problem = t("courses.noCompletions");
  else if (status === "draft" && warnings > 0) problem = t("courses.warnings", { count: warnings });
  if (problem && !plain)
    return (
      <Pill tone="warn" icon={<IconAlertTriangle size={15} stroke={1.7} aria-hidden />}>
        {problem}
      </Pill>
    );
  return <StatusDot tone={status === "published" ? "ok" : "idle"}>{t(`courses.statuses.${status}`)}</StatusDot>;
}
