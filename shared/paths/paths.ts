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

// Learning paths: courses in order, completed as a whole

export const MAX_PATHS = 500;
export const pathStatus = z.enum(["draft", "published", "archived"]);
export type PathStatus = z.infer<typeof pathStatus>;

const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, " ");
export const pathInput = z.object({
  title: z.string().overwrite(oneLine).trim().min(1).max(120),
  /** Shown to learners. */
  description: z.string().trim().max(1000).default(""),
  steps: pathSteps.default([]),
});

export const path = z.object({
  id: z.uuid(),
  title: z.string(),
  description: z.string(),
  status: pathStatus,
  /** Number of steps of the live version; before the first, of the draft. */
  steps: z.int(),
  /** Number of the live version; null before the first. */
  live: z.int().nullable(),
  /** People on the path who are not withdrawn; `complete` and `overdue` count among them. */
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
/** How far people are with a step of their version. */
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

/** Whether people who have not completed their version stay on it or move to the new one. */
export const publishFor = z.enum(["keep", "move"]);
const stepPeople = z.object({ stepId: z.uuid(), title: z.string(), people: z.int() });
export const publishPreview = z.object({
  no: z.int(),
  /** `moving`: people who have not completed the path; `complete`: those who have, and stay on their version. */
  moving: z.int(),
  complete: z.int(),
  /**
   * `gets`, `loses`: steps that people would gain or lose; `completes`: people who would complete the path immediately.
   */
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
  /** Among `fresh`: they get the path now, and see it once they are active again. */
  suspended: z.int(),
  /** The first of `fresh`, by name. */
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
  /** The title of the first open step; `dueDate` is the earliest of all open steps. */
  step: z.string().nullable(),
  dueDate: z.string().nullable(),
  joinedAt: z.string(),
  completedAt: z.string().nullable(),
});
export type PathLearner = z.infer<typeof pathLearner>;

export const canManagePaths = isAdmin;

const version = z.int();
export const paths = defineContracts("paths", {
  list: get("/api/paths", {
    does: "List learning paths, with how many people are on each and how many have completed it",
    query: listQuery.extend({ status: pathStatus.optional(), sort: sortBy("title", "updatedAt").default("title") }),
    reply: page(path),
  }),
  create: post("/api/paths", {
    does: "Add a learning path as a draft",
    body: pathInput,
    reply: pathDetail,
  }),
  get: get("/api/paths/:id", { does: "Get a learning path with its draft and people's progress", reply: pathDetail }),
  update: patch("/api/paths/:id", {
    does: "Change the title, the description or the draft steps; 409 if the path changed since `version`",
    body: changes(pathInput).extend({ version }),
    reply: pathDetail,
  }),
  setArchived: post("/api/paths/:id/archive", {
    maxBytes: KIB,
    does: "Archive a learning path or restore it; learners on an archived path continue",
    body: z.object({ archived: z.boolean(), version }),
    reply: pathDetail,
  }),
  previewPublish: post("/api/paths/:id/publish/preview", {
    priority: "heavy",
    maxBytes: KIB,
    does: "Preview what publishing the draft for everyone would change",
    body: z.object({ version }),
    reply: publishPreview,
  }),
  publish: post("/api/paths/:id/publish", {
    maxBytes: KIB,
    does: "Publish the draft as the next version; learners who have not completed theirs stay on it or move",
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
    does: "Put learners, or everyone now in companies and groups, on a learning path",
    body: pathPeople.extend({ notify: z.boolean().default(false) }),
    reply: z.object({ added: z.int(), already: z.int() }),
  }),
  withdraw: post("/api/paths/:id/withdraw", {
    maxBytes: 512 * KIB,
    does: "Take people off a learning path; they keep courses that they have opened or have for another reason",
    body: z.object({ userIds: z.array(z.uuid()).min(1).max(MAX_SELECTED) }),
    reply: z.object({ changed: z.int() }),
  }),
  learners: get("/api/paths/:id/learners", {
    does: "List the people on a learning path with step, due date and state",
    query: listQuery.extend({
      companyId: z.uuid().optional(),
      state: learnerState.optional(),
      /** Only people for whom this step has the state `is` or, without `is`, is open. */
      step: z.uuid().optional(),
      is: stepState.optional(),
      sort: sortBy("name", "joinedAt", "dueDate").default("name"),
    }),
    reply: page(pathLearner),
  }),
  mine: get("/api/my-paths", { does: "List your learning paths with their steps", reply: page(myPath) }),
  mineOne: get("/api/my-paths/:id", { does: "Get one of your learning paths", reply: myPath }),
});
