import { wilson } from "#server/analysis/intervals.ts";
import { toneOf, type Toned } from "#server/analysis/tone/toneOf.ts";
import { tellLanguage } from "#server/analysis/words.ts";
import { type Tone, type ToneCounts, tones } from "#shared/analysis/analysisRuns.ts";

/** A message; `person` is empty if its author is unknown. */
export type Written = { conversationId: string; person: string; text: string; isSpoken: boolean };
type Found = NonNullable<ToneCounts["shares"][number]["found"]>;

/** The language of the word list, in which it was compared with readers (docs/benchmarks.md). */
const LISTED = "en";

type Input = {
  written: Written[];
  /** Tones of fewer people are hidden. */
  minPeople: number;
  outcomesOf: (people: Set<string>) => Pick<Found, "theirs" | "others">;
};

/**
 * How many messages of groups of people are positive, neutral and negative by their words. Messages in other
 * languages than English are not counted, nor are spoken ones. If one tone is hidden because of few people, so is the
 * next smallest, so that the first cannot be computed by subtraction.
 */
export function countTones({ written, minPeople, outcomesOf }: Input): ToneCounts {
  const counted = inListedLanguage(written).map((message) => ({ ...message, toned: toneOf(message.text) }));
  const groups = tones.map((tone) => {
    const messages = counted.filter(({ toned }) => toned.tone === tone);
    return { tone, messages, people: new Set(messages.map(({ person }) => person)) };
  });
  const people = new Set(counted.map(({ person }) => person));
  const hidden = hiddenTones(groups, minPeople, people.size);
  return {
    messages: counted.length,
    people: people.size,
    notCounted: written.length - counted.length,
    shares: groups.map(({ tone, messages, people: authors }) => ({
      tone,
      found: hidden.has(tone)
        ? null
        : {
            messages: messages.length,
            conversations: new Set(messages.map(({ conversationId }) => conversationId)).size,
            people: authors.size,
            ...intervalOf(counted, tone),
            ...outcomesOf(authors),
          },
    })),
  };
}

/** Whether all letters are Latin, like those of the word list. */
const isLatin = (text: string) => !/[^\P{L}\p{Script=Latin}]/u.test(text);

/** Messages in the language of the word list. One of unclear language has the language of its conversation. */
function inListedLanguage(written: Written[]) {
  const byConversation = Map.groupBy(written, ({ conversationId }) => conversationId);
  const languages = new Map(
    [...byConversation].map(([id, messages]) => [id, tellLanguage(messages.map(({ text }) => text).join("\n"))]),
  );
  return written.filter(
    ({ text, conversationId, isSpoken }) =>
      !isSpoken && isLatin(text) && (tellLanguage(text) ?? languages.get(conversationId) ?? null) === LISTED,
  );
}

function hiddenTones(groups: { tone: Tone; people: Set<string> }[], minPeople: number, people: number): Set<Tone> {
  if (people < minPeople) return new Set(tones);
  const small = groups.filter((group) => group.people.size > 0 && group.people.size < minPeople);
  const others = groups
    .filter((group) => group.people.size > 0 && !small.includes(group))
    .toSorted((a, b) => a.people.size - b.people.size);
  const hidden = small.length === 1 ? [...small, ...others.slice(0, 1)] : small;
  return new Set(hidden.map(({ tone }) => tone));
}

/**
 * The 95 % interval of the share of a tone. Messages of one person resemble each other, so the interval is that of as
 * many independent messages as would vary as much (variance of a ratio of cluster totals).
 */
export function intervalOf(counted: { person: string; toned: Pick<Toned, "tone"> }[], tone: Tone) {
  const clusters = [...Map.groupBy(counted, ({ person }) => person).values()].map((messages) => ({
    all: messages.length,
    part: messages.filter(({ toned }) => toned.tone === tone).length,
  }));
  const [n, k] = [counted.length, clusters.length];
  const share = clusters.reduce((sum, { part }) => sum + part, 0) / n;
  const squares = clusters.reduce((sum, { all, part }) => sum + (part - share * all) ** 2, 0);
  const variance = ((k / (k - 1)) * squares) / n ** 2;
  // Without any variance, only people are known to be independent.
  const size = variance > 0 ? Math.min(n, (share * (1 - share)) / variance) : k;
  return wilson(share * size, size);
}
