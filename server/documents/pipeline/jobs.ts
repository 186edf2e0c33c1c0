import { z } from "zod";
import { job } from "#server/core/jobs.ts";
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
