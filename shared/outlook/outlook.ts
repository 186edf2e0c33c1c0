import { z } from "zod";
import { personCondition } from "#shared/conditions/conditions.ts";
import { defineContracts, get, listQuery, page } from "#shared/core/route.ts";
import { isAdmin, isSignedIn, leadsPeople } from "#shared/core/users.ts";
import { courseStatus } from "#shared/courses/courses.ts";
import { enrolment, enrolmentStatus } from "#shared/courses/enrolments.ts";
import { enrolmentReason } from "#shared/courses/reasons.ts";
import { ruleNames } from "#shared/groups/groups.ts";
import { dropReason, reminderKind } from "#shared/reminders/reminders.ts";

// What will reach a person, why they have their courses, and why a rule does not give them one

export const OUTLOOK_DAYS = 30;
export const MAX_OUTLOOK_DAYS = 90;
/** The most events of an outlook, the first ones. */
export const MAX_EVENTS = 300;
/** The most courses that one email names. */
export const MAX_STEPS_NAMED = 50;

const course = { courseId: z.uuid(), course: z.string() };
const step = z.object({ ...course, kind: reminderKind, days: z.int(), dueDate: z.string().nullable() });
export type StepAhead = z.infer<typeof step>;

/** Days are those of the company. */
export const outlookEvent = z.discriminatedUnion("kind", [
  /** One email, to the person or to a manager. */
  z.object({
    kind: z.literal("email"),
    day: z.string(),
    toManager: z.boolean(),
    recipient: z.string(),
    steps: z.array(step).max(MAX_STEPS_NAMED),
    total: z.int(),
  }),
  /** A reminder that is not sent; for admins only. */
  z.object({
    kind: z.literal("held"),
    day: z.string(),
    audience: z.enum(["learner", "manager"]),
    step,
    reason: dropReason,
  }),
  z.object({ kind: z.literal("due"), day: z.string(), ...course }),
  /** A completed course opens again, and an email says so. */
  z.object({ kind: z.literal("opens"), day: z.string(), ...course, validUntil: z.string() }),
  /** The last day on which a completion, or its certificate, is valid. */
  z.object({ kind: z.literal("expires"), day: z.string(), ...course }),
  /** A rule with a period no longer applies. `rule` is null for learners, who read only about withdrawn courses. */
  z.object({
    kind: z.literal("leaves"),
    day: z.string(),
    ...course,
    rule: z.string().nullable(),
    isWithdrawn: z.boolean(),
  }),
]);
export type OutlookEvent = z.infer<typeof outlookEvent>;

export const outlook = z.object({
  name: z.string(),
  companyId: z.uuid(),
  company: z.string(),
  today: z.string(),
  until: z.string(),
  zone: z.string(),
  /** `off`: by the company's plan; `closed`: the company is not active; `suspended`: the person is. */
  reminders: z.enum(["on", "off", "closed", "suspended"]),
  hour: z.int(),
  hasMailServer: z.boolean(),
  items: z.array(outlookEvent).max(MAX_EVENTS),
  /** Whether there are more events than `items`. */
  isCut: z.boolean(),
});
export type Outlook = z.infer<typeof outlook>;

export const explainedCourse = z.object({
  ...course,
  status: enrolmentStatus,
  success: enrolment.shape.success,
  overdue: z.boolean(),
  setByAdmin: z.boolean(),
  dueDate: z.string().nullable(),
  /** What holds now, then for admins what has ended, the latest first. */
  reasons: z.array(enrolmentReason),
});
export type ExplainedCourse = z.infer<typeof explainedCourse>;

/**
 * `gives`: the person meets the rule and has its courses; `withdrawn`: an admin took one of them; `waits`: they are
 * being enrolled; `exception`: they met it before it was switched on; `existingOnly`: it enrolled only
 * those who met it then; `archived`: the company is archived.
 */
export const ruleVerdict = z.enum(["gives", "withdrawn", "waits", "exception", "existingOnly", "archived", "unmet"]);
export type RuleVerdict = z.infer<typeof ruleVerdict>;

const explainedTest = z.object({
  isMet: z.boolean(),
  /** What is known of the person (server/outlook/testValues.ts); null: nothing, or it is not shown. */
  value: z.string().nullable(),
});
export const explainedRule = z.object({
  id: z.uuid(),
  name: z.string(),
  verdict: ruleVerdict,
  condition: personCondition.nullable(),
  names: ruleNames,
  /** For each test of the condition, in the order of `listTests`. */
  tests: z.array(explainedTest),
  courses: z.array(
    z.object({
      id: z.uuid(),
      title: z.string(),
      status: courseStatus,
      has: z.enum(["has", "withdrawn", "left", "not"]),
    }),
  ),
});
export type ExplainedRule = z.infer<typeof explainedRule>;

// Who may do what

export const canReadOutlook = isSignedIn;
export const canExplainRules = isAdmin;
export const canReadMemberOutlook = leadsPeople;

// Endpoints

const days = z.coerce.number().int().min(1).max(MAX_OUTLOOK_DAYS).default(OUTLOOK_DAYS);

export const outlooks = defineContracts("outlook", {
  get: get("/api/learners/:id/outlook", {
    does: "Get what will reach a learner in the coming days: emails, due dates, renewals",
    query: z.object({ days }),
    reply: outlook,
  }),
  courses: get("/api/learners/:id/outlook/courses", {
    does: "List the courses of a learner with the reasons why they have them",
    query: listQuery,
    reply: page(explainedCourse),
  }),
  rules: get("/api/learners/:id/outlook/rules", {
    does: "List the active rules for the company of a learner, and which of their conditions the learner meets",
    query: listQuery.extend({ courseId: z.uuid().optional() }),
    reply: page(explainedRule),
  }),
  member: get("/api/team/people/:id/outlook", {
    does: "Get what will reach one of the people whom one leads in the coming days",
    query: z.object({ days }),
    reply: outlook,
  }),
});
