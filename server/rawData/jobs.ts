import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { inTransaction, type Db, type Tx } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import { keepCheckpoints } from "#server/variables/erasure.ts";
import { lockFolding, refoldVariable } from "#server/variables/fold/recount.ts";
import { dropPendingDeliveries } from "#server/variables/pendingDeliveries.ts";
import { RESTORE_DAYS } from "#shared/rawData/rawData.ts";

/**
 * Removes, every night, values that were deleted more than RESTORE_DAYS ago or exceed the retention of their variable.
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
      await removeFromEvents(tx, sql<boolean>`stored.deletion_id = ${id}`);
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
      const isOld = sql<boolean>`stored.variable_id = ${id}
        and stored.recorded_at < now() - make_interval(days => ${retentionDays})
        and (stored.tx, stored.id) <= (select tx, value_id from variable_fold)`;
      const oldValue = await tx
        .selectFrom("variableValues as stored")
        .where(isOld)
        .select("stored.id")
        .limit(1)
        .executeTakeFirst();
      if (!oldValue) return;
      await keepCheckpoints(tx, isOld);
      await removeFromEvents(tx, isOld);
      await dropPendingDeliveries(tx, isOld);
      await tx.deleteFrom("variableValues as stored").where(isOld).execute();
      await refoldVariable(tx, id);
    });
}

/**
 * Removes the values from the events of their sessions; the events keep their numbers without gaps. Packages may repeat
 * an element of the data model: equal values of the same attempt are removed, too.
 */
async function removeFromEvents(tx: Tx, isRemoved: RawBuilder<boolean>) {
  const element = sql`jsonb_build_array(event->>'sco', event->>'key', event->>'value')`;
  await sql`
    with removed as (
      select stored.session_id, sessions.attempt_id, array_agg(stored.seq) as seqs
      from variable_values stored
      join sessions on sessions.id = stored.session_id
      where ${isRemoved}
        and stored.source in ('content', 'mapping', 'package')
      group by stored.session_id, sessions.attempt_id
    ),
    elements as (
      select removed.attempt_id, array_agg(${element}) as elements
      from removed
      join session_events
        on session_events.session_id = removed.session_id
        and exists (
          select
          from unnest(removed.seqs) seq
          where seq between session_events.first_seq and session_events.last_seq
        )
      cross join lateral json_array_elements(session_events.events) event
      where event->>'type' = 'scorm.set'
        and event->>'value' is not null
        and (event->>'seq')::int = any(removed.seqs)
      group by removed.attempt_id
    ),
    concerned as (
      select
        sessions.id as session_id,
        coalesce(removed.seqs, '{}') as seqs,
        coalesce(elements.elements, '{}') as elements
      from sessions
      left join removed on removed.session_id = sessions.id
      left join elements on elements.attempt_id = sessions.attempt_id
      where sessions.attempt_id in (select attempt_id from removed)
    ),
    cleaned as (
      select
        session_events.session_id,
        session_events.first_seq,
        json_agg(case when is_removed then (event::jsonb - 'value')::json else event end order by n) as events
      from concerned
      join session_events on session_events.session_id = concerned.session_id
      cross join lateral json_array_elements(session_events.events) with ordinality as one (event, n)
      cross join lateral (select (event->>'seq')::int as seq) as numbered
      cross join lateral (
        select
          (event->>'type' in ('variable.set', 'package.set') and seq = any(concerned.seqs))
          or (
            event->>'type' = 'scorm.set'
            and ${element} = any(concerned.elements)
            and not exists (
              select
              from variable_values stored
              where stored.session_id = session_events.session_id
                and stored.seq = numbered.seq
                and (${isRemoved}) is not true
            )
          ) as is_removed
      ) as judged
      group by session_events.session_id, session_events.first_seq
      having bool_or(is_removed)
    )
    update session_events
    set events = cleaned.events
    from cleaned
    where session_events.session_id = cleaned.session_id
      and session_events.first_seq = cleaned.first_seq`.execute(tx);
}
