import { z } from "zod";
import { hexColor } from "#shared/branding.ts";
import { changes, get, listQuery, page, patch, post } from "#shared/route.ts";
import { anyone, isAdmin } from "#shared/users.ts";

// The academy as a whole: its name, its look on public pages, its privacy policy

export const settingsInput = z.object({
  academyName: z.string().trim().min(1).max(60),
  /** Headline and lead of the public start page; empty means the product's own. */
  headline: z.string().trim().max(90).default(""),
  tagline: z.string().trim().max(240).default(""),
  about: z.string().trim().max(4000).default(""),
  color: hexColor.nullable().default(null),
  supportEmail: z.union([z.literal(""), z.email()]).default(""),
  /** Days until the last backup of a day is gone; null when it is not known. */
  backupDays: z.int().min(0).max(3650).nullable().default(null),
});
export type SettingsInput = z.infer<typeof settingsInput>;
const version = z.int().min(1);
export const settings = settingsInput.extend({
  color: z.string().nullable(),
  supportEmail: z.string(),
  version,
  updatedAt: z.string(),
});
export type Settings = z.infer<typeof settings>;

/** Longest policy text, in characters. */
export const POLICY_CHARS = 60_000;
export const policyVersion = z.object({
  version: z.int(),
  sha256: z.string(),
  publishedAt: z.string(),
  publishedBy: z.string().nullable(),
});
export const policy = policyVersion.omit({ publishedBy: true }).extend({ body: z.string() });

/** What everybody may know; it also comes inside every page, so that the first paint has the right name and colour. */
export const academy = z.object({
  name: z.string(),
  headline: z.string(),
  tagline: z.string(),
  about: z.string(),
  color: z.string().nullable(),
  supportEmail: z.string(),
  /** Address of the privacy policy: our own page, or another one (PRIVACY_POLICY_URL). */
  policyUrl: z.string(),
  /** The cookie texts as they stand: a higher version asks again. `strict`: no toggle starts on (CONSENT_STRICT). */
  consent: z.object({ version: z.int(), textHash: z.string(), strict: z.boolean() }),
});
export type Academy = z.infer<typeof academy>;
/** Id of the element of a page that carries the academy as JSON. */
export const ACADEMY_ELEMENT = "academy";

export const canManageSettings = isAdmin;
export const canReadAcademy = anyone;

export const academies = {
  read: get("/api/academy", { does: "Name, look and policy of this academy, for everybody", reply: academy }),
  policy: get("/api/academy/policy", {
    does: "The privacy policy as it stands, or an earlier version",
    query: z.object({ version: z.coerce.number().int().min(1).optional() }),
    reply: policy,
  }),
  settings: get("/api/settings", { does: "The settings of the academy", reply: settings }),
  update: patch("/api/settings", {
    does: "Change settings; 409 when someone changed them since `version`",
    body: changes(settingsInput).extend({ version }),
    reply: settings,
  }),
  policies: get("/api/settings/policies", {
    does: "Published versions of the privacy policy",
    query: listQuery,
    reply: page(policyVersion),
  }),
  publishPolicy: post("/api/settings/policies", {
    does: "Publish a new version of the privacy policy; everybody is asked for their cookie choice again. 409 when `after` is not the newest any more",
    body: z.object({ body: z.string().trim().min(1).max(POLICY_CHARS), after: z.int().min(0) }),
    reply: policy,
  }),
};
