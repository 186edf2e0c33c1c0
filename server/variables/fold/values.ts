import { type Selectable, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { VariableCurrent } from "#server/core/database/db.types.ts";
import { type FoldedValue } from "#shared/variables/variableTypes.ts";
import { parseVariableValue } from "#shared/variables/valueRules.ts";

// Stored values (`stored`) and current ones, as they are read to be folded

const valueColumns = [
  "stored.id",
  "stored.variableId",
  "stored.userId",
  "stored.companyId",
  "stored.courseId",
  "stored.attemptId",
  "stored.value",
  "stored.refusal",
  "stored.preview",
  "stored.happenedAt",
  "stored.deletionId",
  "stored.isCorrected",
  "stored.corrects",
  "variables.type",
  "variables.scope",
  "variables.writeMode",
  "variables.status",
] as const;
export const selectValues = (db: Db) =>
  db
    .selectFrom("variableValues as stored")
    .innerJoin("variables", "variables.id", "stored.variableId")
    .select(valueColumns);
export type ValueRow = Awaited<ReturnType<ReturnType<typeof selectValues>["execute"]>>[number];

/** The stored value, converted to the current type of its variable; undefined if it cannot be converted. */
export function readStoredValue({ value, type, status }: Pick<ValueRow, "value" | "type" | "status">) {
  if (status === "new" || status === "ignored") return value;
  return parseVariableValue({ type, constraints: {} }, value).value;
}

/**
 * The time of a value in ms since 1970, and the id that orders values of the same time: a correction has that of the
 * value it corrects.
 */
export const momentOf = ({ id, corrects, happenedAt }: Pick<ValueRow, "id" | "corrects" | "happenedAt">) => ({
  id: corrects ?? id,
  at: Date.parse(happenedAt),
});

/** Whether a value counts: it is not refused, corrected, deleted or from a preview. */
export const counts = ({ refusal, preview, deletionId, isCorrected }: ValueRow) =>
  refusal === null && !preview && !isCorrected && deletionId === null;

/** SQL condition: a value was stored after this one, in the order of transactions. */
export const isAfter = (cursor: { tx: string; valueId: number }) =>
  sql<boolean>`(stored.tx, stored.id) > (${cursor.tx}::xid8, ${cursor.valueId}::bigint)`;

type CurrentRow = Pick<
  Selectable<VariableCurrent>,
  "count" | "current" | "currentAt" | "currentId" | "first" | "firstAt" | "firstId" | "lastAt"
>;
export const toFolded = ({
  count,
  current,
  currentAt,
  currentId,
  first,
  firstAt,
  firstId,
  lastAt,
}: CurrentRow): FoldedValue => ({
  count,
  current,
  currentAt: Date.parse(currentAt),
  currentId,
  first,
  firstAt: Date.parse(firstAt),
  firstId,
  lastAt: Date.parse(lastAt),
});
