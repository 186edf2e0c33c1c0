import { expect, test } from "vitest";
import { createCompletion } from "#web/shell/completion.ts";
import type { CompletionRule } from "#shared/courses/completionRules.ts";

function open(rule: CompletionRule, { kind = "html" as const, isComplete = false } = {}) {
  const recorded: string[] = [];
  const refused: string[] = [];
  const state = { isStopped: false };
  const complete = createCompletion(
    { kind: kind as "html" | "scorm12", completion: { rule, isComplete } },
    {
      record: (score) => recorded.push(score),
      refuse: (reason) => refused.push(reason),
      isStopped: () => state.isStopped,
    },
  );
  return { complete, recorded, refused, state };
}

test("a rule that asks for a report is met by it, with or without a score", () => {
  const { complete, recorded, refused } = open({ kind: "reported" });
  expect([complete(), complete(), complete({ score: 80 }), complete({})]).toEqual([true, true, true, true]);
  expect([recorded, refused]).toEqual([["", "80", ""], []]);
});

test("a rule that asks for a score is met by a sufficient one", () => {
  const { complete, recorded, refused } = open({ kind: "score", percent: 80 });
  expect([complete(), complete({ score: 79.5 }), complete({ score: 80 }), complete({ score: 10 })]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(recorded).toEqual(["", "79.5", "80", "10"]);
  expect(refused).toEqual(["needsScore", "scoreTooLow"]);
});

test("other rules say what they need, once, and a completed course stays completed", () => {
  const confirmed = open({ kind: "confirmed" });
  expect([confirmed.complete(), confirmed.complete({ score: 1 })]).toEqual([false, false]);
  expect(confirmed.refused).toEqual(["needsLearner"]);
  expect(open({ kind: "passed" }).complete({ score: 100 })).toBe(false);
  expect(open({ kind: "confirmed" }, { isComplete: true }).complete()).toBe(true);
  expect(open({ kind: "opened" }).complete()).toBe(true);
});

test("accepts no report of a SCORM package, no wrong score, and nothing after the end", () => {
  const scorm = open({ kind: "reported" }, { kind: "scorm12" as never });
  expect([scorm.complete(), scorm.recorded, scorm.refused]).toEqual([false, [], ["packageReports"]]);
  const page = open({ kind: "reported" });
  for (const score of [-1, 101, Number.NaN, "80" as never, null as never]) expect(page.complete({ score })).toBe(false);
  page.state.isStopped = true;
  expect([page.complete(), page.recorded]).toEqual([false, []]);
});
