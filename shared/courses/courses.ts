import { z } from "zod";
import { day } from "#shared/core/dates.ts";
import { purposes } from "#shared/files/files.ts";
import {
  defineContracts,
  changes,
  get,
  listQuery,
  page,
  patch,
  post,
  KIB,
  MAX_SELECTED,
  sortBy,
} from "#shared/core/route.ts";
import { isAdmin, isSignedIn } from "#shared/core/users.ts";

// A course: its metadata and a sequence of immutable versions, each made from one uploaded package

/** Maximum size of an uploaded package, in bytes. */
export const MAX_PACKAGE_BYTES = purposes.course.maxBytes;

export const courseKind = z.enum(["scorm12", "scorm2004", "html"]);
export const courseStatus = z.enum(["draft", "published", "archived"]);

/**
 * When an attempt counts as complete. `reported`: the package reports completed or passed for every part; `passed`: it
 * reports passed; `score`: the average score reaches `percent`; `opened`: every part was opened; `confirmed`: the
 * learner marks the course as complete (for plain HTML, which cannot report anything).
 */
export const completionRule = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("reported") }),
  z.object({ kind: z.literal("passed") }),
  z.object({ kind: z.literal("score"), percent: z.number().min(1).max(100) }),
  z.object({ kind: z.literal("opened") }),
  z.object({ kind: z.literal("confirmed") }),
]);
export type CompletionRule = z.infer<typeof completionRule>;
/** The completion rule of a new course. */
export const defaultCompletionRule = (kind: z.infer<typeof courseKind>): CompletionRule => ({
  kind: kind === "html" ? "confirmed" : "reported",
});

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
  learners: z.int(),
  completed: z.int(),
  inProgress: z.int(),
});
export type Course = z.infer<typeof course>;
export const courseDetail = course.extend({ versions: z.array(courseVersion), partTitles: z.array(z.string()) });
export type CourseDetail = z.infer<typeof courseDetail>;

// An enrolment: one learner in one course

export const enrolmentStatus = z.enum(["assigned", "in_progress", "completed", "failed", "withdrawn"]);
export const dueDate = day;
export const enrolment = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  name: z.string(),
  email: z.string(),
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
  activeSeconds: z.int(),
  reportedSeconds: z.int(),
  assignedAt: z.string(),
  startedAt: z.string().nullable(),
  completedAt: z.string().nullable(),
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
  lastActivityAt: z.string().nullable(),
});
export type MyCourse = z.infer<typeof myCourse>;

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
const enrolments = listQuery.extend({
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

const enrolmentFilter = enrolments.omit({ page: true, size: true, sort: true, courseId: true });
/** Enrolments in a course: of these learners, or all that match the filter of the list. */
const enrolmentSelection = z.object({
  userIds: z.array(z.uuid()).min(1).max(MAX_SELECTED).optional(),
  filter: enrolmentFilter.optional(),
});
export type EnrolmentSelection = z.infer<typeof enrolmentSelection>;
const isOneEnrolmentSelection = [
  ({ userIds, filter }: EnrolmentSelection) => (userIds === undefined) !== (filter === undefined),
  { error: "core.selection", path: ["userIds"] as PropertyKey[] },
] as const;
const changeCount = z.object({ changed: z.int(), ...undoable });

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
  remind: post("/api/courses/:id/reminders", {
    does: "Remind learners who are overdue by email, at most once in 20 hours; replies how many",
    body: z.object({ companyId: z.uuid().optional() }),
    reply: z.object({ changed: z.int() }),
  }),
  undo: post("/api/undo-steps/:id/undo", {
    does: "Undo one's own assignment, withdrawal or change of due dates of the last day",
    reply: z.object({ changed: z.int() }),
  }),
  enrolments: get("/api/enrolments", {
    keyScope: "reports:read",
    does: "List enrolments with progress",
    query: enrolments,
    reply: page(enrolment),
  }),
});
