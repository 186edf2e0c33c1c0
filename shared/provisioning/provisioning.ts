import { z } from "zod";
import { defineContracts, get, listQuery, page, patch, post } from "#shared/core/route.ts";
import { isAdmin, withReauth } from "#shared/core/users.ts";
import { ENTERPRISE } from "#shared/provisioning/schemas.ts";

// Provisioning: a directory such as Entra ID or Okta maintains the people and groups of a company by SCIM 2.0

export const SCIM_PATH = "/scim/v2";
/** A prefix by which scanners recognise a key that was published by mistake. */
export const SCIM_KEY_PREFIX = "lys_";
/** Requests per minute of one key on one node: Entra sends up to 25 per second. */
export const SCIM_REQUESTS_PER_MINUTE = 3000;
export const MAX_SCIM_KEYS = 20;
/**
 * The largest bodies in bytes; the most members that a request names, resources on a page, and members in an answer.
 */
export const scimLimits = { user: 128 * 1024, group: 4 * 1024 ** 2, members: 20_000, page: 200, listed: 50_000 };

/** The percentage of the people of a company whom the directory can suspend within these hours without an admin. */
export const HOLD_PERCENT = 10;
export const HOLD_HOURS = 24;

/** The attributes that can be stored in a field of the company. */
export const mappable = [
  `${ENTERPRISE}:department`,
  `${ENTERPRISE}:costCenter`,
  `${ENTERPRISE}:division`,
  `${ENTERPRISE}:organization`,
  "title",
  "userType",
  "nickName",
  "preferredLanguage",
  "locale",
  "timezone",
] as const;
export const mappableAttribute = z.enum(mappable);
export type MappableAttribute = z.infer<typeof mappableAttribute>;
export const isMappable = (path: string): path is MappableAttribute => mappableAttribute.safeParse(path).success;
export const provisioningMapping = z.partialRecord(mappableAttribute, z.uuid());
export type ProvisioningMapping = Partial<Record<string, string>>;

/** What follows when the directory deletes a person: `suspend` them, or `leave` them and only end the link. */
export const removal = z.enum(["suspend", "leave"]);

export const provisioningKey = z.object({
  id: z.uuid(),
  name: z.string(),
  prefix: z.string(),
  createdAt: z.string(),
  /** Null after the admin was erased. */
  createdBy: z.string().nullable(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  status: z.enum(["active", "expired", "revoked"]),
});
export type ProvisioningKey = z.infer<typeof provisioningKey>;

export const provisioningSettings = z.object({
  /** The address that the directory is given. */
  address: z.string(),
  removal,
  invites: z.boolean(),
  mapping: provisioningMapping,
  version: z.int(),
  /** People and groups that the directory maintains. */
  people: z.int(),
  groups: z.int(),
  /** Suspensions that wait for a decision. */
  waiting: z.int(),
  keys: z.array(provisioningKey),
});
export type ProvisioningSettings = z.infer<typeof provisioningSettings>;

export const provisioningHold = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  personnelNumber: z.string().nullable(),
  kind: z.enum(["suspend", "remove"]),
  askedAt: z.string(),
});
export type ProvisioningHold = z.infer<typeof provisioningHold>;

/** What a call did, or that a suspension was not made. Of other refusals the result is the detail of the error. */
export const callOutcome = z.enum([
  "created",
  "returned",
  "updated",
  "unchanged",
  "suspended",
  "onlySuspended",
  "waiting",
  "refused",
  "reactivated",
  "removed",
  "read",
  "listed",
  "described",
]);
export type CallOutcome = z.infer<typeof callOutcome>;
export const provisioningCall = z.object({
  id: z.int(),
  at: z.string(),
  key: z.string().nullable(),
  method: z.string(),
  resource: z.string(),
  personId: z.uuid().nullable(),
  person: z.string().nullable(),
  groupId: z.uuid().nullable(),
  group: z.string().nullable(),
  status: z.int(),
  result: z.string(),
});
export type ProvisioningCall = z.infer<typeof provisioningCall>;

export const canReadProvisioning = isAdmin;
export const canManageProvisioning = isAdmin;
export const canManageProvisioningKeys = withReauth(isAdmin);

export const provisioning = defineContracts("provisioning", {
  get: get("/api/companies/:id/provisioning", {
    does: "Get how a directory maintains the people of a company, with its keys",
    reply: provisioningSettings,
  }),
  update: patch("/api/companies/:id/provisioning", {
    does: "Change how a directory maintains the people of a company; 409 if it changed since `version`",
    body: z.object({
      removal: removal.optional(),
      invites: z.boolean().optional(),
      mapping: provisioningMapping.optional(),
      version: z.int(),
    }),
    reply: provisioningSettings,
  }),
  createKey: post("/api/companies/:id/provisioning/keys", {
    does: "Create a key for the directory of a company; the reply has the key itself, which is shown only here",
    body: z.object({
      name: z.string().trim().min(1).max(120),
      /** Null: until it is revoked. */
      expiresInDays: z.int().min(1).max(1095).nullable().default(null),
    }),
    reply: provisioningKey.extend({ key: z.string() }),
  }),
  revokeKey: post("/api/provisioning-keys/:id/revoke", {
    does: "Revoke a key of a directory; it works no longer",
    reply: provisioningKey,
  }),
  calls: get("/api/companies/:id/provisioning/calls", {
    does: "List the last calls of the directory of a company, the newest first, with their results",
    query: listQuery.omit({ sort: true, q: true }).extend({ result: z.enum(["refused"]).optional() }),
    reply: page(provisioningCall),
  }),
  holds: get("/api/companies/:id/provisioning/holds", {
    does: "List the people whose suspension by the directory waits for a decision",
    query: listQuery.omit({ sort: true, q: true }),
    reply: page(provisioningHold),
  }),
  decide: post("/api/companies/:id/provisioning/holds", {
    priority: "heavy",
    does: "Suspend everyone who waits, or nobody; 409 if their number is not `count`",
    body: z.object({ decision: z.enum(["suspend", "refuse"]), count: z.int().min(1) }),
    reply: z.object({ changed: z.int() }),
  }),
});
