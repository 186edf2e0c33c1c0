import { useTranslation } from "react-i18next";
import { StatusDot, type Tone } from "#web/core/display/StatusDot.tsx";
import { type AssignmentStatus, statusWord } from "#shared/courses/assignmentStatus.ts";

const tones: Record<AssignmentStatus["status"], Tone> = {
  assigned: "idle",
  in_progress: "active",
  completed: "ok",
  failed: "bad",
  withdrawn: "idle",
};

/** The status of an enrolment, as a dot with a label; `children` replace the label. */
export function EnrolmentStatus({ enrolment, children }: { enrolment: AssignmentStatus; children?: React.ReactNode }) {
  const { t } = useTranslation();
  const status = t(`courses.enrolment.${statusWord(enrolment)}`);
  const words = () => {
    if (enrolment.setByAdmin && enrolment.status === "completed") return t("courses.enrolment.setByAdmin", { status });
    return enrolment.overdue ? t("courses.enrolment.andOverdue", { status }) : status;
  };
  return <StatusDot tone={enrolment.overdue ? "bad" : tones[enrolment.status]}>{children ?? words()}</StatusDot>;
}
