import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

/** A collection with judgements: by question, the gain of each document that answers it. */
export type Corpus = {
  name: string;
  format: "beir" | "squad" | "cranfield" | "handbook";
  documents: CorpusDocument[];
  questions: CorpusQuestion[];
  judgements: Map<string, Map<string, number>>;
};
/** `group`: documents about one subject, such as the paragraphs of an article. */
type CorpusDocument = { id: string; title: string; text: string; group?: string };
export type CorpusQuestion = {
  id: string;
  text: string;
  /** What is asked for: `plain`, `paraphrase`, `typo`, `multi` (several answers) or `absent` (no answer). */
  kind?: string;
  /** The answers, as ranges of documents or, in a handbook, as the text of sentences. */
  answers?: { document: string; from: number; to: number; text: string }[];
};

/**
 * The corpora of a folder and the folders in it: BEIR, SQuAD (each file one corpus), Cranfield's three files, and
 * handbooks (`NAME.md` with questions in `NAME.jsonl`).
 */
export function readCorpora(folder: string): Corpus[] {
  const path = resolve(folder);
  const names = readdirSync(path).toSorted();
  const corpora: Corpus[] = [];
  if (names.includes("corpus.jsonl")) corpora.push(readBeir(path));
  if (names.includes("cran.qry")) corpora.push(readCranfield(path));
  for (const name of names.filter((one) => one.endsWith(".json"))) {
    const corpus = readSquad(join(path, name));
    if (corpus) corpora.push(corpus);
  }
  for (const name of names.filter((one) => one.endsWith(".md") && names.includes(one.replace(/md$/, "jsonl"))))
    corpora.push(readHandbook(join(path, name)));
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory() && entry.name !== "qrels") corpora.push(...readCorpora(join(path, entry.name)));
  return corpora;
}

const readLines = (path: string) => readFileSync(path, "utf8").split(/\r?\n/).filter(Boolean);

function addJudgement(judgements: Corpus["judgements"], question: string, document: string, gain: number) {
  const known = judgements.get(question) ?? new Map<string, number>();
  known.set(document, gain);
  judgements.set(question, known);
}

/** https://github.com/beir-cellar/beir: the judgements of the test set, or all if there is none. */
function readBeir(path: string): Corpus {
  type Line = { _id: string | number; title?: string; text?: string };
  const read = (name: string) => readLines(join(path, name)).map((line) => JSON.parse(line) as Line);
  const judgements: Corpus["judgements"] = new Map();
  const folder = existsSync(join(path, "qrels")) ? join(path, "qrels") : path;
  const files = readdirSync(folder).filter((name) => name.endsWith(".tsv"));
  for (const name of files.includes("test.tsv") ? ["test.tsv"] : files)
    for (const line of readLines(join(folder, name))) {
      const fields = line.split("\t");
      // Also the four columns of TREC: question, iteration, document, gain.
      const [question = "", document = "", gain = ""] = fields.length > 3 ? [fields[0], fields[2], fields[3]] : fields;
      if (Number.isFinite(Number(gain)) && gain.trim() !== "")
        addJudgement(judgements, question, document, Number(gain));
    }
  return {
    name: basename(path),
    format: "beir",
    documents: read("corpus.jsonl").map((line) => ({
      id: String(line._id),
      title: line.title ?? "",
      text: line.text ?? "",
    })),
    questions: read("queries.jsonl").map((line) => ({ id: String(line._id), text: line.text ?? "" })),
    judgements,
  };
}

type SquadQuestion = {
  id: string | number;
  question: string;
  is_impossible?: boolean;
  answers?: { text: string; answer_start: number }[];
};

/** SQuAD, XQuAD and their like: a paragraph is a document, and answers its own questions. Null for other JSON. */
function readSquad(path: string): Corpus | null {
  type File = {
    data?: {
      title?: string;
      paragraphs?: { context: string; qas: SquadQuestion[] }[];
    }[];
  };
  let file: File;
  try {
    file = JSON.parse(readFileSync(path, "utf8")) as File;
  } catch {
    return null;
  }
  if (!Array.isArray(file?.data) || !file.data.some((article) => Array.isArray(article?.paragraphs))) return null;
  const corpus: Corpus = {
    name: basename(path),
    format: "squad",
    documents: [],
    questions: [],
    judgements: new Map(),
  };
  for (const { title = "", paragraphs = [] } of file.data)
    for (const { context, qas } of paragraphs) {
      const id = `p${corpus.documents.length}`;
      corpus.documents.push({ id, title, text: context, group: title });
      for (const one of qas ?? []) {
        if (one.is_impossible) continue;
        const answers = (one.answers ?? []).map(({ text, answer_start: from }) => ({
          document: id,
          from,
          to: from + text.length,
          text,
        }));
        corpus.questions.push({ id: String(one.id), text: one.question, answers });
        addJudgement(corpus.judgements, String(one.id), id, 1);
      }
    }
  return corpus;
}

/**
 * A handbook in Markdown. Each line of `NAME.jsonl` is a question: `{"id", "kind", "question", "answers"}`, where
 * `answers` are sentences or rows of the handbook, character for character, and empty if it has none.
 */
function readHandbook(path: string): Corpus {
  type Line = { id: string; kind: string; question: string; answers: string[] };
  const text = readFileSync(path, "utf8");
  const lines = readLines(path.replace(/md$/, "jsonl")).map((line) => JSON.parse(line) as Line);
  const id = basename(path, ".md");
  const judgements: Corpus["judgements"] = new Map();
  for (const line of lines) if (line.answers.length > 0) addJudgement(judgements, line.id, id, 1);
  const locate = (answer: string) => {
    const from = text.indexOf(answer);
    return { document: id, from, to: from + answer.length, text: answer };
  };
  return {
    name: id,
    format: "handbook",
    documents: [{ id, title: /^# (.+)/m.exec(text)?.[1] ?? id, text }],
    questions: lines.map((line) => ({
      id: line.id,
      text: line.question,
      kind: line.kind,
      answers: line.answers.map(locate),
    })),
    judgements,
  };
}

/**
 * Cranfield: grades from 1 (a complete answer) to 4 (of minimal interest); the gain is 5 minus the grade. The grade
 * -1, which the documentation does not define, is read as "of no interest", as usual. Questions are numbered in order.
 */
function readCranfield(path: string): Corpus {
  const records = (name: string) =>
    readFileSync(join(path, name), "utf8")
      .split(/^\.I /m)
      .slice(1)
      .map((record) => {
        const [id = "", ...fields] = record.split(/^\.(?=[TABW]\s*$)/m);
        const field = (letter: string) =>
          fields
            .filter((one) => one.startsWith(letter))
            .map((one) => one.slice(1).trim())
            .join("\n");
        return { id: String(Number(id.trim())), title: field("T"), text: field("W") };
      });
  const judgements: Corpus["judgements"] = new Map();
  for (const line of readLines(join(path, "cranqrel"))) {
    const [question = "", document = "", grade = ""] = line.trim().split(/\s+/);
    addJudgement(judgements, question, document, Number(grade) < 1 ? 0 : 5 - Number(grade));
  }
  return {
    name: "cranfield",
    format: "cranfield",
    documents: records("cran.all"),
    questions: records("cran.qry").map(({ text }, at) => ({ id: String(at + 1), text })),
    judgements,
  };
}
