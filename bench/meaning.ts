import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { readConfig } from "#server/core/config.ts";
import { createLog } from "#server/core/log.ts";
import { migrate } from "#server/core/database/migrations.ts";
import { startPostgres } from "#server/core/postgres/postgres.ts";
import { endPools } from "#server/core/database/pools.ts";
import { createServices } from "#server/core/services.ts";
import { findByMeaning } from "#server/documents/retrieval/meaning.ts";
import { embedPassages } from "#server/documents/retrieval/vectors.ts";
import { startProvider } from "#test/providers/provider.ts";
import { addEmbeddedDocument, addEmbedder } from "#test/vectorLibrary.ts";
import { median, round } from "./_load.ts";

/**
 * Ranking by meaning over `PASSAGES` passages (50,000) with vectors of `SIZE` numbers (1024): in process, and by
 * PostgreSQL if the empty database of `VECTOR_DATABASE_URL` offers the extension `vector`. The embedded one does not.
 * Times contain the call of a stand-in for the question's vector; `blocked` is the longest time for which the server
 * could do nothing else during one search.
 */
const PASSAGES = Number(process.env.PASSAGES ?? 50_000);
const SIZE = Number(process.env.SIZE ?? 1024);
const QUESTIONS = Number(process.env.QUESTIONS ?? 12);
const PER_DOCUMENT = 1000;

const dataDir = mkdtempSync(join(tmpdir(), "lyceum-meaning-"));
const log = createLog("warn");
const url = process.env.VECTOR_DATABASE_URL;
const postgres = url ? null : await startPostgres(dataDir, log);
const connection = postgres?.connection ?? { connectionString: url ?? "" };
const config = readConfig({ DATA_DIR: dataDir, PRIVATE_HOSTS: "127.0.0.1" });
const services = createServices(config, log, connection);
const provider = await startProvider("openai");
try {
  await migrate(services.pool);
  const { db } = services;
  provider.always({ size: SIZE });
  const embedder = await addEmbedder(db, provider, SIZE);
  const documentIds: string[] = [];
  for (let at = 0; at < PASSAGES / PER_DOCUMENT; at++)
    documentIds.push(
      await addEmbeddedDocument(db, embedder, { title: `Document ${at}`, passages: PER_DOCUMENT, size: SIZE }),
    );
  await services.pool.query("vacuum analyze");

  const measure = async (scope: string[]) => {
    const rows = await db
      .selectFrom("documents")
      .innerJoin("documentVersions", "documentVersions.id", "documents.liveVersionId")
      .where("documents.id", "in", scope)
      .select(["documentVersions.id", "documentVersions.passages"])
      .execute();
    const times: number[] = [];
    const blocked: number[] = [];
    const found: string[][] = [];
    for (let at = -2; at < QUESTIONS; at++) {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const started = performance.now();
      const search = { question: `Question ${at + 2}: what holds?`, documentIds: scope, limit: 100 };
      const meaning = await findByMeaning(services, search, rows);
      const ms = performance.now() - started;
      // The delay of work that has just ended is noticed in the next turn.
      await new Promise((resolve) => setTimeout(resolve, 5));
      delay.disable();
      if (at < 0) continue;
      times.push(ms);
      blocked.push(delay.max / 1e6);
      found.push(meaning?.nearest.map(({ id }) => id) ?? []);
    }
    return { found, ms: round(median(times)), blockedMs: round(median(blocked)) };
  };
  const count = (results: string[][], others: string[][]) =>
    results.flatMap((ids, at) => ids.filter((id) => others[at]?.includes(id))).length;

  const { found: _, ...few } = await measure(documentIds.slice(0, 20_000 / PER_DOCUMENT));
  const { found: expected, ...inProcess } = await measure(documentIds);
  const started = performance.now();
  await embedPassages(services);
  const copySeconds = round((performance.now() - started) / 1000);
  const isCopied = (await services.pool.query("select to_regclass('derived.passage_vectors') is not null as yes"))
    .rows[0];
  const result = { passages: PASSAGES, size: SIZE, inProcess20000: few, inProcess };
  if (isCopied.yes) {
    await services.pool.query("vacuum analyze derived.passage_vectors");
    const { found, ...inDatabase } = await measure(documentIds);
    const same = count(found, expected) / expected.flat().length;
    const ratio = round(inDatabase.ms / inProcess.ms);
    console.log(JSON.stringify({ ...result, inDatabase, copySeconds, ratio, same }, null, 2));
  } else console.log(JSON.stringify(result, null, 2));
} finally {
  await provider.stop();
  await endPools(services);
  await postgres?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
