import { z } from "zod";
import type { Tx } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import { embedPassages } from "#server/documents/retrieval/vectors.ts";

/** Creates missing vectors of passages: when a version becomes live, and for whatever was missed. */
export const makeVectors = job("documents:vectors", z.object({}), (services) => embedPassages(services), "*/5 * * * *");

/** Makes missing vectors next. Pending requests are one job, which embeds the passages of all documents. */
export const requestVectors = (tx: Tx) => makeVectors.enqueue(tx, {}, { key: "documents:vectors" });
