import texts from "#shared/locales/en/team.json" with { type: "json" };
import type { TeamMember } from "#shared/team/team.ts";

/** The columns of a file of the people whom a manager leads. */
export const teamFileColumns: [head: string, cellOf: (row: TeamMember) => string | number | null][] = [
  [texts.name, (row) => row.name],
  [texts.email, (row) => row.email],
  [texts.manager, (row) => row.manager],
  [texts.status, (row) => texts.is[row.state]],
  [texts.assigned, (row) => row.assigned],
  [texts.completed, (row) => row.completed],
  [texts.is.overdue, (row) => row.overdue],
  [texts.is.dueSoon, (row) => row.dueSoon],
  [texts.is.notStarted, (row) => row.notStarted],
  [texts.nextDue, (row) => row.nextDue],
  [texts.ending, (row) => row.ending],
  [texts.personnelNumber, (row) => row.personnelNumber],
];
