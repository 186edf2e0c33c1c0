import { describe, expect, test } from "vitest";
import { group, leaf, leaves, post, pre, reads, runTree, when, writes } from "#test/ruledPackages.ts";
import type { Activity } from "#shared/packages/activityTree.ts";
import type { EngineState } from "#shared/sequencing/engineState.ts";

// Short trees in the engine, which is rebuilt from its stored state before every step

describe("order", () => {
  test("flows from part to part and ends after the last", () => {
    const run = runTree(group("r", leaves("a", "b")));
    expect([run.go("start"), run.go("continue", null, ""), run.go("previous", null, "")]).toEqual(["a", "b", "a"]);
    expect([run.go("continue", null, ""), run.go("continue", null, "")]).toEqual(["b", null]);
    expect(run.view()).toMatchObject({ current: null, root: { completion: "completed" } });
    expect([run.hasEnded(), run.go("start"), run.hasEnded()]).toEqual([true, "a", false]);
  });

  test("opens nothing at the start without flow, and what is chosen", () => {
    const run = runTree(group("r", leaves("a", "b"), { control: {} }));
    expect([run.go("start"), run.go("choice", "b")]).toEqual([null, "b"]);
    expect(run.view()).toMatchObject({ canContinue: false, canPrevious: false });
  });

  test("closes parts that cannot be chosen, and says why", () => {
    const run = runTree(group("r", leaves("a", "b"), { control: { flow: true, choice: false } }));
    run.go("start");
    expect(run.choice("b")).toMatchObject({ isOpen: false, reason: "inOrder" });
    expect(run.go("choice", "b", "")).toBeNull();
  });

  test("goes only forward", () => {
    const run = runTree(group("r", leaves("a", "b"), { control: { flow: true, forwardOnly: true } }));
    expect([run.go("start"), run.go("continue", null, "")]).toEqual(["a", "b"]);
    expect(run.view().canPrevious).toBe(false);
    expect(run.go("previous", null, "")).toBeNull();
  });

  test("chooses a group by its first part", () => {
    const run = runTree(group("r", [leaf("a"), group("g", leaves("b", "c"))]));
    expect([run.go("start"), run.go("choice", "g", "")]).toEqual(["a", "b"]);
  });
});

describe("rules before a part", () => {
  test("skips a satisfied part", () => {
    const run = runTree(
      group("r", [leaf("a", writes), leaf("b", { ...reads, ...pre("skip", "satisfied") }), leaf("c")]),
    );
    expect([run.go("start"), run.go("continue", null, "passed")]).toEqual(["a", "c"]);
  });

  test("keeps a part closed until the one before it is satisfied", () => {
    const isOpen = { ...when("!satisfied", "!objectiveStatusKnown"), combination: "any" as const };
    const locked = leaf("b", { ...reads, pre: [{ action: "disabled", ...isOpen }] });
    const run = runTree(group("r", [leaf("a", { ...writes, objectiveSetByContent: true }), locked]));
    run.go("start");
    expect(run.choice("b")).toMatchObject({ isOpen: false });
    run.go("exit", null, "passed");
    expect(run.choice("b")).toMatchObject({ isOpen: true, reason: null });
  });

  test("hides a part from the contents", () => {
    const run = runTree(group("r", [leaf("a"), leaf("b", pre("hiddenFromChoice", "always"))]));
    run.go("start");
    expect(run.choice("b")).toMatchObject({ isOpen: false, isHidden: true });
    expect(run.go("continue", null, "")).toBe("b");
  });

  test("stops the choice of what follows", () => {
    const run = runTree(group("r", [leaf("a"), leaf("b", pre("stopForwardTraversal", "always")), leaf("c")]));
    run.go("start");
    expect(run.choice("c")).toMatchObject({ isOpen: false, reason: "inOrder" });
  });

  test("limits the tries of a part", () => {
    const run = runTree(group("r", [leaf("a", { attemptLimit: 1 }), leaf("b")]));
    run.go("start");
    run.go("continue", null, "");
    expect(run.choice("a")).toMatchObject({ isOpen: false, reason: "tries" });
  });

  test("demands that a section is ended first", () => {
    const section = group("g", leaves("a", "b"), { control: { flow: true, choiceExit: false } });
    const run = runTree(group("r", [section, leaf("c")]));
    run.go("start");
    expect(run.choice("c")).toMatchObject({ isOpen: false, reason: "endFirst" });
  });

  test("opens a group only from the part before it", () => {
    const run = runTree(group("r", [leaf("a"), group("g", leaves("b")), leaf("c")], { preventActivation: true }));
    run.go("start");
    expect(run.choice("b")?.isOpen).toBe(false);
    expect(run.go("continue", null, "")).toBe("b");
  });
});

describe("rules after a part", () => {
  test("repeats a part until it is passed", () => {
    const test = leaf("a", { ...post("retry", "!satisfied"), objectiveSetByContent: true });
    const run = runTree(group("r", [test, leaf("b")]));
    expect([run.go("start"), run.go("exit", null, "failed")]).toEqual(["a", "a"]);
    expect(run.go("continue", null, "passed")).toBe("b");
  });

  test("ends everything", () => {
    const run = runTree(group("r", [leaf("a", post("exitAll", "satisfied")), leaf("b")]));
    run.go("start");
    expect(run.go("continue", null, "passed")).toBeNull();
    expect(run.view()).toMatchObject({ current: null, isActive: false });
  });

  test("ends a group by a rule of the group", () => {
    const inner = group("g", leaves("a", "b"), { exit: [{ action: "exit", ...when("satisfied") }] });
    const run = runTree(group("r", [inner, leaf("c")]));
    expect(run.go("start")).toBe("a");
    expect(run.go("continue", null, "completed")).toBe("b");
  });
});

describe("results", () => {
  const three = (definition: Partial<Activity>) => runTree(group("r", leaves("a", "b", "c"), definition));

  test("completes the package with its last part", () => {
    const run = three({});
    run.go("start");
    run.go("continue", null, "completed");
    expect(run.view().root.completion).not.toBe("completed");
    run.go("continue", null, "completed");
    run.go("exit", null, "completed");
    expect(run.view().root.completion).toBe("completed");
  });

  test("satisfies the package by one part if the manifest says so", () => {
    const satisfied = [{ condition: "satisfied" as const }];
    const rule = { action: "satisfied" as const, combination: "any" as const, childSet: "any" as const };
    const run = three({ rollup: { rules: [{ ...rule, conditions: satisfied }] } });
    run.go("start");
    run.go("continue", null, "passed");
    expect(run.view().root.success).toBe("passed");
  });

  test("weighs scores", () => {
    const weighted = (id: string, measureWeight: number) => leaf(id, { rollup: { measureWeight } });
    const run = runTree(group("r", [weighted("a", 0), weighted("b", 1)]));
    run.go("start");
    run.go("continue", null, "1");
    run.go("exit", null, "0.4");
    expect(run.view().root.measure).toBeCloseTo(0.4);
  });

  test("gives shared objectives to the content that reads them", () => {
    const run = runTree(group("r", [leaf("a", writes), leaf("b", reads)]));
    run.go("start");
    run.go("continue", null, "passed");
    expect(run.values("b")).toEqual({ "cmi.objectives.0.id": "p", "cmi.objectives.0.success_status": "passed" });
  });
});

describe("state", () => {
  const ids = Array.from({ length: 12 }, (_, n) => `p${n}`);
  const orderOf = (run: ReturnType<typeof runTree>) =>
    run.view().choices.flatMap(({ id, isHidden }) => (isHidden || id === "r" ? [] : [id]));

  test("keeps a random order", () => {
    const run = runTree(group("r", leaves(...ids), { random: { order: "once", reorder: true } }));
    run.go("start");
    const order = orderOf(run);
    expect(order.toSorted()).toEqual(ids.toSorted());
    run.go("continue", null, "completed");
    expect(orderOf(run)).toEqual(order);
    expect(run.view().current).toBe(order[1]);
  });

  test("keeps the parts that were selected", () => {
    const run = runTree(group("r", leaves(...ids), { random: { selection: "once", count: 3 } }));
    run.go("start");
    const selected = orderOf(run);
    expect(selected).toHaveLength(3);
    run.go("continue", null, "completed");
    expect(orderOf(run)).toEqual(selected);
  });

  test("draws parts again for each attempt, and keeps to the draw", () => {
    const random = { order: "onEachNewAttempt" as const, reorder: true, selection: "once" as const, count: 4 };
    const run = runTree(group("r", [group("g", leaves(...ids), { random }), leaf("z")]));
    const listed = () => orderOf(run).filter((id) => id.startsWith("p"));
    const visited = [run.go("start"), ...[1, 2, 3].map(() => run.go("continue", null, "completed"))];
    expect(visited).toEqual(listed());
    expect(run.go("continue", null, "completed")).toBe("z");
    expect(listed().toSorted()).toEqual(visited.toSorted());
    expect(run.go("choice", "g", "")).toBe(listed()[0]);
  });

  test("continues a part that was suspended", () => {
    const run = runTree(group("r", leaves("a", "b")));
    run.go("start");
    run.go("continue", null, "");
    run.go("suspendAll", null, "incomplete");
    expect([run.isSuspended(), run.go("resumeAll")]).toEqual([true, "b"]);
    expect(run.view()).toMatchObject({ current: "b", isActive: true });
  });

  test("begins a new attempt with a new tree", () => {
    const run = runTree(group("r", [leaf("a", { attemptLimit: 1 }), leaf("b")]));
    run.go("start");
    run.go("continue", null, "passed");
    run.restore(null);
    expect(run.go("start")).toBe("a");
  });

  test("ignores what content has written into its state", () => {
    const run = runTree(group("r", leaves("a", "b")));
    run.go("start");
    const { activities, ...rest } = run.state() as EngineState;
    const fields = { id: "x", _attemptCount: "many", constructor: 1, _sequencingRules: null } as unknown as {
      [k: string]: string;
    };
    const order = [2, 2, 900];
    run.restore({
      ...rest,
      suspended: 77,
      activities: { ...activities, "0": { a: fields, order, used: [1, 1] }, "999": {} },
    });
    expect(run.view().choices.map(({ id }) => id)).toEqual(["r", "a", "b"]);
    expect(run.go("continue", null, "")).toBe("b");
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("hides buttons for one part", () => {
    const run = runTree(group("r", [leaf("a", { hidden: ["continue", "previous"] }), leaf("b")]));
    run.go("start");
    expect(run.view().hidden).toEqual(expect.arrayContaining(["continue", "previous"]));
    run.go("continue", null, "");
    expect(run.view().hidden).toEqual([]);
  });
});
