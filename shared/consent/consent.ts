import { z } from "zod";
import { defineContracts, get, listQuery, page, post } from "#shared/core/route.ts";
import { isSignedIn } from "#shared/core/users.ts";
import { preferences, type Preferences, ALL_PREFERENCES, ONLY_ESSENTIAL } from "#shared/consent/consentPreferences.ts";

/** A record of consent is evidence, and is kept for this long after it has expired. */
export const CONSENT_RECORD_YEARS = 3;

// Cookie consent: categories, decisions, and the services that need one

/** Window event that reopens the banner: `dispatchEvent(new Event(OPEN_COOKIE_BANNER_EVENT))`. */
export const OPEN_COOKIE_BANNER_EVENT = "open-cookie-banner";
/** The IndexedDB databases of unsent session events and of unfinished uploads. */
export const JOURNAL_DATABASE = "lyceum-journal";
/** The IndexedDB database of the content origin with the events that the application has not received. */
export const UNSENT_DATABASE = "lyceum-unsent";
export const UPLOAD_DATABASE = "lyceum-uploads";
/** The IndexedDB database of what was written in lessons and is not on the server yet. */
export const LESSON_DRAFT_DATABASE = "lyceum-lesson-drafts";
/** localStorage keys: the status as plain text, the preferences as JSON, and the evidence of the decision as JSON. */
export const CONSENT_KEYS = {
  status: "cookieConsentStatus",
  preferences: "cookieConsent",
  meta: "cookieConsentMeta",
} as const;
/** localStorage key: the user whose decision was sent to the server. */
export const CONSENT_SENT_KEY = "cookieConsentSent";
/** Days a decision is valid; the same for consent and refusal. */
export const CONSENT_DAYS = 182;

export const CATEGORIES = ["essential", "analytical", "functional", "targeting"] as const;
export const category = z.enum(CATEGORIES);
export type Category = z.infer<typeof category>;
export const CONSENT_STATUSES = ["accept_all", "reject_all", "customized"] as const;
export const consentStatus = z.enum(CONSENT_STATUSES);
export type ConsentStatus = z.infer<typeof consentStatus>;
const equal = (a: Preferences, b: Preferences) => CATEGORIES.every((key) => a[key] === b[key]);
export const consentInput = z
  .strictObject({ status: consentStatus, preferences })
  .refine(({ status, preferences: p }) => status !== "accept_all" || equal(p, ALL_PREFERENCES), {
    error: "consent.acceptsAll",
    path: ["preferences"],
  })
  .refine(({ status, preferences: p }) => status !== "reject_all" || equal(p, ONLY_ESSENTIAL), {
    error: "consent.rejectsAll",
    path: ["preferences"],
  });

/** Where a decision was made; `sync`: before signing in, recorded afterwards. */
export const CONSENT_SOURCES = ["banner", "dialog", "settings", "sync"] as const;
export const consentVia = z.enum(CONSENT_SOURCES);
/**
 * Evidence stored in the browser with the decision. `gpc`: the browser sent Global Privacy Control. Times are ISO
 * strings.
 */
export const consentMeta = z.object({
  id: z.uuid(),
  policyVersion: z.int(),
  textHash: z.string(),
  decidedAt: z.string(),
  expiresAt: z.string(),
  via: consentVia,
  gpc: z.boolean().default(false),
});
export type ConsentMeta = z.infer<typeof consentMeta>;
/** Request headers with the evidence of a decision; the body holds only the status and the preferences. */
export const CONSENT_HEADERS = {
  id: "x-consent-id",
  text: "x-consent-text",
  decidedAt: "x-consent-decided-at",
  via: "x-consent-via",
  gpc: "sec-gpc",
} as const;

export const consentRecord = z.object({
  id: z.uuid(),
  status: consentStatus,
  preferences,
  policyVersion: z.int(),
  via: consentVia,
  gpc: z.boolean(),
  decidedAt: z.string(),
  recordedAt: z.string(),
  expiresAt: z.string(),
  browser: z.string().nullable(),
});
export type ConsentRecord = z.infer<typeof consentRecord>;

export const canRecordConsent = isSignedIn;

export const consents = defineContracts("consents", {
  record: post("/api/recordConsent", {
    does: "Record my cookie decision",
    body: consentInput,
    reply: consentRecord,
  }),
  list: get("/api/consents", {
    does: "List my cookie decisions, newest first",
    query: listQuery,
    reply: page(consentRecord),
  }),
});
