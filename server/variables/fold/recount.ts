import { sql } from "kysely";
import { inTransaction, type Db, type Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import {
  noChanges,
  storeChanges,
  storeSubjects,
  type Changes,
  type Subject,
  type Totals,
  totalsOf,
} from "#server/variables/fold/derivedRows.ts";
import { countSubject, countSubjectsOfLearners } from "#server/variables/fold/fold.ts";
import {
  momentOf,
  readStoredValue,
  selectValues,
  toFolded,
  counts,
  isAfter,
  type ValueRow,
} from "#server/variables/fold/values.ts";
import { subjectOf } from "#server/variables/subjects.ts";
import { type FoldedValue, foldValue } from "#shared/variables/variableTypes.ts";

// Recomputes what is derived from the values of a variable from all of them

/** The number of values read at once. */
const BATCH = 10_000;

type Recounted = { subjects: Map<string, Subject>; changes: Changes };

/** Waits until nothing is being folded and prevents it until the transaction ends. Returns the last folded value. */
export async function lockFolding(tx: Tx) {
  return tx.selectFrom("variableFold").selectAll().forUpdate().executeTakeFirstOrThrow();
}

/** Folds all values of a variable up to the cursor. The transaction must hold `lockFolding`. */
async function foldAll(tx: Tx, variableId: string, cursor: { tx: string; valueId: number }): Promise<Recounted> {
  const subjects = new Map<string, Subject>();
  const changes = noChanges();
  await addCheckpoints(tx, variableId, subjects);
  let after = { tx: "0", valueId: 0 };
  for (;;) {
    const rows = await selectValues(tx)
      .select(sql<string>`stored.tx::text`.as("tx"))
      .where("stored.variableId", "=", variableId)
      .where(isAfter(after))
      .where(sql<boolean>`(stored.tx, stored.id) <= (${cursor.tx}::xid8, ${cursor.valueId}::bigint)`)
      .orderBy("stored.tx")
      .orderBy("stored.id")
      .limit(BATCH)
      .execute();
    for (const row of rows)
      if (row.refusal !== null && !row.preview) totalsOf(changes, variableId, row.companyId).refused++;
    addValues(subjects, rows);
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) break;
    after = { tx: last.tx, valueId: last.id };
  }
  const learners = new Map<string, number>();
  for (const subject of subjects.values()) countSubject(changes, learners, subject, 1);
  return { subjects, changes };
}

/** Folds values, in the order of their transactions, into their subjects. */
function addValues(subjects: Map<string, Subject>, rows: ValueRow[]) {
  for (const row of rows) {
    const { variableId, scope, type, writeMode } = row;
    const subject = subjectOf(scope, row);
    const value = counts(row) ? readStoredValue(row) : undefined;
    if (subject === null || value === undefined) continue;
    const event = { ...momentOf(row), value };
    const folded = foldValue(writeMode, subjects.get(subject)?.folded ?? null, event);
    // The latest row determines the company, as in `foldBatch`.
    subjects.set(subject, { variableId, subject, origin: row, scope, type, folded });
  }
}

/** Recomputes some subjects of a variable, after a correction or a deletion of few values. */
export async function refoldSubjects(tx: Tx, variableId: string, keys: string[]) {
  const cursor = await lockFolding(tx);
  const stored = await tx
    .selectFrom("variableCurrent")
    .innerJoin("variables", "variables.id", "variableCurrent.variableId")
    .where("variableId", "=", variableId)
    .where("subject", "in", keys)
    .selectAll("variableCurrent")
    .select(["variables.scope", "variables.type"])
    .execute();
  const rows = await selectValues(tx)
    .where("stored.variableId", "=", variableId)
    .where(isOfSubjects(keys))
    .where(sql<boolean>`(stored.tx, stored.id) <= (${cursor.tx}::xid8, ${cursor.valueId}::bigint)`)
    .orderBy("stored.tx")
    .orderBy("stored.id")
    .execute();
  const subjects = new Map<string, Subject>();
  await addCheckpoints(tx, variableId, subjects);
  addValues(subjects, rows);
  const changed = [...subjects.values()].filter(({ subject }) => keys.includes(subject));
  const changes = noChanges();
  const learners = await countSubjectsOfLearners(tx, [...stored, ...rows]);
  for (const row of stored) countSubject(changes, learners, { ...row, origin: row, folded: toFolded(row) }, -1);
  for (const subject of changed) countSubject(changes, learners, subject, 1);
  await tx.deleteFrom("variableCurrent").where("variableId", "=", variableId).where("subject", "in", keys).execute();
  await storeSubjects(tx, changed);
  await storeChanges(tx, changes);
}

/** SQL condition: a value may belong to these subjects (`subjectOf`); callers drop rows of other subjects. */
const isOfSubjects = (keys: string[]) => {
  const ids = keys.flatMap((key) => key.split("/"));
  return sql<boolean>`(
    ${isOneOf("stored.userId", ids)}
    or ${isOneOf("stored.attemptId", ids)}
    or ${isOneOf("stored.companyId", ids)}
  )`;
};

/** Starts the values of companies with what erased people added to them. */
async function addCheckpoints(tx: Tx, variableId: string, subjects: Map<string, Subject>) {
  const rows = await tx
    .selectFrom("variableCheckpoints as checkpoint")
    .innerJoin("variables", "variables.id", "checkpoint.variableId")
    .where("checkpoint.variableId", "=", variableId)
    .where("variables.scope", "=", "company")
    .select(["checkpoint.companyId", "checkpoint.folded", "variables.scope", "variables.type"])
    .execute();
  for (const { companyId, folded, scope, type } of rows)
    subjects.set(companyId, {
      variableId,
      subject: companyId,
      origin: { companyId, userId: null, courseId: null, attemptId: null },
      scope,
      type,
      folded,
    });
}

/** Recomputes a variable, after a change of its type or write mode, a deletion or a merge. */
export async function refoldVariable(tx: Tx, variableId: string) {
  const cursor = await lockFolding(tx);
  const { subjects, changes } = await foldAll(tx, variableId, cursor);
  for (const table of ["variableCurrent", "variableTallies", "variableTotals"] as const)
    await tx.deleteFrom(table).where("variableId", "=", variableId).execute();
  await storeSubjects(tx, [...subjects.values()]);
  await storeChanges(tx, changes);
}

/**
 * Makes values from another database server independent of its transaction numbers, and folds all of them again. After
 * a restore the numbers of this server may be lower, and new values would be taken for folded ones. Values that flows
 * have not passed on yet pass afterwards, once. Returns whether that was necessary.
 */
export async function adoptMovedValues(db: Db): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const passed = await tx.selectFrom("flowCursor").selectAll().forUpdate().executeTakeFirstOrThrow();
    const cursor = await lockFolding(tx);
    const isMoved = sql<boolean>`greatest(
      ${cursor.tx}::xid8,
      ${passed.tx}::xid8,
      (select max(tx) from variable_values),
      (select max(since_tx) from flows)
    ) > pg_snapshot_xmax(pg_current_snapshot())`;
    const { moved } = await tx.selectNoFrom(isMoved.as("moved")).executeTakeFirstOrThrow();
    if (!moved) return false;
    const passedUntil = sql`(${passed.tx}::xid8, ${passed.valueId}::bigint)`;
    const lastId = sql<number>`(select coalesce(max(id), 0) from variable_values)`;
    // The transaction numbers of a server start at 3: with 0 and 1, every value is older than new ones.
    const adopted = (transaction: string, valueId: string) => {
      const position = sql`(${sql.raw(transaction)}, ${sql.raw(valueId)})`;
      return {
        tx: sql`case when ${position} <= ${passedUntil} then '0' else '1' end::xid8`,
        valueId: sql`(
          select coalesce(max(stored.id), 0)
          from variable_values stored
          where stored.variable_id = source_variable_id
            and (stored.tx, stored.id) <= ${position}
        )`,
      };
    };
    const until = adopted("until_tx", "until_value_id");
    await sql`
      update flow_backfills
      set until_tx = ${until.tx},
        until_value_id = ${until.valueId}
      from flows
      where flows.id = flow_id`.execute(tx);
    const since = adopted("since_tx", "since_value_id");
    await sql`
      update flows
      set since_tx = ${since.tx},
        since_value_id = ${since.valueId}`.execute(tx);
    await sql`
      update variable_values
      set tx = case when (tx, id) <= ${passedUntil} then '0' else '1' end::xid8`.execute(tx);
    await sql`update flow_cursor set tx = '0', value_id = ${lastId}`.execute(tx);
    await sql`update variable_fold set tx = '1', value_id = ${lastId}`.execute(tx);
    for (const { id } of await tx.selectFrom("variables").select("id").orderBy("id").execute())
      await refoldVariable(tx, id);
    return true;
  });
}

export type Difference = { variableId: string; what: string; stored: string; recounted: string };

/**
 * Compares the derived rows of every variable with its values, and replaces those that differ. Returns the differences,
 * at most 1000. There are none unless the database was changed by hand or the product has a bug.
 */
export async function recountVariables(db: Db): Promise<Difference[]> {
  const differences: Difference[] = [];
  const ids = await db.selectFrom("variables").select("id").orderBy("id").execute();
  for (const { id } of ids)
    await inTransaction(db, async (tx) => {
      const cursor = await lockFolding(tx);
      const ofVariable = compare(id, await readStored(tx, id), describe(await foldAll(tx, id, cursor)));
      if (ofVariable.length > 0) await refoldVariable(tx, id);
      differences.push(...ofVariable.slice(0, 1000 - differences.length));
    });
  return differences;
}

type Described = Map<string, string>;

function describe({ subjects, changes }: Recounted): Described {
  const described: Described = new Map();
  for (const { subject, folded } of subjects.values())
    described.set(`current value of ${subject}`, describeFolded(folded));
  for (const { companyId, label, count } of changes.tallies.values())
    if (count !== 0) described.set(`tally of ${JSON.stringify(label)} in ${companyId}`, String(count));
  for (const totals of changes.totals.values())
    if (totals.accepted > 0 || totals.refused > 0)
      described.set(`totals of ${totals.companyId}`, describeTotals(totals));
  return described;
}

/** The value with sorted keys: PostgreSQL changes the order of keys in jsonb. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted()
      .map(([key, one]) => [key, sorted(one)]),
  );
};
/** Rounded to 12 digits: the last digits of sums depend on the order of the values. */
const describeFolded = (folded: FoldedValue) =>
  JSON.stringify(sorted(folded), (_, one) => (typeof one === "number" ? Number(one.toPrecision(12)) : one));
const describeTotals = ({
  subjects,
  learners,
  accepted,
  refused,
}: Omit<Totals, "variableId" | "companyId" | "lastAt">) => JSON.stringify({ subjects, learners, accepted, refused });

async function readStored(tx: Tx, variableId: string): Promise<Described> {
  const stored: Described = new Map();
  const current = await tx.selectFrom("variableCurrent").where("variableId", "=", variableId).selectAll().execute();
  for (const row of current) stored.set(`current value of ${row.subject}`, describeFolded(toFolded(row)));
  const tallies = await tx.selectFrom("variableTallies").where("variableId", "=", variableId).selectAll().execute();
  for (const row of tallies) stored.set(`tally of ${JSON.stringify(row.label)} in ${row.companyId}`, String(row.count));
  const totals = await tx.selectFrom("variableTotals").where("variableId", "=", variableId).selectAll().execute();
  for (const row of totals)
    if (row.accepted > 0 || row.refused > 0) stored.set(`totals of ${row.companyId}`, describeTotals(row));
  return stored;
}

function compare(variableId: string, stored: Described, recounted: Described): Difference[] {
  const names = new Set([...stored.keys(), ...recounted.keys()]);
  return [...names].flatMap((what) => {
    const [one, other] = [stored.get(what) ?? "nothing", recounted.get(what) ?? "nothing"];
    return one === other ? [] : { variableId, what, stored: one, recounted: other };
  });
}
