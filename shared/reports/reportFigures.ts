import { z } from "zod";
import { namedZone } from "#shared/companies/companies.ts";
import { day } from "#shared/core/dates.ts";
import { listQuery, sortBy } from "#shared/core/route.ts";

// The figures of a report on a company, a course or a learner. An assignment is an enrolment that is not withdrawn

export const reportKind = z.enum(["company", "course", "learner"]);
export type ReportKind = z.infer<typeof reportKind>;
/** Reports on more than one person. */
export type KindOfMany = Exclude<ReportKind, "learner">;

/** Groups of assignments, as of the day of the report or, with `In`, in its period. */
export const figureGroups = [
  "assigned",
  "notStarted",
  "started",
  "completed",
  "overdue",
  "scored",
  "passed",
  "failed",
  "assignedIn",
  "startedIn",
  "completedIn",
  "dueIn",
  "onTimeIn",
  "activeIn",
] as const;
export const figureGroup = z.enum(figureGroups);
export type FigureGroup = z.infer<typeof figureGroup>;

const count = z.int();
const percent = z.number().nullable();

/** Figures as of the day of the report. Scores are in percent, times in seconds. */
export const totals = z.object({
  people: count,
  assigned: count,
  notStarted: count,
  started: count,
  completed: count,
  overdue: count,
  /** Assignments with a score, and those with a result. */
  scored: count,
  passed: count,
  failed: count,
  meanScore: percent,
  medianScore: percent,
  /** Median active time until today of completed assignments. */
  medianSeconds: z.number().nullable(),
  /** Median calendar days from the first start to completion. */
  medianDays: z.number().nullable(),
});
export type Totals = z.infer<typeof totals>;

/** Figures of a period. */
export const periodFigures = z.object({
  assignedIn: count,
  startedIn: count,
  completedIn: count,
  /** Assignments whose due date ended in the period, and those of them that were completed by then. */
  dueIn: count,
  onTimeIn: count,
  activeIn: count,
  activePeople: count,
  activeSeconds: count,
});
export type PeriodFigures = z.infer<typeof periodFigures>;

const assignmentStatus = z.enum(["assigned", "in_progress", "completed", "failed"]);
const success = z.enum(["unknown", "passed", "failed"]);
/**
 * The assignments of one learner with their results, as an issued report contains them. Days are in the zone of the
 * report.
 */
export const learnerRecord = z.object({
  activeSeconds: count,
  /** Total time as reported by the packages. */
  reportedSeconds: count,
  assignments: z.array(
    z.object({
      id: z.uuid(),
      courseId: z.uuid(),
      status: z.enum([...assignmentStatus.options, "overdue"]),
      success,
      score: percent,
      seconds: count,
      dueDate: z.string().nullable(),
      startedOn: z.string().nullable(),
      completedOn: z.string().nullable(),
    }),
  ),
});

export type LearnerRecord = z.infer<typeof learnerRecord>;

export const reportFigures = z.object({
  totals,
  period: periodFigures,
  /** The period of the same length before. */
  before: periodFigures,
  /** By Monday, from the week of the first day of the period to that of the last, including weeks without any. */
  weeks: z.array(z.object({ week: z.string(), startedIn: count, completedIn: count })),
  /** Assignments by score: 0 to 9, 10 to 19, …, 90 to 100 percent. */
  scores: z.array(count).length(10),
  /**
   * Parts of a course in order, with the number of learners who reached the part, who stopped there without completing
   * the course, and who completed the part.
   */
  parts: z.array(z.object({ position: count, reached: count, stopped: count, done: count })),
  /** The totals of each course of a company or a learner, or of each company of a course. */
  split: z.array(totals.extend({ id: z.uuid() })),
  /** Learners of a company by access. */
  members: z.object({ invited: count, active: count, suspended: count }).nullable(),
  /** Of a report on a learner; null otherwise. */
  record: learnerRecord.nullable(),
});
export type ReportFigures = z.infer<typeof reportFigures>;

/** Longest period of a report in days. */
export const MAX_PERIOD_DAYS = 1096;

/** Filters of a report. Days are in `zone`, both included. */
export const reportFilters = z.object({
  from: day,
  to: day,
  zone: namedZone,
  companyId: z.uuid().nullable(),
  courseId: z.uuid().nullable(),
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
 * By default the last 90 days until the day of the report, in the time zone of the company or of that of the learner,
 * or UTC for a course.
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

export const reportRow = z.object({
  id: z.uuid(),
  /** The learner; null after an erasure. `person` tells erased people apart. */
  userId: z.uuid().nullable(),
  person: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  companyId: z.uuid(),
  company: z.string().nullable(),
  courseId: z.uuid(),
  course: z.string().nullable(),
  status: assignmentStatus,
  success,
  overdue: z.boolean(),
  progress: percent,
  scorePercent: percent,
  dueDate: z.string().nullable(),
  assignedAt: z.string(),
  startedAt: z.string().nullable(),
  completedAt: z.string().nullable(),
  lastActivityAt: z.string().nullable(),
  attempts: z.int(),
  activeSeconds: z.int(),
  reportedSeconds: z.int(),
  /** States of the parts of the latest attempt by position. */
  parts: z.array(z.object({ position: z.int(), state: z.enum(["started", "done", "failed"]) })),
  /**
   * The session with the event for which the row is counted, and the time of that event in ms since its start; null if
   * nothing was opened.
   */
  sessionId: z.uuid().nullable(),
  t: z.int().nullable(),
});
export type ReportRow = z.infer<typeof reportRow>;

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

const assignmentState = reportRow.pick({ status: true, overdue: true, scorePercent: true, dueDate: true });
/** `before` and `after` are null if it did not count on that day. */
export const changedRow = reportRow
  .pick({
    id: true,
    userId: true,
    person: true,
    name: true,
    companyId: true,
    company: true,
    courseId: true,
    course: true,
  })
  .extend({
    before: assignmentState.nullable(),
    after: assignmentState.nullable(),
    kinds: z.array(assignmentChange),
  });
export type ChangedRow = z.infer<typeof changedRow>;
/** Number of assignments by kind of change, and the totals of both days. */
export const changeFigures = {
  counts: z.record(assignmentChange, count),
  since: z.string(),
  asOf: z.string(),
  before: totals,
  after: totals,
};

export const personRow = z.object({
  id: z.uuid(),
  userId: z.uuid().nullable(),
  person: z.string(),
  name: z.string().nullable(),
  assigned: z.int(),
  completed: z.int(),
  overdue: z.int(),
  activeSeconds: z.int(),
  courses: z.array(
    z.object({ courseId: z.uuid(), status: reportRow.shape.status, overdue: z.boolean(), score: percent }),
  ),
});

/** A report as it was issued. `number` is printed on it; `digest` is the SHA-256 of its figures, 64 hex digits. */
export const issuedReport = z.object({
  id: z.uuid(),
  number: z.string(),
  kind: reportKind,
  title: z.string(),
  filters: reportFilters,
  asOf: z.string(),
  digest: z.string(),
  rows: z.int(),
  issuedAt: z.string(),
  issuedBy: z.string().nullable(),
});
export type IssuedReport = z.infer<typeof issuedReport>;

/**
 * One figure of an issued report, named by its path such as `totals.completed`: as issued, and recounted today for the
 * same time.
 */
export const checkedFigure = z.object({
  path: z.string(),
  issued: z.union([z.number(), z.string(), z.null()]),
  counted: z.union([z.number(), z.string(), z.null()]),
});
