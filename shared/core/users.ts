import { z } from "zod";

// Users and access policies

export const ROLES = ["admin", "learner"] as const;
export const role = z.enum(ROLES);
export const USER_STATUSES = ["invited", "active", "suspended"] as const;
export const userStatus = z.enum(USER_STATUSES);

/** The signed-in user as sent to the browser; `companyId` is null for admins. Times are ISO strings in UTC. */
export const user = z.object({
  id: z.uuid(),
  /** Null for a learner who logs in with a personnel number. */
  email: z.string().nullable(),
  /** The number by which the company of a learner knows them. */
  personnelNumber: z.string().nullable(),
  name: z.string(),
  role,
  status: userStatus,
  companyId: z.uuid().nullable(),
  createdAt: z.string(),
  lastActive: z.string().nullable(),
  lastLoginAt: z.string().nullable(),
  /** Set for an admin who must set up a second factor before using anything else (REQUIRE_ADMIN_2FA). */
  needsFactor: z.literal(true).optional(),
  /** Set for a learner who leads people of their company, or stands in for somebody who does. */
  leadsPeople: z.literal(true).optional(),
  /** Set in a session on a device that several people use; it locks when nobody touches it. */
  onSharedDevice: z.literal(true).optional(),
});
/** Permissions of an API key. */
export const keyScope = z.enum(["values:read", "values:write", "learners:read", "reports:read"]);
export type KeyScope = z.infer<typeof keyScope>;
/** `apiKey`: the request was sent with a key that acts for this admin, limited to its scopes. */
export type User = z.infer<typeof user> & { apiKey?: { prefix: string; scopes: KeyScope[] } };
export type Role = z.infer<typeof role>;

/** Email address: trimmed, lower case, at most 254 characters (RFC 5321). */
export const email = z.string().trim().toLowerCase().max(254).pipe(z.email());
export const personName = z
  .string()
  .overwrite((name) => name.replace(/[\s\p{Cc}]+/gu, " "))
  .trim()
  .min(1)
  .max(120);
/** True if a name contains a link or markup: spammers use names to put links into emails we send to other people. */
export const containsLink = (name: string) =>
  /(https?:|www\.|\w\.(com|net|org|info|ru|xyz|top|io|biz)\b|\w\.[a-z]{2,}\/|[<>])/i.test(name);

// Policies, used by server and browser

export interface Policy {
  (user: User | null): boolean;
  /**
   * True for calls that require recent authentication (see `withReauth`); `sent` is the body, or the query of a GET or
   * DELETE.
   */
  needsReauth?: (user: User, sent: unknown) => boolean;
}
export const anyone: Policy = () => true;
export const isSignedIn = (user: User | null): user is User => user !== null;
export const isAdmin = (user: User | null): user is User => user?.role === "admin";
export const isLearner = (user: User | null): user is User => user?.role === "learner";
/**
 * Sees the people whom they lead; which ones, `people_of` decides in every query (server/managers/scope.ts). It opens
 * nothing that is for admins.
 */
export const leadsPeople = (user: User | null): user is User => isLearner(user) && user.leadsPeople === true;
export type Scope = { kind: "academy" } | { kind: "company"; companyId: string } | { kind: "person"; userId: string };

/**
 * What a person may see and change: admins every company, or one company if their account belongs to one; learners only
 * what is their own. The one place that decides this; the server's queries use it through `inScope`.
 */
export function scopeOf({ id, role, companyId }: Pick<User, "id" | "role" | "companyId">): Scope {
  if (role !== "admin") return { kind: "person", userId: id };
  return companyId ? { kind: "company", companyId } : { kind: "academy" };
}

/** An admin of the whole academy, not of one company. */
export const isAcademyAdmin = (user: User | null): user is User => isAdmin(user) && scopeOf(user).kind === "academy";

/** Whether a row that belongs to this company and user, if any, is in the scope of `user`. */
export function isInScope(user: User, row: { companyId: string | null; userId?: string | null }) {
  const scope = scopeOf(user);
  if (scope.kind === "academy") return true;
  return scope.kind === "company" ? row.companyId === scope.companyId : row.userId === scope.userId;
}

/** Minutes for which a sign-in or reauthentication counts as recent. */
export const REAUTH_MINUTES = 10;
/**
 * A policy that also requires authentication within the last REAUTH_MINUTES; otherwise the response is 403
 * `auth.reauthRequired` with the available methods in `details` (`reauthOptions`). `when` limits the requirement to
 * some calls.
 */
export const withReauth = <P extends Policy>(policy: P, when: (user: User, sent: unknown) => boolean = () => true): P =>
  Object.assign(((user: User | null) => policy(user)) as P, { needsReauth: when });

/** Path of the page a user starts on after signing in. */
export const homeOf = (user: User) => (isAdmin(user) ? "/dashboard" : "/my-courses");
