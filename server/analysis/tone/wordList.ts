import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

// English words rated by people for how good or bad they sound: VADER (Hutto and Gilbert 2014), MIT licence, as
// packaged in vader-sentiment

const LIST = "vader-sentiment/vader_lexicon.txt";

/** Words that mostly name a subject of work or learning, or are polite, and rarely express a feeling. */
const subjects = new Set(
  `accident accidents agree alarm approve approved approval benefit benefits care certified challenge challenges
  danger dangerous dear death emergency error errors fire free hazard hazardous hello help helps hi ill illness
  important injured injury interest kind like likes natural no number ok okay pay please pressure pretty protect
  protected protection question questions risk risks safe safely safety save saved secure security share shared
  sharing sick sure support trust value values want warning weapon well yes`.split(/\s+/),
);

let words: ReadonlyMap<string, number> | null = null;

/** Ratings from -4 to 4 by word in lower case. Read once, when an analysis first needs them. */
export function readWordList(): ReadonlyMap<string, number> {
  words ??= new Map(
    readFileSync(createRequire(import.meta.url).resolve(LIST), "utf8")
      .split("\n")
      .flatMap((line) => {
        const [word = "", rating] = line.split("\t");
        return /^[a-z]{2,}$/.test(word) && !subjects.has(word) ? [[word, Number(rating)] as const] : [];
      }),
  );
  return words;
}
