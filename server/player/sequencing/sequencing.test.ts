import { expect, test } from "vitest";
import { completions } from "#shared/completions/completions.ts";
import { courses } from "#shared/courses/courses.ts";
import { committer } from "#test/commits.ts";
import { closedUntil, Engine, objectives, ruledFiles, sequencing, setByContent } from "#test/ruledPackages.ts";
import { bodyOf } from "#test/probes.ts";
import { start } from "#test/start.ts";
import type { Launch, SessionEvent } from "#shared/player/player.ts";
import { createSequencer, type NavigationRequest } from "#shared/sequencing/sequencer.ts";
import { type StoredSequencing, writeSequenceEvents } from "#shared/sequencing/sequenceEvents.ts";

const { as, make, services } = await start();
const commit = committer(as);
const send = async (launch: Launch, events: SessionEvent[]) => {
  const { status, body } = await commit(launch, { events });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};
const classroom = await make.classroom(
  ruledFiles(
    "Two parts",
    [
      ["a", sequencing(objectives("a") + setByContent)],
      ["b", sequencing(closedUntil("a") + objectives("b", "a") + setByContent)],
    ],
    sequencing('<imsss:controlMode choice="true" flow="true"/>'),
  ),
);
type Person = Awaited<ReturnType<typeof make.learner>>;
const enter = (learner: Person, more: Parameters<typeof make.launch>[3] = {}) =>
  make.launch(learner, classroom.company.id, classroom.course.id, more);

/** The events of requests on the tree of a launch, as the shell writes them. */
function steps(launch: Launch, requests: [request: NavigationRequest, passed: boolean][]) {
  const { tree, stored } = launch.sequencing ?? { tree: null, stored: null };
  const sequencer = createSequencer(Engine, tree!, stored?.state ?? null);
  let before: StoredSequencing | null = stored;
  const events: Omit<SessionEvent, "seq">[] = [];
  for (const [request, isPassed] of requests) {
    const values: Record<string, string> = isPassed
      ? { "cmi.success_status": "passed", "cmi.completion_status": "completed" }
      : {};
    sequencer.navigate(request, null, { values, set: new Set(Object.keys(values)), exit: "normal" });
    const after = { state: sequencer.state(), root: sequencer.view().root };
    events.push(...writeSequenceEvents(before, after).map((value) => ({ t: 1, type: "sequence" as const, value })));
    before = after;
  }
  return events.map((event, n): SessionEvent => ({ ...event, seq: n + 1 }));
}
const placeIn = ({ sequencing: given }: Launch) => {
  const { tree, stored } = given!;
  return createSequencer(Engine, tree, stored?.state ?? null).view();
};

test("stores the tree with the attempt, once, and takes its result", async () => {
  const learner = await make.learner(classroom.company.accessCode);
  const launch = await enter(learner);
  expect(launch.sequencing?.stored).toBeNull();
  const events = steps(launch, [
    ["start", false],
    ["continue", true],
  ]);
  await send(launch, events);
  const again = await send(launch, events);
  expect(again.attempt.completion).toBe("incomplete");
  const next = await enter(learner, { takeOver: true });
  expect(placeIn(next)).toMatchObject({ current: "b", isActive: true });

  const { attempt } = await send(
    next,
    steps(next, [
      ["exit", true],
      ["exitAll", false],
    ]),
  );
  expect(attempt).toMatchObject({ completion: "complete", success: "passed" });
  const fresh = await enter(learner, { takeOver: true, newAttempt: true });
  expect([fresh.attemptNo, fresh.sequencing?.stored]).toEqual([2, null]);
});

test("keeps the tree of the newer session", async () => {
  const learner = await make.learner(classroom.company.accessCode);
  const old = await enter(learner, { clientId: "window-one" });
  const late = steps(old, [
    ["start", false],
    ["continue", true],
  ]);
  const now = await enter(learner, { clientId: "window-two", takeOver: true });
  await send(now, steps(now, [["start", false]]));
  await send(old, late);
  const next = await enter(learner, { clientId: "window-two", takeOver: true });
  expect(placeIn(next).current).toBe("a");
});

const root = { completion: "completed", success: "passed", measure: 1, progress: 1 } as const;
const sequence = (result: object, seq = 1): SessionEvent => ({
  seq,
  t: 1,
  type: "sequence",
  value: JSON.stringify({
    activities: {},
    end: { current: null, suspended: null, shared: {}, root: { ...root, ...result } },
  }),
});

test("takes a root that is incomplete neither for complete nor for passed", async () => {
  const learner = await make.learner(classroom.company.accessCode);
  const { attempt } = await send(await enter(learner), [sequence({ completion: "incomplete" })]);
  expect(attempt).toMatchObject({ completion: "incomplete", success: "unknown" });
});

test("takes what a closed window completes, although the tree of the newer one stays", async () => {
  const learner = await make.learner(classroom.company.accessCode);
  const old = await enter(learner, { clientId: "window-one" });
  const now = await enter(learner, { clientId: "window-two", takeOver: true });
  await send(now, steps(now, [["start", false]]));
  await send(old, [sequence({})]);
  const next = await enter(learner, { clientId: "window-two", takeOver: true });
  expect(placeIn(next).current).toBe("a");
  expect(next.attempt).toMatchObject({ completion: "complete", success: "passed" });
});

test("the explanation of a completion goes by the rules of the package", async () => {
  const learner = await make.learner(classroom.company.accessCode);
  await send(await enter(learner), [sequence({})]);
  const { items } = bodyOf(
    await as(classroom.admin)(courses.enrolments, {
      query: { courseId: classroom.course.id, q: learner.user.email as string },
    }),
  );
  const { state } = bodyOf(await as(classroom.admin)(completions.get, { params: { id: items[0]?.id as string } }));
  expect(state).toMatchObject({ isMet: true, tests: [{ isMet: true, missing: [] }] });
});

test("hidden parts are opened by the rules, and neither listed nor counted", async () => {
  const hidden = await make.classroom({
    ...ruledFiles(
      "Hidden",
      [
        ["a", ""],
        ["b", ""],
        ["c", ""],
      ],
      sequencing('<imsss:controlMode choice="false"/>'),
    ),
  });
  await services.pool.query(
    `update course_versions
    set parts = jsonb_set(parts, '{2,isHidden}', 'true')
    where course_id = $1`,
    [hidden.course.id],
  );
  const launch = await make.launch(hidden.learner, hidden.company.id, hidden.course.id);
  expect(launch.parts.map(({ isHidden = false }) => isHidden)).toEqual([false, false, true]);
  await send(
    launch,
    ["a", "b"].flatMap((sco, n): SessionEvent[] => [
      { seq: 3 * n + 1, t: 1, type: "nav", sco },
      { seq: 3 * n + 2, t: 1, type: "scorm.init", sco },
      { seq: 3 * n + 3, t: 1, type: "scorm.set", sco, key: "cmi.completion_status", value: "completed" },
    ]),
  );
  const { items } = bodyOf(await as(hidden.learner)(courses.mine));
  expect(items.map(({ parts }) => parts)).toEqual([2]);
  const { items: enrolments } = bodyOf(
    await as(hidden.admin)(courses.enrolments, { query: { courseId: hidden.course.id } }),
  );
  const { state } = bodyOf(await as(hidden.admin)(completions.get, { params: { id: enrolments[0]?.id as string } }));
  expect(state?.tests).toMatchObject([{ isMet: true, value: 2, limit: 2 }]);
});

test("stores nothing that is no tree", async () => {
  const learner = await make.learner(classroom.company.accessCode);
  const launch = await enter(learner);
  const end = { current: 0, suspended: null, shared: {}, root };
  const values = [
    "{",
    "null",
    JSON.stringify({ activities: { "0": { a: { _isActive: [] } } } }),
    JSON.stringify({ activities: { "1000": {} }, end }),
    JSON.stringify({ activities: { "07": {} }, end }),
    JSON.stringify({ activities: {}, end: { ...end, root: { ...root, measure: 7 } } }),
    JSON.stringify({ activities: {}, end: { ...end, current: 600 } }),
    `{"activities":{"__proto__":{"a":{}}}}`,
    JSON.stringify({ activities: { "0": { a: { x: "y".repeat(5000) } } } }),
    JSON.stringify({ activities: { "0": { a: { x: "\0" } } } }),
    JSON.stringify({ activities: { "0": { a: { x: "\ud800" } } } }),
  ];
  const { attempt, ackSeq } = await send(
    launch,
    values.map((value, n) => ({ seq: n + 1, t: 1, type: "sequence", value })),
  );
  expect([attempt.completion, ackSeq]).toEqual(["incomplete", values.length]);
  const { stored } = (await enter(learner, { takeOver: true })).sequencing ?? {};
  expect(stored?.state.activities ?? {}).toEqual({});
});

test("stores no tree that is larger than that of any package", async () => {
  const learner = await make.learner(classroom.company.accessCode);
  const launch = await enter(learner);
  const large = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, "y".repeat(1000)]));
  const values = Array.from({ length: 60 }, (_, n) => JSON.stringify({ activities: { [n]: { a: large } } }));
  for (const start of [0, 20, 40])
    await send(
      launch,
      values.slice(start, start + 20).map((value, n) => ({ seq: start + n + 1, t: 1, type: "sequence", value })),
    );
  const { stored } = (await enter(learner, { takeOver: true })).sequencing ?? {};
  expect(Object.keys(stored?.state.activities ?? {}).length).toBe(39);
});

test("ignores a tree in a course without rules", async () => {
  const plain = await make.classroom();
  const learner = await make.learner(plain.company.accessCode);
  const launch = await make.launch(learner, plain.company.id, plain.course.id);
  expect(launch.sequencing).toBeNull();
  const { attempt } = await send(launch, [sequence({})]);
  expect(attempt.completion).toBe("incomplete");
});
