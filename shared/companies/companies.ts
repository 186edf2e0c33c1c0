import { z } from "zod";
import { pinLogin } from "#shared/auth/pins.ts";
import { brand, hexColor } from "#shared/settings/branding.ts";
import { measuredKind } from "#shared/core/measuredKinds.ts";
import { instant } from "#shared/core/dates.ts";
import { erasurePolicy } from "#shared/privacy/privacy.ts";
import {
  defineContracts,
  changes,
  del,
  get,
  listQuery,
  page,
  patch,
  post,
  put,
  MIB,
  sortBy,
} from "#shared/core/route.ts";
import { isAdmin, withReauth } from "#shared/core/users.ts";

// Companies. A company is a tenant: rows of people and learning carry its id

/** Characters of an access code, without the look-alikes 0/O and 1/I/L. */
export const CODE_ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
export const CODE_LENGTH = 8;
/** Normalises a typed code: upper case, without spaces and hyphens. */
export const normaliseCode = (typed: string) => typed.toUpperCase().replace(/[\s-]/g, "");
/** Formats a code in groups of four: `NRV7KQ2M` → `NRV7 KQ2M`. */
export const formatCode = (code: string) => code.replace(/(.{4})(?=.)/g, "$1 ");

export const companyStatus = z.enum(["active", "suspended", "archived"]);
/** Maximum logo size in bytes. */
export const LOGO_BYTES = 512 * 1024;

/** Domain of an email address: `example.com`. */
export const emailDomain = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(?=.{3,253}$)([a-z0-9-]+\.)+[a-z]{2,}$/, { error: "companies.badDomain" });
/** An IANA time zone: `Europe/Berlin`. */
export const timezone = z.string().refine(
  (zone) => {
    try {
      Intl.DateTimeFormat("en", { timeZone: zone });
      return true;
    } catch {
      return false;
    }
  },
  { error: "companies.badTimezone" },
);
/** Zones by name only: PostgreSQL reads the sign of an offset the other way round. */
export const namedZone = timezone.refine((name) => !/^[+-]/.test(name), { error: "companies.badTimezone" });

export const codePolicy = z.object({
  codeEnabled: z.boolean().default(true),
  codeExpiresAt: instant.nullable().default(null),
  codeMaxUses: z.int().min(1).max(1_000_000).nullable().default(null),
  allowedDomains: z.array(emailDomain).max(50).default([]),
});

export const companyInput = z.object({
  name: z.string().trim().min(1).max(120),
  timezone: timezone.default("UTC"),
  contactName: z.string().trim().max(120).default(""),
  contactEmail: z.union([z.literal(""), z.email()]).default(""),
  learnerLimit: z.int().min(1).max(1_000_000).nullable().default(null),
  notes: z.string().trim().max(4000).default(""),
  color: hexColor.nullable().default(null),
  welcome: z.string().trim().max(500).default(""),
  /** What happens to the results of an erased learner; `retentionYears` applies to the policy `retain`. */
  erasurePolicy: erasurePolicy.default("anonymise"),
  retentionYears: z.int().min(1).max(30).default(5),
  /** Whether providers of language models read placeholders in place of names, email addresses and phone numbers. */
  maskNames: z.boolean().default(false),
  /** Whether pages are recorded during sessions of learners who consent, and for how many days recordings are kept. */
  recordPages: z.boolean().default(false),
  recordingDays: z.int().min(1).max(3650).default(90),
  /** Whether people may have no email address, and how they log in. */
  pinLogin: pinLogin.default("off"),
  ...codePolicy.shape,
});
export type CompanyInput = z.infer<typeof companyInput>;

/** Incremented with every change; an update sends the version it is based on (optimistic locking). */
const version = z.int().min(1);

export const company = companyInput.extend({
  id: z.uuid(),
  slug: z.string(),
  status: companyStatus,
  accessCode: z.string(),
  codeUsedCount: z.int(),
  previousCode: z.string().nullable(),
  previousCodeUntil: z.string().nullable(),
  contactEmail: z.string(),
  color: z.string().nullable(),
  codeExpiresAt: z.string().nullable(),
  logo: z.string().nullable(),
  version,
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Company = z.infer<typeof company>;

export const companyNumbers = z.object({
  /** Active, invited and suspended learners. */
  learners: z.int(),
  /** Those who take a seat: all but suspended ones. */
  seats: z.int(),
  invited: z.int(),
  courses: z.int(),
  assigned: z.int(),
  completed: z.int(),
  overdue: z.int(),
  /** Null where the company does not show it; so is the last activity. */
  activeSeconds: z.int().nullable(),
  lastActivity: z.string().nullable(),
});
export const companyRow = company.extend({
  ...companyNumbers.shape,
  /** What the company shows to nobody but the person. */
  hidden: z.array(measuredKind),
});
export type CompanyRow = z.infer<typeof companyRow>;

/** A company that a filter or a field offers. */
export const companyChoice = company.pick({ id: true, name: true, status: true });

/** A course of a company. `everybody`: also assigned to people who join later. */
export const companyCourse = z.object({
  id: z.uuid(),
  title: z.string(),
  everybody: z.boolean(),
  /** Earliest and latest due date of those who have not completed it; of all, if everybody has. */
  dueFrom: z.string().nullable(),
  dueTo: z.string().nullable(),
  assigned: z.int(),
  completed: z.int(),
  overdue: z.int(),
});
export type CompanyCourse = z.infer<typeof companyCourse>;

// Who may do what

export const canManageCompanies = isAdmin;
/** Suspending or archiving a company, which ends the sessions of all its people, requires recent authentication. */
export const canSetCompanyStatus = withReauth(isAdmin, (_, body) => (body as { status: string }).status !== "active");

// Endpoints

export const companySort = sortBy("name", "learners", "completed", "overdue", "lastActivity");
const list = listQuery.extend({
  status: companyStatus.optional(),
  courseId: z.uuid().optional(),
  sort: companySort.default("name"),
});

export const companies = defineContracts("companies", {
  list: get("/api/companies", {
    keyScope: "learners:read",
    does: "List companies with their statistics",
    query: list,
    reply: page(companyRow),
  }),
  choices: get("/api/companies/choices", {
    does: "List the names of companies that are not archived, for filters and fields",
    reply: page(companyChoice),
  }),
  get: get("/api/companies/:id", { does: "Get a company", reply: companyRow }),
  create: post("/api/companies", {
    does: "Create a company and its access code; its time zone is that of the academy unless another is given",
    body: companyInput.extend({ timezone: timezone.optional() }),
    reply: company,
  }),
  update: patch("/api/companies/:id", {
    does: "Change a company; 409 if it changed since `version`",
    body: changes(companyInput).extend({ version }),
    reply: company,
  }),
  rotateCode: post("/api/companies/:id/code", {
    does: "Create a new access code; the old one works for `graceDays` more days",
    body: z.object({ graceDays: z.int().min(0).max(90).default(7), version }),
    reply: company,
  }),
  setStatus: post("/api/companies/:id/status", {
    does: "Suspend, archive or reactivate a company",
    body: z.object({ status: companyStatus, version }),
    reply: company,
  }),
  setLogo: put("/api/companies/:id/logo", {
    maxBytes: 1 * MIB,
    does: "Set the logo (PNG, JPEG or WebP as data URL)",
    body: z.object({ dataUrl: z.string().max(LOGO_BYTES * 1.4), version }),
    reply: company,
  }),
  removeLogo: del("/api/companies/:id/logo", {
    does: "Remove the logo",
    query: z.object({ version: z.coerce.number().int() }),
    reply: company,
  }),
  courses: get("/api/companies/:id/courses", {
    does: "List the courses of a company with their statistics",
    reply: page(companyCourse),
  }),
  removeCourse: del("/api/companies/:id/courses/:courseId", {
    does:
      "Withdraw a course from a company: learners who have not completed it lose access, people who join later do " +
      "not get it; progress is kept",
    params: z.object({ id: z.uuid(), courseId: z.uuid() }),
    reply: z.object({ withdrawn: z.int(), undoId: z.uuid() }),
  }),
  brand: get("/api/brand", {
    does: "Get name, colour and logo of my company",
    reply: brand.nullable(),
  }),
});
