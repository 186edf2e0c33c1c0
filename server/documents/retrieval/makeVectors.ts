import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { embedPassages } from "#server/documents/retrieval/vectors.ts";

/** Creates missing vectors of passages: when a version becomes live, and for whatever was missed. */
export const makeVectors = job("documents:vectors", z.object({}), (services) => embedPassages(services), "*/5 * * * *");
/** Pending jobs are one: it embeds the passages of all documents. */
export const VECTORS_KEY = "documents:vectors";
