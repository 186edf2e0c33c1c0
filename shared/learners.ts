import { z } from "zod";
import { changes, defineContracts, get, KIB, listQuery, page, patch, post, sortBy } from "#shared/route.ts";
import { email, isAdmin, personName, user, userStatus } from "#shared/users.ts";

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
  meanScore: z.number().nullable(),
  activeSeconds: z.int(),
  version: z.int(),
});
export type Learner = z.infer<typeof learner>;

export const invite = z.object({ email, name: z.string().trim().max(120).default("") });
export const inviteOutcome = z.object({
  email: z.string(),
  outcome: z.enum(["invited", "resent", "skipped"]),
  /** Problem code of the reason, if skipped. */
  reason: z.string().nullable(),
});
export const learnerUpdate = changes(learnerInput).extend({ version: z.int() });

// Who may do what

export const canManageLearners = isAdmin;

// Endpoints

export const learnerSort = sortBy("name", "email", "company", "completed", "overdue", "lastActive");
const list = listQuery.extend({
  companyId: z.uuid().optional(),
  courseId: z.uuid().optional(),
  status: userStatus.optional(),
  progress: z.enum(["overdue", "notStarted", "completed"]).optional(),
  sort: learnerSort.default("name"),
});

/** Learners of a bulk action; unknown ids are skipped and not counted. */
const selection = z.object({ ids: z.array(z.uuid()).min(1).max(1000) });
const changeCount = z.object({ changed: z.int() });

export const learners = defineContracts("learners", {
  list: get("/api/learners", { does: "List the learners of all companies", query: list, reply: page(learner) }),
  get: get("/api/learners/:id", { does: "Get a learner", reply: learner }),
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
  update: patch("/api/learners/:id", {
    does: "Change a learner; 409 if it changed since `version`",
    body: learnerUpdate,
    reply: learner,
  }),
  resend: post("/api/learners/resend", {
    does: "Resend invitations with a new link",
    body: selection,
    reply: changeCount,
  }),
  suspend: post("/api/learners/suspend", {
    does: "Suspend learners; their sessions end immediately",
    body: selection.extend({ reason: z.string().trim().max(300).default("") }),
    reply: changeCount,
  }),
  reactivate: post("/api/learners/reactivate", {
    does: "Reactivate suspended learners",
    body: selection,
    reply: changeCount,
  }),
  move: post("/api/learners/move", {
    does: "Move learners to another company; their history stays with the old one",
    body: selection.extend({ companyId: z.uuid() }),
    reply: changeCount,
  }),
});
