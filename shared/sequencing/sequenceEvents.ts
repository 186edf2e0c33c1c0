import type { ActivityState, EngineState } from "#shared/sequencing/engineState.ts";
import type { RootResult } from "#shared/sequencing/view.ts";

// Events of type `sequence`: what a navigation request has changed in the activity tree of an attempt

/** The state of the activity tree of an attempt, and the result of its root. */
export type StoredSequencing = { state: EngineState; root: RootResult };
/** One event; only the last one of a change has its end. */
export type SequenceEvent = {
  activities: EngineState["activities"];
  end?: Pick<EngineState, "current" | "suspended"> & { shared: EngineState["shared"]; root: RootResult };
};

/** A change of many activities is stored by several events, each shorter than a value may be. */
const MAX_EVENT_CHARS = 60_000;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The values of the events that lead from one state to another; none if nothing has changed. */
export function writeSequenceEvents(before: StoredSequencing | null, after: StoredSequencing): string[] {
  if (before && isSame(before, after)) return [];
  const [old, now] = [before?.state.activities ?? {}, after.state.activities];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const changed = names.filter((n) => !isSame(old[n], now[n])).map((n) => [n, now[n] ?? {}] as const);
  const batches: (readonly [string, ActivityState])[][] = [[]];
  let chars = 0;
  for (const entry of changed) {
    const length = JSON.stringify(entry).length;
    if (chars + length > MAX_EVENT_CHARS) {
      batches.push([]);
      chars = 0;
    }
    batches.at(-1)?.push(entry);
    chars += length;
  }
  const { current, suspended, shared } = after.state;
  const end = { current, suspended, shared, root: after.root };
  // Shared objectives are as many as an event can hold only in a tree that is made for it
  if (chars + JSON.stringify(end).length > MAX_EVENT_CHARS) batches.push([]);
  return batches.map((batch, n) =>
    JSON.stringify({
      activities: Object.fromEntries(batch),
      ...(n === batches.length - 1 && { end }),
    } satisfies SequenceEvent),
  );
}

const NOTHING: StoredSequencing = {
  state: { activities: {}, current: null, suspended: null, shared: {} },
  root: { completion: "unknown", success: "unknown", measure: null, progress: null },
};

/** The state after an event. */
export function applySequenceEvent(before: StoredSequencing | null, event: SequenceEvent): StoredSequencing {
  const { state, root } = before ?? NOTHING;
  const activities = { ...state.activities, ...event.activities };
  if (!event.end) return { state: { ...state, activities }, root };
  const { root: result, ...rest } = event.end;
  return { state: { activities, ...rest }, root: result };
}
