import { z } from "zod";
import { webAuthnMessage, password } from "#shared/auth/auth.ts";
import { pin } from "#shared/auth/pins.ts";
import { defineContracts, del, get, page, patch, post } from "#shared/core/route.ts";
import { email, isAcademyAdmin, isAdmin, isSignedIn, personName, withReauth } from "#shared/core/users.ts";

// A person's own account: name, password, sessions, sign-in methods, second factors

export const passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});
/** How long the link that confirms a new address works. */
export const EMAIL_CHANGE_HOURS = 24;

export const account = z.object({
  name: z.string(),
  email: z.string().nullable(),
  hasPassword: z.boolean(),
  /** The person logs in with a PIN. */
  hasPin: z.boolean(),
  hasGoogle: z.boolean(),
  googleEnabled: z.boolean(),
  /**
   * Name of the company whose single sign-on this person uses; empty if the name is unknown, null without single
   * sign-on.
   */
  ssoCompany: z.string().nullable(),
  ssoEnforced: z.boolean(),
  /** An authenticator app is set up and confirmed. */
  hasApp: z.boolean(),
  /** Number of unused recovery codes. */
  recoveryCodes: z.int(),
  passkeys: z.array(passkey),
  /** A new address that is not confirmed yet. */
  pendingEmail: z.string().nullable(),
  /** True for an admin who must set up a second factor before using anything else. */
  mustSetUpFactor: z.boolean(),
});
export type Account = z.infer<typeof account>;

/** A browser in which the person is signed in. `device` is empty if the user agent is unknown. */
export const loginSession = z.object({
  id: z.uuid(),
  device: z.string(),
  kind: z.enum(["computer", "phone"]),
  createdAt: z.string(),
  lastActive: z.string(),
  current: z.boolean(),
});
export type LoginSession = z.infer<typeof loginSession>;

/** Password confirmation before a sensitive change; omitted by people without a password. */
const passwordConfirmation = z.object({ password: password.optional() });

const codes = z.object({ codes: z.array(z.string()) });
/** An admin to whom a task can be given. */
export const assignableAdmin = z.object({ id: z.uuid(), name: z.string(), email: z.string() });

/**
 * Methods to reauthenticate in a session. A code of the authenticator app is offered only to people without a password.
 */
export const reauthMethod = z.enum(["password", "pin", "passkey", "app", "google", "company"]);
export type ReauthMethod = z.infer<typeof reauthMethod>;
/**
 * The methods available to a person; `company` identifies the single sign-on connection behind the method `company`.
 */
export const reauthOptions = z.object({
  methods: z.array(reauthMethod),
  company: z.object({ connectionId: z.uuid(), name: z.string() }).nullable(),
});
export type ReauthOptions = z.infer<typeof reauthOptions>;
/** Google and company login are not listed: they use a popup window (`auth.external` with purpose `reauth`). */
export const reauthInput = z.discriminatedUnion("method", [
  z.object({ method: z.literal("password"), password }),
  z.object({ method: z.literal("pin"), pin }),
  z.object({ method: z.literal("app"), code: z.string().trim().min(1).max(40) }),
  z.object({ method: z.literal("passkey"), response: webAuthnMessage }),
]);
export type ReauthInput = z.infer<typeof reauthInput>;

export const canUseAccount = isSignedIn;
export const canSeeAdmins = isAdmin;
export const canChangeEmail = withReauth(isAcademyAdmin);
export const canCancelEmail = isAcademyAdmin;
export const canResetFactors = withReauth(isAdmin);

export const accounts = defineContracts("accounts", {
  get: get("/api/account", { does: "Get my account and its sign-in methods", reply: account }),
  update: patch("/api/account", { does: "Change my name", body: z.object({ name: personName }) }),
  changePassword: post("/api/account/password", {
    does: "Change my password; ends all other sessions",
    body: z.object({ current: password, password }),
  }),
  changePin: post("/api/account/pin", {
    does: "Change my PIN; ends all other sessions",
    body: z.object({ current: pin, pin }),
  }),
  sessions: get("/api/account/sessions", { does: "List my active sessions", reply: page(loginSession) }),
  endSession: del("/api/account/sessions/:id", { does: "End one of my sessions" }),
  endOthers: post("/api/account/sessions/end-others", {
    does: "End all my sessions except this one",
    reply: z.object({ ended: z.int() }),
  }),
  unlinkGoogle: post("/api/account/google/unlink", {
    does: "Unlink the Google account",
    body: passwordConfirmation,
  }),
  startApp: post("/api/account/app", {
    does: "Start the setup of an authenticator app",
    body: passwordConfirmation,
    reply: z.object({ secret: z.string(), address: z.string() }),
  }),
  confirmApp: post("/api/account/app/confirm", {
    does: "Confirm the authenticator app with a code; returns recovery codes",
    body: z.object({ code: z.string().trim().max(20) }),
    reply: codes,
  }),
  removeApp: post("/api/account/app/remove", { does: "Remove the authenticator app", body: passwordConfirmation }),
  recoveryCodes: post("/api/account/recovery-codes", {
    does: "Create ten new recovery codes; the old ones stop working",
    body: passwordConfirmation,
    reply: codes,
  }),
  startPasskey: post("/api/account/passkeys/options", {
    does: "Get WebAuthn options to create a passkey",
    body: passwordConfirmation,
    reply: webAuthnMessage,
  }),
  addPasskey: post("/api/account/passkeys", {
    does: "Add a passkey",
    body: z.object({ name: z.string().trim().min(1).max(60), response: webAuthnMessage }),
  }),
  removePasskey: post("/api/account/passkeys/:id/remove", { does: "Remove a passkey", body: passwordConfirmation }),
  reauthOptions: get("/api/account/reauth", {
    does: "List the reauthentication methods available in this session",
    reply: reauthOptions,
  }),
  reauthenticate: post("/api/account/reauth", {
    does: "Reauthenticate in this session; valid for ten minutes",
    body: reauthInput,
  }),
  admins: get("/api/account/admins", {
    does: "List the admins who can log in, to give one of them a task",
    reply: page(assignableAdmin),
  }),
  changeEmail: post("/api/account/email", {
    does:
      "Change my email address, as an admin. Sends a confirmation link to the new address; without a mail server it " +
      "changes immediately. Requires recent authentication",
    body: z.object({ email }),
    reply: z.object({ outcome: z.enum(["linkSent", "changed"]) }),
  }),
  cancelEmail: del("/api/account/email", { does: "Cancel the change of my email address; its link stops working" }),
  resetFactors: post("/api/account/people/:id/reset-factors", {
    does: "Remove all second factors of another person; requires recent authentication",
  }),
});
