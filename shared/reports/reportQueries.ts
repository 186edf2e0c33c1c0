import { z } from "zod";
import { namedZone } from "#shared/companies/companies.ts";
import { day } from "#shared/core/dates.ts";
import { listQuery, sortBy } from "#shared/core/route.ts";
import { figureGroup } from "#shared/reports/reportFigures.ts";

// What a report is asked for: period, filters, one of its figures, and the changes since an earlier day

/** Longest period of a report in days. */
export const MAX_PERIOD_DAYS = 1096;

/** Filters of a report. Days are in `zone`, both included. */
export const reportFilters = z.object({
  from: day,
  to: day,
  zone: namedZone,
  companyId: z.uuid().nullable(),
  courseId: z.uuid().nullable(),
  /** Only people who were in this group at the time of the report. Missing in reports about everyone. */
  groupId: z.uuid().optional(),
});
export type ReportFilters = z.infer<typeof reportFilters>;

const DAY_MS = 86_400_000;
const isPeriod = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  from === undefined ||
  to === undefined ||
  (from <= to && Date.parse(to) - Date.parse(from) < MAX_PERIOD_DAYS * DAY_MS);
export const isReportPeriod = [isPeriod, { error: "reports.period", path: ["from"] as PropertyKey[] }] as const;

/** The days of the period of the same length before. */
export function periodBefore({ from, to }: Pick<ReportFilters, "from" | "to">) {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { from: dayOf(first - (last - first) - DAY_MS), to: dayOf(first - DAY_MS) };
}

/**
 * By default the 91 days up to the day of the report. The time zone is that of the company, of the learner's company,
 * or, for a course, of the academy.
 */
export const reportFields = {
  from: day.optional(),
  to: day.optional(),
  zone: namedZone.optional(),
  /** The number of days of the period, until its last day, if `from` is not given. */
  days: z.coerce.number().int().min(1).max(MAX_PERIOD_DAYS).optional(),
  /** Counts what was recorded until the end of this day. By default now. */
  asOf: day.optional(),
  /** Only this company, in the report of a course. */
  companyId: z.uuid().optional(),
  /** Only this course, in the report of a company or a learner. */
  courseId: z.uuid().optional(),
  /** Only people of this group, as it was at the time of the report. */
  groupId: z.uuid().optional(),
};
export const reportQuery = z.object(reportFields).refine(...isReportPeriod);

/**
 * Selects the assignments of one figure: by `group`, by the part at which they stopped, by the week of completion, or
 * by score from `score` percent.
 */
export const rowFields = {
  ...reportFields,
  group: figureGroup.default("assigned"),
  stoppedAt: z.coerce.number().int().min(0).max(10_000).optional(),
  week: day.optional(),
  score: z.coerce.number().int().min(0).max(90).multipleOf(10).optional(),
};
export const rowQuery = listQuery
  .extend({
    ...rowFields,
    sort: sortBy("name", "dueDate", "scorePercent", "activeSeconds", "completedAt", "lastActivityAt").default("name"),
  })
  .refine(...isReportPeriod);

/** Kinds of change of an assignment between two days. */
export const assignmentChanges = [
  "added",
  "removed",
  "started",
  "completed",
  "reopened",
  "overdue",
  "score",
  "dueDate",
] as const;
export const assignmentChange = z.enum(assignmentChanges);
export type AssignmentChange = z.infer<typeof assignmentChange>;
export const changeQuery = z
  .object({
    ...reportFields,
    /** The earlier day: its end, in the zone of the report. By default the day before the period. */
    since: day.optional(),
    change: assignmentChange.optional(),
    ...listQuery.pick({ q: true, page: true, size: true }).shape,
  })
  .refine(...isReportPeriod);
