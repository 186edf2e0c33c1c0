import { Readable } from "node:stream";
import { type RawBuilder, sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import type { Person, Section } from "#server/core/domains/personalData.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { listHidden } from "#server/core/database/measured.ts";
import { readPerson, subjectOf } from "#server/privacy/erasure.ts";
import { EXPORT_VERSION } from "#shared/privacy/privacy.ts";
import type { User } from "#shared/core/users.ts";

/** Rows held in memory at a time; few, because event batches can be large. */
const PAGE_ROWS = 50;

/**
 * Exports everything about a person as a stream of one JSON document. Rejects before the first byte if it cannot start.
 */
export async function exportPerson(ctx: Ctx<User>, sections: Section[], userId: string | undefined): Promise<Readable> {
  const { db, log } = ctx;
  const person = await readPerson(ctx, subjectOf(ctx.user, userId));
  if (!person) throw notFound();
  await refuseExport(ctx, person.id);
  await inTransaction(db, (tx) => record(tx, ctx, { action: "privacy.export", people: [person.id] }));
  const stream = Readable.from(writeDocument(db, person, sections, ctx.user.id === person.id));
  // An error in the middle of the stream closes the connection, so that a partial file is not taken for a complete one.
  stream.on("error", (error) => log.error({ err: error }, "privacy.exportFailed"));
  return stream;
}

/** What a company shows to nobody, only the person exports. */
async function refuseExport({ db, user }: Ctx<User>, personId: string) {
  if (personId === user.id) return;
  const companies = await db
    .selectFrom("users")
    .where("id", "=", personId)
    .where("companyId", "is not", null)
    .select("companyId")
    .union(db.selectFrom("enrolments").where("userId", "=", personId).select("companyId"))
    .execute();
  const hidden = await listHidden(
    db,
    user,
    companies.flatMap(({ companyId }) => companyId ?? []),
  );
  if (hidden.size > 0) throw conflict("measures.exportOwn");
}

async function* writeDocument(db: Db, person: Person, sections: Section[], isSelf: boolean) {
  const columns = await readColumns(db, sections);
  const head = { schemaVersion: EXPORT_VERSION, generatedAt: new Date().toISOString(), userId: person.id };
  yield `${JSON.stringify(head).slice(0, -1)},"sections":{`;
  for (const [index, section] of sections.entries()) {
    const { key, purpose, basis, retention } = section;
    const facts = JSON.stringify({ purpose, legalBasis: basis, retention }).slice(0, -1);
    yield `${index > 0 ? "," : ""}\n${JSON.stringify(key)}:${facts},"items":[`;
    let first = true;
    const hidden = (!isSelf && section.onlyForSelf) || sql`false`;
    for await (const rows of pagesOf(db, person, section, hidden, columns.get(section.table) ?? [])) {
      yield (first ? "\n" : ",\n") + rows.map((row) => JSON.stringify(row)).join(",\n");
      first = false;
    }
    yield "]}";
  }
  yield "\n}}\n";
}

/** The columns of every table that has a section, in their order, from the catalogue of the database. */
async function readColumns(db: Db, sections: Section[]): Promise<Map<string, string[]>> {
  const tables = [...new Set(sections.map(({ table }) => table))];
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select table_name::text as table, array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns
    where table_schema = 'public' and table_name in (${sql.join(tables)})
    group by table_name`.execute(db);
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

/** The names of the exported columns of a section, without its keys. */
export const exportedColumns = ({ only, omit = {}, keys }: Section, columns: string[]) =>
  (only ?? columns).filter((column) => !(column in omit) && !keys.includes(column));

/**
 * Yields the rows of a section page by page, by key. No cursor is used, because it would block a connection for slow
 * clients.
 */
async function* pagesOf(db: Db, person: Person, section: Section, hidden: RawBuilder<unknown>, columns: string[]) {
  const { table, joins = "", extra, keys, where } = section;
  const names = keys.map((_, at) => `key_${at}`);
  const order = sql.raw(keys.map((key) => `${table}.${key}`).join(", "));
  const selected = [
    ...keys.map((key, at) => `${table}.${key} as key_${at}`),
    ...(extra ? [extra] : []),
    ...exportedColumns(section, columns).map((column) => `${table}.${column}`),
  ].join(", ");
  let after: unknown[] | null = null;
  for (;;) {
    const afterLast = after ? sql`and (${order}) > (${sql.join(after)})` : sql``;
    const { rows } = await sql<Record<string, unknown>>`
      select ${sql.raw(selected)}
      from ${sql.raw(`${table} ${joins}`)}
      where (${where(person)})
        and not (${hidden}) ${afterLast}
      order by ${order}
      limit ${PAGE_ROWS}`.execute(db);
    if (rows.length > 0) yield rows.map((row) => withKeyNames(row, keys));
    if (rows.length < PAGE_ROWS) return;
    const last = rows.at(-1) as Record<string, unknown>;
    after = names.map((name) => last[camel(name)]);
  }
}

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
/** Renames key columns: `key0` becomes `id` or `attemptId`. */
function withKeyNames(row: Record<string, unknown>, keys: string[]) {
  const ids = keys.map((key, at) => [camel(key), row[camel(`key_${at}`)]]);
  return {
    ...Object.fromEntries(ids),
    ...Object.fromEntries(Object.entries(row).filter(([name]) => !/^key\d+$/i.test(name))),
  };
}
