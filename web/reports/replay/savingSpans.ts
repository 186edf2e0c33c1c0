import type { Span } from "#web/reports/replay/replayClock.ts";
import type { ReplayData } from "#web/reports/replay/replayData.ts";

/** A commit that took longer was late, because the browser was offline or the server did not answer, in ms. */
const LATE_MS = 6000;

type LateSpan = Span & { events: number };

/** Spans in which events were saved late: from the first waiting event to its arrival on the server. */
export function listSaving({ events, commits }: ReplayData, timeOf: (at: string) => number, duration: number) {
  const late: LateSpan[] = [];
  const first = events[0]?.seq ?? 1;
  for (const { firstSeq, lastSeq, receivedAt } of commits) {
    const from = events[firstSeq - first]?.t ?? 0;
    const to = timeOf(receivedAt);
    if (to - from < LATE_MS) continue;
    const before = late.at(-1);
    if (before && from <= before.to) {
      before.to = Math.max(before.to, to);
      before.events += lastSeq - firstSeq + 1;
    } else late.push({ from, to, events: lastSeq - firstSeq + 1 });
  }
  // Events that arrived after the end are drawn up to the end, but listed with their real delay.
  return { late, drawn: late.map(({ from, to }) => ({ from, to: Math.min(to, duration) })) };
}
