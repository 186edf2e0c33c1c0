import type { Db } from "#server/core/database/db.ts";
import { parseVariableValue } from "#shared/variables/variableValues.ts";

/** The columns of a stored value, and those of its variable that say how it counts. */
const valueColumns = [
  "v.id",
  "v.variableId",
  "v.userId",
  "v.companyId",
  "v.courseId",
  "v.attemptId",
  "v.value",
  "v.refusal",
  "v.preview",
  "v.happenedAt",
  "v.deletionId",
  "v.isCorrected",
  "v.corrects",
  "variables.type",
  "variables.scope",
  "variables.writeMode",
  "variables.status",
] as const;
export const selectValues = (db: Db) =>
  db.selectFrom("variableValues as v").innerJoin("variables", "variables.id", "v.variableId").select(valueColumns);
export type ValueRow = Awaited<ReturnType<ReturnType<typeof selectValues>["execute"]>>[number];

/** The stored value as the current type of its variable; undefined if it cannot be read as one. */
export function readStoredValue({ value, type, status }: Pick<ValueRow, "value" | "type" | "status">) {
  if (status === "new" || status === "ignored") return value;
  return parseVariableValue({ type, constraints: {} }, value).value;
}

/**
 * When a value happened, in ms, and its place among those of the same time. A correction has the place of what it
 * corrects.
 */
export const momentOf = ({ id, corrects, happenedAt }: Pick<ValueRow, "id" | "corrects" | "happenedAt">) => ({
  id: corrects ?? id,
  at: Date.parse(happenedAt),
});

/** True for values that count: neither refused, corrected nor deleted, nor from a preview. */
export const counts = ({ refusal, preview, deletionId, isCorrected }: ValueRow) =>
  refusal === null && !preview && !isCorrected && deletionId === null;
