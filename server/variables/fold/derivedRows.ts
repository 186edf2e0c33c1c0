import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { type Origin, subjectColumns } from "#server/variables/subjects.ts";
import type { FoldedValue, VariableScope, VariableType, VariableValue } from "#shared/variables/variableTypes.ts";

// What is derived from stored values: current values by subject, tallies of equal values, totals by company

/** A subject with its folded values, a row of `variable_current`. */
export type Subject = {
  variableId: string;
  subject: string;
  origin: Origin;
  scope: VariableScope;
  type: VariableType;
} & {
  folded: FoldedValue;
};

/** The value as a number for statistics; null if the type is not measured. */
export const asNumber = (type: VariableType, value: VariableValue): number | null =>
  (type === "number" || type === "duration") && typeof value === "number" ? value : null;

/** The labels under which a current value is tallied: one, several for multiple choice, none for texts and JSON. */
export function tallyLabels(type: VariableType, value: VariableValue): string[] {
  if (type === "text" || type === "json") return [];
  if (type === "multi") return Array.isArray(value) ? value.map(String) : [];
  return [String(value)];
}

const iso = (ms: number) => new Date(ms).toISOString();

/** Writes the rows of these subjects, replacing existing ones. */
export async function storeSubjects(db: Db, subjects: Subject[]) {
  for (let at = 0; at < subjects.length; at += BATCH) {
    const rows = subjects.slice(at, at + BATCH).map(({ variableId, subject, origin, scope, type, folded }) => ({
      variableId,
      subject,
      ...subjectColumns(scope, origin),
      count: folded.count,
      current: JSON.stringify(folded.current),
      currentAt: iso(folded.currentAt),
      currentId: folded.currentId,
      first: JSON.stringify(folded.first),
      firstAt: iso(folded.firstAt),
      firstId: folded.firstId,
      lastAt: iso(folded.lastAt),
      number: asNumber(type, folded.current),
      firstNumber: asNumber(type, folded.first),
    }));
    await db
      .insertInto("variableCurrent")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["variableId", "subject"]).doUpdateSet((e) => ({
          companyId: e.ref("excluded.companyId"),
          count: e.ref("excluded.count"),
          current: e.ref("excluded.current"),
          currentAt: e.ref("excluded.currentAt"),
          currentId: e.ref("excluded.currentId"),
          first: e.ref("excluded.first"),
          firstAt: e.ref("excluded.firstAt"),
          firstId: e.ref("excluded.firstId"),
          lastAt: e.ref("excluded.lastAt"),
          number: e.ref("excluded.number"),
          firstNumber: e.ref("excluded.firstNumber"),
        })),
      )
      .execute();
  }
}
/** Rows per statement; PostgreSQL allows 65,535 parameters in one. */
const BATCH = 2000;

/** The changes of tallies and totals by a batch of values. */
export type Changes = {
  tallies: Map<string, { variableId: string; companyId: string; label: string; number: number | null; count: number }>;
  totals: Map<string, Totals>;
};
export type Totals = {
  variableId: string;
  companyId: string;
  subjects: number;
  learners: number;
  accepted: number;
  refused: number;
  lastAt: number | null;
};

export const noChanges = (): Changes => ({ tallies: new Map(), totals: new Map() });

/** Tallies the current value of a subject: -1 for a value that is replaced. */
export function countValue({ tallies }: Changes, { variableId, origin, type, folded }: Subject, by: 1 | -1) {
  for (const label of tallyLabels(type, folded.current)) {
    const key = JSON.stringify([variableId, origin.companyId, label]);
    const number = asNumber(type, folded.current);
    const tally = tallies.get(key) ?? { variableId, companyId: origin.companyId, label, number, count: 0 };
    tally.count += by;
    tallies.set(key, tally);
  }
}

export function totalsOf({ totals }: Changes, variableId: string, companyId: string): Totals {
  const key = `${variableId} ${companyId}`;
  const total = totals.get(key) ?? {
    variableId,
    companyId,
    subjects: 0,
    learners: 0,
    accepted: 0,
    refused: 0,
    lastAt: null,
  };
  totals.set(key, total);
  return total;
}

export async function storeChanges(db: Db, { tallies, totals }: Changes) {
  const changed = [...tallies.values()].filter(({ count }) => count !== 0);
  for (let at = 0; at < changed.length; at += BATCH)
    await db
      .insertInto("variableTallies")
      .values(changed.slice(at, at + BATCH))
      .onConflict((conflict) =>
        conflict
          .columns(["variableId", "companyId", "label"])
          .doUpdateSet((e) => ({ count: e("variableTallies.count", "+", e.ref("excluded.count")) })),
      )
      .execute();
  if (changed.some(({ count }) => count < 0))
    await db
      .deleteFrom("variableTallies")
      .where("count", "=", 0)
      .where(isOneOf("variableId", [...new Set(changed.map(({ variableId }) => variableId))]))
      .execute();
  const rows = [...totals.values()].map(({ lastAt, ...row }) => ({
    ...row,
    lastAt: lastAt === null ? null : iso(lastAt),
  }));
  for (let at = 0; at < rows.length; at += BATCH)
    await db
      .insertInto("variableTotals")
      .values(rows.slice(at, at + BATCH))
      .onConflict((conflict) =>
        conflict.columns(["variableId", "companyId"]).doUpdateSet((e) => ({
          subjects: e("variableTotals.subjects", "+", e.ref("excluded.subjects")),
          learners: e("variableTotals.learners", "+", e.ref("excluded.learners")),
          accepted: e("variableTotals.accepted", "+", e.ref("excluded.accepted")),
          refused: e("variableTotals.refused", "+", e.ref("excluded.refused")),
          lastAt: sql<string>`greatest(variable_totals.last_at, excluded.last_at)`,
        })),
      )
      .execute();
}
