import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { inTransaction, type Db, type Tx } from "#server/core/db.ts";
import { job } from "#server/core/jobs.ts";
import { keepCheckpoints } from "#server/variables/erasure.ts";
import { lockFolding, refoldVariable } from "#server/variables/recount.ts";
import { RESTORE_DAYS } from "#shared/rawData.ts";

/** Runs every night: removes values that were deleted more than RESTORE_DAYS ago, and those older than their variable allows. */
export const removeOldValues = job("rawData:purge", z.object({}), ({ db }) => purgeValues(db), "40 2 * * *");

export async function purgeValues(db: Db) {
  const deletions = await db
    .selectFrom("variableDeletions")
    .where("restoredAt", "is", null)
    .where("purgedAt", "is", null)
    .where("deletedAt", "<", sql<string>`now() - make_interval(days => ${RESTORE_DAYS})`)
    .select("id")
    .execute();
  for (const { id } of deletions)
    await inTransaction(db, async (tx) => {
      await lockFolding(tx);
      await removeFromEvents(tx, sql<boolean>`v.deletion_id = ${id}`);
      const removed = await tx
        .deleteFrom("variableValues")
        .where("deletionId", "=", id)
        .returning("variableId")
        .execute();
      for (const variableId of new Set(removed.map((row) => row.variableId))) await refoldVariable(tx, variableId);
      await tx
        .updateTable("variableDeletions")
        .set({ purgedAt: sql`now()` })
        .where("id", "=", id)
        .execute();
    });
  const variables = await db
    .selectFrom("variables")
    .where("retentionDays", "is not", null)
    .select(["id", "retentionDays"])
    .execute();
  for (const { id, retentionDays } of variables)
    await inTransaction(db, async (tx) => {
      await lockFolding(tx);
      const isOld = sql<boolean>`v.variable_id = ${id} and v.recorded_at < now() - make_interval(days => ${retentionDays})
        and (v.tx, v.id) <= (select f.tx, f.value_id from variable_fold f)`;
      const found = await tx.selectFrom("variableValues as v").where(isOld).select("v.id").limit(1).executeTakeFirst();
      if (!found) return;
      await keepCheckpoints(tx, isOld);
      await removeFromEvents(tx, isOld);
      await tx.deleteFrom("variableValues as v").where(isOld).execute();
      await refoldVariable(tx, id);
    });
}

/** Takes the values out of the events of their sessions; the events themselves stay numbered without gaps. */
async function removeFromEvents(tx: Tx, isRemoved: RawBuilder<boolean>) {
  await sql`
    with removed as (
      select v.session_id, array_agg(v.seq) as seqs from variable_values v
      where ${isRemoved} and v.session_id is not null and v.source in ('content', 'mapping', 'package') group by v.session_id
    )
    update session_events e set events = (
      select json_agg(case when (event->>'seq')::int = any(removed.seqs) and event->>'type' in ('variable.set', 'package.set')
        then (event::jsonb - 'value')::json else event end order by n)
      from json_array_elements(e.events) with ordinality as one (event, n))
    from removed where e.session_id = removed.session_id
      and exists (select from unnest(removed.seqs) seq where seq between e.first_seq and e.last_seq)`.execute(tx);
}
