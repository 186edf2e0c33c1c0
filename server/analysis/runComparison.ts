import { wilson } from "#server/analysis/intervals.ts";
import { questionKey, similarity } from "#server/analysis/questionKeys.ts";
import { readRunResult } from "#server/analysis/runResult.ts";
import { selectRuns } from "#server/analysis/runs.ts";
import { readStems } from "#server/analysis/stems.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict } from "#server/core/http/problem.ts";
import { type RunComparison, type RunResult, type Tone, tones } from "#shared/analysis/analysisRuns.ts";
import type { User } from "#shared/core/users.ts";

type Found = { text: string; conversations: number };
type Row = RunComparison["items"][number];

/**
 * Two analyses of the same kind, the earlier one first: what both say, by the content words that their statements
 * share, with the change of its share of conversations, and what only one of them says. Only what each of them shows is
 * compared.
 */
export async function compareRuns(ctx: Ctx<User>, id: string, otherId: string | undefined): Promise<RunComparison> {
  const run = await readRunResult(ctx, id);
  const both = [run, await readRunResult(ctx, otherId ?? (await findBefore(ctx, run)))];
  const [before, now] = both.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)) as [RunResult, RunResult];
  const isSameTask = before.kind === now.kind && before.question === now.question && before.id !== now.id;
  // Nothing is a share of no conversations.
  if (!isSameTask || both.some(({ remaining }) => remaining === 0)) throw conflict("analysis.notComparable");
  const [earlier, later] = [foundIn(before), foundIn(now)];
  const stemsOf = await readStems(
    ctx.db,
    [...earlier, ...later].map(({ text }) => text),
  );
  const keyOf = ({ text }: Found) => questionKey(text, stemsOf(text));
  const earlierKeys = earlier.map(keyOf);
  const pairs = later
    .flatMap((one, at) => {
      const key = keyOf(one);
      return earlierKeys.map((other, from) => ({ at, from, alike: similarity(key, other) }));
    })
    .filter(({ alike }) => alike > 0)
    .toSorted((a, b) => b.alike - a.alike || a.at - b.at || a.from - b.from);
  const [fromOf, taken] = [new Map<number, number>(), new Set<number>()];
  for (const { at, from } of pairs) {
    if (fromOf.has(at) || taken.has(from)) continue;
    fromOf.set(at, from);
    taken.add(from);
  }
  const gone = earlier.filter((_, at) => !taken.has(at));
  return {
    before: summarise(before),
    now: summarise(now),
    items: [
      ...later.map((one, at) => toRow(one, earlier[fromOf.get(at) ?? -1] ?? null, before.remaining, now.remaining)),
      ...gone.map((one) => toRow(null, one, before.remaining, now.remaining)),
    ],
    tone: compareTones(before, now),
  };
}

/** The latest finished analysis before a run that can be compared with it. */
async function findBefore(ctx: Ctx<User>, { kind, question, createdAt }: RunResult): Promise<string> {
  const found = await selectRuns(ctx.db, ctx.user)
    .where("analysisRuns.kind", "=", kind)
    .where("analysisRuns.question", "=", question)
    .where("analysisRuns.state", "=", "done")
    .where("analysisRuns.createdAt", "<", createdAt)
    .orderBy("analysisRuns.createdAt", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!found) throw conflict("analysis.notComparable");
  return found.id;
}

const summarise = ({ id, title, createdAt, remaining }: RunResult) => ({ id, title, createdAt, read: remaining });
const foundIn = ({ kind, statements, counts }: RunResult): Found[] => (kind === "counts" ? counts.phrases : statements);

function toRow(later: Found | null, earlier: Found | null, readBefore: number, readNow: number): Row {
  const before = earlier && { conversations: earlier.conversations, ...wilson(earlier.conversations, readBefore) };
  const now = later && { conversations: later.conversations, ...wilson(later.conversations, readNow) };
  const difference =
    before &&
    now &&
    differenceOf(toShare(before.conversations, readBefore, before), toShare(now.conversations, readNow, now));
  return {
    text: (later ?? earlier)?.text ?? "",
    textBefore: later && earlier && later.text !== earlier.text ? earlier.text : null,
    before,
    now,
    difference,
    change: changeOf(later, earlier, difference),
  };
}

function changeOf(later: Found | null, earlier: Found | null, difference: Row["difference"]): Row["change"] {
  if (!earlier) return "new";
  if (!later || !difference) return "gone";
  return directionOf(difference);
}

/** Grown or shrunk only if the interval leaves out zero. */
function directionOf({ low, high }: { low: number; high: number }) {
  if (low > 0) return "grown";
  return high < 0 ? "shrunk" : "same";
}

/** The shares of messages by tone, as far as both analyses show them. */
function compareTones(before: RunResult, now: RunResult): RunComparison["tone"] {
  const shareIn = ({ counts }: RunResult, tone: Tone) => {
    const found = counts.tone.shares.find((one) => one.tone === tone)?.found;
    return found ? { messages: found.messages, of: counts.tone.messages, low: found.low, high: found.high } : null;
  };
  return tones.map((tone) => {
    const [was, is] = [shareIn(before, tone), shareIn(now, tone)];
    const difference = was && is && differenceOf(toShare(was.messages, was.of, was), toShare(is.messages, is.of, is));
    return { tone, before: was, now: is, difference, change: difference && directionOf(difference) };
  });
}

type Share = { share: number; low: number; high: number };
const toShare = (part: number, whole: number, { low, high }: { low: number; high: number }): Share => ({
  share: part / whole,
  low,
  high,
});
/** The difference of two independent shares with its 95 % interval (Newcombe 1998, method 10). */
export function differenceOf(before: Share, now: Share) {
  const [was, is] = [before.share, now.share];
  return {
    points: is - was,
    low: is - was - Math.hypot(is - now.low, before.high - was),
    high: is - was + Math.hypot(now.high - is, was - before.low),
  };
}
