import { z } from "zod";
import { inTransaction } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import { forgetCalls } from "#server/provisioning/calls.ts";
import { forgetRefusals } from "#server/provisioning/holds.ts";

/** Deletes old calls, and refusals of suspensions that no longer count. */
export const forgetProvisioning = job(
  "provisioning:forget",
  z.object({}),
  ({ db }) =>
    inTransaction(db, async (tx) => {
      await forgetCalls(tx);
      await forgetRefusals(tx);
    }),
  "17 * * * *",
);
