import { useTranslation } from "react-i18next";
import { StatusDot, type Tone } from "#web/core/display/StatusDot.tsx";
import type { Enrolment } from "#shared/courses/enrolments.ts";

const tones: Record<Enrolment["status"], Tone> = {
  assigned: "idle",
  in_progress: "active",
  completed: "ok",
  failed: "bad",
  withdrawn: "idle",
};

/** The status of an enrolment, as a dot with a label. */
export function EnrolmentStatus({
  enrolment: { status, success },
}: {
  enrolment: Pick<Enrolment, "status" | "success">;
}) {
  const { t } = useTranslation();
  const isPassed = status === "completed" && success === "passed";
  return (
    <StatusDot tone={tones[status]}>
      {isPassed ? t("courses.enrolment.passed") : t(`courses.enrolment.${status}`)}
    </StatusDot>
  );
}
