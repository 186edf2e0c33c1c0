import { createHmac, randomBytes } from "node:crypto";
import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type ExportColumn, exportJsonLines, exportRows, readInOrder } from "#server/core/export/exportRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { describeValues, filterValues, previousValue, resolveFilter } from "#server/rawData/valueRows.ts";
import texts from "#shared/locales/en/rawData.json" with { type: "json" };
import variableTexts from "#shared/locales/en/variables.json" with { type: "json" };
import type { rawData } from "#shared/rawData/rawData.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type { Constraints, VariableType, VariableValue } from "#shared/variables/variableTypes.ts";

const { columns, hidden, masked } = texts.export;
type Key = keyof typeof columns;
/** An exported value. Fields that name people are missing in an export with pseudonyms. */
type Exported = Partial<Record<Key, VariableValue>>;

/** All values that match a filter, newest first, as CSV, XLSX or JSON Lines; times in UTC, durations in seconds. */
export async function exportValues(ctx: Ctx<User>, query: QueryOf<typeof rawData.export>) {
  const { format, pseudonyms, ...rest } = query;
  const filter = await resolveFilter(ctx, rest);
  const { total, newest } = await filterValues(ctx, filter)
    .select((e) => [e.fn.countAll<number>().as("total"), e.fn.max("stored.id").as("newest")])
    .executeTakeFirstOrThrow();
  const isHidden = pseudonyms === "yes";
  const toPseudonym = isHidden ? createPseudonyms(ctx.config.secret) : null;
  // Values that arrive after the count are left out, so that the announced number of rows is right.
  const stored = readInOrder(
    ctx,
    filterValues(ctx, filter)
      .where("stored.id", "<=", newest ?? 0)
      .orderBy("stored.id", "desc")
      .select("stored.id"),
    (tx, ids) => describeExported({ ...ctx, db: tx }, ids).execute(),
  );
  const rows = async function* () {
    for await (const batch of stored) yield batch.map((row) => toExported(row, toPseudonym));
  };
  const name = isHidden ? "values-without-names" : "values";
  const answer =
    format === "jsonl"
      ? exportJsonLines(name, rows(), total)
      : exportRows(name, format, rows(), sheetColumns(isHidden), total);
  await record(ctx.db, ctx, {
    action: "variables.export",
    // The company, course and person of a filter without matches may not exist.
    ...(total > 0 && {
      ...(filter.userId && { people: [filter.userId] }),
      companyId: filter.companyId ?? null,
      courseId: filter.courseId ?? null,
    }),
    details: { values: total, format, namesHidden: isHidden },
  });
  return answer;
}

const describeExported = (ctx: Ctx<User>, ids: number[]) =>
  describeValues(ctx, { matches: [] })
    .where(sql<boolean>`stored.id = any(${ids}::bigint[])`)
    .select([previousValue.as("previous"), "variables.constraints"])
    .orderBy("stored.id", "desc");

/** Pseudonyms of ids: 16 hex digits, the same for equal ids, different in every export. */
function createPseudonyms(secret: string) {
  const salt = randomBytes(32).toString("hex");
  return (id: string) => createHmac("sha256", secret).update(`pseudonym ${salt} ${id}`).digest("hex").slice(0, 16);
}

type Stored = Awaited<ReturnType<ReturnType<typeof describeExported>["execute"]>>[number];

function toExported(row: Stored, toPseudonym: ((id: string) => string) | null): Exported {
  const isSensitive = row.privacy === "sensitive";
  const mask = (value: VariableValue) => (isSensitive && value !== null ? masked : value);
  const pseudonymOf = (id: string | null) => (id && toPseudonym ? toPseudonym(id) : id);
  return {
    recordedAt: row.recordedAt,
    happenedAt: row.happenedAt,
    company: row.company,
    learner: toPseudonym ? pseudonymOf(row.userId) : row.learner,
    ...(!toPseudonym && { email: row.email }),
    course: row.course,
    version: row.courseVersion,
    attempt: row.attempt,
    part: row.part,
    variable: row.label,
    key: row.key,
    type: row.type,
    value: mask(row.value),
    previous: mask(row.previous),
    refused: row.refusal,
    source: row.source,
    passedFrom: row.passedFrom || null,
    corrected: row.corrected,
    ...(!toPseudonym && { actor: row.actor, reason: row.reason }),
    // The page of a session names its learner, so its id must not be exported.
    sessionId: pseudonymOf(row.sessionId),
    preview: row.preview,
    ...(toPseudonym && { freeText: !isSensitive && [row.value, row.previous].some((value) => isFreeText(value, row)) }),
  };
}

/** Whether the value may be typed text: it is neither a date nor one of the options. */
function isFreeText(value: VariableValue, { type, constraints }: { type: VariableType; constraints: Constraints }) {
  if (value === null || typeof value === "number" || typeof value === "boolean") return false;
  if (type === "date" && typeof value === "string") return !/^\d{4}-\d\d-\d\d$/.test(value);
  const { options } = constraints;
  return !options || ![value].flat().every((one) => typeof one === "string" && options.includes(one));
}

/** The columns of a sheet, with words instead of the codes of types, sources and refusals. */
function sheetColumns(isHidden: boolean): ExportColumn<Exported>[] {
  const heads: Record<Key, string> = isHidden ? { ...columns, ...hidden } : columns;
  const omitted = isHidden ? ["email", "actor", "reason"] : ["freeText"];
  return (Object.keys(columns) as Key[])
    .filter((key) => !omitted.includes(key))
    .map((key) => [heads[key], (row) => toCell(wordOf(key, row[key] ?? null))]);
}

const words: Partial<Record<Key, Record<string, string>>> = {
  type: variableTexts.types,
  source: texts.sources,
  refused: texts.refusals,
};
const wordOf = (key: Key, value: VariableValue) => (typeof value === "string" ? (words[key]?.[value] ?? value) : value);

function toCell(value: VariableValue): string | number | null {
  if (typeof value === "boolean") return value ? variableTexts.yes : variableTexts.no;
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join("; ");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
