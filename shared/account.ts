import { z } from "zod";
import { webAuthnMessage, password } from "#shared/auth.ts";
import { del, get, page, patch, post } from "#shared/route.ts";
import { isAdmin, isSignedIn, personName, withReauth } from "#shared/users.ts";

// The own account: name, password, sessions, ways to sign in, second factors

export const passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});
export const account = z.object({
  name: z.string(),
  email: z.string(),
  hasPassword: z.boolean(),
  hasGoogle: z.boolean(),
  googleOffered: z.boolean(),
  /** The company whose provider signs this person in, empty when it is not known by name; null without one. */
  sso: z.string().nullable(),
  ssoEnforced: z.boolean(),
  /** An authenticator app is set up. */
  app: z.boolean(),
  /** Recovery codes that are left. */
  recoveryCodes: z.int(),
  passkeys: z.array(passkey),
  /** An admin who has to set up a second factor before anything else. */
  factorNeeded: z.boolean(),
});
export type Account = z.infer<typeof account>;

/** One browser in which the person is signed in; `device` is empty when it does not say what it is. */
export const loginSession = z.object({
  id: z.uuid(),
  device: z.string(),
  kind: z.enum(["computer", "phone"]),
  createdAt: z.string(),
  lastActive: z.string(),
  current: z.boolean(),
});
export type LoginSession = z.infer<typeof loginSession>;

/** Asked again before something that cannot be taken back; people without a password leave it out. */
const passwordConfirmation = z.object({ password: password.optional() });

const codes = z.object({ codes: z.array(z.string()) });
export const admin = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  lastActive: z.string().nullable(),
  hasFactor: z.boolean(),
});

/** The ways in which a session's person can confirm who they are: the password, a passkey, Google, the company's login; a code of the app only without a password. */
export const reauthMethod = z.enum(["password", "passkey", "app", "google", "company"]);
export type ReauthMethod = z.infer<typeof reauthMethod>;
/** What a person is offered to confirm with; `company` is whose login the way of that name leads to. */
export const reauthOptions = z.object({
  ways: z.array(reauthMethod),
  company: z.object({ connectionId: z.uuid(), name: z.string() }).nullable(),
});
export type ReauthOptions = z.infer<typeof reauthOptions>;
/** Google and the company's login are not here: they take a window of their own (`auth.external`, purpose `prove`). */
export const reauthInput = z.discriminatedUnion("way", [
  z.object({ way: z.literal("password"), password }),
  z.object({ way: z.literal("app"), code: z.string().trim().min(1).max(40) }),
  z.object({ way: z.literal("passkey"), response: webAuthnMessage }),
]);
export type ReauthInput = z.infer<typeof reauthInput>;

export const canUseAccount = isSignedIn;
export const canSeeAdmins = isAdmin;
export const canResetFactors = withReauth(isAdmin);

export const accounts = {
  get: get("/api/account", { does: "The own account and its ways to sign in", reply: account }),
  update: patch("/api/account", { does: "Change the own name", body: z.object({ name: personName }) }),
  changePassword: post("/api/account/password", {
    does: "Change the own password; other sessions end",
    body: z.object({ current: password, password }),
  }),
  sessions: get("/api/account/sessions", { does: "Where the person is signed in", reply: page(loginSession) }),
  endSession: del("/api/account/sessions/:id", { does: "End one own session" }),
  endOthers: post("/api/account/sessions/end-others", {
    does: "End every own session but this one",
    reply: z.object({ ended: z.int() }),
  }),
  unlinkGoogle: post("/api/account/google/unlink", {
    does: "Take Google away as a way to sign in",
    body: passwordConfirmation,
  }),
  startApp: post("/api/account/app", {
    does: "Begin to set up an authenticator app",
    body: passwordConfirmation,
    reply: z.object({ secret: z.string(), address: z.string() }),
  }),
  confirmApp: post("/api/account/app/confirm", {
    does: "Switch the app on with a code of it; brings recovery codes",
    body: z.object({ code: z.string().trim().max(20) }),
    reply: codes,
  }),
  removeApp: post("/api/account/app/remove", { does: "Take the authenticator app away", body: passwordConfirmation }),
  recoveryCodes: post("/api/account/recovery-codes", {
    does: "Ten new recovery codes; the old ones stop working",
    body: passwordConfirmation,
    reply: codes,
  }),
  startPasskey: post("/api/account/passkeys/options", {
    does: "What the browser needs to make a passkey",
    body: passwordConfirmation,
    reply: webAuthnMessage,
  }),
  addPasskey: post("/api/account/passkeys", {
    does: "Add a passkey",
    body: z.object({ name: z.string().trim().min(1).max(60), response: webAuthnMessage }),
  }),
  removePasskey: post("/api/account/passkeys/:id/remove", { does: "Take a passkey away", body: passwordConfirmation }),
  reauthOptions: get("/api/account/reauth", {
    does: "How the person at this session can confirm who they are",
    reply: reauthOptions,
  }),
  reauthenticate: post("/api/account/reauth", {
    does: "Confirm who sits at this session; counts for ten minutes",
    body: reauthInput,
  }),
  admins: get("/api/account/admins", {
    does: "Every admin, and whether a second factor is set up",
    reply: page(admin),
  }),
  resetFactors: post("/api/account/people/:id/reset-factors", {
    does: "Take every second factor of another person away, in a fresh session",
  }),
};
