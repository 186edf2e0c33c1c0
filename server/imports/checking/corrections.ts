import { sql } from "kysely";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { listDefinitions } from "#server/fields/values.ts";
import { judge, judgeTogether } from "#server/imports/checking/judge.ts";
import { listSamePeople } from "#server/imports/checking/judgeRows.ts";
import { parseRows } from "#server/imports/checking/parseRows.ts";
import { processImports } from "#server/imports/jobs.ts";
import { ordered } from "#server/imports/lease.ts";
import { readRow } from "#server/imports/rows.ts";
import { getImport, lockImport } from "#server/imports/service.ts";
import { normalHead, rememberedKey } from "#shared/imports/guessColumns.ts";
import { fieldsAbout, type ImportColumn } from "#shared/imports/importReasons.ts";
import type { imports } from "#shared/imports/imports.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

async function lockReady(ctx: Ctx<User>, tx: Tx, id: string) {
  const row = await lockImport(ctx, tx, id);
  if (row.state !== "ready") throw conflict("imports.notReady");
  return row;
}

/** Sets the field of each column, remembers it for the company, and orders a job to check all rows again. */
export async function mapColumns(
  ctx: Ctx<User>,
  id: string,
  { mapping, existing, dates, keepsUnknown }: BodyOf<typeof imports.map>,
) {
  return inTransaction(ctx.db, async (tx) => {
    const row = await lockReady(ctx, tx, id);
    if (mapping.length !== row.head.length) throw badField("mapping", "imports.columns");
    const chosen = mapping.filter((field) => field !== null);
    if (new Set(chosen).size !== chosen.length) throw badField("mapping", "imports.twice");
    const own = row.about === "people" ? await listDefinitions(tx, row.companyId) : [];
    const offered = new Set<ImportColumn>([...fieldsAbout[row.about], ...own.map(({ id }) => `own:${id}` as const)]);
    if (chosen.some((column) => !offered.has(column))) throw badField("mapping", "fields.unknown");
    const fields = Object.fromEntries(
      row.head.map((head, column) => [rememberedKey(row.about, normalHead(head)), mapping[column] ?? null]),
    );
    await sql`
      insert into people_import_mappings (company_id, fields)
      values (${row.companyId}, ${JSON.stringify(fields)}::jsonb)
      on conflict (company_id) do update set fields = people_import_mappings.fields || excluded.fields`.execute(tx);
    await tx
      .updateTable("peopleImports")
      .set({ ...ordered, mapping: JSON.stringify(mapping), existing, dates, keepsUnknown, state: "checking" })
      .where("id", "=", id)
      .execute();
    await processImports.enqueue(tx, {}, { key: "imports:process" });
    return getImport({ ...ctx, db: tx }, id);
  });
}

/** Corrects a row or leaves it out. Also checks it again, with the rows that were or now are about the same person. */
export async function correctRow(
  ctx: Ctx<User>,
  { id, number }: { id: string; number: number },
  { cells = {}, leftOut }: BodyOf<typeof imports.correct>,
) {
  return inTransaction(ctx.db, async (tx) => {
    const file = await lockReady(ctx, tx, id);
    const row = await tx
      .selectFrom("peopleImportRows")
      .where("importId", "=", id)
      .where("number", "=", number)
      .select("cells")
      .executeTakeFirstOrThrow(notFound);
    const width = file.head.length;
    if (Object.keys(cells).some((column) => Number(column) >= width)) throw badField("cells", "imports.columns");
    // An admin who corrects a row sees only the columns of the head, so cells beyond them are dropped.
    const isCorrected = Object.keys(cells).length > 0;
    const corrected = Array.from({ length: isCorrected ? width : Math.max(width, row.cells.length) }, (_, column) =>
      (cells[String(column)] ?? row.cells[column] ?? "").trim(),
    );
    const listSame = async () => (file.about === "people" ? listSamePeople(tx, id, [number]) : []);
    const before = await listSame();
    await tx
      .updateTable("peopleImportRows")
      .set({ cells: JSON.stringify(corrected), ...(leftOut !== undefined && { leftOut }) })
      .where("importId", "=", id)
      .where("number", "=", number)
      .execute();
    await parseRows(tx, file, [{ number, cells: corrected }]);
    const after = await listSame();
    await judge(tx, file, [...new Set([number, ...before, ...after])]);
    await judgeTogether(tx, file);
    return readRow(tx, id, number);
  });
}
