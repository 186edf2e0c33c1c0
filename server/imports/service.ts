import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound, Problem } from "#server/core/http/problem.ts";
import { listDefinitions } from "#server/fields/values.ts";
import { getChangeableFile, markFileDeleted, markFileInUse, markFileUnused } from "#server/files/service.ts";
import { processImports } from "#server/imports/jobs.ts";
import { countMembers, selectLeavers } from "#server/imports/leavers.ts";
import { unmappedFields } from "#shared/imports/guessColumns.ts";
import { IMPORT_MAX_COLUMNS, type ImportDetail, imports, isWorking, UNDO_HOURS } from "#shared/imports/imports.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

export const IMPORT_SCOPE = { company: "peopleImports.companyId" };

/** Imports in the scope of the user, with the columns of the list. */
const selectImports = ({ db, user }: Pick<Ctx<User>, "db" | "user">) =>
  db
    .selectFrom("peopleImports")
    .innerJoin("companies", "companies.id", "peopleImports.companyId")
    .leftJoin("users as authors", "authors.id", "peopleImports.createdBy")
    .where(inScope(user, IMPORT_SCOPE))
    .select([
      "peopleImports.id",
      "peopleImports.companyId",
      "companies.name as company",
      "peopleImports.about",
      sql<string | null>`coalesce(nullif(authors.name, ''), authors.email)`.as("createdBy"),
      "peopleImports.createdAt",
      "peopleImports.fileName",
      "peopleImports.state",
      "peopleImports.code",
      "peopleImports.codeRow",
      "peopleImports.done",
      "peopleImports.total",
      "peopleImports.appliedAt",
      "peopleImports.undoneAt",
    ]);

export async function listImports(ctx: Ctx<User>, { companyId, page, size }: QueryOf<typeof imports.list>) {
  let rows = selectImports(ctx);
  if (companyId) rows = rows.where("peopleImports.companyId", "=", companyId);
  const { total } = await rows
    .clearSelect()
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await rows
    .orderBy("peopleImports.createdAt", "desc")
    .orderBy("peopleImports.id")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return { items, total };
}

/** Starts the import of an uploaded file. Idempotent: a repeated request returns the same import. */
export async function createImport(ctx: Ctx<User>, { companyId, about, path, name }: BodyOf<typeof imports.create>) {
  const file = await getChangeableFile(ctx, path).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 404 ? new Problem(404, "imports.noFile") : error;
  });
  if (file.purpose !== "import") throw new Problem(404, "imports.noFile");
  return inTransaction(ctx.db, async (tx) => {
    const company = await tx
      .selectFrom("companies")
      .where("id", "=", companyId)
      .where(inScope(ctx.user, { company: "companies.id" }))
      .select("status")
      .executeTakeFirstOrThrow(notFound);
    if (company.status !== "active") throw conflict("companies.notActive");
    await sql`select pg_advisory_xact_lock(hashtext(${`import ${file.id}`}))`.execute(tx);
    const existing = await tx
      .selectFrom("peopleImports")
      .where("fileId", "=", file.id)
      .where(inScope(ctx.user, IMPORT_SCOPE))
      .select("id")
      .executeTakeFirst();
    if (existing) return getImport({ ...ctx, db: tx }, existing.id);
    await markFileInUse(tx, file.id);
    const { id } = await tx
      .insertInto("peopleImports")
      .values({ companyId, about, createdBy: ctx.user.id, fileId: file.id, fileName: name })
      .returning("id")
      .executeTakeFirstOrThrow();
    await record(tx, ctx, { action: "imports.create", companyId });
    await processImports.enqueue(tx, {}, { key: "imports:process" });
    return getImport({ ...ctx, db: tx }, id);
  });
}

/** One import in the scope of the user with all that its page shows; 404 for any other. */
export async function getImport(ctx: Pick<Ctx<User>, "db" | "user">, id: string): Promise<ImportDetail> {
  const { db } = ctx;
  const { pinLogin, ...row } = await selectImports(ctx)
    .where("peopleImports.id", "=", id)
    .select([
      "peopleImports.format",
      "peopleImports.delimiter",
      "peopleImports.encoding",
      "peopleImports.head",
      "peopleImports.mapping",
      "peopleImports.existing",
      "peopleImports.dates",
      "peopleImports.keepsUnknown",
      "peopleImports.invites",
      "companies.pinLogin",
    ])
    .executeTakeFirstOrThrow(notFound);
  const sample = await db
    .selectFrom("peopleImportRows")
    .where("importId", "=", id)
    .orderBy("number")
    .select("cells")
    .limit(1)
    .executeTakeFirst();
  const { stayed, ...counts } = await countRows(db, id);
  const fields = row.about === "people" ? await listDefinitions(db, row.companyId) : [];
  const { leavers } = hasLeavers(row)
    ? await selectLeavers(db, row)
        .select((e) => e.fn.countAll<number>().as("leavers"))
        .executeTakeFirstOrThrow()
    : await db
        .selectFrom("peopleImportLeavers")
        .where("importId", "=", id)
        .select((e) => e.fn.countAll<number>().as("leavers"))
        .executeTakeFirstOrThrow();
  return {
    ...row,
    sample: (sample?.cells ?? []).slice(0, IMPORT_MAX_COLUMNS),
    fields,
    hasPinLogin: pinLogin !== "off",
    unmapped: row.head.length > 0 ? unmappedFields(row.about, row.mapping, pinLogin !== "off") : [],
    counts,
    leavers,
    members: await countMembers(db, row.companyId),
    stayed,
    canUndo: row.state === "applied" && isRecent(row.appliedAt),
  };
}

/** Whether people of the company can be missing from the file. */
export const hasLeavers = ({ about, state }: Pick<ImportDetail, "about" | "state">) =>
  about === "people" && state === "ready";

export const isRecent = (appliedAt: string | null) =>
  appliedAt !== null && Date.now() - Date.parse(appliedAt) < UNDO_HOURS * 3_600_000;

async function countRows(db: Ctx["db"], id: string) {
  const of = (outcome: string) => sql<number>`count(*) filter (where outcome = ${sql.lit(outcome)})::int`;
  const { rows } = await sql<ImportDetail["counts"] & { stayed: number }>`
    select
      ${of("create")} as "create",
      ${of("update")} as "update",
      ${of("same")} as same,
      ${of("rejected")} as rejected,
      ${of("leftOut")} as left_out,
      count(*) filter (where applied_at is not null)::int as applied,
      count(*) filter (where outcome = 'update' and said->>'status' = 'suspended')::int as suspend,
      count(distinct user_id) filter (where undone in ('acted', 'changed'))::int + (
        select count(*)
        from people_import_leavers
        where import_id = ${id}
          and undone in ('acted', 'changed')
      )::int as stayed
    from people_import_rows
    where import_id = ${id}`.execute(db);
  return rows[0] as NonNullable<(typeof rows)[0]>;
}

/** Locks an import in the scope of the user for a change; 404 for any other, 409 while a job works on it. */
export async function lockImport(ctx: Ctx<User>, tx: Tx, id: string) {
  const row = await tx
    .selectFrom("peopleImports")
    .where("id", "=", id)
    .where(inScope(ctx.user, IMPORT_SCOPE))
    .selectAll()
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  if (isWorking(row.state)) throw conflict("imports.busy");
  return row;
}

export async function removeImport(ctx: Ctx<User>, id: string) {
  await inTransaction(ctx.db, async (tx) => {
    const { companyId, fileId } = await lockImport(ctx, tx, id);
    await tx.deleteFrom("peopleImports").where("id", "=", id).where(inScope(ctx.user, IMPORT_SCOPE)).execute();
    if (fileId) {
      await markFileUnused(tx, fileId);
      await markFileDeleted(tx, fileId);
    }
    await record(tx, ctx, { action: "imports.remove", companyId });
  });
}
