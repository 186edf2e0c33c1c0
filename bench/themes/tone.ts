import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toneOf } from "#server/analysis/tone/toneOf.ts";
import { tones } from "#shared/analysis/analysisRuns.ts";

// The tone of messages by the word list, compared with the readers of TweetEval (12,284 messages, English):
// `DATA=folder node bench/themes/tone.ts`

const LABELS = ["negative", "neutral", "positive"] as const;
const read = (file: string) =>
  readFileSync(join(process.env.DATA ?? "", "cardiffnlp/tweeteval/datasets/sentiment", file), "utf8")
    .trim()
    .split("\n");

const texts = read("test_text.txt");
const judged = read("test_labels.txt").map((label, at) => ({
  truth: LABELS[Number(label)]!,
  tone: toneOf(texts[at]!).tone,
}));
const right = judged.filter(({ truth, tone }) => truth === tone).length;
console.log(`${judged.length} messages, ${((100 * right) / judged.length).toFixed(1)} % as read by people`);
for (const one of tones) {
  const both = judged.filter(({ truth, tone }) => truth === one && tone === one).length;
  const counted = judged.filter(({ tone }) => tone === one).length;
  const read = judged.filter(({ truth }) => truth === one).length;
  console.log(`${one}: precision ${(both / counted).toFixed(2)}, recall ${(both / read).toFixed(2)} of ${read}`);
}
// What the page shows is a share, so errors that cancel each other out do not matter.
for (const one of tones) {
  const share = (of: "truth" | "tone") => (100 * judged.filter((all) => all[of] === one).length) / judged.length;
  console.log(`${one}: ${share("tone").toFixed(0)} % counted, ${share("truth").toFixed(0)} % as read by people`);
}
