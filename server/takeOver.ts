import { sql } from "kysely";
import { enqueueAnalyses } from "#server/analysis/runs/runWorker.ts";
import { settleLostCalls } from "#server/connectors/budgets.ts";
import { closeLostAnswers } from "#server/conversations/jobs.ts";
import { freeAllLocks } from "#server/core/deadRunners.ts";
import type { Services } from "#server/core/services.ts";

/** Tables whose rows a process takes for a while (`server/core/lease.ts`), and the condition of those taken. */
const taken = {
  turns: sql`state in ('waiting', 'streaming')`,
  analysis_runs: sql`state in ('waiting', 'running')`,
  document_versions: sql`leased_until is not null`,
};

/**
 * Takes over what an earlier process had begun, without waiting for its leases. Only for the built-in database, which
 * one process uses: with a database of their own, several may run, and the leases tell who has stopped.
 */
export async function takeOver(services: Services) {
  const { db } = services;
  for (const [table, isTaken] of Object.entries(taken))
    await sql`
      update ${sql.table(table)}
      set leased_until = now() - interval '1 second'
      where leased_until > now()
        and ${isTaken}`.execute(db);
  await sql`
    update ai_usage
    set expires_at = now() - interval '1 second'
    where status = 'running'`.execute(db);
  await freeAllLocks(db);
  await enqueueAnalyses(db);
  await closeLostAnswers.work(services, {});
  while ((await settleLostCalls(services)) > 0);
}
