import {
  type Category,
  CONSENT_KEYS,
  CONSENT_SENT_KEY,
  JOURNAL_DATABASE,
  UNSENT_DATABASE,
  LESSON_DRAFT_DATABASE,
  UPLOAD_DATABASE,
} from "#shared/consent/consent.ts";
import { DEFAULT_PREFERENCES } from "#shared/consent/consentPreferences.ts";

// Registered services: nothing else may store or load anything in the browser

/**
 * A service that stores or loads data in the browser, with the information people need before they choose (CJEU
 * C-673/17).
 */
export type ConsentService = {
  id: string;
  category: Category;
  name: string;
  purpose: string;
  lifetime: string;
  recipient: string;
  /** False only for exempt services (ePrivacy Art. 5(3)): strictly necessary, or explicitly requested by the person. */
  needsPriorConsent: boolean;
  /**
   * Names of cookies, storage keys, databases and caches; a trailing `*` is a wildcard. Over HTTPS, cookies have the
   * prefix `__Host-`. Removed when the person refuses.
   */
  keys: string[];
};

const FIRST_PARTY = "This academy only";
export const services: ConsentService[] = [
  {
    id: "sign-in",
    category: "essential",
    name: "Login",
    purpose: "Keeps you logged in",
    lifetime: "14 days after your last visit, at most 30 days after your login",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: ["lyceum.session_token", "user", "signOutDue"],
  },
  {
    id: "sign-in-steps",
    category: "essential",
    name: "Steps of a login",
    purpose: "Connects the steps of a login, and leads to the page that asked for it",
    lifetime: "One hour, or until the tab is closed",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: ["lyceum.browser", "lyceum.step", "redirectTo"],
  },
  {
    id: "pin-device",
    category: "essential",
    name: "Login with a personnel number",
    purpose: "Remembers the company that was used last on this device, and whether several people use it",
    lifetime: "Until you delete it",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: ["pinDevice"],
  },
  {
    id: "known-device",
    category: "essential",
    name: "Known browser",
    purpose: "Recognises a browser in which you have logged in, so that attackers elsewhere cannot lock you out",
    lifetime: "365 days",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: ["lyceum.known"],
  },
  {
    id: "consent",
    category: "essential",
    name: "Your cookie choice",
    purpose: "Remembers your cookie choice",
    lifetime: "182 days",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: [...Object.values(CONSENT_KEYS), CONSENT_SENT_KEY],
  },
  {
    id: "journal",
    category: "essential",
    name: "Course journal",
    purpose: "Stores answers until they are saved on the server",
    lifetime: "Until saved, at most 30 days",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: [JOURNAL_DATABASE, UNSENT_DATABASE, "lyceum-window", "lyceum-tail *", "lyceum-attempt"],
  },
  {
    id: "chat",
    category: "essential",
    name: "Chat",
    purpose: "Keeps a message until it has reached the server, and what is being typed",
    lifetime: "Until it is sent; for visitors until the tab is closed",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: ["chat.unsent.*", "chat.draft.*", "chatVisit.*"],
  },
  {
    id: "uploads",
    category: "essential",
    name: "Uploads",
    purpose: "Continues an interrupted upload, with a copy of the file",
    lifetime: "Until it is complete or you log out, at most 7 days",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: [UPLOAD_DATABASE],
  },
  {
    id: "lesson-drafts",
    category: "essential",
    name: "Lesson drafts",
    purpose: "Keeps what authors write in lessons until it has reached the server",
    lifetime: "Until it is sent",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: [LESSON_DRAFT_DATABASE],
  },
  {
    id: "event-form",
    category: "essential",
    name: "Event registration",
    purpose: "Keeps what you typed into the form, and shows the result",
    lifetime: "Until the tab is closed",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: ["event-draft:*", "event-registered:*"],
  },
  {
    id: "check-in",
    category: "essential",
    name: "Check-in",
    purpose: "Lets organisers check in guests without network: guest list and check-ins that are not sent yet",
    lifetime: "Guest list until you log out, at most two days after the event; check-ins until they are sent",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: ["lyceum-check-in"],
  },
  {
    id: "place",
    category: "essential",
    name: "Scroll position",
    purpose: "Restores your position on a page when you go back",
    lifetime: "Until the tab is closed",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: ["react-router-scroll-positions"],
  },
  {
    id: "brand",
    category: "essential",
    name: "Company colours",
    purpose: "Shows pages in your company's colours",
    lifetime: "Until you log out",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: ["brand"],
  },
  {
    id: "display",
    category: "functional",
    name: "Display settings",
    purpose: "Remembers light or dark mode, a collapsed menu, hidden columns, and camera and sound of the check-in",
    lifetime: "Until you clear them",
    recipient: FIRST_PARTY,
    needsPriorConsent: false,
    keys: ["mantine-color-scheme-value", "sidebar-collapsed", "columns:*", "check-in-camera", "check-in-sound"],
  },
];

/** Id of the service for recordings of the page. */
export const RECORDING_SERVICE = "recording";
/** Registered while at least one company records. It reads the page; it stores nothing in the browser. */
export const recordingService: ConsentService = {
  id: RECORDING_SERVICE,
  category: "analytical",
  name: "Page recordings",
  purpose:
    "Records the pages of a course and your clicks while you learn, if your company has switched it on; admins can " +
    "replay it. What you type is masked from three characters on, unless a page shows it letter by letter or " +
    "rewritten; what you choose can be seen",
  lifetime: "On the server for the days that your company has set, 90 without a setting; until you reject Analytical",
  recipient: "Admins of this academy",
  needsPriorConsent: true,
  keys: [],
};
/** All registered services. `records`: at least one company records pages. */
export const listServices = (records: boolean) => (records ? [...services, recordingService] : services);

const isNamed = (name: string, key: string) => (name.endsWith("*") ? key.startsWith(name.slice(0, -1)) : name === key);
/** True if the service declares this cookie, storage key, database or cache. */
export const declaresKey = (service: ConsentService, key: string) =>
  service.keys.some((name) => isNamed(name, key.replace(/^__Host-/, "")));

/**
 * Initial state of a category's toggle: on only if on by default and no service of the category needs prior consent.
 */
export const initialToggle = (
  name: Category,
  { strict = false, gpc = false, list = services }: { strict?: boolean; gpc?: boolean; list?: ConsentService[] } = {},
) =>
  name === "essential" ||
  (DEFAULT_PREFERENCES[name] &&
    !strict &&
    !(gpc && name === "targeting") &&
    !list.some((service) => service.category === name && service.needsPriorConsent));
