import { z } from "zod";
import { get, listQuery, page } from "#shared/route.ts";
import { isAdmin, isSignedIn } from "#shared/users.ts";

// The audit log: who did what, to whom, when. Append-only; ids and counts, no contents

/** What happens to an account through its own person, or through somebody who tries to get in. */
export const accountAction = z.enum([
  "account.signIn",
  "account.refused",
  "account.locked",
  "account.reauthFailed",
  "account.password",
  "account.passwordReset",
  "account.appAdded",
  "account.appRemoved",
  "account.recoveryCodes",
  "account.recoveryUsed",
  "account.passkeyAdded",
  "account.passkeyRemoved",
  "account.googleLinked",
  "account.googleUnlinked",
  "account.sessionsEnded",
]);
export type AccountAction = z.infer<typeof accountAction>;
/** Frequent, and of use while somebody may still wonder about them: these leave the log after so many days. */
export const shortLivedActions = [
  "account.signIn",
  "account.refused",
  "account.locked",
  "account.reauthFailed",
] as const satisfies AccountAction[];
export const SHORT_LIVED_DAYS = 90;

export const auditAction = z.enum([
  "companies.create",
  "companies.update",
  "companies.status",
  "companies.code",
  "companies.logo",
  "companies.removeCourse",
  "companies.sso",
  "companies.ssoRemoved",
  "learners.invite",
  "learners.resend",
  "learners.update",
  "learners.suspend",
  "learners.reactivate",
  "learners.move",
  "learners.factors",
  "courses.upload",
  "courses.update",
  "courses.status",
  "courses.live",
  "courses.assign",
  "courses.withdraw",
  "courses.due",
  "events.create",
  "events.update",
  "events.status",
  "events.remove",
  "events.message",
  "events.export",
  "reports.open",
  "reports.session",
  "privacy.export",
  "privacy.erase",
  "settings.update",
  "settings.policy",
  ...accountAction.options,
]);
export type AuditAction = z.infer<typeof auditAction>;

/** Acts of the administration, or what happened to people's own accounts. */
export const auditKind = z.enum(["administration", "accounts"]);

/** Who tried to get in is not known: the entry has this role and no actor. */
export const NOBODY = "nobody";

/** `null` for a name means that the person is gone, or was never known (role `nobody`). `details` holds counts, field names and states. */
export const auditEntry = z.object({
  id: z.uuid(),
  at: z.string(),
  action: auditAction,
  actorId: z.uuid().nullable(),
  actor: z.string().nullable(),
  actorRole: z.string(),
  personId: z.uuid().nullable(),
  person: z.string().nullable(),
  companyId: z.uuid().nullable(),
  company: z.string().nullable(),
  courseId: z.uuid().nullable(),
  course: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())])),
});
export type AuditEntry = z.infer<typeof auditEntry>;
export type AuditDetails = AuditEntry["details"];

/** What the person concerned sees of an action about them. */
export const personalEntry = auditEntry
  .pick({ id: true, at: true, action: true, actor: true, actorRole: true, course: true, details: true })
  .extend({ own: z.boolean() });

export const canReadAudit = isAdmin;
export const canReadOwnAudit = isSignedIn;

const day = z.iso.date();
const list = listQuery.extend({
  action: auditAction.optional(),
  kind: auditKind.optional(),
  actorId: z.uuid().optional(),
  personId: z.uuid().optional(),
  companyId: z.uuid().optional(),
  /** Calendar days in UTC, both included. */
  from: day.optional(),
  to: day.optional(),
  /** The last so many days. */
  days: z.coerce.number().int().min(1).max(3660).optional(),
  sort: z.enum(["at", "-at"]).default("-at"),
});

export const audit = {
  list: get("/api/audit", {
    does: "Acts of admins, and what happened to people's accounts, newest first",
    query: list,
    reply: page(auditEntry),
  }),
  mine: get("/api/audit/mine", {
    does: "Acts about the signed-in person: who opened, exported or changed their records; what happened to their account",
    query: listQuery.extend({ kind: auditKind.optional() }),
    reply: page(personalEntry),
  }),
};
