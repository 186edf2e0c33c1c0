import type { AskedQuestion, Passage } from "#server/documents/retrieval/byWords.ts";
import { chooseSentences, examine, scoreAnswer } from "#server/documents/retrieval/evidence.ts";
import type { Answer, AnswerFeatures, Sentence, SentenceFeatures } from "#server/documents/retrieval/foundSentences.ts";
import { judge, type Judged, type MeaningFeatures } from "#server/documents/retrieval/meaningEvidence.ts";
import { rankPassages } from "#server/documents/retrieval/retrieve.ts";
import type { Services } from "#server/core/services.ts";
import { withEmptyDatabase } from "./_emptyDatabase.ts";
import { fitChoice, fitLogistic } from "./_logistic.ts";
import { addDocuments, makeVectors, misspell } from "./_askedDocuments.ts";
import { type Corpus, type CorpusQuestion, readCorpora } from "./_retrievalCorpora.ts";

// `npm run answers -- FOLDER` measures what is answered without a language model, and what is refused, on collections
// whose answers are known: SQuAD files and handbooks. Every question of a SQuAD file is asked twice: with the paragraph
// that answers it, and without. `--fit` prints the weights of the two decisions, fitted to the collections; `--list`
// lists the mistakes. `--typos` misspells the longest word of every question. `--embedder URL` also uses an embedding
// model at an address of this machine (`http://127.0.0.1:PORT/v1`), and asks every question once more as if it shared no
// word with the documents. `--groups 2,8` searches the paragraphs of 2 and of 8 articles instead of all; `--every N` asks
// every Nth question.

const OTHER_WORDS = "other words";
/** Passages that the search returns, as in a conversation. */
const PASSAGES = 6;

type Result = {
  corpus: string;
  kind: string;
  question: string;
  isThere: boolean;
  /** The first sentence, or all that the question needs. */
  isRight: boolean;
  isComplete: boolean;
  score: number;
  features: AnswerFeatures | null;
  meaning: MeaningFeatures | null;
  candidates: { features: SentenceFeatures; isRight: boolean }[];
};

const options = process.argv.slice(2);
const numbersOf = (name: string) => (options[options.indexOf(name) + 1] ?? "").split(",").map(Number);
const folder = options[0];
const hasTypos = options.includes("--typos");
const [every = 1] = options.includes("--every") ? numbersOf("--every") : [];
const embedder = options.includes("--embedder") ? options[options.indexOf("--embedder") + 1] : undefined;
const groups = options.includes("--groups") ? numbersOf("--groups") : [Infinity];

/** The results with each number of groups. */
async function measure(services: Services, corpus: Corpus): Promise<Result[]> {
  const idOf = await addDocuments(services.db, corpus);
  if (embedder) await makeVectors(services, embedder);
  const results: Result[] = [];
  for (const size of corpus.format === "handbook" ? [Infinity] : groups) {
    const name = size === Infinity ? corpus.name : `${corpus.name}, ${size} articles`;
    for (const question of corpus.questions.filter((_, at) => corpus.format === "handbook" || at % every === 0)) {
      const scope = scopeOf(corpus, question, size);
      const isAnswerable = (question.answers ?? []).length > 0;
      const answering = new Set(question.answers?.map(({ document }) => document));
      const asks = async (scope: string[], isThere: boolean) => {
        for (const one of await ask(services, idOf, question, scope)) results.push({ ...one, corpus: name, isThere });
      };
      if (corpus.format === "handbook" || isAnswerable) await asks(scope, isAnswerable);
      if (corpus.format === "handbook" || !isAnswerable) continue;
      const without = scope.filter((id) => !answering.has(id));
      await asks(without, false);
    }
  }
  return results;
}

/** The words of a question as if no document had them; words with digits stay. */
const withoutWords = ({ passages, termsByLanguage }: AskedQuestion): AskedQuestion => ({
  passages,
  termsByLanguage: new Map(
    [...termsByLanguage].map(([language, terms]) => [
      language,
      terms.map((term, at) => (/\p{N}/u.test(term.word) ? term : { ...term, stem: `\u0000${at}` })),
    ]),
  ),
});
const byMeaning = (passages: Passage[]) =>
  passages
    .filter(({ ranks }) => ranks.meaning !== null)
    .toSorted((a, b) => a.ranks.meaning! - b.ranks.meaning!)
    .map((passage) => ({ ...passage, score: 0, ranks: { ...passage.ranks, words: null } }));

async function ask(services: Services, idOf: Map<string, string>, question: CorpusQuestion, scope: string[]) {
  const documentIds = [...idOf].flatMap(([documentId, id]) => (scope.includes(id) ? [documentId] : []));
  const text = hasTypos ? misspell(question.text) : question.text;
  const search = { question: text, documentIds, limit: PASSAGES };
  const { scoredByWords, question: asked, meaning } = await rankPassages(services, search);
  const ways = [{ kind: question.kind ?? "plain", passages: scoredByWords, asked }];
  if (meaning) ways.push({ kind: OTHER_WORDS, passages: byMeaning(scoredByWords), asked: withoutWords(asked) });
  const results = [];
  for (const { kind, passages, asked } of ways) {
    const found = await examine(services.db, asked, passages);
    const words = found?.hasWords ? scoreAnswer(found.features) : -Infinity;
    const judged = found && meaning && words < 0 ? await judge(services, meaning, found) : null;
    results.push({ kind, ...describe(judged?.answer ?? found, judged, asked, idOf, question, judged?.score ?? words) });
  }
  return results;
}

function describe(
  answer: Answer | null,
  judged: Judged | null,
  asked: AskedQuestion,
  idOf: Map<string, string>,
  question: CorpusQuestion,
  score: number,
) {
  const isRight = (sentence: Sentence) => answersOf(sentence, idOf, question).length > 0;
  const found = new Set(
    (answer ? chooseSentences(answer, asked, judged?.nearness) : []).flatMap((one) => answersOf(one, idOf, question)),
  );
  return {
    question: question.text,
    isRight: answer !== null && isRight(answer.first),
    isComplete: found.size === new Set(question.answers?.map(({ text }) => text)).size,
    score,
    features: answer?.features ?? null,
    meaning: judged?.features ?? null,
    candidates: (answer?.sentences ?? []).map((one) => ({
      features: { ...one.features, ...(judged && { nearness: judged.nearness.get(one) ?? 0 }) },
      isRight: isRight(one),
    })),
  };
}

/** The documents to search: all, or those of the question's article and the ones after it. */
function scopeOf(corpus: Corpus, question: CorpusQuestion, size: number) {
  const names = [...new Set(corpus.documents.map(({ group }) => group))];
  const own = corpus.documents.find(({ id }) => id === question.answers?.[0]?.document)?.group;
  const at = names.indexOf(own);
  const searched = new Set(names.map((_, step) => names[(at + step) % names.length]).slice(0, size));
  return corpus.documents.filter(({ group }) => searched.has(group)).map(({ id }) => id);
}

/** Text without the marks of Markdown, for comparison. */
const plain = (text: string) =>
  text
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();

/** The answers of the question that a sentence contains. */
function answersOf({ passage, start, end }: Sentence, idOf: Map<string, string>, { answers = [] }: CorpusQuestion) {
  const sentence = passage.text.slice(start, end);
  return answers
    .filter(({ document, from, to, text }) => {
      if (idOf.get(passage.documentId) !== document) return false;
      const isRange = passage.charFrom + start < to && passage.charFrom + end > from;
      const [answer, quoted] = [plain(text), plain(sentence)];
      return (isRange && sentence.includes(text)) || quoted.includes(answer) || answer.includes(quoted);
    })
    .map(({ text }) => text);
}

const share = <T>(items: T[], is: (item: T) => boolean) =>
  items.length === 0 ? null : Number((items.filter(is).length / items.length).toFixed(3));

function summarize(results: Result[], threshold = 0) {
  const isAnswered = ({ score }: Result) => score >= threshold;
  const there = results.filter(({ isThere }) => isThere);
  return {
    questions: there.length,
    right: share(there, (one) => isAnswered(one) && one.isRight),
    wrong: share(there, (one) => isAnswered(one) && !one.isRight),
    refused: share(there, (one) => !isAnswered(one)),
    refusedThoughFound: share(
      there.filter(({ isRight }) => isRight),
      (one) => !isAnswered(one),
    ),
    refusedWhereAbsent: share(
      results.filter(({ isThere }) => !isThere),
      (one) => !isAnswered(one),
    ),
  };
}

function report(results: Result[]) {
  for (const [corpus, own] of Map.groupBy(results, (one) => one.corpus)) {
    console.log(corpus, JSON.stringify(summarize(own)));
    const kinds = Map.groupBy(own, ({ kind }) => kind);
    if (kinds.size > 1)
      for (const [kind, some] of kinds)
        console.log(
          `  ${kind}`,
          JSON.stringify(summarize(some)),
          kind === "multi" ? `complete ${share(some, ({ isComplete, score }) => isComplete && score >= 0)}` : "",
        );
    const curve = [-3, -2, -1, -0.5, 0, 0.5, 1, 2, 3].map((threshold) => {
      const { right, wrong, refused, refusedWhereAbsent } = summarize(own, threshold);
      return `${threshold}: ${right} ${wrong} ${refused} ${refusedWhereAbsent}`;
    });
    console.log(`  threshold: right, wrong, refused, refused where absent\n    ${curve.join("\n    ")}`);
  }
}

/** The mistakes, one a line. */
function list(results: Result[]) {
  for (const { corpus, kind, question, isThere, isRight, score } of results) {
    const isAnswered = score >= 0;
    if (isThere ? isRight && isAnswered : !isAnswered) continue;
    const known = isRight ? "refused though found" : "wrong sentence";
    console.log([corpus, kind, isThere ? known : "answered though absent", score.toFixed(1), question].join(" | "));
  }
}

/** Every collection weighs the same. */
function fit(results: Result[]) {
  const choices = results.filter(({ isThere }) => isThere).map(({ candidates }) => candidates);
  const names = Object.keys(choices.flat()[0]?.features ?? {}) as (keyof SentenceFeatures)[];
  const sentence = fitChoice(
    choices.map((candidates) =>
      candidates.map(({ features, isRight }) => ({ features: names.map((name) => features[name]), isRight })),
    ),
  );
  console.log("SENTENCE", names.map((name, at) => `${name}: ${sentence[at]!.toFixed(2)}`).join(", "));
  const counts = new Map([...Map.groupBy(results, ({ corpus }) => corpus)].map(([name, own]) => [name, own.length]));
  const examined = results.flatMap(({ features, isThere, corpus }) =>
    features ? [{ features, isThere, weight: 1 / counts.get(corpus)! }] : [],
  );
  const keys = Object.keys(examined[0]?.features ?? {}) as (keyof AnswerFeatures)[];
  const answer = fitLogistic(
    examined.map(({ features, isThere, weight }) => ({
      features: keys.map((key) => features[key]),
      isTrue: isThere,
      weight,
    })),
  );
  console.log("ANSWER", keys.map((key, at) => `${key}: ${answer.weights[at]!.toFixed(2)}`).join(", "));
  console.log("BIAS", answer.bias.toFixed(2));
  const judged = results.flatMap(({ meaning, isThere, corpus, kind }) =>
    meaning && kind === OTHER_WORDS ? [{ meaning, isThere, weight: 1 / counts.get(corpus)! }] : [],
  );
  if (judged.length === 0) return;
  const columns = ["nearness", "lead"] as const;
  const alone = fitLogistic(
    judged.map(({ meaning, isThere, weight }) => ({
      features: columns.map((key) => meaning[key]),
      isTrue: isThere,
      weight,
    })),
  );
  console.log("MEANING", columns.map((key, at) => `${key}: ${alone.weights[at]!.toFixed(2)}`).join(", "));
  console.log("BIAS", alone.bias.toFixed(2));
}

if (!folder) {
  console.error("Name a folder: npm run answers -- FOLDER [--fit] [--groups N] [--every N]");
  process.exit(1);
}
const results: Result[] = [];
for (const corpus of readCorpora(folder).filter(({ questions }) => questions.some(({ answers }) => answers)))
  results.push(...(await withEmptyDatabase((_, services) => measure(services, corpus))));
report(results);
if (options.includes("--fit")) fit(results);
if (process.env.DUMP)
  (await import("node:fs")).writeFileSync(process.env.DUMP, JSON.stringify(results.map(({ candidates, ...r }) => r)));
if (options.includes("--list")) list(results);
