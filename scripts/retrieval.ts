import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { addReadDocument } from "#server/documents/retrieval/addReadDocument.ts";
import { retrieveByWords } from "#server/documents/retrieval/byWords.ts";
import { readPlainText } from "#server/documents/parsing/plainText.ts";
import { createBm25 } from "./_bm25.ts";
import { withEmptyDatabase } from "./_emptyDatabase.ts";
import { type Corpus, readCorpora } from "./_retrievalCorpora.ts";

// `npm run retrieval -- FOLDER` measures how well the passages of documents are found, on any collection with
// judgements, and prints JSON. It uses an empty database of its own and the code of the server: reading, splitting,
// indexing, and the search without an AI provider.

/** Passages asked for; documents are ranked by their best passage. */
const DEPTH = 100;
const RESAMPLES = 1000;

type Scores = { ndcg10: number; hit1: number; hit5: number; recall20: number; empty: number; ms: number };

async function measure(db: Db, corpus: Corpus) {
  const started = performance.now();
  const idOf = new Map<string, string>();
  let passages = 0;
  for (const { id, title, text } of corpus.documents) {
    const added = await addReadDocument(db, { title, ...readPlainText(text) });
    idOf.set(added.documentId, id);
    passages += added.passages;
  }
  const indexSeconds = (performance.now() - started) / 1000;
  await sql`analyze`.execute(db);
  const judged = corpus.questions.filter(({ id }) =>
    [...(corpus.judgements.get(id)?.values() ?? [])].some((gain) => gain > 0),
  );
  const scores: Scores[] = [];
  const plain: Omit<Scores, "ms">[] = [];
  const findPlainly = await createBm25(db, corpus);
  for (const { id, text } of judged) {
    const asked = performance.now();
    const found = await retrieveByWords(db, { question: text, limit: DEPTH });
    const ms = performance.now() - asked;
    const ranked = [...new Set(found.map(({ documentId }) => idOf.get(documentId) ?? ""))];
    const gains = corpus.judgements.get(id) ?? new Map<string, number>();
    scores.push({ ...score(ranked, gains), ms });
    plain.push(score(await findPlainly(text), gains));
  }
  const values = (key: keyof Scores) => scores.map((one) => one[key]);
  return {
    corpus: corpus.name,
    format: corpus.format,
    documents: corpus.documents.length,
    passages,
    questions: judged.length,
    ndcg10: round(mean(values("ndcg10"))),
    hit1: round(mean(values("hit1"))),
    hit5: round(mean(values("hit5"))),
    recall20: round(mean(values("recall20"))),
    emptyShare: round(mean(values("empty"))),
    msPerQuery: round(mean(values("ms"))),
    intervals95: {
      ndcg10: bootstrap(values("ndcg10")),
      hit1: bootstrap(values("hit1")),
      hit5: bootstrap(values("hit5")),
      recall20: bootstrap(values("recall20")),
    },
    plainBm25: {
      ndcg10: round(mean(plain.map(({ ndcg10 }) => ndcg10))),
      hit1: round(mean(plain.map(({ hit1 }) => hit1))),
    },
    indexSeconds: round(indexSeconds),
  };
}

function score(ranked: string[], gains: Map<string, number>): Omit<Scores, "ms"> {
  const gainOf = (id: string) => Math.max(0, gains.get(id) ?? 0);
  const discounted = (list: number[]) => list.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
  const relevant = [...gains].filter(([, gain]) => gain > 0);
  const ideal = relevant
    .map(([, gain]) => gain)
    .toSorted((a, b) => b - a)
    .slice(0, 10);
  const hits = (depth: number) => ranked.slice(0, depth).filter((id) => gainOf(id) > 0).length;
  return {
    ndcg10: discounted(ranked.slice(0, 10).map(gainOf)) / discounted(ideal),
    hit1: hits(1) > 0 ? 1 : 0,
    hit5: hits(5) > 0 ? 1 : 0,
    recall20: hits(20) / relevant.length,
    empty: ranked.length === 0 ? 1 : 0,
  };
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
const round = (value: number) => Number(value.toFixed(4));

/** The middle 95 % of the means of resampled questions; the same in every run. */
function bootstrap(values: number[]): [number, number] {
  let state = 20_240_601;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const means = Array.from({ length: RESAMPLES }, () =>
    mean(values.map(() => values[Math.floor(random() * values.length)] ?? 0)),
  ).toSorted((a, b) => a - b);
  return [round(means[Math.floor(RESAMPLES * 0.025)] ?? 0), round(means[Math.floor(RESAMPLES * 0.975)] ?? 0)];
}

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error("Name a folder: npm run retrieval -- FOLDER");
  process.exit(1);
}
const corpora = readCorpora(folder);
if (corpora.length === 0) {
  console.error(
    "The folder has no collection: corpus.jsonl, queries.jsonl and qrels (BEIR), SQuAD JSON, or cran.all, cran.qry and cranqrel",
  );
  process.exit(1);
}
const results = [];
for (const corpus of corpora) results.push(await withEmptyDatabase((db) => measure(db, corpus)));
console.log(JSON.stringify({ corpora: results }, null, 2));
