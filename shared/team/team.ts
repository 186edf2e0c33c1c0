import { z } from "zod";
import { defineContracts, get, listQuery, page, post, sortBy } from "#shared/core/route.ts";
import { issuedPin, pinOrder } from "#shared/auth/pins.ts";
import { leadsPeople, withReauth } from "#shared/core/users.ts";
import { MAX_REMINDED, reminderPreview, reminderResult } from "#shared/courses/reminders.ts";

// What managers see of the people whom they lead: status, dates and validity, and nothing else

/** Days before a due date from which on a course is due soon. */
export const DUE_SOON_DAYS = 14;
/** Days before its last valid day from which on a certificate ends soon. */
export const ENDING_DAYS = 60;
/** Rows of each list of the home. */
export const HOME_ROWS = 6;

/** How a person stands, the most urgent first. `notStarted`: a course has not been begun. `none`: no course. */
export const teamState = z.enum(["overdue", "dueSoon", "notStarted", "inProgress", "done", "none"]);
export type TeamState = z.infer<typeof teamState>;
/** How one course of a person stands. */
export const courseState = z.enum(["overdue", "dueSoon", "notStarted", "inProgress", "done"]);
export type CourseState = z.infer<typeof courseState>;

/** Days are of the company: managers see no times of what people do. */
export const teamMember = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  personnelNumber: z.string().nullable(),
  /** False until the person has accepted the invitation. */
  joined: z.boolean(),
  /** No other active manager is in between. */
  direct: z.boolean(),
  manager: z.string().nullable(),
  state: teamState,
  assigned: z.int(),
  completed: z.int(),
  overdue: z.int(),
  dueSoon: z.int(),
  notStarted: z.int(),
  /** Certificates that end within 60 days. */
  ending: z.int(),
  /** The earliest due date of a course that is not completed. */
  nextDue: z.string().nullable(),
});
export type TeamMember = z.infer<typeof teamMember>;

export const teamCourse = z.object({
  /** The enrolment. */
  id: z.uuid(),
  userId: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  personnelNumber: z.string().nullable(),
  courseId: z.uuid(),
  course: z.string(),
  state: courseState,
  assignedOn: z.string(),
  startedOn: z.string().nullable(),
  completedOn: z.string().nullable(),
  dueDate: z.string().nullable(),
  /** Days since the due date; negative before it. */
  daysOver: z.int().nullable(),
  remindedAt: z.string().nullable(),
  /** The newest valid certificate of the person for the course. */
  certificate: z.object({ validUntil: z.string().nullable(), state: z.enum(["valid", "ending", "ended"]) }).nullable(),
});
export type TeamCourse = z.infer<typeof teamCourse>;

const progressOfCourse = z.object({
  id: z.uuid(),
  title: z.string(),
  assigned: z.int(),
  completed: z.int(),
  inProgress: z.int(),
  notStarted: z.int(),
  overdue: z.int(),
});
export type ProgressOfCourse = z.infer<typeof progressOfCourse>;

export const teamHome = z.object({
  people: z.int(),
  direct: z.int(),
  figures: z.object({
    /** People with courses none of which is overdue or due soon. */
    inOrder: z.int(),
    overdue: z.int(),
    dueSoon: z.int(),
    notStarted: z.int(),
    ending: z.int(),
  }),
  /** The longest overdue first. */
  overdue: z.array(teamCourse).max(HOME_ROWS),
  dueNext: z.array(teamCourse).max(HOME_ROWS),
  /** People who have begun none of their courses. */
  idle: z.object({ total: z.int(), people: z.array(teamMember).max(HOME_ROWS) }),
  courses: z.array(progressOfCourse).max(HOME_ROWS),
  /** The company requires courses. */
  hasRequirements: z.boolean(),
});
export type TeamHome = z.infer<typeof teamHome>;

/** `ending`: has a certificate that ends within 60 days. `idle`: has courses and has begun none. */
export const teamFilter = z.enum([...teamState.options, "inOrder", "idle", "ending"]);
export type TeamFilter = z.infer<typeof teamFilter>;
const list = listQuery.extend({
  state: teamFilter.optional(),
  reports: z.enum(["direct", "indirect"]).optional(),
  courseId: z.uuid().optional(),
  sort: sortBy("due", "name", "completed", "overdue").default("due"),
});
/** These people, or all of one's people, and one course or all. */
const target = z.object({
  ids: z.array(z.uuid()).min(1).max(MAX_REMINDED).optional(),
  courseId: z.uuid().optional(),
});
export type TeamReminder = z.infer<typeof target>;

// Who may do what

export const canSeeTeam = leadsPeople;
/** A PIN opens the account of another person. */
export const canIssueTeamPins = withReauth(leadsPeople);

// Endpoints

export const team = defineContracts("team", {
  home: get("/api/team", { does: "What needs a manager: overdue, due soon, not begun", reply: teamHome }),
  list: get("/api/team/people", {
    does: "List the people whom one leads, those with the earliest due date first",
    query: list,
    reply: page(teamMember),
  }),
  export: get("/api/team/people/export", {
    does: "Export the people whom one leads as CSV or XLSX; the header x-rows is their number",
    query: list.omit({ page: true, size: true }).extend({ format: z.enum(["csv", "xlsx"]).default("csv") }),
    reply: z.string(),
  }),
  get: get("/api/team/people/:id", {
    does: "Get one of one's people with their courses: status, dates and validity of certificates",
    reply: teamMember.extend({ courses: z.array(teamCourse).max(500) }),
  }),
  issuePin: post("/api/team/people/:id/pin", {
    does: "Give one of one's people without an email address a new PIN and, if asked for, a new card; shown once",
    body: pinOrder,
    reply: issuedPin,
  }),
  courses: get("/api/team/courses", {
    does: "List the courses that one's people have, for the filter",
    reply: z.object({ items: z.array(z.object({ id: z.uuid(), title: z.string() })).max(500) }),
  }),
  remindPreview: post("/api/team/reminders/preview", {
    does: "Preview which of one's people would be reminded of overdue courses",
    body: target,
    reply: reminderPreview,
  }),
  remind: post("/api/team/reminders", {
    does: "Remind one's people of overdue courses by email, at most once in 20 hours",
    body: target,
    reply: reminderResult,
  }),
});
