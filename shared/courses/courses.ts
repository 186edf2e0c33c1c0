import { z } from "zod";
import { purposes } from "#shared/files/files.ts";
import { defineContracts, changes, get, listQuery, page, patch, post, KIB, sortBy } from "#shared/core/route.ts";
import { isAdmin, isSignedIn } from "#shared/core/users.ts";
import { completionRule, courseKind } from "#shared/courses/completionRules.ts";
import {
  assignedCourseIds,
  assignment,
  assignmentResult,
  changeCount,
  dueDate,
  enrolment,
  enrolmentQuery,
  enrolmentSelection,
  enrolmentStatus,
  isOneEnrolmentSelection,
  myCourse,
} from "#shared/courses/enrolments.ts";
import { enrolmentReason } from "#shared/courses/reasons.ts";
import { reminderPreview, reminderResult, reminderTarget } from "#shared/courses/reminders.ts";

// A course: its metadata and a sequence of immutable versions, each made from one uploaded package

/** Maximum size of an uploaded package, in bytes. */
export const MAX_PACKAGE_BYTES = purposes.course.maxBytes;

export const courseStatus = z.enum(["draft", "published", "archived"]);

export const courseInput = z.object({
  title: z.string().trim().min(1).max(200),
  code: z.string().trim().min(1).max(40),
  summary: z.string().trim().max(2000).default(""),
  minutes: z.int().min(1).max(10_000).nullable().default(null),
  completionRule,
});
export type CourseInput = z.infer<typeof courseInput>;

export const courseVersion = z.object({
  id: z.uuid(),
  number: z.int(),
  kind: courseKind,
  title: z.string(),
  fileName: z.string(),
  bytes: z.int(),
  files: z.int(),
  parts: z.int(),
  warnings: z.array(z.string()),
  live: z.boolean(),
  attempts: z.int(),
  createdAt: z.string(),
  createdBy: z.string(),
});
export type CourseVersion = z.infer<typeof courseVersion>;

const version = z.int().min(1);
export const course = courseInput.extend({
  id: z.uuid(),
  status: courseStatus,
  kind: courseKind,
  parts: z.int(),
  warnings: z.int(),
  version,
  createdAt: z.string(),
  updatedAt: z.string(),
  companies: z.int(),
  /** Assignments that are not withdrawn, including those of suspended and deleted learners. */
  learners: z.int(),
  completed: z.int(),
  /** Started and not completed. */
  inProgress: z.int(),
});
export type Course = z.infer<typeof course>;
export const courseDetail = course.extend({
  overdue: z.int(),
  versions: z.array(courseVersion),
  partTitles: z.array(z.string()),
});
export type CourseDetail = z.infer<typeof courseDetail>;

// Policies

export const canManageCourses = isAdmin;
export const canReadCourses = isSignedIn;

export const courseSort = sortBy("title", "learners", "completed", "updatedAt");
const list = listQuery.extend({
  status: courseStatus.optional(),
  kind: courseKind.optional(),
  companyId: z.uuid().optional(),
  sort: courseSort.default("title"),
});
/**
 * A package that was uploaded as a file of purpose `course`: its path in the file store, its original file name, and
 * the course that gets it as a new version (none: a new course is created).
 */
export const importInput = z.object({
  path: z.string().min(1).max(1024),
  name: z.string().trim().min(1).max(255),
  courseId: z.uuid().optional(),
});
export type ImportInput = z.infer<typeof importInput>;

export const courses = defineContracts("courses", {
  importPackage: post("/api/course-packages", {
    does: "Import an uploaded package as a new course or a new version",
    body: importInput,
    reply: courseDetail,
  }),
  list: get("/api/courses", {
    keyScope: "reports:read",
    does: "List courses; learners get those they are enrolled in",
    query: list,
    reply: page(course),
  }),
  choices: get("/api/courses/choices", {
    does: "List the titles of courses that are not archived, for filters and fields",
    query: list.pick({ companyId: true }),
    reply: page(course.pick({ id: true, title: true, code: true, status: true })),
  }),
  mine: get("/api/courses/mine", {
    does: "List my courses with progress",
    reply: z.object({ items: z.array(myCourse), total: z.int() }),
  }),
  get: get("/api/courses/:id", {
    does: "Get a course; learners get only those they are enrolled in",
    reply: courseDetail,
  }),
  reasons: get("/api/courses/:id/reasons", {
    does: "List why a learner has a course; without userId, why I have it",
    query: z.object({ userId: z.uuid().optional() }),
    reply: z.object({ status: enrolmentStatus, items: z.array(enrolmentReason) }),
  }),
  update: patch("/api/courses/:id", {
    does: "Update a course; 409 if it was changed since `version`",
    body: changes(courseInput).extend({ version }),
    reply: courseDetail,
  }),
  setStatus: post("/api/courses/:id/status", {
    does: "Publish, archive or restore a course",
    body: z.object({ status: courseStatus, version }),
    reply: courseDetail,
  }),
  setLive: post("/api/courses/:id/live", {
    does: "Set the version that new attempts use",
    body: z.object({ versionId: z.uuid(), version }),
    reply: courseDetail,
  }),
  assign: post("/api/courses/:id/assign", {
    maxBytes: 512 * KIB,
    does: "Assign a course to companies and learners",
    body: assignment,
    reply: assignmentResult,
  }),
  assignMany: post("/api/assignments", {
    maxBytes: 512 * KIB,
    does: "Assign courses to companies and learners",
    body: assignment.extend({ courseIds: assignedCourseIds }),
    reply: assignmentResult,
  }),
  previewAssignmentMail: post("/api/assignments/mail", {
    maxBytes: 512 * KIB,
    does: "Preview the email about an assignment, as the first of its learners gets it",
    body: assignment.extend({ courseIds: assignedCourseIds }).omit({ notify: true }),
    reply: z.object({ subject: z.string(), body: z.string() }),
  }),
  withdraw: post("/api/courses/:id/withdraw", {
    maxBytes: 256 * KIB,
    does: "Withdraw a course from learners who have not completed it; their progress is kept",
    body: enrolmentSelection.refine(...isOneEnrolmentSelection),
    reply: changeCount,
  }),
  restore: post("/api/courses/:id/restore", {
    maxBytes: 256 * KIB,
    does: "Assign a withdrawn course again, with progress and due dates as they were",
    body: enrolmentSelection.refine(...isOneEnrolmentSelection),
    reply: changeCount,
  }),
  setDue: post("/api/courses/:id/due", {
    maxBytes: 256 * KIB,
    does: "Set or clear due dates",
    body: enrolmentSelection.extend({ dueDate: dueDate.nullable() }).refine(...isOneEnrolmentSelection),
    reply: changeCount,
  }),
  remindPreview: post("/api/reminders/preview", {
    does: "Preview who would be reminded of overdue courses, and who would be left out and why",
    body: reminderTarget,
    reply: reminderPreview,
  }),
  remind: post("/api/reminders", {
    does: "Remind learners of overdue courses by email, at most once in 20 hours; returns the number of queued emails",
    body: reminderTarget,
    reply: reminderResult,
  }),
  undo: post("/api/undo-steps/:id/undo", {
    does: "Undo one's own assignment, withdrawal or change of due dates of the last day",
    reply: z.object({ changed: z.int() }),
  }),
  enrolments: get("/api/enrolments", {
    keyScope: "reports:read",
    does: "List enrolments with progress",
    query: enrolmentQuery,
    reply: page(enrolment),
  }),
});
