import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { createDb, createPool } from "#server/core/database/db.ts";
import { createLog } from "#server/core/log.ts";
import { migrate } from "#server/core/database/migrations.ts";
import { startPostgres } from "#server/core/postgres/postgres.ts";
import { addReadDocument } from "#server/documents/retrieval/addReadDocument.ts";
import { readPlainText } from "#server/documents/parsing/plainText.ts";
import { retrieveByWords } from "#server/documents/retrieval/byWords.ts";
import { createRandom } from "#server/demo/random.ts";
import { median, round } from "./_load.ts";

/**
 * Search over `PASSAGES` passages (50,000) and over one tenth of them, as ratios to the bare SQL: reading the postings
 * of the same words with the same set of documents, sent right before each search. Words are drawn by Zipf's law,
 * questions are eight words of a passage, without the 120 most frequent, as stop words are in every language that is
 * stemmed.
 */
const PASSAGES = Number(process.env.PASSAGES ?? 50_000);
const QUESTIONS = Number(process.env.QUESTIONS ?? 200);
const PER_DOCUMENT = 50;
const VOCABULARY = 30_000;
const WORDS = 130;
const STOP_WORDS = 120;

const dataDir = mkdtempSync(join(tmpdir(), "lyceum-retrieval-"));
const log = createLog("error");
const postgres = await startPostgres(dataDir, log);
const pool = createPool(postgres.connection, log);
try {
  await migrate(pool);
  const db = createDb(pool);
  const random = createRandom(11);
  const syllables =
    "ba be bi bo da de di do fa fe ka ke ki ko la le li lo ma me mi mo na ne ni no pa pe ra re ri ro sa se ta te ti to va ve".split(
      " ",
    );
  const vocabulary = Array.from({ length: VOCABULARY }, (_, at) => {
    let rest = at + 40;
    let word = "";
    while (rest > 0) {
      word += syllables[rest % syllables.length];
      rest = Math.floor(rest / syllables.length);
    }
    return word;
  });
  const draw = () => vocabulary[Math.floor(VOCABULARY ** random()) - 1] ?? "ba";
  // Stop words are never searched for.
  const common = new Set(vocabulary.slice(0, STOP_WORDS));
  const questions: string[] = [];
  const documentIds: string[] = [];
  const started = performance.now();
  for (let at = 0; at < PASSAGES / PER_DOCUMENT; at++) {
    const paragraphs = Array.from({ length: PER_DOCUMENT }, () => Array.from({ length: WORDS }, draw).join(" "));
    const { documentId } = await addReadDocument(db, {
      title: `Document ${at}`,
      ...readPlainText(paragraphs.join("\n\n")),
      // Made-up words would be taken for two dozen languages.
      language: at % 2 === 0 ? "en" : "de",
    });
    documentIds.push(documentId);
    const words = (paragraphs[Math.floor(random() * PER_DOCUMENT)] ?? "").split(" ");
    questions.push(
      words
        .filter((word) => !common.has(word))
        .slice(0, 8)
        .join(" "),
    );
  }
  const buildSeconds = (performance.now() - started) / 1000;
  await sql`vacuum analyze`.execute(db);
  const { rows: sizes } = await sql<{ passages: number; postings: number; megabytes: number }>`
    select (select count(*)::int from passages) as passages, (select count(*)::int from passage_terms) as postings,
      ((pg_total_relation_size('passage_terms') + pg_total_relation_size('passages')) / 1048576)::int as megabytes`.execute(
    db,
  );

  const measure = async (scope: string[]) => {
    const times = { search: [] as number[], bare: [] as number[] };
    for (let at = -10; at < QUESTIONS; at++) {
      const question = questions[(at + questions.length) % questions.length] ?? "";
      const terms = [...new Set(question.split(" "))];
      const bareStart = performance.now();
      await sql`select t.passage_id, t.frequency, t.length from passage_terms t
        where t.term = any(${(["en", "de"] as const).flatMap((language) => terms.map((term) => `${language}:${term}`))}::text[])
          and t.version_id in (select live_version_id from documents where id = any(${scope}::uuid[]))`.execute(db);
      const searchStart = performance.now();
      await retrieveByWords(db, { question, documentIds: scope, limit: 5 });
      const end = performance.now();
      if (at < 0) continue;
      times.bare.push(searchStart - bareStart);
      times.search.push(end - searchStart);
    }
    const p95 = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;
    return {
      documents: scope.length,
      searchMs: { p50: round(median(times.search)), p95: round(p95(times.search)) },
      bareMs: { p50: round(median(times.bare)), p95: round(p95(times.bare)) },
      ratio: round(median(times.search) / median(times.bare)),
    };
  };
  const all = await measure(documentIds);
  const tenth = await measure(documentIds.slice(0, Math.ceil(documentIds.length / 10)));
  console.log(JSON.stringify({ ...sizes[0], buildSeconds: round(buildSeconds), all, tenth }, null, 2));
} finally {
  await pool.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
