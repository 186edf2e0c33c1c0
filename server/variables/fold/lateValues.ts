import type { Selectable } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { VariableDeletions } from "#server/core/database/db.types.ts";
import type { ValueRow } from "#server/variables/fold/values.ts";

/**
 * Deletes the values that an earlier deletion covers, so that a browser that was offline cannot bring deleted values
 * back. Corrections stay: an admin makes them, of values that are not deleted. Returns the ids of the deletions by the
 * ids of the values.
 */
export async function deleteLateValues(tx: Tx, rows: ValueRow[]): Promise<Map<number, string>> {
  const earliest = rows.map(({ happenedAt }) => happenedAt).toSorted()[0];
  if (!earliest) return new Map();
  const deletions = await tx
    .selectFrom("variableDeletions")
    .where("happenedUntil", ">=", earliest)
    .where("restoredAt", "is", null)
    .selectAll()
    .execute();
  const late = new Map<string, number[]>();
  for (const row of rows) {
    const deletion = deletions.find((deletion) => covers(deletion, row));
    if (deletion && row.deletionId === null) late.set(deletion.id, [...(late.get(deletion.id) ?? []), row.id]);
  }
  for (const [deletionId, ids] of late)
    await tx.updateTable("variableValues").set({ deletionId }).where("id", "in", ids).execute();
  return new Map([...late].flatMap(([deletionId, ids]) => ids.map((id): [number, string] => [id, deletionId])));
}

type Deletion = Selectable<VariableDeletions>;

function covers(deletion: Deletion, row: ValueRow) {
  return (
    row.corrects === null &&
    row.happenedAt <= deletion.happenedUntil &&
    (deletion.happenedFrom === null || row.happenedAt >= deletion.happenedFrom) &&
    (deletion.courseId === null || row.courseId === deletion.courseId) &&
    (deletion.companyId === null || row.companyId === deletion.companyId) &&
    (deletion.variableIds === null || deletion.variableIds.includes(row.variableId)) &&
    (deletion.userIds === null || (row.userId !== null && deletion.userIds.includes(row.userId))) &&
    (!deletion.onlyPreview || row.preview)
  );
}
