declare module "damerau-levenshtein" {
  /** Edits between two words: insertions, deletions, substitutions and exchanges of neighbours. */
  export default function levenshtein(one: string, other: string): { steps: number };
}
