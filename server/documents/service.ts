import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { orderBy, searchFor } from "#server/core/database/listing.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { describeDocuments, getDocument, selectDocuments } from "#server/documents/documentRows.ts";
import { processDocuments } from "#server/documents/pipeline/jobs.ts";
import { endLeases } from "#server/documents/pipeline/leases.ts";
import { requestVectors } from "#server/documents/retrieval/makeVectors.ts";
import { markFileUnused } from "#server/files/service.ts";
import { stages } from "#shared/documents/documentVersions.ts";
import type { documents } from "#shared/documents/documents.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const WORKING = ["waiting", ...stages] as const;
const MATCHED_COLUMNS = ["documents.title", "documents.folder"];

export async function listDocuments(ctx: Ctx<User>, query: QueryOf<typeof documents.list>) {
  const isNewest = sql<boolean>`document_versions.number = (
    select max(newest.number)
    from document_versions newest
    where newest.document_id = documents.id)`;
  let matching = selectDocuments(ctx)
    .innerJoin("documentVersions", (join) =>
      join.onRef("documentVersions.documentId", "=", "documents.id").on(isNewest),
    )
    .where("documents.status", "=", query.status);
  const { q, folder, companyId, state } = query;
  if (folder) matching = matching.where("documents.folder", "=", folder);
  if (companyId)
    matching = matching.where(
      sql<boolean>`(
        documents.all_companies
        or exists (
          select from document_companies allowed
          where allowed.document_id = documents.id
            and allowed.company_id = ${companyId}))`,
    );
  if (state === "working") matching = matching.where("documentVersions.state", "in", WORKING);
  else if (state) matching = matching.where("documentVersions.state", "=", state);
  // Searches titles and contents: the text may be a phrase in a passage of the live version.
  if (q)
    matching = matching.where(
      sql<boolean>`(
        ${searchFor(q, MATCHED_COLUMNS)}
        or exists (
          select from passages
          where passages.version_id = documents.live_version_id
            and ${searchFor(q, ["passages.text"])}
        )
      )`,
    );
  const totals = await matching
    .leftJoin("documentVersions as live", "live.id", "documents.liveVersionId")
    .select([
      sql<number>`count(*)::int`.as("total"),
      sql<number>`coalesce(sum(live.passages), 0)::int`.as("passages"),
      sql<number>`(count(*) filter (where document_versions.state = any(${[...WORKING]}::text[])))::int`.as("working"),
      sql<number>`(count(*) filter (where document_versions.state = 'failed'))::int`.as("failed"),
    ])
    .executeTakeFirstOrThrow();
  const ids = await matching
    .orderBy(
      orderBy(
        query.sort,
        {
          title: { notNull: sql`lower(documents.title)` },
          updatedAt: { notNull: sql`documents.updated_at` },
          reviewBy: sql`documents.review_by`,
        },
        { text: q, columns: MATCHED_COLUMNS },
      ),
    )
    .orderBy("documents.id")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .select("documents.id")
    .execute();
  const rows = new Map(
    (
      await describeDocuments(
        ctx,
        ids.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  );
  return { items: ids.flatMap(({ id }) => rows.get(id) ?? []), ...totals };
}

export async function listFolders(ctx: Ctx<User>) {
  const items = await selectDocuments(ctx)
    .where("folder", "!=", "")
    .groupBy("folder")
    .orderBy("folder")
    .select(["folder", sql<number>`count(*)::int`.as("documents")])
    .limit(1000)
    .execute();
  return { items };
}

export async function updateDocument(ctx: Ctx<User>, id: string, input: BodyOf<typeof documents.update>) {
  const { version, companyIds, courseIds, ...fields } = input;
  return inTransaction(ctx.db, async (tx) => {
    const inTx = { ...ctx, db: tx };
    const before = await selectDocuments(inTx)
      .where("documents.id", "=", id)
      .select(["version", "title", "liveVersionId", "language"])
      .forUpdate()
      .executeTakeFirst();
    if (!before) throw notFound();
    if (before.version !== version) throw conflict("core.conflict", { current: await getDocument(inTx, id) });
    await tx
      .updateTable("documents")
      .set((e) => ({
        ...fields,
        ...(companyIds && { allCompanies: companyIds.length === 0 }),
        version: e("version", "+", 1),
        updatedBy: ctx.user.id,
        updatedAt: sql`now()`,
      }))
      .where("id", "=", id)
      .execute();
    if (companyIds) await replaceLinks(tx, "documentCompanies", "companyId", id, companyIds);
    if (courseIds) await replaceLinks(tx, "documentCourses", "courseId", id, courseIds);
    // Title and language are indexed, so a change indexes the version again; until then it is found as before.
    const isReindexed =
      (fields.title !== undefined && fields.title !== before.title) ||
      (fields.language !== undefined && fields.language !== before.language);
    if (isReindexed && before.liveVersionId) {
      await tx
        .updateTable("documentVersions")
        .set({ state: "indexing", done: 0, tries: 0, nextTryAt: sql`now()` })
        .where("id", "=", before.liveVersionId)
        .where("state", "=", "ready")
        .execute();
      await processDocuments.enqueue(tx, {}, { key: processDocuments.name });
    }
    await record(tx, ctx, {
      action: "documents.update",
      object: { documents: id },
      details: { fields: Object.keys(input) },
    });
    return getDocument(inTx, id);
  });
}

async function replaceLinks(
  tx: Tx,
  table: "documentCompanies" | "documentCourses",
  column: "companyId" | "courseId",
  documentId: string,
  ids: string[],
) {
  await tx.deleteFrom(table).where("documentId", "=", documentId).execute();
  if (ids.length > 0)
    await tx
      .insertInto(table)
      .values([...new Set(ids)].map((id) => ({ documentId, [column]: id }) as never))
      .execute();
}

export async function setDocumentStatus(ctx: Ctx<User>, id: string, status: "active" | "archived") {
  return inTransaction(ctx.db, async (tx) => {
    const inTx = { ...ctx, db: tx };
    await getDocument(inTx, id);
    const changed = await tx
      .updateTable("documents")
      .set((e) => ({ status, version: e("version", "+", 1), updatedBy: ctx.user.id, updatedAt: sql`now()` }))
      .where("id", "=", id)
      .where("status", "!=", status)
      .executeTakeFirst();
    if (changed.numUpdatedRows > 0) {
      await record(tx, ctx, {
        action: status === "active" ? "documents.restore" : "documents.archive",
        object: { documents: id },
      });
      // An archived document gets none: its passages may lack those of the model in use.
      if (status === "active") await requestVectors(tx);
    }
    return getDocument(inTx, id);
  });
}

/**
 * Deletes a document with its versions, passages, postings and test questions; its files are deleted with them. A
 * running indexing stops.
 */
export async function removeDocument(ctx: Ctx<User>, id: string) {
  await getDocument(ctx, id);
  await endLeases(ctx.db, id);
  await repeatOnDeadlock(() => inTransaction(ctx.db, (tx) => removeRows({ ...ctx, db: tx }, tx, id)));
}

async function removeRows(ctx: Ctx<User>, tx: Tx, id: string) {
  await getDocument(ctx, id);
  const files = await tx
    .selectFrom("documentVersions")
    .where("documentId", "=", id)
    .where("fileId", "is not", null)
    .select("fileId")
    .execute();
  await record(tx, ctx, { action: "documents.remove", object: { documents: id }, details: { files: files.length } });
  await tx.deleteFrom("documents").where("id", "=", id).execute();
  for (const { fileId } of files)
    if (fileId) {
      await markFileUnused(tx, fileId);
      await tx
        .updateTable("files")
        .set({ deletedAt: sql`now()` })
        .where("id", "=", fileId)
        .execute();
    }
}
