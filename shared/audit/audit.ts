import { z } from "zod";
import { day } from "#shared/core/dates.ts";
import { defineContracts, get, listQuery, page } from "#shared/core/route.ts";
import { isAdmin, isSignedIn } from "#shared/core/users.ts";
import { auditActions } from "#shared/locales/auditActions.ts";

// The audit log: who did what, to whom, when. Append-only; holds ids and counts, no content

/** Actions on an account by its owner, and failed attempts to access it. */
export const accountAction = z.enum([
  "account.signIn",
  "account.refused",
  "account.locked",
  "account.reauthFailed",
  "account.password",
  "account.passwordReset",
  "account.pin",
  "account.appAdded",
  "account.appRemoved",
  "account.recoveryCodes",
  "account.recoveryUsed",
  "account.passkeyAdded",
  "account.passkeyRemoved",
  "account.googleLinked",
  "account.googleUnlinked",
  "account.sessionsEnded",
  "account.becameAdmin",
  "account.emailRequested",
  "account.email",
]);
export type AccountAction = z.infer<typeof accountAction>;
/**
 * Frequent actions of short-term interest: deleted after `SHORT_LIVED_DAYS`. 50,000 learners who sign in every other
 * week make about 100,000 rows per month.
 */
export const shortLivedActions = [
  "account.signIn",
  "account.refused",
  "account.locked",
  "account.reauthFailed",
] as const satisfies AccountAction[];
export const SHORT_LIVED_DAYS = 90;

/** All actions, such as `companies.create`: those with a text in the file of their domain. */
export const auditAction = z.enum(auditActions);
export type AuditAction = z.infer<typeof auditAction>;

/** `administration`: actions of admins; `accounts`: logins and changes people made to their own accounts. */
export const auditKind = z.enum(["administration", "accounts"]);

/** Actor role of an entry without a known actor, such as a failed login. */
export const NOBODY = "nobody";
/** Actor role of what the directory of a company does; its key is `directory` in the details. */
export const DIRECTORY = "directory";
/** Actor role of an auditor, who has a link and no account. */
export const AUDITOR = "auditor";

/**
 * A name is `null` if the person was erased or never known (role `nobody`). `details` holds counts, field names and
 * states, and the kind and id of the thing concerned.
 */
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
  /** Address of the event in `details.event`, if it still exists. */
  eventSlug: z.string().nullable(),
  /** Current name of the thing in `details.objectId`, if it still exists. */
  object: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())])),
});
export type AuditEntry = z.infer<typeof auditEntry>;
export type AuditDetails = AuditEntry["details"];

/** The part of an entry shown to the person concerned. `isSelf`: they did it themselves. */
export const personalEntry = auditEntry
  .pick({ id: true, at: true, action: true, actor: true, actorRole: true, course: true, details: true })
  .extend({ isSelf: z.boolean() });

export const canReadAudit = isAdmin;
export const canReadOwnAudit = isSignedIn;

const list = listQuery.extend({
  action: auditAction.optional(),
  kind: auditKind.optional(),
  actorId: z.uuid().optional(),
  personId: z.uuid().optional(),
  companyId: z.uuid().optional(),
  /** Calendar days in UTC, both inclusive. */
  from: day.optional(),
  to: day.optional(),
  /** Only the last `days` days. */
  days: z.coerce.number().int().min(1).max(3660).optional(),
  sort: z.enum(["at", "-at"]).default("-at"),
});

export const audit = defineContracts("audit", {
  list: get("/api/audit", {
    does: "List actions of admins and on accounts, newest first",
    query: list,
    /** `isMore`: counting stopped at `total`, and there are more entries. */
    reply: page(auditEntry).extend({ isMore: z.boolean() }),
  }),
  mine: get("/api/audit/mine", {
    does: "List actions concerning me: who viewed, exported or changed my records; changes to my account",
    query: listQuery.extend({ kind: auditKind.optional() }),
    reply: page(personalEntry),
  }),
});
