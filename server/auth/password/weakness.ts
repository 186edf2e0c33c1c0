import { type Estimate, estimate, type Sources, type Words } from "#server/auth/password/guesses.ts";
import { readLayouts } from "#server/auth/password/keyboards.ts";
import { phraseParts } from "#server/auth/password/phrases.ts";
import type { PieceKind } from "#server/auth/password/pieces.ts";
import { isWeakPassword, MIN_PASSWORD_CHARS, type PasswordOwner, type PasswordWeakness } from "#shared/auth/auth.ts";

/** Names that a person is likely to use: their own, and those around them. */
export type PasswordContext = PasswordOwner & { places: string[] };

/**
 * The fewest guesses that a new password must take, as a base-10 logarithm. The login limits allow an attacker about
 * ten thousand guesses a year for one account. An attacker with stolen hashes makes about 90 guesses per second and
 * core with argon2id as configured here, so 10⁸ guesses take 13 days on one core for a single password. It is the
 * border between "somewhat" and "safely unguessable" of zxcvbn.
 */
const MIN_LOG = 8;
/** Guesses for a name that is known from the context. */
const KNOWN_RANK = 10;
const PHRASE_RANK = 100;
const PRODUCT = "Lyceum";
const MIN_NAME_CHARS = 3;
/** Shorter words of company names ("of", "und", "AG") say nothing. */
const MIN_PLACE_CHARS = 4;

let loaded: Promise<Sources & { words: Map<string, { kind: PieceKind; rank: number }> }> | undefined;

/** 49,000 passwords of known breaches, 7776 English words, famous phrases and keyboards; loaded at the first use. */
const loadSources = () =>
  (loaded ??= import("@zxcvbn-ts/language-common").then(({ dictionary, adjacencyGraphs }) => {
    const words = new Map<string, { kind: PieceKind; rank: number }>();
    const diceware = dictionary["diceware-common"];
    for (const word of diceware) words.set(word, { kind: "common", rank: diceware.length / 2 });
    for (const [at, word] of dictionary["passwords-common"].entries())
      words.set(word, { kind: "common", rank: at + 1 });
    for (const part of phraseParts()) words.set(part, { kind: "phrase", rank: PHRASE_RANK });
    return { words, layouts: readLayouts(adjacencyGraphs) };
  }));

/** Why a new password is refused; null if it is good. */
export async function findWeakness(password: string, context: PasswordContext): Promise<PasswordWeakness | null> {
  if (password.length < MIN_PASSWORD_CHARS) return "short";
  if (isWeakPassword(password, context)) return "own";
  const { log, pieces } = await estimateFor(password, context);
  if (log >= MIN_LOG) return null;
  return mostOf(pieces);
}

/** The lower of two estimates: as written, and without the sign between its words, so that phrases are found. */
export async function estimateFor(password: string, context: PasswordContext): Promise<Estimate> {
  const { words, layouts } = await loadSources();
  const ownWords = contextWords(context);
  const sources = { words: { get: (word: string) => ownWords.get(word) ?? words.get(word) }, layouts };
  const asWritten = estimate(password, sources);
  const separator = separatorOf(password);
  const letters = separator && password.replaceAll(separator, "");
  if (!letters) return asWritten;
  const joined = estimate(letters, sources);
  const log = joined.log + 1;
  return log < asWritten.log ? { ...joined, log } : asWritten;
}

/** The sign that stands between words: a space, or another one that occurs twice or more. */
function separatorOf(password: string) {
  const counts = [...Map.groupBy(password.match(/[^\p{L}\p{N}]/gu) ?? [], (sign) => sign)];
  const [sign, places] = counts.toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
  return places && (places.length > 1 || sign === " ") ? sign : null;
}

function contextWords({ name, email, places }: PasswordContext) {
  const words = new Map<string, { kind: PieceKind; rank: number }>();
  const add = (kind: PieceKind, text: string, least: number) => {
    const parts = [...text.split(/[^\p{L}\p{N}]+/u), text.replace(/[^\p{L}\p{N}]/gu, "")];
    for (const part of parts.flatMap((one) => [one, withoutMarks(one)]))
      if (part.length >= least) words.set(part.toLowerCase(), { kind, rank: KNOWN_RANK });
  };
  for (const place of [PRODUCT, ...places]) add("place", place, MIN_PLACE_CHARS);
  const [local = "", domain = ""] = (email ?? "").split("@");
  for (const text of [name, local, domain.slice(0, domain.lastIndexOf("."))]) add("own", text, MIN_NAME_CHARS);
  return words satisfies Words;
}

const withoutMarks = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "");

/** The weakness that most characters of the password have. */
function mostOf(pieces: Estimate["pieces"]): PasswordWeakness {
  const chars = new Map<PasswordWeakness, number>();
  for (const { kind, from, to } of pieces) {
    const weakness = kind === "other" ? "word" : kind;
    chars.set(weakness, (chars.get(weakness) ?? 0) + to - from);
  }
  return [...chars].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? "common";
}
