import { expect, test } from "vitest";
import { fold, type FoldInput } from "#server/player/fold.ts";
import { NEW_ATTEMPT } from "#server/player/replay.ts";
import { type Course, newPartState } from "#server/player/trackingState.ts";
import { initialDataModel } from "#server/player/dataModel.ts";
import type { Part, SessionEvent } from "#shared/player/player.ts";
import { formatDuration, formatTimespan, parseSeconds } from "#shared/player/runTimeData.ts";

const part = (sco: string, isSco = true): Part => ({
  sco,
  kind: "scorm2004",
  title: sco,
  depth: 0,
  href: `${sco}.html`,
  isSco,
  given: {},
});
const newAttempt = (): FoldInput => ({
  attempt: NEW_ATTEMPT,
  parts: new Map(),
  reported: {},
});
const events = (...pairs: [string, string][]): SessionEvent[] =>
  pairs.map(([key, value], i) => ({ seq: i + 1, t: i, type: "scorm.set", sco: "a", key, value }));
const course = (rule: Course["rule"], parts = [part("a")], kind: Part["kind"] = "scorm2004"): Course => ({
  parts: parts.map((one) => ({ ...one, kind })),
  rule,
});

test.each<[string, Course["rule"], [string, string][], object]>([
  [
    "completed completes the course",
    { kind: "reported" },
    [["cmi.completion_status", "completed"]],
    { completion: "complete", success: "unknown", progress: 100 },
  ],
  [
    "passed completes the course",
    { kind: "reported" },
    [["cmi.success_status", "passed"]],
    { completion: "complete", success: "passed" },
  ],
  [
    "failed alone does not",
    { kind: "reported" },
    [["cmi.success_status", "failed"]],
    { completion: "incomplete", success: "failed" },
  ],
  [
    "rule passed: completed is not enough",
    { kind: "passed" },
    [["cmi.completion_status", "completed"]],
    { completion: "incomplete" },
  ],
  [
    "rule score: a lower score is not enough",
    { kind: "score", percent: 80 },
    [["cmi.score.scaled", "0.79"]],
    { completion: "incomplete", scorePercent: 79 },
  ],
  [
    "rule score: the exact percentage is enough",
    { kind: "score", percent: 80 },
    [["cmi.score.scaled", "0.8"]],
    { completion: "complete", scorePercent: 80 },
  ],
  [
    "raw score is scaled between min and max",
    { kind: "reported" },
    [
      ["cmi.score.min", "10"],
      ["cmi.score.max", "20"],
      ["cmi.score.raw", "15"],
    ],
    { scorePercent: 50 },
  ],
  [
    "progress measure sets the progress",
    { kind: "reported" },
    [["cmi.progress_measure", "0.4"]],
    { progress: 40, completion: "incomplete" },
  ],
  [
    "a single part that reports nothing has no progress",
    { kind: "reported" },
    [["cmi.location", "3"]],
    { progress: null },
  ],
  [
    "rule confirmed: reports of the package do not count",
    { kind: "confirmed" },
    [["cmi.completion_status", "completed"]],
    { completion: "incomplete" },
  ],
])("completion: %s", (_, rule, pairs, expected) => {
  expect(fold(course(rule), newAttempt(), events(...pairs), false).attempt).toMatchObject(expected);
});

test("keeps status and best score after a pass", () => {
  const rule = { kind: "reported" } as const;
  const first = fold(
    course(rule),
    newAttempt(),
    events(["cmi.score.scaled", "0.9"], ["cmi.success_status", "passed"], ["cmi.completion_status", "completed"]),
    false,
  );
  const second = fold(
    course(rule),
    { attempt: first.attempt, parts: first.changed, reported: first.reported },
    events(["cmi.completion_status", "incomplete"], ["cmi.success_status", "failed"], ["cmi.score.scaled", "0.1"]),
    false,
  );
  expect(second.attempt).toMatchObject({ completion: "complete", success: "passed", scorePercent: 90 });
  expect(second.changed.get("a")).toMatchObject({ success: "passed", scorePercent: 90 });
});

test("rule opened: completes once every asset was opened", () => {
  const rule = { kind: "opened" } as const;
  const nav = (sco: string, seq: number): SessionEvent => ({ seq, t: 0, type: "nav", sco });
  const parts = [part("a", false), part("b", false)];
  const one = fold(course(rule, parts, "html"), newAttempt(), [nav("a", 1)], false);
  expect(one.attempt).toMatchObject({ completion: "incomplete", progress: 50, currentPart: "a" });
  expect(
    fold(course(rule, parts, "html"), { attempt: one.attempt, parts: one.changed, reported: {} }, [nav("b", 2)], false)
      .attempt,
  ).toMatchObject({ completion: "complete", progress: 100 });
});

test("an unfinished attempt never has a progress of 100", () => {
  const nav = (sco: string, seq: number): SessionEvent => ({ seq, t: 0, type: "nav", sco });
  const asset = [part("a", false)];
  const assets = [part("a", false), part("b", false)];
  const rule = { kind: "confirmed" } as const;
  expect(fold(course(rule, asset, "html"), newAttempt(), [nav("a", 1)], false).attempt).toMatchObject({
    completion: "incomplete",
    progress: null,
  });
  expect(fold(course(rule, assets, "html"), newAttempt(), [nav("a", 1), nav("b", 2)], false).attempt).toMatchObject({
    completion: "incomplete",
    progress: 99,
  });
});

test("adds session time once per session, however often it is reported", () => {
  const rule = { kind: "reported" } as const;
  const first = fold(
    course(rule),
    newAttempt(),
    events(["cmi.session_time", "PT60S"], ["cmi.session_time", "PT1M30S"]),
    false,
  );
  expect(first.attempt.reportedSeconds).toBe(90);
  const restart: SessionEvent[] = [
    { seq: 3, t: 0, type: "scorm.init", sco: "a" },
    { seq: 4, t: 0, type: "scorm.set", sco: "a", key: "cmi.session_time", value: "PT10S" },
  ];
  expect(
    fold(course(rule), { attempt: first.attempt, parts: first.changed, reported: first.reported }, restart, false)
      .attempt.reportedSeconds,
  ).toBe(100);
});

test("add-only events never overwrite location and suspend data", () => {
  const rule = { kind: "reported" } as const;
  const now = fold(course(rule), newAttempt(), events(["cmi.location", "new"], ["cmi.suspend_data", "new"]), false);
  const superseded = fold(
    course(rule),
    { attempt: now.attempt, parts: now.changed, reported: {} },
    events(["cmi.location", "old"], ["cmi.suspend_data", "old"], ["cmi.completion_status", "completed"]),
    true,
  );
  expect(superseded.changed.get("a")).toMatchObject({
    cmi: { "cmi.location": "new" },
    suspendData: "new",
    completion: "completed",
  });
});

test("ignores events of unknown parts", () => {
  const unknownPart: SessionEvent[] = [
    { seq: 1, t: 0, type: "scorm.set", sco: "nobody", key: "cmi.completion_status", value: "completed" },
  ];
  expect(fold(course({ kind: "reported" }), newAttempt(), unknownPart, false)).toMatchObject({
    changed: new Map(),
    attempt: { completion: "incomplete" },
  });
});

test.each([
  ["0000:01:30.50", 90.5],
  ["00:00:07", 7],
  ["9999:59:59", 35_999_999],
  ["PT1H2M3.5S", 3723.5],
  ["P1DT1S", 86_401],
  ["PT0S", 0],
  ["P", null],
  ["1:2", null],
  ["", null],
  ["PT", null],
  ["P1DT", null],
  ["P-1D", null],
])("parses %s as %s seconds", (text, expected) => {
  expect(parseSeconds(text)).toBe(expected);
});

test("formats times as the standards require", () => {
  expect([formatTimespan(3723.456), formatTimespan(0), formatDuration(3723.5), formatDuration(0)]).toEqual([
    "0001:02:03.46",
    "0000:00:00.00",
    "PT1H2M3.5S",
    "PT0H0M0S",
  ]);
});

test("sets the entry mode from how the last visit ended", () => {
  const learner = { id: "u", name: "Ada Lovelace" };
  const state = (terminated: boolean, exit?: string) => ({
    ...newPartState("a"),
    cmi: (exit === undefined ? {} : { "cmi.exit": exit }) as Record<string, string>,
    visits: 1,
    terminated,
    reportedSeconds: 12,
  });
  const entry = (given?: ReturnType<typeof state>) =>
    initialDataModel("scorm2004", part("a"), given, {}, learner)["cmi.entry"];
  expect([entry(), entry(state(true, "suspend")), entry(state(false)), entry(state(true, "normal"))]).toEqual([
    "ab-initio",
    "resume",
    "resume",
    "ab-initio",
  ]);
});
