import { z } from "zod";
import { day } from "#shared/core/dates.ts";
import { defineContracts, del, get, KIB, listQuery, page, post } from "#shared/core/route.ts";
import { anyone, isAdmin } from "#shared/core/users.ts";
import { requirementState, stateCounts } from "#shared/requirements/requirements.ts";

// Audit packs: what a company required, who held it and how it was completed, as of an instant, for auditors

/** The most packs of a company, links of a pack, and samples drawn by a link. */
export const MAX_PACKS = 200;
export const MAX_LINKS = 50;
export const MAX_SAMPLES = 100;
/** The most downloads by a link in an hour. */
export const MAX_DOWNLOADS = 10;
/** The most people in a sample. */
export const MAX_SAMPLE = 200;
/** The longest period of a pack. */
export const MAX_PERIOD_DAYS = 366 * 5;
/** Days for which a link may work. */
export const LINK_DAYS = [1, 7, 14, 30, 90] as const;
export type LinkDays = (typeof LINK_DAYS)[number];

/** `waiting`: its files are being summed up for the first time; `checking`: again. */
export const packState = z.enum(["waiting", "made", "checking", "failed"]);
export type PackState = z.infer<typeof packState>;

export const packFile = z.object({
  path: z.string(),
  rows: z.int(),
  bytes: z.int(),
  /** SHA-256 of the file, 64 hex digits. */
  sha256: z.string(),
  /** The sum of its rows without names and titles, 64 hex digits; null for files without rows. */
  records: z.string().nullable(),
});
export type PackFile = z.infer<typeof packFile>;

/** A file that was made again: the same bytes; other names or titles in the same records; or other records. */
export const fileCheck = z.enum(["same", "names", "records"]);
export type FileCheck = z.infer<typeof fileCheck>;

export const auditPack = z.object({
  id: z.uuid(),
  number: z.string(),
  companyId: z.uuid(),
  courses: z.array(z.object({ id: z.uuid(), title: z.string() })),
  from: z.string(),
  to: z.string(),
  /** The instant, and its day in the zone that the company had. */
  asOf: z.string(),
  day: z.string(),
  zone: z.string(),
  state: packState,
  /** Null until they were made for the first time. */
  files: z.array(packFile.extend({ check: fileCheck.nullable() })).nullable(),
  /** SHA-256 of the list of files, which is `manifest.json`; null until it was made. */
  digest: z.string().nullable(),
  requestedBy: z.string().nullable(),
  createdAt: z.string(),
  madeAt: z.string().nullable(),
  checkedAt: z.string().nullable(),
  /** Links that work. */
  links: z.int(),
});
export type AuditPack = z.infer<typeof auditPack>;

export const opening = z.object({
  what: z.enum(["overview", "sample", "person", "download"]),
  sampleNo: z.int().nullable(),
  /** The person whose records were opened; null if it was none, or has been erased. */
  person: z.string().nullable(),
  at: z.string(),
});
export type Opening = z.infer<typeof opening>;

export const sample = z.object({
  no: z.int(),
  size: z.int(),
  courseId: z.uuid().nullable(),
  state: requirementState.nullable(),
  population: z.int(),
  drawnAt: z.string(),
});
export type Sample = z.infer<typeof sample>;

export const auditLink = z.object({
  id: z.uuid(),
  label: z.string(),
  mayDownload: z.boolean(),
  url: z.string(),
  until: z.string(),
  isWorking: z.boolean(),
  createdBy: z.string().nullable(),
  createdAt: z.string(),
  samples: z.int(),
  /** All of them, and the latest ones. */
  opened: z.int(),
  openings: z.array(opening),
});
export type AuditLink = z.infer<typeof auditLink>;

// What auditors see

const auditedCourse = z.object({
  courseId: z.uuid(),
  course: z.string(),
  /** Earlier packs do not count exemptions. */
  counts: stateCounts.extend({ exempt: stateCounts.shape.exempt.default(0) }),
});
/** How many people must hold something, and of each course how many are in which state. */
export type PackCounts = { people: number; courses: z.infer<typeof auditedCourse>[] };

export const audit = z.object({
  number: z.string(),
  company: z.string(),
  label: z.string(),
  from: z.string(),
  to: z.string(),
  asOf: z.string(),
  day: z.string(),
  zone: z.string(),
  until: z.string(),
  people: z.int(),
  courses: z.array(auditedCourse),
  mayDownload: z.boolean(),
  digest: z.string().nullable(),
  seed: z.string(),
  samples: z.array(sample),
});
export type Audit = z.infer<typeof audit>;

export const auditedPerson = z.object({
  /** Stands for the person, in files as "Record" of their first requirement. */
  key: z.uuid(),
  name: z.string(),
  personnelNumber: z.string().nullable(),
  cells: z.array(
    z.object({
      courseId: z.uuid(),
      state: requirementState,
      completedOn: z.string().nullable(),
      validUntil: z.string().nullable(),
      dueDate: z.string().nullable(),
      exemptUntil: z.string().nullable(),
    }),
  ),
});
export type AuditedPerson = z.infer<typeof auditedPerson>;

export const auditedCompletion = z.object({
  course: z.string(),
  version: z.int().nullable(),
  completedOn: z.string(),
  success: z.enum(["unknown", "passed", "failed"]),
  scorePercent: z.number().nullable(),
  activeMinutes: z.int().nullable(),
  reportedMinutes: z.int().nullable(),
  rule: z.string().nullable(),
  /** Here; set by an admin; or elsewhere, as a file of the company said. */
  source: z.enum(["here", "set", "elsewhere"]),
  reference: z.string().nullable(),
  certificate: z.string().nullable(),
  takenBackOn: z.string().nullable(),
});
export type AuditedCompletion = z.infer<typeof auditedCompletion>;
export const auditedRecord = auditedPerson.extend({ completions: z.array(auditedCompletion) });
export type AuditedRecord = z.infer<typeof auditedRecord>;

export const canManagePacks = isAdmin;
export const canOpenAudit = anyone;

type Period = { from: string; to: string };
const isPeriod = [
  ({ from, to }: Period) => from <= to && Date.parse(to) - Date.parse(from) <= MAX_PERIOD_DAYS * 86_400_000,
  { path: ["from"], message: "auditPacks.badPeriod" },
] satisfies Parameters<z.ZodType<Period>["refine"]>;
export const packInput = z
  .object({
    from: day,
    to: day,
    /** A day that is over: everything is read as of its end. Null: as of now. */
    asOf: day.nullable(),
    /** None: all that were required at that time. */
    courseIds: z.array(z.uuid()).max(100),
  })
  .refine(...isPeriod);
export type PackInput = z.infer<typeof packInput>;

const token = z.object({ token: z.string().max(200) });
export const auditPacks = defineContracts("auditPacks", {
  list: get("/api/companies/:id/audit-packs", {
    does: "List the audit packs of a company, newest first",
    query: listQuery.omit({ q: true, sort: true }),
    reply: page(auditPack),
  }),
  create: post("/api/companies/:id/audit-packs", {
    maxBytes: 8 * KIB,
    does: "Make an audit pack of required courses, for a period and as of an instant",
    body: packInput,
    reply: auditPack,
  }),
  get: get("/api/audit-packs/:id", { does: "Get an audit pack with its files", reply: auditPack }),
  file: get("/api/audit-packs/:id/file", {
    priority: "heavy",
    does: "Get an audit pack as ZIP, made while it is sent; the header x-rows is the number of its rows",
    reply: z.string(),
  }),
  check: post("/api/audit-packs/:id/check", {
    maxBytes: KIB,
    does: "Make the files of an audit pack again, and compare them with those of the first time",
    reply: auditPack,
  }),
  remove: del("/api/audit-packs/:id", { does: "Delete an audit pack, and with it its links" }),
  links: get("/api/audit-packs/:id/links", {
    does: "List the links of an audit pack, and what was opened by them",
    reply: z.object({ items: z.array(auditLink) }),
  }),
  link: post("/api/audit-packs/:id/links", {
    maxBytes: KIB,
    does: "Give an auditor access to an audit pack for some days",
    body: z.object({
      label: z.string().trim().min(1).max(120),
      days: z.literal(LINK_DAYS),
      mayDownload: z.boolean().default(false),
    }),
    reply: auditLink,
  }),
  unlink: del("/api/audit-links/:id", { does: "End a link to an audit pack" }),
  open: get("/api/audits/:token", {
    priority: "heavy",
    does: "Read an audit pack by its link; null if the link does not work",
    params: token,
    reply: audit.nullable(),
  }),
  draw: post("/api/audits/:token/samples", {
    priority: "heavy",
    maxBytes: KIB,
    does: "Draw people at random, by the seed of the link; 404 if the link does not work",
    params: token,
    body: z.object({
      size: z.int().min(1).max(MAX_SAMPLE),
      courseId: z.uuid().nullable().default(null),
      state: requirementState.nullable().default(null),
    }),
    reply: sample,
  }),
  sample: get("/api/audits/:token/samples/:no", {
    priority: "heavy",
    does: "List the people of a sample with the state of what they must hold; 404 if the link does not work",
    params: token.extend({ no: z.coerce.number().int().min(1).max(MAX_SAMPLES) }),
    reply: z.object({ sample, people: z.array(auditedPerson) }),
  }),
  person: get("/api/audits/:token/samples/:no/people/:key", {
    priority: "heavy",
    does: "Get what a person of a sample has completed; 404 if the link does not work",
    params: token.extend({ no: z.coerce.number().int().min(1).max(MAX_SAMPLES), key: z.uuid() }),
    reply: auditedRecord,
  }),
  download: get("/api/audits/:token/file", {
    priority: "heavy",
    does: "Get an audit pack as ZIP, if its link allows that; 404 if the link does not work",
    params: token,
    reply: z.string(),
  }),
});
