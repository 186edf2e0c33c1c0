import { z } from "zod";

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

export const count = z.int();
export const percent = z.number().nullable();

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
  /** Null where the company does not show who was active, or active time. */
  activeIn: count.nullable(),
  activePeople: count.nullable(),
  activeSeconds: count.nullable(),
});
export type PeriodFigures = z.infer<typeof periodFigures>;

export const assignmentStatus = z.enum(["assigned", "in_progress", "completed", "failed"]);
export const success = z.enum(["unknown", "passed", "failed"]);
/**
 * The assignments of one learner with their results, as an issued report contains them. Days are in the zone of the
 * report.
 */
export const learnerRecord = z.object({
  /** Null where the company does not show times; so are `seconds`. */
  activeSeconds: count.nullable(),
  /** Total time as reported by the packages. */
  reportedSeconds: count.nullable(),
  assignments: z.array(
    z.object({
      id: z.uuid(),
      courseId: z.uuid(),
      status: z.enum([...assignmentStatus.options, "overdue"]),
      success,
      score: percent,
      seconds: count.nullable(),
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
