import { type RawBuilder, sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { conflict } from "#server/core/http/problem.ts";
import { subjectOf } from "#server/variables/subjects.ts";
import { refoldSubjects, refoldVariable } from "#server/variables/fold/recount.ts";
import { dropPendingDeliveries, withdrawPendingDeliveries } from "#server/variables/pendingDeliveries.ts";

// The copies that flows have made of values follow their values

/** With more changed subjects than this, all values of a variable are folded again. */
const MAX_REFOLDED_SUBJECTS = 500;

export type Concerned = {
  id: number;
  variableId: string;
  userId: string | null;
  companyId: string;
  courseId: string | null;
  attemptId: string | null;
};
export const concernedColumns = ["id", "variableId", "userId", "companyId", "courseId", "attemptId"] as const;

/**
 * The ids of the copies of these values, and of their copies. A copy has its flow and the first value of its chain
 * (`origin_id`), so it comes from a value of the same chain in the source of its flow. Copies by deleted flows follow
 * nothing any more.
 */
export const copiesOf = (isOrigin: RawBuilder<boolean>) => sql<number>`(
    with recursive followed (id, variable_id, chain) as (
      select stored.id, stored.variable_id, coalesce(stored.origin_id, stored.id)
      from variable_values stored
      where ${isOrigin}
      union
      select copy.id, copy.variable_id, followed.chain
      from followed
      join flows on flows.source_variable_id = followed.variable_id
      join variable_values copy on copy.origin_id = followed.chain and copy.flow_id = flows.id
    )
    select followed.id
    from followed
    join variable_values copy on copy.id = followed.id
    where copy.flow_id is not null
  )`;

/**
 * Repeats `change` until it returns no changed rows: a copy may have been passed on further while the change waited for
 * its lock.
 */
export async function changeCopies(change: () => Promise<Concerned[]>): Promise<Concerned[]> {
  const all: Concerned[] = [];
  for (;;) {
    const changed = await change();
    if (changed.length === 0) return all;
    all.push(...changed);
  }
}

/** Throws 409 for a copy, which follows its value, with the variable of that value. */
export async function checkNoCopy(tx: Tx, id: number) {
  const { rows } = await sql<{ label: string; depth: number }>`
    with recursive above (id, flow_id, chain, variable_id, depth) as (
      select id, flow_id, origin_id, variable_id, 0
      from variable_values
      where id = ${id}
        and origin_id is not null
        and flow_id is not null
      union all
      select stored.id, stored.flow_id, above.chain, stored.variable_id, above.depth + 1
      from above
      join flows on flows.id = above.flow_id
      join variable_values stored
        on stored.variable_id = flows.source_variable_id
        and (stored.id = above.chain or stored.origin_id = above.chain)
    )
    select variables.label, above.depth
    from above
    join variables on variables.id = above.variable_id
    order by above.depth desc
    limit 1`.execute(tx);
  const [origin] = rows;
  if (origin && origin.depth > 0) throw conflict("rawData.isCopy", undefined, { source: origin.label });
}

/** Folds the subjects of changed values again, and removes values that no longer count from the queues of webhooks. */
export async function refoldConcerned(tx: Tx, rows: Concerned[]) {
  for (const [variableId, values] of Map.groupBy(rows, (row) => row.variableId)) {
    const { scope } = await tx
      .selectFrom("variables")
      .where("id", "=", variableId)
      .select("scope")
      .executeTakeFirstOrThrow();
    const subjects = [...new Set(values.flatMap((value) => subjectOf(scope, value) ?? []))];
    if (subjects.length > MAX_REFOLDED_SUBJECTS) await refoldVariable(tx, variableId);
    else if (subjects.length > 0) await refoldSubjects(tx, variableId, subjects);
  }
  const ids = rows.map(({ id }) => id);
  await dropPendingDeliveries(tx, sql<boolean>`stored.id = any(${ids}::bigint[]) and stored.deletion_id is not null`);
  await withdrawPendingDeliveries(tx, ids);
}
