import { z } from "zod";
import { assignmentStatus, count, percent, success, totals } from "#shared/reports/reportFigures.ts";
import { assignmentChange } from "#shared/reports/reportQueries.ts";

// The assignments and people behind the figures of a report

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
  /** At the time of the report, the completion stood because an admin had set it. */
  setByAdmin: z.boolean(),
  lastActivityAt: z.string().nullable(),
  attempts: z.int(),
  activeSeconds: z.int().nullable(),
  reportedSeconds: z.int().nullable(),
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

const assignmentState = reportRow.pick({
  status: true,
  success: true,
  overdue: true,
  scorePercent: true,
  dueDate: true,
});
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
  activeSeconds: z.int().nullable(),
  courses: z.array(
    z.object({ courseId: z.uuid(), status: reportRow.shape.status, success, overdue: z.boolean(), score: percent }),
  ),
});
