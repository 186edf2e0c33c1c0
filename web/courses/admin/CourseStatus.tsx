import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { nobodyCompletes } from "#web/courses/admin/nobodyCompletes.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import type { Course } from "#shared/courses.ts";

/** Status of a course as a dot with its word; a pill in its place when something is wrong with the package. */
export function CourseStatus({
  course,
  plain,
}: {
  course: Pick<Course, "status" | "warnings" | "inProgress" | "completed">;
  plain?: boolean;
}) {
  const { t } = useTranslation();
  const { status, warnings } = course;
  const trouble = nobodyCompletes(course)
    ? t("courses.noCompletions")
    : status === "draft" && warnings > 0
      ? t("courses.warnings", { count: warnings })
      : null;
  if (trouble && !plain)
    return (
      <Pill tone="warn" icon={<IconAlertTriangle size={15} stroke={1.7} aria-hidden />}>
        {trouble}
      </Pill>
    );
  return <StatusDot tone={status === "published" ? "ok" : "idle"}>{t(`courses.statuses.${status}`)}</StatusDot>;
}
