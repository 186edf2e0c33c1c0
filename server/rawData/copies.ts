import { type RawBuilder, sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { conflict } from "#server/core/http/problem.ts";
import { subjectOf } from "#server/variables/subjects.ts";
import { refoldSubjects, refoldVariable } from "#server/variables/fold/recount.ts";
import { dropPendingDeliveries, withdrawPendingDeliveries } from "#server/variables/pendingDeliveries.ts";

// Copies that flows have made of values: they follow the value that they come from

/** With more subjects than this, a variable is folded anew as a whole. */
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
 * Ids of the copies of these values and of the copies of those. A copy names its flow and the first value of its chain,
 * so it comes from a value of the same chain in the source of its flow. What a deleted flow has passed on follows
 * nothing any more.
 */
export const copiesOf = (isOrigin: RawBuilder<boolean>) => sql<number>`(
  with recursive followed (id, variable_id, chain) as (
    select v.id, v.variable_id, coalesce(v.origin_id, v.id) from variable_values v where ${isOrigin}
    union
    select copy.id, copy.variable_id, followed.chain from followed
      join flows on flows.source_variable_id = followed.variable_id
      join variable_values copy on copy.origin_id = followed.chain and copy.flow_id = flows.id)
  select followed.id from followed join variable_values copy on copy.id = followed.id where copy.flow_id is not null)`;

/**
 * Changes values and the copies of them with `change`, which returns the rows it has changed. It is repeated until
 * nothing is left: a copy may have been passed on further while the change waited for it.
 */
export async function changeCopies(change: () => Promise<Concerned[]>): Promise<Concerned[]> {
  const all: Concerned[] = [];
  for (;;) {
    const changed = await change();
    if (changed.length === 0) return all;
    all.push(...changed);
  }
}

/** Throws 409 for a copy: it follows the value that it comes from, which the text names. */
export async function checkNoCopy(tx: Tx, id: number) {
  const { rows } = await sql<{ label: string; depth: number }>`
    with recursive above (id, flow_id, chain, variable_id, depth) as (
      select v.id, v.flow_id, v.origin_id, v.variable_id, 0 from variable_values v
        where v.id = ${id} and v.origin_id is not null and v.flow_id is not null
      union all
      select v.id, v.flow_id, above.chain, v.variable_id, above.depth + 1 from above
        join flows on flows.id = above.flow_id
        join variable_values v on v.variable_id = flows.source_variable_id and (v.id = above.chain or v.origin_id = above.chain))
    select variables.label, above.depth from above join variables on variables.id = above.variable_id
    order by above.depth desc limit 1`.execute(tx);
  const [origin] = rows;
  if (origin && origin.depth > 0) throw conflict("rawData.isCopy", undefined, { source: origin.label });
}

/** Folds the subjects of changed values anew, and takes what does not count any more out of the queues of webhooks. */
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
  await dropPendingDeliveries(tx, sql<boolean>`v.id = any(${ids}::bigint[]) and v.deletion_id is not null`);
  await withdrawPendingDeliveries(tx, ids);
}
