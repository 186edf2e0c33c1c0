import { readFileSync } from "node:fs";
import { join } from "node:path";

// Public collections of questions of which it is known which ask the same. They are not part of the project; the
// folder `DATA` has a copy of each repository as `owner/name` (docs/benchmarks.md says where from).

/** A question, and the name of what it asks. */
export type Labelled = { text: string; label: string };

const read = (path: string) => readFileSync(join(process.env.DATA ?? "", path), "utf8");

/** Rows of a CSV file without its head, which files with tabs do not have. */
function readRows(path: string, separator = ","): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = "", end] of read(path).matchAll(
    new RegExp(`(?:"((?:[^"]|"")*)"|([^"\\n${separator}]*))(${separator}|\\r?\\n|$)`, "g"),
  )) {
    row.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (end === separator) continue;
    if (row.length > 1) rows.push(row);
    row = [];
  }
  return separator === "," ? rows.slice(1) : rows;
}

/** The first `count` questions of each label. */
const firstOfEach = (items: Labelled[], count: number) =>
  [...Map.groupBy(items, ({ label }) => label).values()].flatMap((same) => same.slice(0, count));

/** Questions in an order in which those of one label do not follow each other; always the same one. */
export function shuffle<Item>(items: Item[], start = 1): Item[] {
  let seed = start * 7919;
  return items
    .map((item) => ({ item, place: (seed = (seed * 48_271) % 2_147_483_647) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

const covid = () =>
  readRows("JerryWei03/COVID-Q/final_master_dataset.csv").map(([, label = "", text = ""]) => ({ text, label }));
export const banking = () =>
  readRows("PolyAI-LDN/task-specific-datasets/banking_data/train.csv").map(([text = "", label = ""]) => ({
    text,
    label,
  }));

type Intents = { test: [string, string][]; train: [string, string][] };
export const clinc = (part: keyof Intents) =>
  (JSON.parse(read("clinc/oos-eval/data/data_full.json")) as Intents)[part].map(([text, label]) => ({ text, label }));
export const clincDomains = () => JSON.parse(read("clinc/oos-eval/data/domains.json")) as Record<string, string[]>;

const stackExchange = (file: string) =>
  (
    JSON.parse(read(`sebischair/NLU-Evaluation-Corpora/${file}`)) as {
      sentences: { text: string; intent: string }[];
    }
  ).sentences
    .filter(({ intent }) => intent !== "None")
    .map(({ text, intent }) => ({ text, label: intent }));

type Corpus = { data: { intent: string; utterances: string[]; tests: string[] }[] };
const readCorpus = (language: string) =>
  (JSON.parse(read(`axa-group/nlp.js/examples/13-languages/corpora/corpus-${language}.json`)) as Corpus).data;
/** The intents are in the same order in all languages; in French, some have no name. */
export const assistant = (language: string) => {
  const names = readCorpus("en").map(({ intent }) => intent);
  return readCorpus(language).flatMap(({ utterances, tests }, at) =>
    [...utterances, ...tests].map((text) => ({ text, label: names[at]! })),
  );
};

/** Examples of intents in the format of Rasa. */
export function rasa(path: string): Labelled[] {
  let label = "";
  return read(path)
    .split("\n")
    .flatMap((line) => {
      label = /^## intent:\s*(\S+)/.exec(line)?.[1] ?? label;
      const text = /^- (.+)/.exec(line)?.[1]?.replace(/\[([^\]]*)\](?:\([^)]*\)|\{[^}]*\})/g, "$1");
      return text && label !== "" ? [{ text, label: `${path} ${label}` }] : [];
    });
}

/** Pairs of questions that ask the same. */
const italian = () =>
  ["ryanair", "facebook_workplace", "tesla", "twitter", "ebay", "malpensa_airport"].flatMap((file) =>
    readRows(`lucadiliello/italian-faq-dataset/question_question/${file}.tsv`, "\t").flatMap((pair, at) =>
      pair.slice(0, 2).map((text) => ({ text, label: `${file} ${at}` })),
    ),
  );
/** Pairs that were judged to be alike in at least four of five degrees. */
const german = () =>
  readRows("t-systems-on-site-services-gmbh/NLU-Evaluation-Data-de-en/NLU-Data-Home-Domain-similarity-de.csv")
    .filter(([, , , alike]) => Number(alike) >= 4)
    .flatMap(([id = "", ...pair]) => pair.slice(0, 2).map((text) => ({ text, label: id })));

export const germanBots = () =>
  [
    "kelvinchanwh/chatbot-engine/examples/rasa_demo/config/models/de/data/nlu.md",
    "kelvinchanwh/chatbot-engine/examples/coffee_bot/config/models/de/data/nlu.md",
    "fbennets/HCLC-GDPR-Bot/data/nlu.md",
    "gandhi187/InsuranceCheck/data/nlu.md",
  ].flatMap(rasa);

/** `banking` is the one by which thresholds were chosen; of `covid`, errors were read before. */
export const COLLECTIONS: Record<string, () => Labelled[]> = {
  covid: () => shuffle(covid()),
  banking: () => shuffle(firstOfEach(banking(), 8)),
  clinc: () =>
    shuffle(
      firstOfEach(
        clinc("test").filter(({ label }) => label !== "oos"),
        5,
      ),
    ),
  stackExchange: () =>
    shuffle([...stackExchange("AskUbuntuCorpus.json"), ...stackExchange("WebApplicationsCorpus.json")]),
  assistantEn: () => shuffle(assistant("en")),
  assistantEs: () => shuffle(assistant("es")),
  assistantFr: () => shuffle(assistant("fr")),
  italian: () => shuffle(italian()),
  german: () => shuffle(german()),
  germanBots: () => shuffle(germanBots()),
};

/** More questions than an academy has without an answer, for the time that grouping them takes. */
export const MANY = () => shuffle(banking()).slice(0, 5000);
