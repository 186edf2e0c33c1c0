import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, isUniqueViolation, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound, Problem } from "#server/core/http/problem.ts";
import { getDocument, getVersion, selectDocuments } from "#server/documents/documentRows.ts";
import { readMarkdown } from "#server/documents/parsing/markup.ts";
import { type ReadText, textOf } from "#server/documents/parsing/readText.ts";
import { makeLive } from "#server/documents/pipeline/goLive.ts";
import { processDocuments } from "#server/documents/pipeline/jobs.ts";
import { getChangeableFile, markFileInUse } from "#server/files/service.ts";
import type { DocumentDetail, DocumentRow, documents } from "#shared/documents/documents.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

type Added = {
  title: string;
  folder: string;
  companyIds: string[];
  documentId: string | undefined;
  source: DocumentRow["source"];
  url?: string;
};
type Version = { name: string; fileId?: string; bytes?: number; courseVersionId?: string };

/** Adds an uploaded file. Idempotent: a repeated request returns the document that has the file. */
export async function addUpload(ctx: Ctx<User>, { path, name, ...target }: BodyOf<typeof documents.create>) {
  const file = await getChangeableFile(ctx, path).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 404 ? new Problem(404, "documents.noFile") : error;
  });
  if (file.purpose !== "document") throw new Problem(404, "documents.noFile");
  return inTransaction(ctx.db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`document ${file.id}`}))`.execute(tx);
    const existingVersion = await tx
      .selectFrom("documentVersions")
      .where("fileId", "=", file.id)
      .select("documentId")
      .executeTakeFirst();
    if (existingVersion) return getDocument({ ...ctx, db: tx }, existingVersion.documentId);
    await markFileInUse(tx, file.id);
    const added = { ...target, title: name, documentId: target.documentId, source: "upload" as const };
    return addVersion(ctx, tx, added, { name, fileId: file.id, bytes: file.size });
  });
}

export const addWebPage = (ctx: Ctx<User>, { url, documentId, ...target }: BodyOf<typeof documents.addPage>) => {
  const { host, pathname } = new URL(url);
  const title = `${host}${pathname === "/" ? "" : pathname}`.slice(0, 200);
  return inTransaction(ctx.db, (tx) =>
    addVersion(ctx, tx, { ...target, title, documentId, source: "web", url }, { name: url }),
  );
};

/** Adds an entered text, which skips the stages that read a file. */
export async function addText(ctx: Ctx<User>, { text, ...target }: BodyOf<typeof documents.addText>) {
  const read = textOf(readMarkdown(text));
  if (read.blocks.length === 0) throw new Problem(422, "documents.noText");
  return inTransaction(ctx.db, (tx) => addReadText(ctx, tx, { ...target, documentId: target.documentId }, read));
}

/** Adds a text as a version that does not have to be read. */
export async function addReadText(
  ctx: Ctx<User>,
  tx: Tx,
  target: Omit<Added, "source">,
  content: Pick<ReadText, "text" | "blocks">,
) {
  const bytes = Buffer.byteLength(content.text);
  const detail = await addVersion(ctx, tx, { ...target, source: "text" }, { name: target.title, bytes });
  await tx
    .insertInto("documentTexts")
    .values({ versionId: detail.latest.id, text: content.text, blocks: JSON.stringify(content.blocks) })
    .execute();
  await tx
    .updateTable("documentVersions")
    .set({ kind: "markdown", state: "splitting" })
    .where("id", "=", detail.latest.id)
    .execute();
  return getDocument({ ...ctx, db: tx }, detail.id);
}

/** Adds a document, or a version of one, and has it read. */
export async function addVersion(ctx: Ctx<User>, tx: Tx, added: Added, version: Version): Promise<DocumentDetail> {
  const inTx = { ...ctx, db: tx };
  const { title, folder, source, url = null } = added;
  let { documentId } = added;
  if (documentId) {
    const existing = await selectDocuments(inTx)
      .where("documents.id", "=", documentId)
      .select("source")
      .forUpdate()
      .executeTakeFirst();
    if (!existing) throw notFound();
    if (existing.source === "course") throw conflict("documents.isCourse");
    await tx
      .updateTable("documents")
      .set({ source, url, updatedBy: ctx.user.id, updatedAt: sql`now()` })
      .where("id", "=", documentId)
      .execute();
  } else {
    const { companyId, id } = ctx.user;
    // Admins of one company add documents only for its people.
    const companyIds = [...new Set(companyId ? [companyId] : added.companyIds)];
    const created = await tx
      .insertInto("documents")
      .values({
        title,
        folder,
        source,
        url,
        companyId,
        allCompanies: companyIds.length === 0,
        ownerId: id,
        updatedBy: id,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    documentId = created.id;
    if (companyIds.length > 0)
      await tx
        .insertInto("documentCompanies")
        .values(companyIds.map((one) => ({ documentId: created.id, companyId: one })))
        .execute();
  }
  await insertVersion(tx, documentId, version, ctx.user.id);
  await record(tx, ctx, {
    action: added.documentId ? "documents.addVersion" : "documents.create",
    object: { documents: documentId },
    details: { source },
  });
  return getDocument(inTx, documentId);
}

/** Inserts the next version of a document, and has it read. */
export async function insertVersion(tx: Tx, documentId: string, version: Version, createdBy: string | null) {
  const { name, fileId = null, bytes = 0, courseVersionId } = version;
  const { id } = await tx
    .insertInto("documentVersions")
    .values((e) => ({
      documentId,
      number: e
        .selectFrom("documentVersions as version")
        .where("version.documentId", "=", documentId)
        .select(sql<number>`coalesce(max(version.number), 0) + 1`.as("next")),
      name,
      fileId,
      bytes,
      createdBy,
    }))
    .returning("id")
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? conflict("core.conflict") : error;
    });
  if (courseVersionId)
    await tx.insertInto("courseTexts").values({ versionId: id, documentId, courseVersionId }).execute();
  await processDocuments.enqueue(tx, {}, { key: processDocuments.name });
}

/** Processes a version again: one that has a text from splitting on, any other from the start. */
export async function indexAgain(ctx: Ctx<User>, id: string, number: number) {
  return inTransaction(ctx.db, async (tx) => {
    const inTx = { ...ctx, db: tx };
    const version = await getVersion(inTx, id, number);
    if (!["ready", "held", "failed", "replaced"].includes(version.state)) throw conflict("documents.inProgress");
    const isRead = await tx
      .selectFrom("documentTexts")
      .where("versionId", "=", version.id)
      .select("versionId")
      .executeTakeFirst();
    await tx
      .updateTable("documentVersions")
      .set({
        state: isRead ? "splitting" : "waiting",
        code: null,
        page: null,
        done: 0,
        total: 0,
        tries: 0,
        nextTryAt: sql`now()`,
      })
      .where("id", "=", version.id)
      .execute();
    await processDocuments.enqueue(tx, {}, { key: processDocuments.name });
    await record(tx, ctx, { action: "documents.index", object: { documents: id } });
    return getDocument(inTx, id);
  });
}

/** Makes a version live, regardless of the test questions. */
export async function publishVersion(ctx: Ctx<User>, id: string, number: number) {
  return inTransaction(ctx.db, async (tx) => {
    const inTx = { ...ctx, db: tx };
    const version = await getVersion(inTx, id, number);
    if (!["ready", "held", "replaced"].includes(version.state)) throw conflict("documents.notReady");
    await makeLive(tx, id, version.id);
    await record(tx, ctx, { action: "documents.publish", object: { documents: id } });
    return getDocument(inTx, id);
  });
}
