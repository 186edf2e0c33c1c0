import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { forgetCalls } from "#server/provisioning/calls.ts";
import { forgetRefusals } from "#server/provisioning/holds.ts";

/** Deletes old calls, and refusals of suspensions that no longer count. */
export const forgetProvisioning = job(
  "provisioning:forget",
  z.object({}),
  async ({ db }) => {
    await forgetCalls(db);
    await forgetRefusals(db);
  },
  "17 * * * *",
);
