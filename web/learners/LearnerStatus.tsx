import { Tooltip } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatDate } from "#web/core/format/format.ts";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { daysSince, isOver } from "#web/learners/days.ts";
import type { Learner } from "#shared/learners/learners.ts";

/** Status of a learner, with the age of an invitation and the reason of a suspension. */
export function LearnerStatus({
  learner: { status, invitedAt, invitationExpiresAt, suspendedReason },
}: {
  learner: Learner;
}) {
  const { t } = useTranslation();
  if (status === "active") return <StatusDot tone="ok">{t("learners.is.active")}</StatusDot>;
  if (status === "suspended") {
    return (
      <Tooltip label={suspendedReason} disabled={!suspendedReason}>
        <span>
          <StatusDot tone="idle">{t("learners.is.suspended")}</StatusDot>
        </span>
      </Tooltip>
    );
  }
  const expired = invitationExpiresAt !== null && isOver(invitationExpiresAt);
  const days = invitedAt ? daysSince(invitedAt) : null;
  const invitedSince = () => {
    if (days === null) return t("learners.is.invited");
    return days === 0 ? t("learners.invitedToday") : t("learners.invitedDays", { count: days });
  };
  return (
    <Tooltip
      disabled={!invitationExpiresAt}
      label={
        invitationExpiresAt &&
        t(expired ? "learners.endedOn" : "learners.worksUntil", { date: formatDate(invitationExpiresAt) })
      }
    >
      <span>
        <StatusDot tone={expired ? "warn" : "info"}>{expired ? t("learners.is.expired") : invitedSince()}</StatusDot>
      </span>
    </Tooltip>
  );
}
