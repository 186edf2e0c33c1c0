import { sql } from "kysely";
import { announceChange } from "#server/core/live/announcements.ts";
import { inTransaction, type Db, type Tx } from "#server/core/database/db.ts";
import { createRequestedWork } from "#server/core/requestedWork.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Services } from "#server/core/services.ts";
import { deleteLateValues } from "#server/variables/fold/lateValues.ts";
import {
  type Changes,
  countValue,
  noChanges,
  storeChanges,
  storeSubjects,
  type Subject,
  totalsOf,
} from "#server/variables/fold/derivedRows.ts";
import {
  counts,
  isAfter,
  momentOf,
  readStoredValue,
  selectValues,
  toFolded,
  type ValueRow,
} from "#server/variables/fold/values.ts";
import { subjectOf } from "#server/variables/subjects.ts";
import { type FoldedValue, foldValue, type VariableValue } from "#shared/variables/variableTypes.ts";

// Commits only append values, so that two learners never wait for each other. Current values, tallies and totals are
// folded from them shortly afterwards, by one server at a time and exactly once: the cursor moves in the transaction
// that stores the results.

/** The number of values folded in a transaction. */
const BATCH = 5000;
/** Delay between a commit and the folding of its values, in ms: several commits are folded together. */
const DELAY_MS = 200;

/**
 * Folds at most BATCH values that were stored since the last call. Values of transactions that are newer than a running
 * one wait until it ends, so that none of its values is skipped. Returns `more` if there is more to fold now, `waiting`
 * if there is more once another transaction has ended.
 */
export async function foldBatch(db: Db): Promise<"done" | "more" | "waiting"> {
  return inTransaction(db, async (tx) => {
    const cursor = await tx.selectFrom("variableFold").selectAll().forUpdate().skipLocked().executeTakeFirst();
    if (!cursor) return "waiting";
    const rows = await selectValues(tx)
      .select(sql<string>`stored.tx::text`.as("tx"))
      .where(isAfter(cursor))
      .where(sql<boolean>`stored.tx < pg_snapshot_xmin(pg_current_snapshot())`)
      .orderBy("stored.tx")
      .orderBy("stored.id")
      .limit(BATCH)
      .execute();
    const last = rows.at(-1);
    if (!last) return (await hasUnfolded(tx, cursor)) ? "waiting" : "done";
    const late = await deleteLateValues(tx, rows);
    await foldInto(
      tx,
      rows.map((row) => ({ ...row, deletionId: late.get(row.id) ?? row.deletionId })),
    );
    await tx
      .updateTable("variableFold")
      .set({ tx: sql`${last.tx}::xid8`, valueId: last.id })
      .execute();
    for (const domain of ["variables", "rawData"] as const) await announceChange(tx, { domain });
    return (await hasUnfolded(tx, { tx: last.tx, valueId: last.id })) ? "more" : "done";
  });
}

async function hasUnfolded(tx: Tx, cursor: { tx: string; valueId: number }) {
  const row = await tx
    .selectFrom("variableValues as stored")
    .where(isAfter(cursor))
    .select("stored.id")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds values to the stored rows of their subjects. */
async function foldInto(tx: Tx, rows: ValueRow[]) {
  const changes = noChanges();
  const bySubject = new Map<
    string,
    { row: ValueRow; subject: string; events: { row: ValueRow; value: VariableValue }[] }
  >();
  for (const row of rows) {
    if (row.refusal !== null && !row.preview) totalsOf(changes, row.variableId, row.companyId).refused++;
    const subject = subjectOf(row.scope, row);
    const value = counts(row) ? readStoredValue(row) : undefined;
    if (subject === null || value === undefined) continue;
    const key = `${row.variableId} ${subject}`;
    const group = bySubject.get(key) ?? { row, subject, events: [] };
    group.events.push({ row, value });
    bySubject.set(key, group);
  }
  const before = await readSubjects(
    tx,
    [...bySubject.values()].map(({ row, subject }) => [row.variableId, subject]),
  );
  const learners = await countSubjectsOfLearners(
    tx,
    [...bySubject.values()].map(({ row }) => row),
  );
  const subjects = [...bySubject].map(([key, { row, subject, events }]) => {
    const stored = before.get(key);
    const lastRow = events.at(-1)?.row ?? row;
    const folded = events.reduce<FoldedValue | null>(
      (result, { row, value }) => foldValue(row.writeMode, result, { ...momentOf(row), value }),
      stored?.folded ?? null,
    ) as FoldedValue;
    const after: Subject = {
      variableId: row.variableId,
      subject,
      origin: lastRow,
      scope: row.scope,
      type: row.type,
      folded,
    };
    if (stored)
      countSubject(
        changes,
        learners,
        { ...after, origin: { ...lastRow, companyId: stored.companyId }, folded: stored.folded },
        -1,
      );
    countSubject(changes, learners, after, 1);
    return after;
  });
  await storeSubjects(tx, subjects);
  await storeChanges(tx, changes);
}

type LearnerCounts = Map<string, number>;
const learnerKey = (variableId: string, companyId: string, userId: string) => `${variableId} ${companyId} ${userId}`;

/** Counts a subject in tallies and totals (-1 removes it); a learner with several subjects counts once. */
export function countSubject(changes: Changes, learners: LearnerCounts, subject: Subject, by: 1 | -1) {
  countValue(changes, subject, by);
  const { variableId, origin, scope, folded } = subject;
  const totals = totalsOf(changes, variableId, origin.companyId);
  totals.subjects += by;
  totals.accepted += by * folded.count;
  if (by > 0) totals.lastAt = Math.max(totals.lastAt ?? 0, folded.lastAt);
  if (scope === "company" || origin.userId === null) return;
  const key = learnerKey(variableId, origin.companyId, origin.userId);
  const count = learners.get(key) ?? 0;
  learners.set(key, count + by);
  if (count === 0 || count + by === 0) totals.learners += by;
}

/** The stored subjects of variables, by variable and subject. */
async function readSubjects(tx: Tx, keys: [variableId: string, subject: string][]) {
  if (keys.length === 0) return new Map<string, { companyId: string; folded: FoldedValue }>();
  const rows = await tx
    .selectFrom("variableCurrent")
    .where(
      sql<boolean>`(variable_id, subject) in (
        select *
        from unnest(${keys.map(([id]) => id)}::uuid[], ${keys.map(([, subject]) => subject)}::text[])
      )`,
    )
    .selectAll()
    .execute();
  return new Map(
    rows.map((row) => [`${row.variableId} ${row.subject}`, { companyId: row.companyId, folded: toFolded(row) }]),
  );
}

/** The number of subjects of each learner in each variable and company. */
export async function countSubjectsOfLearners(
  tx: Tx,
  rows: Pick<ValueRow, "userId" | "variableId">[],
): Promise<LearnerCounts> {
  const users = [...new Set(rows.flatMap(({ userId }) => userId ?? []))];
  if (users.length === 0) return new Map();
  const subjectCounts = await tx
    .selectFrom("variableCurrent")
    .where(isOneOf("userId", users))
    .where(isOneOf("variableId", [...new Set(rows.map(({ variableId }) => variableId))]))
    .groupBy(["variableId", "companyId", "userId"])
    .select(["variableId", "companyId", "userId", (e) => e.fn.countAll<number>().as("subjects")])
    .execute();
  return new Map(
    subjectCounts.map((row) => [learnerKey(row.variableId, row.companyId, row.userId ?? ""), row.subjects]),
  );
}

/**
 * Folds values soon after `request()` until none is left; calls `folded` after every batch. `stop` awaits a running
 * one.
 */
export const createFolding = ({ db, log }: Pick<Services, "db" | "log">, folded: () => void = () => {}) =>
  createRequestedWork(
    log,
    DELAY_MS,
    "values of variables could not be folded; tried again with the next ones",
    async () => {
      const result = await foldBatch(db);
      folded();
      return result !== "done";
    },
  );
