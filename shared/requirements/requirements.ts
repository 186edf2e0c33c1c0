import { z } from "zod";
import { day } from "#shared/core/dates.ts";
import { defineContracts, del, get, KIB, listQuery, page, patch, post, sortBy } from "#shared/core/route.ts";
import { isAdmin, leadsPeople } from "#shared/core/users.ts";

// Courses that the people of a company must hold, and how long a completion is valid

export const MAX_REQUIREMENTS = 100;
export const MAX_MONTHS = 120;
export const MAX_DAYS = 365;

/** What the end of the validity is counted from. */
export const countsFrom = z.enum(["completion", "previous", "day"]);
export type CountsFrom = z.infer<typeof countsFrom>;

/** A day of every year; a month without it has its last day. */
const fixedDay = z.object({ month: z.int().min(1).max(12), day: z.int().min(1).max(31) });

const days = z.int().min(0).max(MAX_DAYS);
const terms = z.object({
  /** How long a completion is valid; null: without an end. */
  months: z.int().min(1).max(MAX_MONTHS).nullable(),
  countsFrom: countsFrom.default("completion"),
  fixedDay: fixedDay.nullable().default(null),
  /** A completion fewer days before the fixed day, or in the window, is valid until the next one. */
  skipDays: days.default(0),
  /** Days before the end from which the course is open again. */
  windowDays: days.default(60),
  /** Days after the end in which a completion still counts from the earlier end. */
  graceDays: days.default(0),
});
type Terms = z.infer<typeof terms>;

const addProblems = ({ months, countsFrom: from, fixedDay: day, windowDays }: Terms, ctx: z.RefinementCtx) => {
  const add = (path: keyof Terms, message: string) => ctx.addIssue({ code: "custom", path: [path], message });
  if (from === "day" && day === null) add("fixedDay", "requirements.noFixedDay");
  if (from !== "day" && day !== null) add("fixedDay", "requirements.unusedFixedDay");
  if (from === "day" && (months === null || months % 12 !== 0)) add("months", "requirements.wholeYears");
  if (months !== null && windowDays >= months * 28) add("windowDays", "requirements.windowTooLong");
};
export const requirementTerms = terms.superRefine(addProblems);
export type RequirementTerms = z.infer<typeof requirementTerms>;

/**
 * `valid`; `ending`: valid, and the course is open again; `missing`: never completed, not overdue; `overdue`: never
 * completed, the due day is over; `expired`: no longer valid; `exempt`: not valid, and need not be for a time.
 */
export const requirementState = z.enum(["valid", "ending", "missing", "overdue", "expired", "exempt"]);
export type RequirementState = z.infer<typeof requirementState>;
/** People by state. */
export const stateCounts = z.object({
  valid: z.int(),
  ending: z.int(),
  missing: z.int(),
  overdue: z.int(),
  expired: z.int(),
  exempt: z.int(),
});
export type StateCounts = z.infer<typeof stateCounts>;

export const courseRequirement = terms.extend({
  id: z.uuid(),
  courseId: z.uuid(),
  course: z.string(),
  code: z.string(),
  /** False while a change is being applied to everyone. */
  isApplied: z.boolean(),
  counts: stateCounts,
  version: z.int(),
});
export type CourseRequirement = z.infer<typeof courseRequirement>;

export const requirementList = z.object({
  items: z.array(courseRequirement),
  total: z.int(),
  /** People who must hold something, and people of whom something is expired or overdue. */
  people: z.int(),
  lapsedPeople: z.int(),
  /** Of those whose course is open again, how many have started it. */
  startedAgain: z.int(),
  /** Today in the zone of the company, or the day as of which the list was read. */
  today: z.string(),
  zone: z.string(),
  /** The first day as of which the list can be read; null if that is today, or for the list of a team. */
  recordedFrom: z.string().nullable(),
});
export type RequirementList = z.infer<typeof requirementList>;

export const requirementPreview = z.object({
  counts: stateCounts,
  /** People whose course opens again at once, and whose open course that nobody has started closes again. */
  opens: z.int(),
  closes: z.int(),
});
export type RequirementPreview = z.infer<typeof requirementPreview>;

export const complianceCell = z.object({
  enrolmentId: z.uuid(),
  courseId: z.uuid(),
  state: requirementState,
  completedOn: z.string().nullable(),
  validUntil: z.string().nullable(),
  dueDate: z.string().nullable(),
  opensOn: z.string().nullable(),
  /** The day on which it was opened again; null while it is complete or was never completed. */
  openedOn: z.string().nullable(),
  /** The days of an exemption that is not over. */
  exemptFrom: z.string().nullable(),
  exemptUntil: z.string().nullable(),
  /** Whether the present cycle was started. */
  isStarted: z.boolean(),
  /** Whether opening it can be taken back. */
  canClose: z.boolean(),
});
export type ComplianceCell = z.infer<typeof complianceCell>;
export const compliancePerson = z.object({
  userId: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  personnelNumber: z.string().nullable(),
  /** Erased since the day as of which the list is read; `userId` leads nowhere. */
  isErased: z.boolean(),
  cells: z.array(complianceCell),
});
export type CompliancePerson = z.infer<typeof compliancePerson>;

/** A day that is over: everything is read as of its end in the zone of the company. */
const asOf = day.optional();
const complianceQuery = z.object({
  asOf,
  q: listQuery.shape.q,
  courseId: z.uuid().optional(),
  groupId: z.uuid().optional(),
  /** People with at least one requirement in this state. */
  state: requirementState.or(z.literal("lapsed")).optional(),
  sort: sortBy("name").default("name"),
});

export const canManageRequirements = isAdmin;
/** Of the people whom one leads; what admins can do about them is theirs. */
export const canSeeTeamRequirements = leadsPeople;

/** Groups and earlier days are for admins. */
const teamQuery = complianceQuery.omit({ groupId: true, asOf: true });

const version = z.int();
export const requirements = defineContracts("requirements", {
  list: get("/api/companies/:id/requirements", {
    does: "List the courses that the people of a company must hold, with how many people are in which state",
    query: z.object({ asOf }),
    reply: requirementList,
  }),
  create: post("/api/companies/:id/requirements", {
    maxBytes: KIB,
    does: "Require a course of everyone in a company who has it",
    body: z.object({ courseId: z.uuid(), terms: requirementTerms }),
    reply: courseRequirement,
  }),
  preview: post("/api/companies/:id/requirements/preview", {
    priority: "heavy",
    maxBytes: KIB,
    does: "Preview who would be in which state under these terms",
    body: z.object({ courseId: z.uuid(), terms: requirementTerms }),
    reply: requirementPreview,
  }),
  update: patch("/api/requirements/:id", {
    maxBytes: KIB,
    does: "Change the terms of a requirement for everyone; 409 if it changed since `version`",
    body: z.object({ terms: requirementTerms, version }),
    reply: courseRequirement,
  }),
  remove: del("/api/requirements/:id", {
    does: "No longer require a course; people keep it, and what was opened again and not started is complete again",
  }),
  people: get("/api/companies/:id/compliance", {
    does: "List the people of a company with the state of each of their requirements",
    query: listQuery.extend(complianceQuery.shape),
    reply: page(compliancePerson),
  }),
  export: get("/api/companies/:id/compliance/export", {
    does: "Export the requirements of the people of a company as CSV or XLSX; the header x-rows is their number",
    query: complianceQuery.extend({ format: z.enum(["csv", "xlsx"]).default("csv") }),
    reply: z.string(),
  }),
  teamList: get("/api/team/requirements", {
    does: "List the courses that the people whom one leads must hold, with how many of them are in which state",
    reply: requirementList,
  }),
  team: get("/api/team/compliance", {
    does: "List the people whom one leads with the state of each of their requirements",
    query: listQuery.extend(teamQuery.shape),
    reply: page(compliancePerson),
  }),
  exportTeam: get("/api/team/compliance/export", {
    does: "Export the requirements of the people whom one leads as CSV or XLSX; the header x-rows is their number",
    query: teamQuery.extend({ format: z.enum(["csv", "xlsx"]).default("csv") }),
    reply: z.string(),
  }),
  open: post("/api/compliance/:id/open", {
    maxBytes: KIB,
    does: "Open the completed course of an enrolment again, before its day",
    reply: complianceCell,
  }),
  close: post("/api/compliance/:id/close", {
    maxBytes: KIB,
    does: "Take back the early opening of a course whose person has not started it",
    reply: complianceCell,
  }),
});
