import { z } from "zod";
import { defineContracts, get } from "#shared/core/route.ts";
import { isSignedIn } from "#shared/core/users.ts";

// The live channel: one stream per browser that names the domains whose data has changed. Browsers then refetch it.

/** Domains of contracts whose changes are announced; their cached queries become stale. */
export const liveDomains = [
  "variables",
  "rawData",
  "flows",
  "webhooks",
  "documents",
  "conversations",
  "analysis",
  "analysisRuns",
  "questionClusters",
  "notifications",
  "recordings",
  "lessonDrafts",
  "lessonComments",
  "unclearMarks",
] as const;
export type LiveDomain = (typeof liveDomains)[number];

/** A message of the stream: the domains that have changed since the last one. */
export type LiveMessage = { domains: LiveDomain[] };

/** Longer ages are reduced to this one, which exceeds the memory of any server. */
export const MAX_AGE_MS = 3_600_000;

export const canFollowChanges = isSignedIn;

export const live = defineContracts("live", {
  stream: get("/api/live", {
    priority: "light",
    does: "Follow changes as server-sent events (text/event-stream); each message names the domains that have changed",
    /** Milliseconds since the data on screen was current: the stream starts with the changes since then. */
    query: z.object({ age: z.coerce.number().min(0).max(MAX_AGE_MS).optional() }),
    reply: z.unknown(),
  }),
});
