import { countElsewhere, countPhrases, type Phrase, type Said } from "#server/analysis/phraseCounts.ts";

// Phrases that are typical of conversations: more frequent in them than elsewhere, by the log-likelihood ratio
// (Dunning 1993). Thresholds were chosen on questions to a bank (docs/benchmarks.md).

/** The fewest conversations of a phrase. */
const MIN_CONVERSATIONS = 3;
/** Without other conversations, or with few, words and longer phrases are expected in these shares of conversations. */
const EXPECTED_WORD = 0.01;
const EXPECTED_PHRASE = 0.001;
/** The number of conversations that this counts as. */
const PRIOR = 50;
/** The least ratio: a difference that chance makes in one of a thousand phrases. */
const MIN_RATIO = 10.83;
/** A phrase is left out if a longer one, or a more typical one, is in this share of the same conversations. */
const COVERED = 0.6;
/** Two phrases are about different things if at most this share of the conversations of one has both. */
const APART = 0.25;

/** `ids`: the conversations that have it. */
type Listed = { text: string; ids: string[]; people: number };
type Input = {
  messages: Said[];
  /** Messages of other conversations. */
  background: Said[];
  minPeople: number;
  listed: number;
};

export async function findTypicalPhrases({ messages, background, minPeople, listed }: Input): Promise<Listed[]> {
  const { phrases, wordingOf } = await countPhrases(messages, { minPeople, minConversations: MIN_CONVERSATIONS });
  const conversations = countConversations(messages);
  const elsewhere = await countElsewhere(background, new Set(phrases.map(keyOf)));
  const others = countConversations(background);
  const covered = findCovered(phrases);
  const ranked = [...phrases.entries()]
    .filter(([number, phrase]) => !covered.has(number) && !phrase.isCommon)
    .map(([number, phrase]) => {
      const expected = phrase.stems.length > 1 ? EXPECTED_PHRASE : EXPECTED_WORD;
      const rate = ((elsewhere.get(keyOf(phrase)) ?? 0) + PRIOR * expected) / (others + PRIOR);
      return { number, phrase, score: likelihoodRatio(phrase.conversations.size, conversations, rate) };
    })
    .filter(({ score }) => score >= MIN_RATIO)
    .toSorted((a, b) => b.score - a.score || b.phrase.stems.length - a.phrase.stems.length || a.number - b.number);
  const chosen: typeof ranked = [];
  for (const one of ranked) {
    if (chosen.length === listed) break;
    if (chosen.every(({ phrase }) => overlap(one.phrase, phrase) < COVERED)) chosen.push(one);
  }
  return chosen.map(({ number, phrase }) => ({
    text: wordingOf(number),
    ids: [...phrase.conversations],
    people: phrase.people.size,
  }));
}

const keyOf = ({ stems }: Phrase) => stems.join(" ");
const countConversations = (messages: Said[]) => new Set(messages.map(({ conversationId }) => conversationId)).size;

/**
 * Phrases that say less than longer ones: parts of one in most of their conversations, or of two about different
 * things, as “card” is of “lost card” and “accept … card”.
 */
function findCovered(phrases: Phrase[]) {
  const longer = new Map<number, Phrase[]>();
  for (const phrase of phrases)
    for (const part of phrase.parts) longer.set(part, [...(longer.get(part) ?? []), phrase]);
  const covered = new Set<number>();
  for (const [part, all] of longer) {
    const of = phrases[part]!.conversations.size;
    const isMost = all.some(({ conversations }) => conversations.size >= COVERED * of);
    const isWide = all.some((one, at) => all.slice(at + 1).some((other) => share(one, other) < APART));
    if (isMost || isWide) covered.add(part);
  }
  return covered;
}

/** The share of conversations of the rarer one of two phrases that have both. */
function share(one: Phrase, other: Phrase) {
  const [rarer, rest] = one.conversations.size < other.conversations.size ? [one, other] : [other, one];
  return [...rarer.conversations].filter((id) => rest.conversations.has(id)).length / rarer.conversations.size;
}

/** The share of conversations of a phrase that another one is in, too; 0 if they have no word in common. */
function overlap(one: Phrase, other: Phrase) {
  if (!one.stems.some((stem) => other.stems.includes(stem))) return 0;
  return [...one.conversations].filter((id) => other.conversations.has(id)).length / one.conversations.size;
}

/** Twice the log-likelihood ratio of a count of `all` against an expected rate; negative if it is below the rate. */
function likelihoodRatio(count: number, all: number, rate: number) {
  const part = (observed: number, expected: number) => (observed === 0 ? 0 : observed * Math.log(observed / expected));
  const ratio = 2 * (part(count, all * rate) + part(all - count, all * (1 - rate)));
  return count > all * rate ? ratio : -ratio;
}
