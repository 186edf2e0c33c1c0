import { z } from "zod";
import { day } from "#shared/core/dates.ts";
import {
  changes,
  defineContracts,
  get,
  isOneSelection,
  KIB,
  listQuery,
  page,
  patch,
  post,
  selectionOf,
  sortBy,
} from "#shared/core/route.ts";
import { measuredKind } from "#shared/core/measuredKinds.ts";
import { issuedPin, personnelNumber, pinOrder } from "#shared/auth/pins.ts";
import { email, isAdmin, personName, user, userStatus, withReauth } from "#shared/core/users.ts";
import { assignedCourseIds, assignmentResult, assignmentTerms } from "#shared/courses/enrolments.ts";
import { fieldChanges, fieldFilter, fieldValues } from "#shared/fields/fields.ts";
import { reminderLimits, reminderPreview, reminderResult } from "#shared/courses/reminders.ts";

// Learners: users with the role learner, each in one company

/** Days an invitation link is valid. */
export const INVITATION_DAYS = 14;
/** Maximum number of people per invitation call. */
export const INVITE_LIMIT = 500;

/** The fields of a learner that admins edit. */
export const learnerInput = z.object({ name: personName, email });
export type LearnerInput = z.infer<typeof learnerInput>;

export const learner = user.extend({
  company: z.string(),
  invitedAt: z.string().nullable(),
  invitationExpiresAt: z.string().nullable(),
  suspendedReason: z.string(),
  assigned: z.int(),
  completed: z.int(),
  overdue: z.int(),
  /** When the learner was last reminded of a course by email. */
  remindedAt: z.string().nullable(),
  meanScore: z.number().nullable(),
  /** Null where the company does not show it; so are scores and times of the last activity. */
  activeSeconds: z.int().nullable(),
  /** What their company shows to nobody but themselves. */
  hidden: z.array(measuredKind),
  /** Values of the fields of their company by the id of the field; for learners those that they may see. */
  fields: fieldValues,
  version: z.int(),
  /** Who leads the learner, if anybody. */
  managerId: z.uuid().nullable(),
  manager: z.string().nullable(),
  managerEmail: z.string().nullable(),
});
export type Learner = z.infer<typeof learner>;

export const invite = z.object({ email, name: z.string().trim().max(120).default("") });
export const inviteOutcome = z.object({
  email: z.string(),
  outcome: z.enum(["invited", "resent", "skipped"]),
  /** Problem code of the reason, if skipped. */
  reason: z.string().nullable(),
});
export const learnerUpdate = changes(learnerInput).extend({ fields: fieldChanges.optional(), version: z.int() });

// Who may do what

export const canManageLearners = isAdmin;
/** A PIN opens the account of another person. */
export const canIssuePins = withReauth(isAdmin);

// Endpoints

export const learnerSort = sortBy("name", "email", "company", "completed", "overdue", "lastActive");
const list = listQuery.extend({
  companyId: z.uuid().optional(),
  courseId: z.uuid().optional(),
  /** People who are in this group now. */
  groupId: z.uuid().optional(),
  status: userStatus.optional(),
  progress: z.enum(["overdue", "notStarted", "completed"]).optional(),
  /** Days in the time zone of the academy. `overdueOn`: a due date ended on this day, and the course is overdue. */
  joinedOn: day.optional(),
  completedOn: day.optional(),
  overdueOn: day.optional(),
  /** The people whom this person leads directly, or those without a manager. */
  managerId: z.union([z.literal("none"), z.uuid()]).optional(),
  /** `id=value&id=value`, encoded like a query: a choice by its id, a date, a number, or a part of a text. */
  fields: fieldFilter.optional(),
  sort: learnerSort.default("name"),
});

export const learnerFilter = list.omit({ page: true, size: true, sort: true });
const selection = z.object(selectionOf(learnerFilter));
export type LearnerSelection = z.infer<typeof selection>;
const changeCount = z.object({ changed: z.int() });

export const learners = defineContracts("learners", {
  list: get("/api/learners", {
    keyScope: "learners:read",
    does: "List the learners of all companies",
    query: list,
    reply: page(learner),
  }),
  export: get("/api/learners/export", {
    does: "Export all learners that match a filter as CSV or XLSX; the header x-rows is their number",
    query: list.omit({ page: true, size: true }).extend({ format: z.enum(["csv", "xlsx"]).default("csv") }),
    reply: z.string(),
  }),
  get: get("/api/learners/:id", { keyScope: "learners:read", does: "Get a learner", reply: learner }),
  invite: post("/api/learners/invite", {
    maxBytes: 256 * KIB,
    does: "Invite people to a company by email",
    body: z.object({
      companyId: z.uuid(),
      people: z.array(invite).min(1).max(INVITE_LIMIT),
      courseIds: z.array(z.uuid()).max(50).default([]),
    }),
    reply: z.object({ outcomes: z.array(inviteOutcome) }),
  }),
  create: post("/api/learners", {
    does: "Create a learner without an email address, who logs in with the personnel number",
    body: z.object({
      companyId: z.uuid(),
      name: personName,
      personnelNumber,
      courseIds: z.array(z.uuid()).max(50).default([]),
    }),
    reply: learner,
  }),
  issuePin: post("/api/learners/:id/pin", {
    does: "Give a learner without an email address a new PIN and, if asked for, a new card; both are shown once",
    body: pinOrder,
    reply: issuedPin,
  }),
  checkInvitations: post("/api/learners/invite/check", {
    maxBytes: 256 * KIB,
    does: "List which of these people would not be invited to a company, and why",
    body: z.object({ companyId: z.uuid(), emails: z.array(email).min(1).max(INVITE_LIMIT) }),
    /** `reason` is a problem code. Free seats are not considered. */
    reply: z.object({ skipped: z.array(z.object({ email: z.string(), reason: z.string() })) }),
  }),
  update: patch("/api/learners/:id", {
    does: "Change a learner; 409 if it changed since `version`",
    body: learnerUpdate,
    reply: learner,
  }),
  resend: post("/api/learners/resend", {
    maxBytes: 256 * KIB,
    does: "Resend invitations with a new link",
    body: selection.refine(...isOneSelection),
    reply: changeCount,
  }),
  suspend: post("/api/learners/suspend", {
    maxBytes: 256 * KIB,
    does: "Suspend learners; their sessions end immediately",
    body: selection.extend({ reason: z.string().trim().max(300).default("") }).refine(...isOneSelection),
    /** `undoId` undoes it (`learners.undoSuspension`). */
    reply: changeCount.extend({ undoId: z.uuid() }),
  }),
  undoSuspension: post("/api/suspensions/:id/undo", {
    does: "Undo one's own suspension of learners of the last day; the id is the `undoId` of the suspension",
    reply: changeCount,
  }),
  reactivate: post("/api/learners/reactivate", {
    maxBytes: 256 * KIB,
    does: "Reactivate suspended learners",
    body: selection.refine(...isOneSelection),
    reply: changeCount,
  }),
  move: post("/api/learners/move", {
    maxBytes: 256 * KIB,
    does: "Move learners to another company; their history stays with the old one",
    body: selection.extend({ companyId: z.uuid() }).refine(...isOneSelection),
    reply: changeCount,
  }),
  setManager: post("/api/learners/manager", {
    maxBytes: 256 * KIB,
    does: "Set who leads the learners, or nobody; 409 if somebody would lead themselves, with the chain of names",
    body: selection.extend({ managerId: z.uuid().nullable() }).refine(...isOneSelection),
    /** Without those of another company than the manager, and the manager. */
    reply: changeCount,
  }),
  assign: post("/api/learners/assign", {
    maxBytes: 256 * KIB,
    does: "Assign courses to learners",
    body: selection.extend({ ...assignmentTerms.shape, courseIds: assignedCourseIds }).refine(...isOneSelection),
    reply: assignmentResult,
  }),
  remindPreview: post("/api/learners/reminders/preview", {
    maxBytes: 256 * KIB,
    does: "Preview which of the selected learners would be reminded of overdue courses",
    body: selection.extend(reminderLimits.shape).refine(...isOneSelection),
    reply: reminderPreview,
  }),
  remind: post("/api/learners/reminders", {
    maxBytes: 256 * KIB,
    does: "Remind the selected learners of overdue courses by email, at most once in 20 hours",
    body: selection.extend(reminderLimits.shape).refine(...isOneSelection),
    reply: reminderResult,
  }),
});
