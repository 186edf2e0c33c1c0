import { z } from "zod";
import { get, post } from "#shared/route.ts";
import { email, personName, user } from "#shared/users.ts";

// Sign-in and registration (spec sections 4, 5, 6 and 8)

/** Pause before a fresh registration is signed out and sent to /login, in ms (spec section 9). */
export const REGISTRATION_PAUSE_MS = 500;
/** Life of a bearer id token in seconds; the refresh cookie renews it without asking. */
export const ID_TOKEN_SECONDS = 600;

export const password = z.string().min(1).max(256);
export const signInInput = z.object({ email: z.string().trim().max(254), password });
export const registration = z.object({
  name: personName,
  email: z.string().trim().max(254),
  password,
  accessCode: z.string().trim().max(40).optional(),
});
export type Registration = z.infer<typeof registration>;

/** A bearer id token (JWT, kept in memory only) and when it ends. */
export const idToken = z.object({ token: z.string(), expiresAt: z.string() });

/** What a stranger who knows a valid access code may see of the company behind it. */
export const codePreview = z.object({
  name: z.string(),
  color: z.string().nullable(),
  welcome: z.string(),
  logo: z.string().nullable(),
});

/** What an invitation link shows before the person sets a password. */
export const invitation = z.object({ email, name: z.string(), company: z.string(), color: z.string().nullable() });

/** Registering and logging in with Google, or with the provider of a company, happens in a window of its own. */
export const externalStart = z.object({
  provider: z.union([z.literal("google"), z.uuid()]),
  purpose: z.enum(["signIn", "register", "link", "reauth"]).default("signIn"),
  /** Stays on the server: it never stands in an address. */
  accessCode: z.string().trim().max(40).optional(),
  email: z.string().trim().max(254).optional(),
  /** For linking: the own password again, for those who have one. */
  password: z.string().max(256).optional(),
});
export type ExternalStart = z.output<typeof externalStart>;
/** Channel (BroadcastChannel, our origin only) on which that window tells how it ended. */
export const EXTERNAL_CHANNEL = "lyceum-sign-in";
export const externalResult = z.object({
  flow: z.string(),
  outcome: z.enum(["signedIn", "registered", "linked", "proven"]).optional(),
  problem: z
    .object({ error: z.string(), code: z.string(), details: z.record(z.string(), z.unknown()).optional() })
    .optional(),
});
export type ExternalResult = z.infer<typeof externalResult>;

/** The provider that an email's domain belongs to. `enforced`: its people come in no other way. */
export const ssoOffer = z.object({ connectionId: z.uuid(), company: z.string(), enforced: z.boolean() });

/** Messages between browser and server in the shape of WebAuthn (JSON); the server's library checks what comes in. */
export const webAuthnMessage = z.record(z.string(), z.unknown());

const token = z.object({ token: z.string().max(100) });

export const auth = {
  signIn: post("/api/auth/sign-in", {
    does: "Sign in with email and password; sets the refresh cookie",
    body: signInInput,
    reply: z.object({ user, ...idToken.shape }),
  }),
  register: post("/api/auth/register", {
    does: "Register with an access code, or complete an invited record",
    body: registration,
    reply: z.object({ email }),
  }),
  signOut: post("/api/auth/sign-out", { does: "End this session" }),
  token: post("/api/auth/token", {
    does: "A fresh id token for the refresh cookie",
    reply: z.object({ user, ...idToken.shape }),
  }),
  previewCode: get("/api/auth/codes/:code", {
    does: "The company behind an access code",
    params: z.object({ code: z.string().max(40) }),
    reply: codePreview,
  }),
  invitation: get("/api/auth/invitations/:token", {
    does: "What an invitation link is for",
    params: z.object({ token: z.string().max(100) }),
    reply: invitation,
  }),
  acceptInvitation: post("/api/auth/invitations/:token", {
    does: "Set name and password from an invitation link",
    params: z.object({ token: z.string().max(100) }),
    body: z.object({ name: personName, password }),
    reply: z.object({ email }),
  }),
  ways: get("/api/auth/ways", {
    does: "The ways to sign in that this server offers",
    reply: z.object({ google: z.boolean() }),
  }),
  sso: post("/api/auth/sso", {
    does: "The identity provider that an email belongs to",
    body: z.object({ email: z.string().max(254) }),
    reply: ssoOffer.nullable(),
  }),
  external: post("/api/auth/external", {
    does: "Begin a sign-in at Google or at a company's provider: where to send the window that was opened",
    body: externalStart,
    reply: z.object({ address: z.string(), flow: z.uuid() }),
  }),
  secondStep: post("/api/auth/second-step", {
    does: "Finish a sign-in with a code of the authenticator app, or a recovery code",
    body: z.object({ method: z.enum(["app", "recovery"]), code: z.string().trim().min(1).max(40) }),
    /** `recoveryCodes`: how many are left, after one was used. */
    reply: z.object({ user, ...idToken.shape, recoveryCodes: z.int().optional() }),
  }),
  passkeyOptions: post("/api/auth/passkey-options", {
    does: "What the browser needs to ask for a passkey",
    reply: webAuthnMessage,
  }),
  passkey: post("/api/auth/passkey", {
    does: "Sign in with a passkey, or finish a sign-in with it",
    body: z.object({ response: webAuthnMessage }),
    reply: z.object({ user, ...idToken.shape }),
  }),
  requestReset: post("/api/auth/reset-requests", {
    does: "Ask for a mail to set a new password; the same answer for every address",
    body: z.object({ email }),
  }),
  reset: get("/api/auth/resets/:token", {
    does: "Whose password a reset link sets",
    params: token,
    reply: z.object({ email: z.string(), name: z.string() }),
  }),
  setPassword: post("/api/auth/resets/:token", {
    does: "Set a new password from a reset link",
    params: token,
    body: z.object({ password }),
    reply: z.object({ email: z.string() }),
  }),
  resendConfirmation: post("/api/auth/confirmation-requests", {
    does: "Send the mail that confirms a mailbox again",
    body: z.object({ email }),
  }),
  confirmation: get("/api/auth/confirmations/:token", {
    does: "What a confirmation link is for",
    params: token,
    reply: z.object({ email: z.string(), name: z.string(), company: z.string() }),
  }),
  answerConfirmation: post("/api/auth/confirmations/:token", {
    does: "Confirm a mailbox, or say that somebody else used the address",
    params: token,
    body: z.object({ mine: z.boolean() }),
  }),
  me: get("/api/me", { does: "The signed-in person", reply: user }),
};
