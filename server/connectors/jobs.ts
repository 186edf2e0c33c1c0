import { z } from "zod";
import { settleLostCalls } from "#server/connectors/budgets.ts";
import { job } from "#server/core/jobs.ts";

/** Settles the calls of servers that died. */
export const sweepLostCalls = job(
  "connectors:sweep",
  z.object({}),
  async (services) => {
    await settleLostCalls(services);
  },
  "* * * * *",
);
