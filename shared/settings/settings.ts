import { z } from "zod";
import { LOGO_BYTES, namedZone } from "#shared/companies/companies.ts";
import { hexColor } from "#shared/settings/branding.ts";
import { defineContracts, changes, del, get, listQuery, page, patch, post, put, MIB } from "#shared/core/route.ts";
import { anyone, isAcademyAdmin, withReauth } from "#shared/core/users.ts";

// Settings of the academy: name, appearance of public pages, privacy policy

/** Maximum width and height of a logo, in px. */
export const LOGO_PIXELS = 4000;
/** Path of the logo of the academy. */
export const LOGO_PATH = "/api/academy/logo";
export const logo = z.object({ url: z.string(), width: z.int(), height: z.int() });
export type AcademyLogo = z.infer<typeof logo>;

export const settingsInput = z.object({
  academyName: z.string().trim().min(1).max(60),
  /** Headline and introduction of the public home page; empty: the product's default. */
  headline: z.string().trim().max(90).default(""),
  tagline: z.string().trim().max(240).default(""),
  about: z.string().trim().max(4000).default(""),
  color: hexColor.nullable().default(null),
  supportEmail: z.union([z.literal(""), z.email()]).default(""),
  /** Days backups are retained; null if unknown. */
  backupDays: z.int().min(0).max(3650).nullable().default(null),
  /** Used where neither a company nor an event has its own; null counts as UTC. */
  timeZone: namedZone.nullable().default(null),
});
export type SettingsInput = z.infer<typeof settingsInput>;
const version = z.int().min(1);
export const settings = settingsInput.extend({
  color: z.string().nullable(),
  supportEmail: z.string(),
  timeZone: z.string().nullable(),
  logo: logo.nullable(),
  version,
  updatedAt: z.string(),
});
export type Settings = z.infer<typeof settings>;

/** Maximum length of the policy text in characters. */
export const POLICY_CHARS = 60_000;
export const policyVersion = z.object({
  version: z.int(),
  sha256: z.string(),
  publishedAt: z.string(),
  publishedBy: z.string().nullable(),
});
export const policy = policyVersion.omit({ publishedBy: true }).extend({ body: z.string() });

/**
 * Public details of the academy; also embedded in every page, so that the first paint has the right name and colour.
 */
export const academy = z.object({
  name: z.string(),
  headline: z.string(),
  tagline: z.string(),
  about: z.string(),
  color: z.string().nullable(),
  supportEmail: z.string(),
  logo: logo.nullable(),
  timeZone: z.string().nullable(),
  /** URL of the privacy policy: a page of this server, or PRIVACY_POLICY_URL. */
  policyUrl: z.string(),
  /**
   * Current cookie texts: people are asked again after a new version. `strict`: no toggle is on initially
   * (CONSENT_STRICT).
   */
  consent: z.object({
    version: z.int(),
    textHash: z.string(),
    strict: z.boolean(),
    /** At least one company records pages. */
    recordsPages: z.boolean(),
  }),
});
export type Academy = z.infer<typeof academy>;
/** Id of the page element that contains the academy as JSON. */
export const ACADEMY_ELEMENT = "academy";

export const canManageSettings = isAcademyAdmin;
/** Requires recent authentication, because everybody sees and agrees to the texts and the policy of the academy. */
export const canChangeSettings = withReauth(canManageSettings);
export const canReadAcademy = anyone;

export const academies = defineContracts("settings", {
  read: get("/api/academy", { does: "Get public name, appearance and policy of this academy", reply: academy }),
  policy: get("/api/academy/policy", {
    does: "Get the current or an earlier version of the privacy policy",
    query: z.object({ version: z.coerce.number().int().min(1).optional() }),
    reply: policy,
  }),
  settings: get("/api/settings", {
    does: "Get the settings of the academy",
    reply: settings.extend({ lastBackup: z.string().nullable() }),
  }),
  update: patch("/api/settings", {
    maxBytes: 1 * MIB,
    does: "Change settings; 409 if they changed since `version`",
    body: changes(settingsInput).extend({ version }),
    reply: settings,
  }),
  setLogo: put("/api/settings/logo", {
    maxBytes: 1 * MIB,
    does: "Replace the logo of the academy: PNG, JPEG, WebP, or SVG without scripts; 409 if the settings changed",
    body: z.object({ dataUrl: z.string().max(LOGO_BYTES * 1.4), version }),
    reply: settings,
  }),
  removeLogo: del("/api/settings/logo", {
    does: "Remove the logo of the academy; 409 if the settings changed",
    query: z.object({ version: z.coerce.number().int().min(1) }),
    reply: settings,
  }),
  policies: get("/api/settings/policies", {
    does: "List the published versions of the privacy policy",
    query: listQuery,
    reply: page(policyVersion),
  }),
  publishPolicy: post("/api/settings/policies", {
    maxBytes: 1 * MIB,
    does:
      "Publish a new version of the privacy policy; everyone is asked for their cookie choice again. " +
      "409 if `after` is no longer the newest",
    body: z.object({ body: z.string().trim().min(1).max(POLICY_CHARS), after: z.int().min(0) }),
    reply: policy,
  }),
});
