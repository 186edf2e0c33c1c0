import { readFileSync, writeFileSync } from "node:fs";
import { readTraining, trainCareModel } from "./_careTraining.ts";
import { modelFile, writeModel } from "#server/conversations/care/careModel.ts";
import { findCareTopic } from "#server/conversations/care/careTopic.ts";

// How many calls for help are found, and how many other messages raise an alarm:
// npm run care -- FILE.jsonl [--list]
// npm run care -- train: makes the model of calls for help from its training messages and the two sets in bench/care.
// A line of a set is {"id", "lang", "kind": "self_harm" | "threat" | "harassment" | "none", "subkind", "text"}.

type Line = { lang: string; kind: string; subkind: string; text: string };
type Count = { found: number; total: number };

const file = process.argv[2];
if (!file) throw new Error("Name a file: npm run care -- bench/care/first.jsonl");
if (file === "train") {
  writeFileSync(modelFile, writeModel(trainCareModel(readTraining())));
  process.exit();
}
const isListing = process.argv.includes("--list");
const lines = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Line);

const counts = new Map<string, Count>();
const add = (key: string, isFound: boolean) => {
  const { found, total } = counts.get(key) ?? { found: 0, total: 0 };
  counts.set(key, { found: found + Number(isFound), total: total + 1 });
};
for (const { lang, kind, subkind, text } of lines) {
  const isFound = findCareTopic(text) !== null;
  const isCall = kind !== "none";
  add(isCall ? "all calls" : "all others", isFound);
  add(isCall ? `calls ${lang}` : `others ${lang}`, isFound);
  add(isCall ? `calls ${kind}` : `others ${subkind}`, isFound);
  if (isListing && isFound !== isCall) console.log(`${isFound ? "false alarm" : "missed"} ${lang} ${kind}: ${text}`);
}
for (const [key, { found, total }] of [...counts].toSorted(([a], [b]) => a.localeCompare(b)))
  console.log(`${key.padEnd(20)} ${found} of ${total} (${(found / total).toFixed(2)})`);
