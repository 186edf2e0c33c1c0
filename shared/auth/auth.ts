import { z } from "zod";
import { defineContracts, get, post } from "#shared/core/route.ts";
import { email, personName, role, user } from "#shared/core/users.ts";

// Sign-in and registration

/** Pause after a registration before the redirect to /login, in ms. */
export const REGISTRATION_PAUSE_MS = 500;
/** Lifetime of a bearer id token in seconds; renewed silently with the refresh cookie. */
export const ID_TOKEN_SECONDS = 600;

// Proof of work, for forms and logins of guests

/**
 * A proof-of-work challenge (ALTCHA, version 1): find the number up to `maxnumber` for which SHA-256 of `salt` and
 * number is `challenge`.
 */
export const challenge = z.object({
  algorithm: z.string(),
  challenge: z.string(),
  salt: z.string(),
  signature: z.string(),
  maxnumber: z.int(),
});
export type Challenge = z.infer<typeof challenge>;

/** A solved challenge: base64 of JSON. */
export const solution = z.string().max(4000);

export const password = z.string().min(1).max(256);
/** `proofOfWork`: a solution of the challenge in the details of 429 `auth.tooManyAttempts`. */
export const signInInput = z.object({ email: z.string().trim().max(254), password, proofOfWork: solution.optional() });
export const registration = z.object({
  name: personName,
  email: z.string().trim().max(254),
  password,
  accessCode: z.string().trim().max(40).optional(),
});
export type Registration = z.infer<typeof registration>;

/** A bearer id token (JWT, held in memory only) and its expiry time. */
export const idToken = z.object({ token: z.string(), expiresAt: z.string() });

/** Public details of the company behind a valid access code. */
export const codePreview = z.object({
  name: z.string(),
  color: z.string().nullable(),
  welcome: z.string(),
  logo: z.string().nullable(),
});

/** Details of an invitation, shown before the person sets a password. `company`: for admins, the academy. */
export const invitation = z.object({
  email,
  name: z.string(),
  company: z.string(),
  color: z.string().nullable(),
  role,
});

/**
 * Start of a sign-in, registration, linking or reauthentication at Google or a company's identity provider, in a popup
 * window.
 */
export const externalStart = z.object({
  provider: z.union([z.literal("google"), z.uuid()]),
  purpose: z.enum(["signIn", "register", "link", "reauth"]).default("signIn"),
  /** Stored on the server with the pending flow; never part of a URL. */
  accessCode: z.string().trim().max(40).optional(),
  email: z.string().trim().max(254).optional(),
  /** Password confirmation for purpose `link`, if the person has a password. */
  password: z.string().max(256).optional(),
});
export type ExternalStart = z.output<typeof externalStart>;
/** BroadcastChannel (same origin only) on which the popup reports its result. */
export const EXTERNAL_CHANNEL = "lyceum-sign-in";
export const EXTERNAL_OUTCOMES = ["signedIn", "registered", "linked", "reauthenticated"] as const;
export type ExternalResult = {
  flow: string;
  outcome?: (typeof EXTERNAL_OUTCOMES)[number];
  problem?: { error: string; code: string; details?: Record<string, unknown> };
};

/** The single sign-on connection for an email's domain. `enforced`: no other sign-in method is accepted. */
export const ssoOffer = z.object({ connectionId: z.uuid(), company: z.string(), enforced: z.boolean() });

/** WebAuthn options or response as JSON; validated by the WebAuthn library on the server. */
export const webAuthnMessage: z.ZodType<object, object> = z.record(z.string(), z.unknown());

const token = z.object({ token: z.string().max(100) });

export const auth = defineContracts("auth", {
  signIn: post("/api/auth/sign-in", {
    // Passwords wait in a queue of their own, which refuses a flood.
    priority: "light",
    does: "Sign in with email and password; sets the refresh cookie",
    body: signInInput,
    reply: z.object({ user, ...idToken.shape }),
  }),
  register: post("/api/auth/register", {
    does: "Register with an access code, or claim an invited account",
    body: registration,
    reply: z.object({ email }),
  }),
  signOut: post("/api/auth/sign-out", { does: "End this session" }),
  token: post("/api/auth/token", {
    priority: "light",
    does: "Issue a new id token for the refresh cookie",
    reply: z.object({ user, ...idToken.shape }),
  }),
  previewCode: get("/api/auth/codes/:code", {
    does: "Get the company of an access code",
    params: z.object({ code: z.string().max(40) }),
    reply: codePreview,
  }),
  invitation: get("/api/auth/invitations/:token", {
    does: "Get the details of an invitation link",
    params: z.object({ token: z.string().max(100) }),
    reply: invitation,
  }),
  acceptInvitation: post("/api/auth/invitations/:token", {
    does: "Accept an invitation: set name and password",
    params: z.object({ token: z.string().max(100) }),
    body: z.object({ name: personName, password }),
    reply: z.object({ email }),
  }),
  signInMethods: get("/api/auth/ways", {
    does: "List the optional sign-in methods enabled on this server",
    reply: z.object({ google: z.boolean() }),
  }),
  sso: post("/api/auth/sso", {
    does: "Find the identity provider for an email's domain",
    body: z.object({ email: z.string().max(254) }),
    reply: ssoOffer.nullable(),
  }),
  external: post("/api/auth/external", {
    does: "Start a sign-in at Google or a company's identity provider; returns the URL for the popup window",
    body: externalStart,
    reply: z.object({ address: z.string(), flow: z.uuid() }),
  }),
  secondStep: post("/api/auth/second-step", {
    does: "Complete a sign-in with a code of the authenticator app, or a recovery code",
    body: z.object({ method: z.enum(["app", "recovery"]), code: z.string().trim().min(1).max(40) }),
    /** `recoveryCodes`: number of unused codes, present after one was used. */
    reply: z.object({ user, ...idToken.shape, recoveryCodes: z.int().optional() }),
  }),
  passkeyOptions: post("/api/auth/passkey-options", {
    does: "Get WebAuthn options to sign in with a passkey",
    reply: webAuthnMessage,
  }),
  passkey: post("/api/auth/passkey", {
    does: "Sign in with a passkey, or use it as second factor",
    body: z.object({ response: webAuthnMessage }),
    reply: z.object({ user, ...idToken.shape }),
  }),
  requestReset: post("/api/auth/reset-requests", {
    does: "Request a password reset email; same response for every address",
    body: z.object({ email }),
  }),
  reset: get("/api/auth/resets/:token", {
    does: "Get the account of a password reset link",
    params: token,
    reply: z.object({ email: z.string(), name: z.string() }),
  }),
  setPassword: post("/api/auth/resets/:token", {
    does: "Set a new password with a reset link",
    params: token,
    body: z.object({ password }),
    reply: z.object({ email: z.string() }),
  }),
  resendConfirmation: post("/api/auth/confirmation-requests", {
    does: "Resend the email verification",
    body: z.object({ email }),
  }),
  confirmation: get("/api/auth/confirmations/:token", {
    does: "Get the account of an email verification link",
    params: token,
    reply: z.object({ email: z.string(), name: z.string(), company: z.string() }),
  }),
  answerConfirmation: post("/api/auth/confirmations/:token", {
    does: "Verify an email address, or reject an account that someone else created with it",
    params: token,
    body: z.object({ mine: z.boolean() }),
  }),
  emailChange: get("/api/auth/email-changes/:token", {
    does: "Get the new address behind a link that confirms it",
    params: token,
    reply: z.object({ email: z.string() }),
  }),
  confirmEmailChange: post("/api/auth/email-changes/:token", {
    does: "Confirm the new email address of an account",
    params: token,
    reply: z.object({ email: z.string() }),
  }),
  me: get("/api/me", { does: "Get the signed-in user", reply: user }),
});

// Rules for new passwords (NIST SP 800-63B, 3.1.1): length matters more than character classes

export const MIN_PASSWORD_CHARS = 8;
/** Names and words below this length are no hint. */
const MIN_TERM_CHARS = 3;
/** A password that adds fewer letters than this to the person's own name or address is easy to guess. */
const MIN_OWN_LETTERS = 4;

export type PasswordOwner = { name: string; email: string | null };

/** Why a new password is refused, in the details of `auth.passwordWeak`; `auth.newPassword.because` has the texts. */
export const passwordWeakness = z.enum([
  "short",
  "own",
  "place",
  "common",
  "word",
  "phrase",
  "keyboard",
  "sequence",
  "repeat",
  "date",
]);
export type PasswordWeakness = z.infer<typeof passwordWeakness>;

/**
 * True for a new password that is weak as far as the browser can tell; the server also refuses passwords that are easy
 * to guess.
 */
export const isWeakPassword = (password: string, owner: PasswordOwner) =>
  password.length < MIN_PASSWORD_CHARS || isPersonal(password, owner);

/**
 * True if the password is the name or email address of the person, or parts of them, with digits, signs or few letters
 * added.
 */
function isPersonal(password: string, { name, email }: PasswordOwner) {
  const address = email ?? "";
  const terms = [name, address, ...name.split(/\s+/), ...address.split(/[@.+_-]/)]
    .map(lettersOf)
    .filter((term) => term.length >= MIN_TERM_CHARS)
    .toSorted((a, b) => b.length - a.length);
  const letters = lettersOf(password);
  const rest = terms.reduce((left, term) => left.replaceAll(term, ""), letters);
  return rest.length < letters.length && rest.length < MIN_OWN_LETTERS;
}

const lettersOf = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}]/gu, "");
