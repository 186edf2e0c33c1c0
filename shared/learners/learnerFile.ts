import { minutesOf } from "#shared/core/dates.ts";
import type { Learner } from "#shared/learners/learners.ts";
import texts from "#shared/locales/en/learners.json" with { type: "json" };

/** What a file of learners says of one. */
export type LearnerLine = Omit<
  Learner,
  | "id"
  | "role"
  | "companyId"
  | "lastLoginAt"
  | "needsFactor"
  | "leadsPeople"
  | "invitationExpiresAt"
  | "remindedAt"
  | "fields"
  | "hidden"
  | "version"
  | "managerId"
  | "manager"
>;

/** The columns of a file of learners, of the server or the browser; times in UTC, minutes as plain numbers. */
export const learnerFileColumns: [head: string, cellOf: (row: LearnerLine) => string | number | null][] = [
  [texts.name, (row) => row.name],
  [texts.email, (row) => row.email],
  [texts.company, (row) => row.company],
  [texts.status, (row) => texts.is[row.status]],
  [texts.suspend.reason, (row) => row.suspendedReason],
  [texts.csv.assigned, (row) => row.assigned],
  [texts.completed, (row) => row.completed],
  [texts.overdue, (row) => row.overdue],
  [texts.meanScore, (row) => row.meanScore],
  [texts.csv.activeMinutes, (row) => minutesOf(row.activeSeconds)],
  [texts.lastActive, (row) => row.lastActive],
  [texts.csv.invited, (row) => row.invitedAt],
  [texts.csv.joined, (row) => row.createdAt],
  [texts.csv.manager, (row) => row.managerEmail],
  [texts.personnelNumber, (row) => row.personnelNumber],
];
