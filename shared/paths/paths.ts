import { z } from "zod";
import {
  changes,
  defineContracts,
  get,
  KIB,
  listQuery,
  MAX_SELECTED,
  page,
  patch,
  post,
  sortBy,
} from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";
import { courseKind } from "#shared/courses/completionRules.ts";
import { courseStatus } from "#shared/courses/courses.ts";
import { myPath } from "#shared/paths/myPaths.ts";
import { pathSteps } from "#shared/paths/steps.ts";

// Learning paths: courses in an order, with their own completion

export const MAX_PATHS = 500;
export const pathStatus = z.enum(["draft", "published", "archived"]);
export type PathStatus = z.infer<typeof pathStatus>;

const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, " ");
export const pathInput = z.object({
  title: z.string().overwrite(oneLine).trim().min(1).max(120),
  /** What learners read about it. */
  description: z.string().trim().max(1000).default(""),
  steps: pathSteps.default([]),
});

export const path = z.object({
  id: z.uuid(),
  title: z.string(),
  description: z.string(),
  status: pathStatus,
  /** Steps of the live version; before it is published, of the draft. */
  steps: z.int(),
  /** The live version; null before the first. */
  live: z.int().nullable(),
  /** People on it who are not withdrawn, and how many of them have completed it, or have a step overdue. */
  learners: z.int(),
  complete: z.int(),
  overdue: z.int(),
  version: z.int(),
  updatedAt: z.string(),
});
export type Path = z.infer<typeof path>;

export const pathCourse = z.object({
  id: z.uuid(),
  title: z.string(),
  code: z.string(),
  kind: courseKind,
  minutes: z.int().nullable(),
  status: courseStatus,
});
export type PathCourse = z.infer<typeof pathCourse>;
/** Where people are with a step of their version. */
export const stepCount = z.object({
  stepId: z.uuid(),
  done: z.int(),
  inProgress: z.int(),
  overdue: z.int(),
  people: z.int(),
});
export const pathDetail = path.extend({
  draft: pathSteps,
  /** Whether the draft differs from the live version. */
  changed: z.boolean(),
  publishedAt: z.string().nullable(),
  publishedBy: z.string().nullable(),
  courses: z.array(pathCourse),
  counts: z.array(stepCount),
});
export type PathDetail = z.infer<typeof pathDetail>;

/** Whether those who have not completed an earlier version stay on theirs, or move to the new one. */
export const publishFor = z.enum(["keep", "move"]);
const stepPeople = z.object({ stepId: z.uuid(), title: z.string(), people: z.int() });
export const publishPreview = z.object({
  no: z.int(),
  /** People who have not completed the path, and would move; those who have, and stay. */
  moving: z.int(),
  complete: z.int(),
  /** People for whom a step opens that is not open to them now; from whom one goes; who would be complete at once. */
  gets: z.array(stepPeople),
  loses: z.array(stepPeople),
  completes: z.int(),
});
export type PublishPreview = z.infer<typeof publishPreview>;

export const pathPeople = z.object({
  companyIds: z.array(z.uuid()).max(MAX_SELECTED).default([]),
  groupIds: z.array(z.uuid()).max(200).default([]),
  userIds: z.array(z.uuid()).max(MAX_SELECTED).default([]),
});
export type PathPeople = z.infer<typeof pathPeople>;
export const assignPreview = z.object({
  fresh: z.int(),
  has: z.int(),
  /** Of the fresh ones: they get it, and see it once they are active again. */
  suspended: z.int(),
  /** The first people by name who get it. */
  names: z.array(z.string()),
});
export type AssignPreview = z.infer<typeof assignPreview>;

export const learnerState = z.enum(["active", "overdue", "completed"]);
export const stepState = z.enum(["done", "inProgress", "overdue", "locked"]);
export const pathLearner = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  personnelNumber: z.string().nullable(),
  company: z.string(),
  version: z.int(),
  state: learnerState,
  done: z.int(),
  steps: z.int(),
  /** The first open step in the order of the path, and the earliest due day of the open ones. */
  step: z.string().nullable(),
  dueDate: z.string().nullable(),
  joinedAt: z.string(),
  completedAt: z.string().nullable(),
});
export type PathLearner = z.infer<typeof pathLearner>;

// Who may do what

export const canManagePaths = isAdmin;

// Endpoints

const version = z.int();
export const paths = defineContracts("paths", {
  list: get("/api/paths", {
    does: "List learning paths, with how many people are on each and have completed it",
    query: listQuery.extend({ status: pathStatus.optional(), sort: sortBy("title", "updatedAt").default("title") }),
    reply: page(path),
  }),
  create: post("/api/paths", {
    does: "Add a learning path as a draft",
    body: pathInput,
    reply: pathDetail,
  }),
  get: get("/api/paths/:id", { does: "Get a learning path with its draft and where people are", reply: pathDetail }),
  update: patch("/api/paths/:id", {
    does: "Change title, description or the draft of the steps; 409 if it changed since `version`",
    body: changes(pathInput).extend({ version }),
    reply: pathDetail,
  }),
  setArchived: post("/api/paths/:id/archive", {
    maxBytes: KIB,
    does: "Archive a learning path, or bring it back; who is on an archived one continues",
    body: z.object({ archived: z.boolean(), version }),
    reply: pathDetail,
  }),
  previewPublish: post("/api/paths/:id/publish/preview", {
    priority: "heavy",
    maxBytes: KIB,
    does: "Preview what moving everyone to the draft would change",
    body: z.object({ version }),
    reply: publishPreview,
  }),
  publish: post("/api/paths/:id/publish", {
    maxBytes: KIB,
    does: "Publish the draft as the next version; learners who have not completed an earlier one stay on it or move",
    body: z.object({ people: publishFor, version }),
    reply: pathDetail,
  }),
  previewAssign: post("/api/paths/:id/assign/preview", {
    priority: "heavy",
    maxBytes: 512 * KIB,
    does: "Preview who would be put on a learning path",
    body: pathPeople,
    reply: assignPreview,
  }),
  assign: post("/api/paths/:id/assign", {
    maxBytes: 512 * KIB,
    does: "Put people on a learning path: learners, and everyone who is in companies and groups now",
    body: pathPeople.extend({ notify: z.boolean().default(false) }),
    reply: z.object({ added: z.int(), already: z.int() }),
  }),
  withdraw: post("/api/paths/:id/withdraw", {
    maxBytes: 512 * KIB,
    does: "Take people off a learning path; courses that they have opened or have for another reason stay",
    body: z.object({ userIds: z.array(z.uuid()).min(1).max(MAX_SELECTED) }),
    reply: z.object({ changed: z.int() }),
  }),
  learners: get("/api/paths/:id/learners", {
    does: "List the people on a learning path: step, due day and state",
    query: listQuery.extend({
      companyId: z.uuid().optional(),
      state: learnerState.optional(),
      /** With `is`: people who are so far with this step. */
      step: z.uuid().optional(),
      is: stepState.optional(),
      sort: sortBy("name", "joinedAt", "dueDate").default("name"),
    }),
    reply: page(pathLearner),
  }),
  mine: get("/api/my-paths", { does: "List your learning paths with their steps", reply: page(myPath) }),
  mineOne: get("/api/my-paths/:id", { does: "Get one of your learning paths", reply: myPath }),
});
