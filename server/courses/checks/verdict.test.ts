import { expect, test } from "vitest";
import { judgePackage, proposeRule } from "#shared/courses/packageVerdict.ts";
import type { CompletionRule } from "#shared/courses/completionRules.ts";
import { type Comes, type PackageReading, type SignalKind, signalKinds } from "#shared/packages/packageCheck.ts";

const reading = (comes: Partial<Record<SignalKind, Comes>>, more: Partial<PackageReading> = {}) => ({
  kind: "scorm12" as const,
  units: 1,
  assets: 0,
  moveOn: [],
  masteryPercent: null,
  signals: signalKinds.map((kind) => ({
    kind,
    comes: comes[kind] ?? ("no" as const),
    because: "calls" as const,
    what: "",
    places: [],
  })),
  ...more,
});
const reported: CompletionRule = { kind: "reported" };
const codeOf = (...given: Parameters<typeof judgePackage>) => judgePackage(...given).code;

test("“completed” or “passed” completes a unit", () => {
  expect(codeOf(reading({ completed: "yes" }), reported)).toBe("tracks");
  expect(codeOf(reading({ outcome: "yes" }), reported)).toBe("tracks");
  expect(judgePackage(reading({ score: "yes" }), reported)).toEqual({ code: "never", missing: "completed" });
  expect(codeOf(reading({}), reported)).toBe("silent");
  expect(codeOf(reading({ completed: "depends" }), reported)).toBe("open");
});

test("other rules are judged by the signals that they need", () => {
  expect(judgePackage(reading({ completed: "yes" }), { kind: "passed" })).toEqual({ code: "never", missing: "passed" });
  expect(codeOf(reading({}), { kind: "confirmed" })).toBe("independent");
  const either: CompletionRule = { match: "any", tests: [{ kind: "passed" }, { kind: "time", minutes: 5 }] };
  expect(codeOf(reading({}), either)).toBe("tracks");
  expect(codeOf(reading({}), { ...either, match: "all" })).toBe("silent");
});

test("a cmi5 package is completed by its own moveOn", () => {
  const both = { moveOn: ["CompletedAndPassed"], kind: "cmi5" as const };
  expect(codeOf(reading({ completed: "yes" }, both), reported)).toBe("never");
  expect(codeOf(reading({ completed: "yes", outcome: "yes" }, both), reported)).toBe("tracks");
  expect(codeOf(reading({}, { moveOn: ["NotApplicable"], kind: "cmi5" }), reported)).toBe("tracks");
});

test("proposes a rule that the package can meet", () => {
  const propose = (...given: Parameters<typeof reading>) => {
    const { rule, why } = proposeRule(reading(...given));
    return [why, rule];
  };
  expect(propose({ completed: "yes", outcome: "yes" })).toEqual(["completed", { kind: "reported" }]);
  expect(propose({ outcome: "yes" })).toEqual(["passed", { kind: "passed" }]);
  expect(propose({ score: "yes" }, { masteryPercent: 66.5 })).toEqual(["score", { kind: "score", percent: 67 }]);
  expect(propose({ completed: "unknown" })).toEqual(["tool", { kind: "reported" }]);
  expect(propose({}, { units: 3 })).toEqual(["openAll", { kind: "opened" }]);
  expect(propose({})).toEqual(["confirm", { kind: "confirmed" }]);
  // By its files, the package meets every proposed rule.
  for (const comes of [{ completed: "yes" }, { outcome: "yes" }, { score: "yes" }, {}] as const) {
    const read = reading(comes);
    expect(["tracks", "independent"]).toContain(codeOf(read, proposeRule(read).rule));
  }
});
