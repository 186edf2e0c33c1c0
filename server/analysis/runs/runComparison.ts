import { wilson } from "#server/analysis/intervals.ts";
import { questionKey, similarity } from "#server/analysis/questions/questionKeys.ts";
import { readRunResult } from "#server/analysis/runs/runResult.ts";
import { selectRuns } from "#server/analysis/runs/runs.ts";
import { readStems } from "#server/analysis/stems.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict } from "#server/core/http/problem.ts";
import {
  type RunComparison,
  type RunResult,
  type Tone,
  type ToneCounts,
  tones,
} from "#shared/analysis/analysisRuns.ts";
import type { User } from "#shared/core/users.ts";

type Shown = { text: string; conversations: number };
type Row = RunComparison["items"][number];

/**
 * Compares two analyses of the same kind: statements that both have, matched by shared content words, with the change
 * of their share of conversations, and those that only one has. Hidden statements are left out.
 */
export async function compareRuns(ctx: Ctx<User>, id: string, otherId: string | undefined): Promise<RunComparison> {
  const run = await readRunResult(ctx, id);
  const both = [run, await readRunResult(ctx, otherId ?? (await findBefore(ctx, run)))];
  const [before, now] = both.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)) as [RunResult, RunResult];
  const isSameTask = before.kind === now.kind && before.question === now.question && before.id !== now.id;
  // Without conversations there are no shares.
  if (!isSameTask || both.some(({ remaining }) => remaining === 0)) throw conflict("analysis.notComparable");
  const [earlier, later] = [shownIn(before), shownIn(now)];
  const stemsOf = await readStems(
    ctx.db,
    [...earlier, ...later].map(({ text }) => text),
  );
  const keyOf = ({ text }: Shown) => questionKey(text, stemsOf(text));
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

/** The latest comparable analysis that finished before a run. Throws 409 if there is none. */
async function findBefore(ctx: Ctx<User>, { kind, question, createdAt }: RunResult): Promise<string> {
  const earlier = await selectRuns(ctx.db, ctx.user)
    .where("analysisRuns.kind", "=", kind)
    .where("analysisRuns.question", "=", question)
    .where("analysisRuns.state", "=", "done")
    .where("analysisRuns.createdAt", "<", createdAt)
    .orderBy("analysisRuns.createdAt", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!earlier) throw conflict("analysis.notComparable");
  return earlier.id;
}

const summarise = ({ id, title, createdAt, remaining }: RunResult) => ({ id, title, createdAt, read: remaining });
const shownIn = ({ kind, statements, counts }: RunResult): Shown[] => (kind === "counts" ? counts.phrases : statements);

function toRow(later: Shown | null, earlier: Shown | null, readBefore: number, readNow: number): Row {
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

function changeOf(later: Shown | null, earlier: Shown | null, difference: Row["difference"]): Row["change"] {
  if (!earlier) return "new";
  if (!later || !difference) return "gone";
  return directionOf(difference);
}

/** Grown or shrunk only if the interval excludes zero. */
function directionOf({ low, high }: { low: number; high: number }) {
  if (low > 0) return "grown";
  return high < 0 ? "shrunk" : "same";
}

/** The shares of messages by tone, where both analyses show them. */
function compareTones(before: RunResult, now: RunResult): RunComparison["tone"] {
  const [earlier, later] = [before.counts.tone, now.counts.tone];
  if (!earlier || !later) return [];
  const shareIn = ({ shares, messages: of }: ToneCounts, tone: Tone) => {
    const share = shares.find((one) => one.tone === tone)?.found;
    return share ? { messages: share.messages, of, low: share.low, high: share.high } : null;
  };
  return tones.map((tone) => {
    const [was, is] = [shareIn(earlier, tone), shareIn(later, tone)];
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
