import { describe, expect, test } from "vitest";
import { group, leaf, leaves, post, reads, runTree, when, writes } from "#test/ruledPackages.ts";
import type { Activity } from "#shared/packages/activityTree.ts";
import {
  applySequenceEvent,
  type SequenceEvent,
  type StoredSequencing,
  writeSequenceEvents,
} from "#shared/sequencing/sequenceEvents.ts";

// Parts that cannot be left or opened, content that never starts, and the events of a change

/** Flow only; b is closed until a is satisfied. */
const gated = (first: Partial<Activity> = {}) => {
  const isOpen = { ...when("!satisfied", "!objectiveStatusKnown"), combination: "any" as const };
  const locked = leaf("b", { ...reads, pre: [{ action: "disabled", ...isOpen }] });
  const parts = [leaf("a", { ...writes, objectiveSetByContent: true, ...first }), locked];
  return runTree(group("r", parts, { control: { flow: true, choice: false } }));
};

describe("a request that is refused", () => {
  test("continues only to a part that would open", () => {
    const run = gated();
    run.go("start");
    expect(run.view("incomplete")).toMatchObject({ isFlowing: true, canContinue: false });
    expect([run.wouldRefuse("continue", "incomplete"), run.wouldRefuse("continue", "passed")]).toEqual([true, false]);
    expect(run.view()).toMatchObject({ current: "a", isActive: true });
    expect(run.view("passed").canContinue).toBe(true);
    expect(run.go("continue", null, "passed")).toBe("b");
    expect(run.view("")).toMatchObject({ canContinue: true });
  });

  test("leaves a part that can be opened again", () => {
    const run = gated();
    run.go("start");
    expect(run.go("continue", null, "incomplete")).toBeNull();
    expect(run.view()).toMatchObject({ current: "a", isActive: false, canContinue: false, canReopen: true });
    expect([run.go("continue"), run.go("previous"), run.go("choice", "a")]).toEqual([null, null, null]);
    expect(run.reopen()).toBe("a");
    expect(run.view()).toMatchObject({ current: "a", isActive: true, canReopen: false });
    expect(run.go("continue", null, "passed")).toBe("b");
  });

  test("opens no part again that has no tries left", () => {
    const run = gated({ attemptLimit: 1 });
    run.go("start");
    run.go("exit", null, "incomplete");
    expect([run.view().canReopen, run.reopen()]).toEqual([false, null]);
  });
});

describe("content that was never initialized", () => {
  test("is neither completed nor satisfied, and goes on", () => {
    const run = runTree(group("r", [leaf("a", { attemptLimit: 1 }), leaf("b")]));
    expect([run.go("start"), run.go("continue", null, "unopened")]).toEqual(["a", "b"]);
    expect(run.go("previous", null, "unopened")).toBe("a");
    expect([run.go("continue", null, "completed"), run.go("continue", null, "unopened")]).toEqual(["b", null]);
    expect(run.hasEnded()).toBe(true);
    expect(run.view().root).toMatchObject({ success: "unknown" });
    expect(run.view().root.completion).not.toBe("completed");
  });

  test("completes nothing when the learner ends the package", () => {
    const run = runTree(group("r", leaves("a")));
    run.go("start");
    run.go("exitAll", null, "unopened");
    expect(run.view().root).toMatchObject({ completion: "incomplete", success: "unknown" });
  });

  test("is left although a rule repeats it", () => {
    const run = runTree(group("r", [leaf("a", post("retry", "!satisfied")), leaf("b")]));
    expect([run.go("start"), run.go("continue", null, "unopened")]).toEqual(["a", "b"]);
  });
});

test("stores a change by short events that name only what has changed", () => {
  const root = { completion: "unknown" as const, success: "unknown" as const, measure: null, progress: null };
  const objectives = (known: number[]) =>
    Object.fromEntries(known.map((n) => [`${n}-${"x".repeat(200)}`, { satisfiedStatusKnown: true }]));
  const stateOf = (known: number[]): StoredSequencing => ({
    state: { activities: {}, current: 1, suspended: null, shared: objectives(known) },
    root,
  });
  const read = (before: StoredSequencing | null, values: string[]) =>
    values.reduce((state, value) => applySequenceEvent(state, JSON.parse(value) as SequenceEvent), before);
  const all = stateOf(Array.from({ length: 600 }, (_, n) => n));
  const values = writeSequenceEvents(null, all);
  expect(values.length).toBeGreaterThan(1);
  expect(Math.max(...values.map(({ length }) => length))).toBeLessThan(65_000);
  expect(read(null, values)).toEqual(all);
  const more = stateOf(Array.from({ length: 601 }, (_, n) => n));
  const [value, ...rest] = writeSequenceEvents(all, more);
  expect([rest, Object.keys((JSON.parse(value ?? "") as SequenceEvent).shared ?? {}).length]).toEqual([[], 1]);
  expect(read(all, [value ?? ""])).toEqual(more);
});
