import { z } from "zod";
import { defineContracts, del, get } from "#shared/core/route.ts";
import { isAdmin, isSignedIn } from "#shared/core/users.ts";

// Recordings of the page during a session. Chunks are sent to the content origin (server/recordings/contentRoutes.ts)

/** The stored recordings of a company. */
export const storedRecordings = z.object({
  sessions: z.int(),
  learners: z.int(),
  /** Compressed. */
  bytes: z.int(),
  oldest: z.string().nullable(),
});

export const recordings = defineContracts("recordings", {
  state: get("/api/recordings/sessions/:id", {
    does: "Whether the page of one of my sessions may be recorded at this moment",
    reply: z.object({ recording: z.boolean() }),
  }),
  stored: get("/api/companies/:id/recordings", {
    does: "Get how many recordings of a company are stored",
    reply: storedRecordings,
  }),
  remove: del("/api/companies/:id/recordings", {
    does: "Delete all recordings of a company",
    reply: z.object({ removed: z.int() }),
  }),
});
export const canReadOwnRecording = isSignedIn;
export const canManageRecordings = isAdmin;
