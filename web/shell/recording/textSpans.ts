import { fold } from "#web/shell/recording/textForms.ts";

// Parts of texts that are masked by separate rules: hosts of addresses, and words spelled letter by letter.

const ENDING = "(?:com|org|net|edu|gov|int|info|io|eu|de|uk|example)";
const BEFORE_HOST = String.raw`(?:(?<=://)|(?<=@)|\bwww\.|\b(?=(?:[a-z0-9-]+\.)+${ENDING}\b))`;
/** Hosts that an author writes: after a scheme, `www.` or `@`, or with an ordinary ending. In folded text. */
const HOST = new RegExp(String.raw`${BEFORE_HOST}(?:[a-z0-9-]+\.)*[a-z0-9-]+`, "g");
const SPELLED = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[\s\-–—_.,·•|/+*]{1,3}[\p{L}\p{N}]){2,}(?![\p{L}\p{N}])/gu;
const LETTER = /[\p{L}\p{N}]/u;

/** Start and end of every host in a folded text. */
export const findHosts = (folded: string): [number, number][] =>
  folded.includes(".") || folded.includes("://") || folded.includes("@")
    ? [...folded.matchAll(HOST)].map((found) => [found.index, found.index + found[0].length])
    : [];

/**
 * Masks letters with separators between them ("A-n-n-a"). `match` gets only the letters, and returns the end of the
 * hidden text that begins at a position; -1 if there is none.
 */
export const findSpelled = (text: string, match: (letters: string, at: number) => number) =>
  text.replace(SPELLED, (run) => {
    const chars = [...run];
    const places = chars.flatMap((char, i) => (LETTER.test(char) ? [i] : []));
    const letters = fold(places.map((i) => chars[i] as string).join(""));
    for (let at = 0; at < letters.length; at++) {
      const end = match(letters, at);
      for (let i = at; i < end; i++) chars[places[i] as number] = "*";
      if (end > at) at = end - 1;
    }
    return chars.join("");
  });
