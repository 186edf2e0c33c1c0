import { z } from "zod";
import { get, listQuery, page, post } from "#shared/route.ts";
import { isSignedIn } from "#shared/users.ts";

// Cookie consent: what is asked, what a decision is, what may run (spec sections 2, 3, 7 and 9)

/** Window event that opens the banner again: `dispatchEvent(new Event(OPEN_COOKIE_BANNER_EVENT))`. */
export const OPEN_COOKIE_BANNER_EVENT = "open-cookie-banner";
/** localStorage: the status as plain text, the preferences as JSON, and the proof of this browser as JSON. */
export const CONSENT_KEYS = {
  status: "cookieConsentStatus",
  preferences: "cookieConsent",
  meta: "cookieConsentMeta",
} as const;
/** localStorage: for whom the decision was sent to the server. */
export const CONSENT_SENT_KEY = "cookieConsentSent";
/** Days a decision holds; a refusal as long as a consent. */
export const CONSENT_DAYS = 182;

export const category = z.enum(["essential", "analytical", "functional", "targeting"]);
export type Category = z.infer<typeof category>;
export const consentStatus = z.enum(["accept_all", "reject_all", "customized"]);
export type ConsentStatus = z.infer<typeof consentStatus>;
export const preferences = z.strictObject({
  essential: z.literal(true),
  analytical: z.boolean(),
  functional: z.boolean(),
  targeting: z.boolean(),
});
export type Preferences = z.infer<typeof preferences>;

/** The constants of spec section 9. A default is a start for the toggles, never a consent. */
export const DEFAULT_PREFERENCES: Preferences = {
  essential: true,
  analytical: true,
  functional: true,
  targeting: false,
};
export const ALL_PREFERENCES: Preferences = { essential: true, analytical: true, functional: true, targeting: true };
export const ONLY_ESSENTIAL: Preferences = { essential: true, analytical: false, functional: false, targeting: false };

const equal = (a: Preferences, b: Preferences) => category.options.every((one) => a[one] === b[one]);
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

/** Where a decision was made: `sync` is one that was made before signing in. */
export const consentVia = z.enum(["banner", "dialog", "settings", "sync"]);
/** What the browser keeps beside the two keys of the spec. `gpc`: the browser sent Global Privacy Control. Times are ISO strings. */
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
/** The proof travels in headers, so that the body stays as in the spec. */
export const CONSENT_HEADERS = {
  id: "x-consent-id",
  text: "x-consent-text",
  decidedAt: "x-consent-decided-at",
  via: "x-consent-via",
  gpc: "sec-gpc",
} as const;

// What is registered: nothing else may store or load anything

/** One thing that stores or loads something in the browser, with all that has to be said before the choice (CJEU C-673/17). */
export type ConsentService = {
  id: string;
  category: Category;
  name: string;
  purpose: string;
  lifetime: string;
  recipient: string;
  /** False only for what is exempt (ePrivacy Art. 5(3)): strictly necessary, or a choice that the person just made. */
  needsPriorConsent: boolean;
  /** Names of cookies, storage keys and databases; `*` at the end stands for the rest. Removed when the person refuses. */
  keys: string[];
};

const FIRST_PARTY = "This academy alone";
export const services: ConsentService[] = [
  {
    id: "sign-in",
    category: "essential",
    name: "Login",
    purpose: "Keeps you logged in",
    lifetime: "14 days after your last visit",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: ["lyceum.*", "__Host-lyceum.*", "user", "redirectTo", "signOutDue"],
  },
  {
    id: "consent",
    category: "essential",
    name: "Your cookie choice",
    purpose: "Remembers what you decided here",
    lifetime: "182 days",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: [...Object.values(CONSENT_KEYS), CONSENT_SENT_KEY],
  },
  {
    id: "journal",
    category: "essential",
    name: "Course journal",
    purpose: "Holds answers until they are saved",
    lifetime: "Until they are saved, at most 30 days",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: ["lyceum-journal", "lyceum-window"],
  },
  {
    id: "place",
    category: "essential",
    name: "Place on a page",
    purpose: "Brings you back to where you were when you go back",
    lifetime: "Until the tab is closed",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: ["react-router-scroll-positions"],
  },
  {
    id: "brand",
    category: "essential",
    name: "Company colours",
    purpose: "Shows the pages of your company in its colours",
    lifetime: "Until you log out",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: ["brand"],
  },
  {
    id: "display",
    category: "functional",
    name: "Display choices",
    purpose: "Remembers light or dark, a folded menu, hidden columns, once you choose them",
    lifetime: "Until you clear them",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: ["mantine-color-scheme-value", "sidebar-collapsed", "columns:*"],
  },
];

/** True for a cookie, storage key or database that the service declares. */
export const declaresKey = (service: ConsentService, key: string) =>
  service.keys.some((one) => (one.endsWith("*") ? key.startsWith(one.slice(0, -1)) : one === key));

/** Where a toggle stands before a decision: on only where the spec says so and nothing registered there needs consent first. */
export const initialToggle = (
  one: Category,
  { strict = false, gpc = false, list = services }: { strict?: boolean; gpc?: boolean; list?: ConsentService[] } = {},
) =>
  one === "essential" ||
  (DEFAULT_PREFERENCES[one] &&
    !strict &&
    !(gpc && one === "targeting") &&
    !list.some((service) => service.category === one && service.needsPriorConsent));

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

export const consents = {
  record: post("/api/recordConsent", {
    does: "Record a cookie decision of the signed-in person",
    body: consentInput,
    reply: consentRecord,
  }),
  list: get("/api/consents", { does: "The own decisions, newest first", query: listQuery, reply: page(consentRecord) }),
};
