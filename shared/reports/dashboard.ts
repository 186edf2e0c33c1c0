import { z } from "zod";
import { defaultPeriods } from "#shared/core/periods.ts";
import { listQuery } from "#shared/core/route.ts";
import { reportRow } from "#shared/reports/reportRows.ts";

// What the dashboard shows, and the lists behind its figures

const attention = z.object({
  kind: z.enum([
    "overdue",
    "packageWarning",
    "saveTrouble",
    "stuck",
    "codeExpiring",
    "invitationsExpired",
    "mailFailing",
    "claimsUnverified",
    "backupMissing",
    "neverCompletes",
    "dropOff",
    "connectorFailing",
    "webhookFailing",
    "budgetSpent",
    "unanswered",
  ]),
  title: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  link: z.string(),
});
export const dashboard = z.object({
  summary: z.object({
    activeLearners: z.int(),
    learners: z.int(),
    completed: z.int(),
    completedBefore: z.int(),
    /** Assignments whose due date ended in the period, and those of them that were completed by then. */
    fellDue: z.int(),
    onTime: z.int(),
    overdue: z.int(),
    overdueCompanies: z.int(),
    activeSeconds: z.int().nullable(),
  }),
  attention: z.array(attention),
  weeks: z.array(z.object({ week: z.string(), started: z.int(), completed: z.int() })),
  events: z.array(
    z.object({
      id: z.uuid(),
      title: z.string(),
      startsAt: z.string(),
      timezone: z.string(),
      taken: z.int(),
      capacity: z.int().nullable(),
    }),
  ),
  feed: z.array(
    z.object({
      kind: z.enum(["completed", "joined", "failed"]),
      who: z.string(),
      userId: z.uuid(),
      what: z.string(),
      at: z.string(),
    }),
  ),
});
export type Dashboard = z.infer<typeof dashboard>;

/** Number of days of the dashboard, including today. */
export const dashboardQuery = z.object({
  days: z.coerce.number().int().min(7).max(92).default(defaultPeriods.dashboard),
});
export const dashboardList = listQuery.pick({ q: true, page: true, size: true }).extend(dashboardQuery.shape);
/** Null for erased people, of whom only the figures remain. */
const dashboardPerson = { userId: z.uuid().nullable(), name: z.string().nullable(), email: z.string().nullable() };
export const dueRow = z.object({
  ...dashboardPerson,
  id: z.uuid(),
  company: z.string(),
  course: z.string(),
  ...reportRow.pick({ status: true, success: true }).shape,
  overdue: z.boolean(),
  onTime: z.boolean(),
  dueDate: z.string(),
  completedAt: z.string().nullable(),
});
export type DueRow = z.infer<typeof dueRow>;
export const completedRow = dueRow
  .omit({ onTime: true, dueDate: true })
  .extend({ scorePercent: reportRow.shape.scorePercent, completedAt: z.string() });
export const activeRow = z.object({
  ...dashboardPerson,
  id: z.string(),
  company: z.string().nullable(),
  activeSeconds: z.int().nullable(),
  sessions: z.int(),
  lastAt: z.string(),
});
