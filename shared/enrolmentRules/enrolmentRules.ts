import { z } from "zod";
import { personCondition } from "#shared/conditions/conditions.ts";
import { changes, defineContracts, del, get, KIB, listQuery, page, patch, post, sortBy } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";
import { courseStatus } from "#shared/courses/courses.ts";
import { due } from "#shared/enrolmentRules/due.ts";
import { ruleNames } from "#shared/groups/groups.ts";

// Rules that enrol people: who gets which courses, and by when

export const MAX_RULES = 500;
export const MAX_RULE_COURSES = 50;
/** How long a run can be undone. */
export const UNDO_HOURS = 24;
/** How many days back a dry run goes. */
export const PAST_DAYS = 90;

export const ruleState = z.enum(["draft", "active", "paused"]);
export type RuleState = z.infer<typeof ruleState>;
export const rulePeople = z.enum(["all", "existing", "future"]);
export const leaving = z.enum(["keep", "withdraw"]);

const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, " ");
export const ruleInput = z.object({
  name: z.string().overwrite(oneLine).trim().min(1).max(120),
  /** What learners read about why they have the course. */
  explanation: z.string().trim().max(300).default(""),
  /** Null: everybody. */
  condition: personCondition.nullable().default(null),
  courseIds: z.array(z.uuid()).min(1).max(MAX_RULE_COURSES),
  due: due.default({ kind: "none" }),
  people: rulePeople.default("all"),
  leaving: leaving.default("keep"),
  /** Sends an email to those who are enrolled. */
  notify: z.boolean().default(true),
});
export type RuleInput = z.infer<typeof ruleInput>;

const ruleCourse = z.object({ id: z.uuid(), title: z.string(), code: z.string(), status: courseStatus });
export const runState = z.enum(["applying", "applied", "undoing", "undone"]);
export const rule = ruleInput.omit({ courseIds: true }).extend({
  id: z.uuid(),
  /** Null: all companies. */
  companyId: z.uuid().nullable(),
  company: z.string().nullable(),
  courses: z.array(ruleCourse),
  names: ruleNames,
  state: ruleState,
  version: z.int(),
  /** People who have a course because of it now, and how many of them are overdue. */
  enrolled: z.int(),
  overdue: z.int(),
  updatedAt: z.string(),
});
export type Rule = z.infer<typeof rule>;

/** The latest run: what it enrolled, and whether it can be undone. */
export const run = z.object({
  id: z.uuid(),
  state: runState,
  madeAt: z.string(),
  madeBy: z.string(),
  /** People who were checked so far. */
  checked: z.int(),
  added: z.int(),
  undone: z.int(),
  /** Enrolments that the undoing left, because they were opened or changed since. */
  left: z.int(),
  /** The first of the people who have opened the course since. */
  leftNames: z.array(z.string()),
  undoUntil: z.string().nullable(),
});
export type Run = z.infer<typeof run>;
export const ruleDetail = rule.extend({ run: run.nullable() });
export type RuleDetail = z.infer<typeof ruleDetail>;

/** `fresh`: enrolled now. `has`: all courses. `withdrawn`: by an admin, and stay so. `leaves`: no longer meet it. */
export const previewPart = z.enum(["meet", "fresh", "has", "withdrawn", "leaves"]);
export type PreviewPart = z.infer<typeof previewPart>;
export const preview = z.object({
  meet: z.int(),
  fresh: z.int(),
  has: z.int(),
  withdrawn: z.int(),
  leaves: z.int(),
  /** New enrolments: of a person in one course each. */
  enrolments: z.int(),
  /** The first people by name who are enrolled. */
  names: z.array(z.string()),
  courses: z.array(ruleCourse.extend({ fresh: z.int(), has: z.int(), withdrawn: z.int() })),
  /** Other active rules that give one of the courses to some of the same people by another day. */
  conflicts: z.array(
    z.object({
      course: z.string(),
      ruleId: z.uuid(),
      rule: z.string(),
      people: z.int(),
      /** The people for whom the other rule asks for it earlier. */
      earlier: z.int(),
      due,
    }),
  ),
});
export type Preview = z.infer<typeof preview>;
export const previewPerson = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  personnelNumber: z.string().nullable(),
  company: z.string(),
  fresh: z.int(),
  has: z.int(),
  withdrawn: z.int(),
  dueDate: z.string().nullable(),
});
export type PreviewPerson = z.infer<typeof previewPerson>;

/** Who meets the rule now and began to within the last days, by the day on which that was. */
export const past = z.object({
  total: z.int(),
  days: z.array(z.object({ day: z.string(), count: z.int(), names: z.array(z.string()) })),
});
export type Past = z.infer<typeof past>;

// Who may do what

export const canManageRules = isAdmin;

// Endpoints

const version = z.int();
const draft = ruleInput
  .pick({ condition: true, courseIds: true, due: true, people: true })
  .extend({ companyId: z.uuid().nullable(), id: z.uuid().optional() });
export type RuleDraft = z.infer<typeof draft>;

export const enrolmentRules = defineContracts("enrolmentRules", {
  list: get("/api/enrolment-rules", {
    does: "List rules that enrol people, with how many have a course because of each",
    query: listQuery.extend({
      companyId: z.uuid().optional(),
      state: ruleState.optional(),
      sort: sortBy("name", "updatedAt").default("name"),
    }),
    reply: page(rule),
  }),
  create: post("/api/enrolment-rules", {
    does: "Add a rule as a draft; it enrols nobody until it is switched on",
    body: ruleInput.extend({ companyId: z.uuid().nullable() }),
    reply: ruleDetail,
  }),
  preview: post("/api/enrolment-rules/preview", {
    priority: "heavy",
    does: "Preview whom a rule would enrol, who has the courses already, and which rules it conflicts with",
    body: draft,
    reply: preview,
  }),
  previewPeople: post("/api/enrolment-rules/preview/people", {
    priority: "heavy",
    does: "List the people of a preview by name",
    body: draft.extend({
      part: previewPart,
      q: z.string().trim().max(200).default(""),
      page: z.int().min(1).max(10_000).default(1),
      size: z.int().min(1).max(100).default(25),
    }),
    reply: page(previewPerson),
  }),
  past: post("/api/enrolment-rules/preview/past", {
    priority: "heavy",
    does: "Try a rule over the last 90 days: whom it would have enrolled, and on which day",
    body: draft,
    reply: past,
  }),
  get: get("/api/enrolment-rules/:id", { does: "Get a rule with its latest run", reply: ruleDetail }),
  update: patch("/api/enrolment-rules/:id", {
    does: "Change a rule; 409 if it changed since `version`. An active one then applies to everybody again",
    body: changes(ruleInput).extend({ version }),
    reply: ruleDetail,
  }),
  setState: post("/api/enrolment-rules/:id/state", {
    does: "Switch a rule on, which enrols those who meet it, or pause it",
    body: z.object({ state: ruleState.exclude(["draft"]), version }),
    reply: ruleDetail,
  }),
  undo: post("/api/enrolment-rules/:id/undo", {
    maxBytes: KIB,
    does: "Undo the latest run within 24 hours: enrolments that nobody has opened; the rule is paused",
    reply: ruleDetail,
  }),
  remove: del("/api/enrolment-rules/:id", { does: "Remove a rule; learners keep the courses that it gave them" }),
});
