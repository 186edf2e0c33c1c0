import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { embedPassages } from "#server/documents/retrieval/vectors.ts";
import { runPipeline } from "#server/documents/pipeline/pipeline.ts";

/**
 * Takes documents through the pipeline until none is left; also every minute, for those whose server has died. The
 * queue only says that there is work: who works on what is in the leases of the versions.
 */
export const processDocuments = job(
  "documents:process",
  z.object({}),
  (services) => runPipeline(services),
  "* * * * *",
);

/** Makes the vectors that passages lack; also after an embedding model was added or changed. */
export const makeVectors = job("documents:vectors", z.object({}), (services) => embedPassages(services), "*/5 * * * *");
