import type { Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound, Problem } from "#server/core/http/problem.ts";
import { getDocument, selectDocuments } from "#server/documents/documentRows.ts";
import { readMarkdown } from "#server/documents/parsing/markup.ts";
import { textOf } from "#server/documents/parsing/readText.ts";
import { addReadText } from "#server/documents/versions.ts";
import type { User } from "#shared/core/users.ts";

/** Maximum text of a document with added sections, in characters. */
const MAX_CHARS = 500_000;
const MAX_HEADING_CHARS = 200;

type Section = { heading: string; text: string };

/**
 * Adds a section in Markdown at the end of a text document, as its next version, or as a new document of that title. It
 * is based on the newest version that is neither failed nor held, which may still be in the pipeline, so that
 * consecutive sections are all kept.
 */
export async function addSection(
  ctx: Ctx<User>,
  tx: Tx,
  target: { documentId: string } | { title: string },
  { heading, text }: Section,
) {
  const line = heading.replace(/\s+/g, " ").trim().slice(0, MAX_HEADING_CHARS);
  const body = textOf(readMarkdown(text));
  if (body.blocks.length === 0) throw new Problem(422, "documents.noText");
  const added = textOf([
    { text: line, level: 2 },
    ...body.blocks.map(({ from, to, level }) => ({ text: body.text.slice(from, to), level })),
  ]);
  if (!("documentId" in target))
    return addReadText(ctx, tx, { title: target.title, folder: "", companyIds: [], documentId: undefined }, added);
  const before = await lockText(ctx, tx, target.documentId);
  const start = before.text.length + 2;
  if (start + added.text.length > MAX_CHARS) throw conflict("documents.textFull");
  const blocks = added.blocks.map((block) => ({ ...block, from: block.from + start, to: block.to + start }));
  const read = { text: `${before.text}\n\n${added.text}`, blocks: [...before.blocks, ...blocks] };
  return addReadText(ctx, tx, { title: before.title, folder: "", companyIds: [], documentId: target.documentId }, read);
}

/** Locks a document and returns its text. Only for documents that were entered as text, not for files or pages. */
async function lockText(ctx: Ctx<User>, tx: Tx, id: string) {
  const inTx = { ...ctx, db: tx };
  const existing = await selectDocuments(inTx)
    .where("documents.id", "=", id)
    .select("id")
    .forUpdate()
    .executeTakeFirst();
  if (!existing) throw notFound();
  const { source, status, title } = await getDocument(inTx, id);
  if (source !== "text" || status !== "active") throw conflict("documents.notText");
  const newest = await tx
    .selectFrom("documentVersions as version")
    .innerJoin("documentTexts", "documentTexts.versionId", "version.id")
    .where("version.documentId", "=", id)
    .where("version.state", "not in", ["failed", "held"])
    .orderBy("version.number", "desc")
    .select(["documentTexts.text", "documentTexts.blocks"])
    .executeTakeFirst();
  if (!newest) throw conflict("documents.notText");
  return { ...newest, title };
}
