import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { isRefusedAddress } from "#server/core/outgoing/guardedFetch.ts";
import { BlobMissing } from "#server/core/storage/storage.ts";
import { readCourseText } from "#server/documents/courseText/readCourseText.ts";
import { parseDocument } from "#server/documents/parsing/parse.ts";
import { ParserFailure } from "#server/documents/parsing/parserFailure.ts";
import type { ReadText } from "#server/documents/parsing/readText.ts";
import { makeLive } from "#server/documents/pipeline/goLive.ts";
import type { Leased } from "#server/documents/pipeline/leases.ts";
import { indexPassages } from "#server/documents/retrieval/indexing.ts";
import type { DocumentKind, VersionState } from "#shared/documents/documentVersions.ts";
import { detectLanguage } from "#server/documents/retrieval/languages.ts";
import { readPassages, writePassages } from "#server/documents/retrieval/passages.ts";
import { testVersion } from "#server/documents/testing.ts";

/** Passages that are indexed between two reports of progress. */
const INDEX_BATCH = 200;
const MAX_PAGE_BYTES = 10 * 1024 ** 2;
const MAX_REDIRECTS = 5;
const READING: VersionState[] = ["checking", "reading"];

/** Runs the stage that a version is in, and moves it to the next one. False when it has come to an end. */
export async function runStage(services: Services, version: Leased): Promise<boolean> {
  const row = await services.db
    .selectFrom("documentVersions")
    .innerJoin("documents", "documents.id", "documentVersions.documentId")
    .where("documentVersions.id", "=", version.id)
    .selectAll("documentVersions")
    .select(["documents.title", "documents.source", "documents.url", "documents.language as chosenLanguage"])
    .executeTakeFirst();
  if (!row) return false;
  switch (row.state) {
    case "waiting":
      await version.update({ state: "checking", done: 0, total: 0 });
      return true;
    // One process checks and reads a file, so a lost one starts again from checking.
    case "checking":
    case "reading":
      await read(services, version, row);
      return true;
    case "splitting":
      await split(services, version, row);
      return true;
    case "indexing":
      await index(services, version, row);
      return true;
    case "testing":
      await finish(services, version);
      return false;
    default:
      return false;
  }
}

type Source = {
  fileId: string | null;
  name: string;
  source: string;
  url: string | null;
};

async function read(services: Services, version: Leased, row: Source) {
  if (row.source === "course") return readCourse(services, version);
  const { path, done } = await openSource(services, row);
  let progress: { kind?: DocumentKind; state?: "reading" } = {};
  try {
    const { kind, read: text } = await parseDocument(
      { path, name: row.source === "web" ? "page.html" : row.name },
      {
        signal: version.signal,
        onKind: (kind) => version.report(READING, (progress = { kind, state: "reading" })),
        onPage: (done, total) => version.report(READING, { ...progress, done, total }),
      },
    );
    await storeText(services, version, kind, text);
  } finally {
    await done();
  }
}

async function readCourse(services: Services, version: Leased) {
  const text = await readCourseText(services, version.id, {
    signal: version.signal,
    onPart: (done, total) => version.report(READING, { kind: "html", state: "reading", done, total }),
  });
  await storeText(services, version, "html", text);
}

const storeText = ({ db }: Services, version: Leased, kind: DocumentKind, { text, blocks, pages }: ReadText) =>
  inTransaction(db, async (tx) => {
    const stored = { text, blocks: JSON.stringify(blocks) };
    await tx
      .insertInto("documentTexts")
      .values({ versionId: version.id, ...stored })
      .onConflict((conflict) => conflict.column("versionId").doUpdateSet(stored))
      .execute();
    await version.update({ kind, state: "splitting", pages, done: 0, total: 0 }, tx);
  });

/** The file of a version, or a web page as a file. */
async function openSource(services: Services, { fileId, source, url }: Source) {
  if (source === "web" && url) return fetchPage(services, url);
  const file =
    fileId && (await services.db.selectFrom("files").where("id", "=", fileId).select("storageKey").executeTakeFirst());
  if (!file) throw new ParserFailure("fileMissing");
  return services.storage.local(file.storageKey).catch((error: unknown) => {
    throw error instanceof BlobMissing ? new ParserFailure("fileMissing") : error;
  });
}

/** Reads a web page through the guarded fetch, which also checks every redirect. */
async function fetchPage(services: Services, address: string) {
  let url = address;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    let reply: Response;
    let bytes: Uint8Array;
    try {
      reply = await services.fetch(url, {
        maxBytes: MAX_PAGE_BYTES,
        timeoutMs: 20_000,
        headers: { accept: "text/html,*/*;q=0.5" },
      });
      bytes = new Uint8Array(await reply.arrayBuffer());
    } catch (error) {
      throw new ParserFailure(isRefusedAddress(error) ? "refusedAddress" : "unreachable");
    }
    const location = reply.headers.get("location");
    if (reply.status >= 300 && reply.status < 400 && location) {
      url = new URL(location, url).href;
      continue;
    }
    if (!reply.ok) throw new ParserFailure("unreachable");
    const folder = await mkdtemp(join(tmpdir(), "lyceum-page-"));
    const path = join(folder, "page");
    await writeFile(path, bytes);
    return { path, done: () => rm(folder, { recursive: true, force: true }) };
  }
  throw new ParserFailure("unreachable");
}

type Indexed = { title: string; chosenLanguage: string | null; state: VersionState };

const languageOf = async ({ title, chosenLanguage }: Indexed, text: string) =>
  chosenLanguage ?? ((await detectLanguage(text)) || (await detectLanguage(title)));

const readTextOf = ({ db }: Services, version: Leased) =>
  db
    .selectFrom("documentTexts")
    .where("versionId", "=", version.id)
    .select(["text", "blocks"])
    .executeTakeFirstOrThrow();

/**
 * Splits a version into passages. A version that is indexed again is found by its old passages until the new ones are
 * indexed, and exchanged in one transaction.
 */
async function split(services: Services, version: Leased, row: Indexed) {
  const { text, blocks } = await readTextOf(services, version);
  const language = await languageOf(row, text);
  await inTransaction(services.db, async (tx) => {
    await version.check(tx);
    const earlierPassage = await tx
      .selectFrom("passages")
      .where("versionId", "=", version.id)
      .select("id")
      .executeTakeFirst();
    const passages = await writePassages(tx, version.id, { text, blocks });
    if (passages === 0) throw new ParserFailure("noText");
    const counts = { passages, chars: text.length };
    if (!earlierPassage) return version.update({ ...counts, state: "indexing", done: 0, total: passages }, tx);
    version.report(["splitting"], { done: 0, total: passages });
    const indexed = await writePostings(tx, version, row, language);
    await version.update({ ...counts, ...indexed, language, state: "testing", done: 0, total: 0 }, tx);
  });
}

/** Replaces the postings in one transaction; until then, a live version is found by the old ones. */
async function index(services: Services, version: Leased, row: Indexed) {
  const language = await languageOf(row, (await readTextOf(services, version)).text);
  await inTransaction(services.db, async (tx) => {
    await version.check(tx);
    await sql`
      delete from passage_terms
      where passage_id in (select id from passages where version_id = ${version.id})`.execute(tx);
    const indexed = await writePostings(tx, version, row, language);
    await version.update({ ...indexed, language, state: "testing", done: 0, total: 0 }, tx);
  });
}

/**
 * Indexes all passages of a version. Does not lock its row meanwhile, so that others can see progress and revoke the
 * lease.
 */
async function writePostings(tx: Tx, version: Leased, { title, state }: Indexed, language: string) {
  let words = 0;
  let done = 0;
  for (;;) {
    const passages = await readPassages(tx, version.id, done, INDEX_BATCH);
    if (passages.length === 0) return { words };
    words += await indexPassages(tx, { id: version.id, language, title }, passages);
    done += passages.length;
    version.report([state], { done });
    await version.check(tx);
  }
}

/** Runs the test questions; a version that answers them worse than the live one is held for a decision. */
async function finish({ db }: Services, version: Leased) {
  const isOlder = await hasNewerLive(db, version);
  const { isWorse } = isOlder ? { isWorse: false } : await testVersion(db, version.documentId, version.id);
  await inTransaction(db, async (tx) => {
    // Locks the document before its version, in the same order as a deletion.
    await tx.selectFrom("documents").where("id", "=", version.documentId).select("id").forNoKeyUpdate().execute();
    // An old version that is indexed again keeps its state.
    const ended = { done: 0, total: 0, lease: null, leasedUntil: null };
    if (await hasNewerLive(tx, version)) return version.update({ ...ended, state: "replaced" }, tx);
    if (isWorse) return version.update({ ...ended, state: "held" }, tx);
    await version.update({ done: 0, total: 0 }, tx);
    await makeLive(tx, version.documentId, version.id);
  });
}

const hasNewerLive = async (db: Db, version: Leased) =>
  (await db
    .selectFrom("documents")
    .innerJoin("documentVersions as live", "live.id", "documents.liveVersionId")
    .innerJoin("documentVersions as own", "own.documentId", "documents.id")
    .where("own.id", "=", version.id)
    .whereRef("live.number", ">", "own.number")
    .select("live.id")
    .executeTakeFirst()) !== undefined;
