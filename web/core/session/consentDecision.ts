import { academy } from "#web/core/academy/academy.ts";
import { newId } from "#web/core/random.ts";
import { createStore } from "#web/core/store.ts";
import { readJson, storage } from "#web/core/storage/storage.ts";
import { isFlag, isOneOf, isText, isTrue, orAbsent, readShape } from "#web/core/shape.ts";
import { ALL_PREFERENCES, ONLY_ESSENTIAL, type Preferences } from "#shared/consent/consentPreferences.ts";
import {
  type Category,
  CONSENT_DAYS,
  CONSENT_KEYS,
  CONSENT_SOURCES,
  CONSENT_STATUSES,
  type ConsentMeta,
  type ConsentStatus,
} from "#shared/consent/consent.ts";
import { type ConsentService, declaresKey, services } from "#shared/consent/consentServices.ts";
import { isUuid } from "#shared/core/uuid.ts";

// The consent decision of this browser: read at startup, written by the banner, checked before anything is stored or
// loaded

/** `meta` is null for a decision without evidence of when and on which texts it was made. */
export type Decision = { status: ConsentStatus; preferences: Preferences; meta: ConsentMeta | null };

const DAY_MS = 86_400_000;
export const decision = createStore<Decision | null>(readDecision(), () => null);

/** True if the browser sends Global Privacy Control. */
export const hasGpc = () => (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true;

/** Reads the stored decision. One that has expired or was made on older texts is invalid, and its status is removed. */
function readDecision(): Decision | null {
  const status = storage.get(CONSENT_KEYS.status);
  if (!isOneOf(CONSENT_STATUSES, status)) return null;
  const preferences = readPreferences(status);
  const meta = readMeta();
  const version = academy.get()?.consent.version ?? 0;
  if (preferences && (!meta || (Date.parse(meta.expiresAt) > Date.now() && meta.policyVersion >= version)))
    return { status, preferences, meta };
  storage.remove(CONSENT_KEYS.status);
  return null;
}

function readMeta(): ConsentMeta | null {
  const meta = readShape<Omit<ConsentMeta, "gpc"> & { gpc?: boolean }>(readJson(CONSENT_KEYS.meta), {
    id: isUuid,
    policyVersion: Number.isInteger,
    textHash: isText,
    decidedAt: isText,
    expiresAt: isText,
    via: (value) => isOneOf(CONSENT_SOURCES, value),
    gpc: orAbsent(isFlag),
  });
  return meta && { ...meta, gpc: meta.gpc ?? false };
}

function readPreferences(status: ConsentStatus): Preferences | null {
  if (status === "accept_all") return ALL_PREFERENCES;
  if (status === "reject_all") return ONLY_ESSENTIAL;
  return readShape<Preferences>(readJson(CONSENT_KEYS.preferences), {
    essential: isTrue,
    analytical: isFlag,
    functional: isFlag,
    targeting: isFlag,
  });
}

/** Reads the decision again, after new texts or a decision in another tab. */
export const reloadDecision = () => {
  const next = readDecision();
  if (JSON.stringify(next) !== JSON.stringify(decision.get())) decision.set(next);
};

/** Stores a decision and clears the data of rejected services. */
export function saveDecision(status: ConsentStatus, preferences: Preferences, via: ConsentMeta["via"]) {
  const now = Date.now();
  const texts = academy.get()?.consent;
  const meta: ConsentMeta = {
    id: readMeta()?.id ?? newId(),
    policyVersion: texts?.version ?? 0,
    textHash: texts?.textHash ?? "",
    via,
    gpc: hasGpc(),
    decidedAt: new Date(now).toISOString(),
    expiresAt: new Date(now + CONSENT_DAYS * DAY_MS).toISOString(),
  };
  storage.set(CONSENT_KEYS.preferences, JSON.stringify(preferences));
  storage.set(CONSENT_KEYS.meta, JSON.stringify(meta));
  storage.set(CONSENT_KEYS.status, status);
  const saved = { status, preferences, meta };
  decision.set(saved);
  for (const service of services.filter((service) => !canRun(service))) clearStorageOf(service);
  return saved;
}

/** Removes the decision, so that the banner is shown again. */
export function resetDecision() {
  for (const key of Object.values(CONSENT_KEYS)) storage.remove(key);
  decision.set(null);
}

/**
 * True if the user has consented to a category; defaults do not count. With Global Privacy Control, Targeting must be
 * enabled individually: Accept All does not include it.
 */
export function isAllowed(category: Category) {
  const current = decision.get();
  if (category === "essential") return true;
  if (!current || !current.preferences[category]) return false;
  return !(category === "targeting" && hasGpc() && current.status !== "customized");
}

/** True if a service may store or load data: exempt services unless rejected, others only with consent. */
export const canRun = (service: ConsentService) =>
  decision.get() === null ? !service.needsPriorConsent : isAllowed(service.category);

/** True if display settings may be stored in this browser. */
export const canPersist = () => services.filter(({ id }) => id === "display").every(canRun);

/** Removes the stored values and script-accessible cookies of a rejected service. */
function clearStorageOf(service: ConsentService) {
  for (const key of storage.keys()) if (declaresKey(service, key)) storage.remove(key);
  for (const cookie of document.cookie.split("; ")) {
    const name = cookie.split("=")[0] ?? "";
    if (name && declaresKey(service, name)) document.cookie = `${name}=; path=/; max-age=0`;
  }
}
