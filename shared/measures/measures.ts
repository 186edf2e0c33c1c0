import { z } from "zod";
import { defineContracts, get, listQuery, page, post, put } from "#shared/core/route.ts";
import { type MeasuredKind, measuredKinds, SMALLEST_GROUP } from "#shared/core/measuredKinds.ts";
import { isAdmin, isSignedIn } from "#shared/core/users.ts";
import { erasurePolicy } from "#shared/privacy/privacy.ts";

// What a company measures about its people, and who sees it: the page for works councils

const who = z.enum(["admins", "nobody"]);
export type Who = z.infer<typeof who>;
const kinds = z.object({
  replay: who,
  activeTime: who,
  lastActivity: who,
  conversations: who,
  scores: who,
} satisfies Record<MeasuredKind, typeof who>);
const fields = kinds.extend({ smallestGroup: z.int().min(SMALLEST_GROUP.least).max(SMALLEST_GROUP.most) });
export type Choices = z.infer<typeof fields>;

/** What a replay shows besides what it is about. */
export const shownByReplay = measuredKinds.filter((kind) => kind !== "replay");
/** A replay shows times, results and messages: nobody sees it unless admins see all of them. */
export const canReplayWith = (choices: Choices) => shownByReplay.every((kind) => choices[kind] === "admins");

const choices = fields.refine((all) => all.replay === "nobody" || canReplayWith(all), {
  error: "measures.replayShowsAll",
  path: ["replay"],
});

/** Without a choice of the company: what admins have always seen. */
export const DEFAULT_CHOICES: Choices = {
  replay: "admins",
  activeTime: "admins",
  lastActivity: "admins",
  conversations: "admins",
  scores: "admins",
  smallestGroup: SMALLEST_GROUP.least,
};
export const CAREFUL: Choices = {
  replay: "nobody",
  activeTime: "nobody",
  lastActivity: "nobody",
  conversations: "nobody",
  scores: "admins",
  smallestGroup: 10,
};

/** Version 0 is the default, without a date. */
export const measuresVersion = z.object({
  version: z.int(),
  since: z.string().nullable(),
  by: z.string().nullable(),
  reason: z.string(),
  choices: fields,
});
export type MeasuresVersion = z.infer<typeof measuresVersion>;

/** Settings of the company that belong on the page, and are changed elsewhere. */
export const measuresSettings = z.object({
  recordPages: z.boolean(),
  recordingDays: z.int(),
  erasurePolicy,
  retentionYears: z.int(),
  managersSeePeople: z.boolean(),
});
export type MeasuresSettings = z.infer<typeof measuresSettings>;

const measured = measuresVersion.extend({ company: z.string(), zone: z.string(), settings: measuresSettings });
export type Measured = z.infer<typeof measured>;

export const canManageMeasures = isAdmin;
export const canReadOwnMeasures = isSignedIn;

export const measures = defineContracts("measures", {
  get: get("/api/companies/:id/measures", {
    does: "Get what a company measures about its people, and who sees it",
    reply: measured,
  }),
  versions: get("/api/companies/:id/measures/versions", {
    does: "List the versions of what a company measures, the newest first",
    query: listQuery.pick({ page: true, size: true }),
    reply: page(measuresVersion),
  }),
  update: put("/api/companies/:id/measures", {
    does: "Choose who sees what a company measures; 409 if it changed since `version`. Its learners are told.",
    body: z.object({
      choices,
      reason: z.string().trim().max(500).default(""),
      /** The version that the choice is based on; 0 is the default. */
      version: z.int().min(0).max(1_000_000),
    }),
    reply: measured,
  }),
  pdf: get("/api/companies/:id/measures/pdf", {
    does: "Download what a company measures as PDF, with date and version",
    query: z.object({ version: z.coerce.number().int().min(0).max(1_000_000).optional() }),
    reply: z.string(),
    priority: "heavy",
  }),
  mine: get("/api/measures", {
    does: "Get what one's own company measures; null for people without a company",
    reply: measured.omit({ by: true, zone: true }).extend({ isNew: z.boolean() }).nullable(),
  }),
  markSeen: post("/api/measures/seen", {
    does: "Note that one has been told of a version",
    body: z.object({ version: z.int().min(1).max(1_000_000) }),
  }),
});
