import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { embedPassages } from "#server/documents/retrieval/vectors.ts";
import { runPipeline } from "#server/documents/pipeline/pipeline.ts";

/**
 * Processes documents until none is left; also every minute, for those whose server has died. A queued job only signals
 * work; the leases of the versions say who works on which.
 */
export const processDocuments = job(
  "documents:process",
  z.object({}),
  (services) => runPipeline(services),
  "* * * * *",
);

/** Creates missing vectors of passages; also after an embedding model was added or changed. */
export const makeVectors = job("documents:vectors", z.object({}), (services) => embedPassages(services), "*/5 * * * *");
