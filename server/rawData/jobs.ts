import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { inTransaction, type Db, type Tx } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import { keepCheckpoints } from "#server/variables/erasure.ts";
import { lockFolding, refoldVariable } from "#server/variables/fold/recount.ts";
import { dropPendingDeliveries } from "#server/variables/pendingDeliveries.ts";
import { RESTORE_DAYS } from "#shared/rawData/rawData.ts";

/**
 * Runs every night: removes values that were deleted more than RESTORE_DAYS ago, and those older than their variable
 * allows.
 */
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
      await dropPendingDeliveries(tx, isOld);
      await tx.deleteFrom("variableValues as v").where(isOld).execute();
      await refoldVariable(tx, id);
    });
}

/**
 * Takes the values out of the events of their sessions; the events themselves stay numbered without gaps. A package may
 * repeat an element of the data model: equal ones of the same attempt lose their value as well.
 */
async function removeFromEvents(tx: Tx, isRemoved: RawBuilder<boolean>) {
  await sql`
    with removed as (
      select v.session_id, sessions.attempt_id, array_agg(v.seq) as seqs
      from variable_values v join sessions on sessions.id = v.session_id
      where ${isRemoved} and v.source in ('content', 'mapping', 'package') group by v.session_id, sessions.attempt_id
    ), elements as (
      select removed.attempt_id, array_agg(jsonb_build_array(event->>'sco', event->>'key', event->>'value')) as elements
      from removed join session_events e on e.session_id = removed.session_id
        and exists (select from unnest(removed.seqs) seq where seq between e.first_seq and e.last_seq)
      cross join lateral json_array_elements(e.events) event
      where event->>'type' = 'scorm.set' and event->>'value' is not null and (event->>'seq')::int = any(removed.seqs)
      group by removed.attempt_id
    ), concerned as (
      select s.id as session_id, coalesce(r.seqs, '{}') as seqs, coalesce(elements.elements, '{}') as elements
      from sessions s left join removed r on r.session_id = s.id left join elements on elements.attempt_id = s.attempt_id
      where s.attempt_id in (select attempt_id from removed)
    ), cleaned as (
      select e.session_id, e.first_seq,
        json_agg(case when is_removed then (event::jsonb - 'value')::json else event end order by n) as events
      from concerned join session_events e on e.session_id = concerned.session_id
      cross join lateral json_array_elements(e.events) with ordinality as one (event, n)
      cross join lateral (select (event->>'seq')::int as seq) as numbered
      cross join lateral (select
        event->>'type' in ('variable.set', 'package.set') and seq = any(concerned.seqs)
          or event->>'type' = 'scorm.set'
            and jsonb_build_array(event->>'sco', event->>'key', event->>'value') = any(concerned.elements)
            and not exists (select from variable_values v
              where v.session_id = e.session_id and v.seq = numbered.seq and (${isRemoved}) is not true) as is_removed) as found
      group by e.session_id, e.first_seq having bool_or(is_removed)
    )
    update session_events e set events = cleaned.events from cleaned
    where e.session_id = cleaned.session_id and e.first_seq = cleaned.first_seq`.execute(tx);
}
