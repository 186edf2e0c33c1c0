import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { embedPassages } from "#server/documents/retrieval/vectors.ts";

const KEY = "documents:vectors";
/** A run that is at it may have seen the last passages before others became live. */
const AGAIN_MS = 5000;

/** Creates missing vectors: of a version that became live, and of all when an embedding model was added or changed. */
export const makeVectors = job(
  KEY,
  z.object({}),
  async (services) => {
    if (await embedPassages(services)) return;
    await makeVectors.enqueue(services.db, {}, { key: KEY, runAt: new Date(Date.now() + AGAIN_MS) });
  },
  "*/5 * * * *",
);
