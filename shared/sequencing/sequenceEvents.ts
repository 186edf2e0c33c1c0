import type { EngineState } from "#shared/sequencing/engineState.ts";
import type { RootResult } from "#shared/sequencing/rootResult.ts";

// Events of type `sequence`: what a navigation request has changed in the activity tree of an attempt

/** The state of the activity tree of an attempt, and the result of its root. */
export type StoredSequencing = { state: EngineState; root: RootResult };
/** One event: the activities and the shared objectives that have changed. Only the last one of a change has its end. */
export type SequenceEvent = {
  activities: EngineState["activities"];
  shared?: EngineState["shared"];
  end?: Pick<EngineState, "current" | "suspended"> & { root: RootResult };
};

/** A large change is stored by several events, each shorter than a value may be. */
const MAX_EVENT_CHARS = 60_000;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function changed<T extends object>(old: Record<string, T>, now: Record<string, T>): [name: string, value: T][] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names.filter((name) => !isSame(old[name], now[name])).map((name) => [name, now[name] ?? ({} as T)]);
}

/** The values of the events that lead from one state to another; none if nothing has changed. */
export function writeSequenceEvents(before: StoredSequencing | null, after: StoredSequencing): string[] {
  if (before && isSame(before, after)) return [];
  const { current, suspended } = after.state;
  const end = { current, suspended, root: after.root };
  const events: SequenceEvent[] = [{ activities: {} }];
  let chars = JSON.stringify(end).length;
  const add = (kind: "activities" | "shared", [name, value]: [string, object]) => {
    const length = JSON.stringify([name, value]).length;
    if (chars + length > MAX_EVENT_CHARS) {
      events.push({ activities: {} });
      chars = JSON.stringify(end).length;
    }
    const event = events.at(-1) as SequenceEvent;
    Object.assign(event, { [kind]: { ...event[kind], [name]: value } });
    chars += length;
  };
  for (const entry of changed(before?.state.activities ?? {}, after.state.activities)) add("activities", entry);
  for (const entry of changed(before?.state.shared ?? {}, after.state.shared)) add("shared", entry);
  return events.map((event, n) => JSON.stringify(n === events.length - 1 ? { ...event, end } : event));
}

/** The tree of an attempt that has not begun. */
export const NEW_TREE: StoredSequencing = {
  state: { activities: {}, current: null, suspended: null, shared: {} },
  root: { completion: "unknown", success: "unknown", measure: null, progress: null },
};

/** The state after an event. */
export function applySequenceEvent(before: StoredSequencing | null, event: SequenceEvent): StoredSequencing {
  const { state, root } = before ?? NEW_TREE;
  const activities = { ...state.activities, ...event.activities };
  const shared = event.shared ? { ...state.shared, ...event.shared } : state.shared;
  if (!event.end) return { state: { ...state, activities, shared }, root };
  const { root: result, ...place } = event.end;
  return { state: { activities, shared, ...place }, root: result };
}
