import { useTranslation } from "react-i18next";
import { StatusDot, type Tone } from "#web/core/display/StatusDot.tsx";
import { formatDue, formatNumber } from "#web/core/format/format.ts";
import type { TeamCourse, TeamMember } from "#shared/team/team.ts";

const tones: Record<TeamMember["state"], Tone> = {
  overdue: "bad",
  dueSoon: "warn",
  notStarted: "idle",
  inProgress: "active",
  done: "ok",
  none: "idle",
};

/** How a person stands: their most urgent course. */
export function MemberStatus({ member: { state, overdue, dueSoon, notStarted } }: { member: TeamMember }) {
  const { t } = useTranslation();
  const counts: Partial<Record<TeamMember["state"], number>> = { overdue, dueSoon, notStarted };
  const count = counts[state];
  return (
    <StatusDot tone={tones[state]}>
      {count === undefined
        ? t(`team.is.${state}`)
        : t(`team.memberIs.${state as "overdue"}`, { count, n: formatNumber(count) })}
    </StatusDot>
  );
}

/** How one course of a person stands, with the days that count. */
export function CourseStatus({ course: { state, daysOver } }: { course: Pick<TeamCourse, "state" | "daysOver"> }) {
  const { t } = useTranslation();
  const days = Math.abs(daysOver ?? 0);
  const values = { count: days, n: formatNumber(days) };
  const textOf = () => {
    if (state === "overdue") return t("team.overdueDays", values);
    if (state === "done") return t("team.parts.completed");
    if (state !== "dueSoon") return t(`team.is.${state}`);
    return days === 0 ? t("team.dueToday") : t("team.dueInDays", values);
  };
  return <StatusDot tone={tones[state]}>{textOf()}</StatusDot>;
}

/** When the newest certificate ends. */
export function Validity({ certificate }: Pick<TeamCourse, "certificate">) {
  const { t } = useTranslation();
  if (!certificate) return null;
  const { validUntil, state } = certificate;
  if (!validUntil) return <StatusDot tone="ok">{t("team.validity.always")}</StatusDot>;
  const tone = { valid: "ok", ending: "warn", ended: "bad" } as const;
  return <StatusDot tone={tone[state]}>{t(`team.validity.${state}`, { day: formatDue(validUntil) })}</StatusDot>;
}
