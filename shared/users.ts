import { z } from "zod";

// What a user is (spec section 3)

export const role = z.enum(["admin", "learner"]);
export const userStatus = z.enum(["invited", "active", "suspended"]);

/** A signed-in person as the browser knows it; `companyId` is null for admins. Times are ISO strings in UTC. */
export const user = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role,
  status: userStatus,
  companyId: z.uuid().nullable(),
  createdAt: z.string(),
  lastActive: z.string().nullable(),
  lastLoginAt: z.string().nullable(),
  /** An admin who has to set up a second factor before anything else (REQUIRE_ADMIN_2FA). */
  needsFactor: z.literal(true).optional(),
});
export type User = z.infer<typeof user>;
export type Role = z.infer<typeof role>;

/** Email as typed by people: trimmed, lower case, at most 254 characters (RFC 5321). */
export const email = z.string().trim().toLowerCase().max(254).pipe(z.email());
export const personName = z
  .string()
  .overwrite((name) => name.replace(/[\s\p{Cc}]+/gu, " "))
  .trim()
  .min(1)
  .max(120);
/** Whether a name carries an address: names are the channel of those who write to strangers in our mails. */
export const containsLink = (name: string) =>
  /(https?:|www\.|\w\.(com|net|org|info|ru|xyz|top|io|biz)\b|\w\.[a-z]{2,}\/|[<>])/i.test(name);

// Who may do what: policies read as sentences, on both sides

export interface Policy {
  (user: User | null): boolean;
  /** True for calls that want a fresh proof of who asks: see `withProof`. */
  needsReauth?: (user: User, body: unknown) => boolean;
}
export const anyone: Policy = () => true;
export const isSignedIn = (user: User | null): user is User => user !== null;
export const isAdmin = (user: User | null): user is User => user?.role === "admin";
export const isLearner = (user: User | null): user is User => user?.role === "learner";
/** Minutes for which a sign-in, or a confirmation after it, proves who sits at a session. */
export const REAUTH_MINUTES = 10;
/**
 * The policy of something delicate: who may, and only with a proof of at most PROOF_MINUTES; otherwise the answer is 403
 * `auth.reauthRequired` with the ways to confirm in `details` (`proofOffer`). `when` narrows it to some calls.
 */
export const withReauth = <P extends Policy>(policy: P, when: (user: User, body: unknown) => boolean = () => true): P =>
  Object.assign(((user: User | null) => policy(user)) as P, { needsReauth: when });

/** Where a person starts after signing in (spec sections 2 and 4). */
export const homeOf = (user: User) => (isAdmin(user) ? "/dashboard" : "/my-courses");
