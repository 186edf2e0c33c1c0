import { academy } from "#web/core/brand/academy.ts";
import { createStore } from "#web/core/store.ts";
import { readJson, storage } from "#web/core/session/storage.ts";
import {
  ALL_PREFERENCES,
  type Category,
  CONSENT_DAYS,
  CONSENT_KEYS,
  consentMeta,
  type ConsentMeta,
  type ConsentService,
  consentStatus,
  type ConsentStatus,
  declaresKey,
  ONLY_ESSENTIAL,
  preferences as preferencesShape,
  type Preferences,
  services,
} from "#shared/consent.ts";

// The decision of this browser: read at the start, written by the banner, asked by everything that stores or loads something

/** `meta` is null for a decision that carries no proof. */
export type Decision = { status: ConsentStatus; preferences: Preferences; meta: ConsentMeta | null };

const DAY_MS = 86_400_000;
export const decision = createStore<Decision | null>(read(), () => null);

/** The browser asks not to be tracked (Global Privacy Control). */
export const hasGpc = () => (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true;

/** The stored decision; one that is past its date or was made on older texts counts no more, and its status is taken away. */
function read(): Decision | null {
  const status = consentStatus.safeParse(storage.get(CONSENT_KEYS.status));
  if (!status.success) return null;
  const given =
    status.data === "accept_all"
      ? ALL_PREFERENCES
      : status.data === "reject_all"
        ? ONLY_ESSENTIAL
        : preferencesShape.safeParse(readJson(CONSENT_KEYS.preferences)).data;
  const meta = consentMeta.safeParse(readJson(CONSENT_KEYS.meta)).data ?? null;
  const version = academy.get()?.consent.version ?? 0;
  if (given && (!meta || (Date.parse(meta.expiresAt) > Date.now() && meta.policyVersion >= version)))
    return { status: status.data, preferences: given, meta };
  storage.remove(CONSENT_KEYS.status);
  return null;
}

/** Looks again: new texts came, or another tab decided. */
export const rereadDecision = () => {
  const next = read();
  if (JSON.stringify(next) !== JSON.stringify(decision.get())) decision.set(next);
};

/** Takes a decision down and stops what was refused. */
export function decide(status: ConsentStatus, preferences: Preferences, via: ConsentMeta["via"]) {
  const now = Date.now();
  const text = academy.get()?.consent;
  const meta: ConsentMeta = {
    id: consentMeta.safeParse(readJson(CONSENT_KEYS.meta)).data?.id ?? randomId(),
    policyVersion: text?.version ?? 0,
    textHash: text?.textHash ?? "",
    via,
    gpc: hasGpc(),
    decidedAt: new Date(now).toISOString(),
    expiresAt: new Date(now + CONSENT_DAYS * DAY_MS).toISOString(),
  };
  storage.set(CONSENT_KEYS.preferences, JSON.stringify(preferences));
  storage.set(CONSENT_KEYS.meta, JSON.stringify(meta));
  storage.set(CONSENT_KEYS.status, status);
  const made = { status, preferences, meta };
  decision.set(made);
  for (const service of services.filter((one) => !mayRun(one))) clear(service);
  return made;
}

/** Takes the decision back: the banner asks again. */
export function forgetDecision() {
  for (const key of Object.values(CONSENT_KEYS)) storage.remove(key);
  decision.set(null);
}

/**
 * True once somebody has said yes to a category; a default is no yes. With Global Privacy Control, Targeting needs its own
 * switch: Accept All does not reach it.
 */
export function allowed(category: Category) {
  const made = decision.get();
  if (category === "essential") return true;
  if (!made || !made.preferences[category]) return false;
  return !(category === "targeting" && hasGpc() && made.status !== "customized");
}

/** Whether a registered thing may store or load: the exempt ones until they are refused, the others only when allowed. */
export const mayRun = (service: ConsentService) =>
  decision.get() === null ? !service.needsPriorConsent : allowed(service.category);

/** Whether display choices may be kept in this browser. */
export const mayRemember = () => services.filter(({ id }) => id === "display").every(mayRun);

/** Removes what a refused service left: storage, cookies that scripts can reach, databases. */
function clear(service: ConsentService) {
  for (const key of storage.keys()) if (declaresKey(service, key)) storage.remove(key);
  for (const cookie of document.cookie.split("; ")) {
    const name = cookie.split("=")[0] ?? "";
    if (name && declaresKey(service, name)) document.cookie = `${name}=; path=/; max-age=0`;
  }
}

/** A random uuid, also where the page is not a secure context. */
function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return [...bytes]
    .map((byte, at) => ([4, 6, 8, 10].includes(at) ? "-" : "") + byte.toString(16).padStart(2, "0"))
    .join("");
}
