import { z } from "zod";
import { day } from "#shared/core/dates.ts";
import { listQuery, MAX_SELECTED, sortBy } from "#shared/core/route.ts";
import { courseKind } from "#shared/courses/completionRules.ts";

// An enrolment: one learner in one course

export const enrolmentStatus = z.enum(["assigned", "in_progress", "completed", "failed", "withdrawn"]);
export const dueDate = day;
export const enrolment = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  personnelNumber: z.string().nullable(),
  companyId: z.uuid(),
  company: z.string(),
  courseId: z.uuid(),
  course: z.string(),
  status: enrolmentStatus,
  success: z.enum(["unknown", "passed", "failed"]),
  progress: z.number().nullable(),
  scorePercent: z.number().nullable(),
  dueDate: z.string().nullable(),
  overdue: z.boolean(),
  attempts: z.int(),
  /** Null where the company does not show times. */
  activeSeconds: z.int().nullable(),
  reportedSeconds: z.int().nullable(),
  assignedAt: z.string(),
  startedAt: z.string().nullable(),
  completedAt: z.string().nullable(),
  /** The completion stands because an admin set it. */
  setByAdmin: z.boolean(),
  lastActivityAt: z.string().nullable(),
});
export type Enrolment = z.infer<typeof enrolment>;

/** A course of a learner on /my-courses. */
export const myCourse = z.object({
  courseId: z.uuid(),
  companyId: z.uuid(),
  code: z.string(),
  title: z.string(),
  summary: z.string(),
  kind: courseKind,
  minutes: z.int().nullable(),
  status: enrolmentStatus,
  success: z.enum(["unknown", "passed", "failed"]),
  progress: z.number().nullable(),
  scorePercent: z.number().nullable(),
  partsDone: z.int(),
  parts: z.int(),
  /** Title of the part to resume; null when the course has one part, is completed or was never opened. */
  nextPart: z.string().nullable(),
  /** Index of that part among the parts that can be opened. */
  currentPart: z.int().nullable(),
  dueDate: z.string().nullable(),
  overdue: z.boolean(),
  archived: z.boolean(),
  completedAt: z.string().nullable(),
  /** The last day on which the latest completion is valid; null without such a day. */
  validUntil: z.string().nullable(),
  /** The last day of an exemption from this required course that covers today. */
  exemptUntil: z.string().nullable(),
  /** Whether a completed course is open again. */
  isRenewal: z.boolean(),
  setByAdmin: z.boolean(),
  lastActivityAt: z.string().nullable(),
});
export type MyCourse = z.infer<typeof myCourse>;

export const enrolmentQuery = listQuery.extend({
  courseId: z.uuid().optional(),
  companyId: z.uuid().optional(),
  userId: z.uuid().optional(),
  status: enrolmentStatus.optional(),
  overdue: z.stringbool().optional(),
  sort: sortBy("name", "dueDate", "lastActivityAt", "progress").default("name"),
});

export const assignmentTerms = z.object({
  dueDate: dueDate.nullable().default(null),
  /** Sends an email to learners who are newly enrolled. */
  notify: z.boolean().default(false),
});
/** Companies (all of their learners) and individual learners; both may be given. */
export const assignment = assignmentTerms.extend({
  companyIds: z.array(z.uuid()).max(MAX_SELECTED).default([]),
  userIds: z.array(z.uuid()).max(MAX_SELECTED).default([]),
});
export type Assignment = z.infer<typeof assignment>;
/** Courses assigned by one call. */
export const assignedCourseIds = z.array(z.uuid()).min(1).max(200);
const assigned = z.object({ added: z.int(), already: z.int() });
/** The reply of a bulk change; `undoId` undoes it (`courses.undo`). */
const undoable = { undoId: z.uuid() };
export const assignmentResult = assigned.extend(undoable);
export type AssignmentResult = z.infer<typeof assignmentResult>;

const enrolmentFilter = enrolmentQuery.omit({ page: true, size: true, sort: true, courseId: true });
/** Enrolments in a course: of these learners, or all that match the filter of the list. */
export const enrolmentSelection = z.object({
  userIds: z.array(z.uuid()).min(1).max(MAX_SELECTED).optional(),
  filter: enrolmentFilter.optional(),
});
export type EnrolmentSelection = z.infer<typeof enrolmentSelection>;
export const isOneEnrolmentSelection = [
  ({ userIds, filter }: EnrolmentSelection) => (userIds === undefined) !== (filter === undefined),
  { error: "core.selection", path: ["userIds"] as PropertyKey[] },
] as const;
export const changeCount = z.object({ changed: z.int(), ...undoable });
