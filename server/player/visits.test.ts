import { expect, test } from "vitest";
import { committer, setValue } from "#test/commits.ts";
import { courses } from "#shared/courses/courses.ts";
import type { Launch, SessionEvent } from "#shared/player/player.ts";
import { reports } from "#shared/reports/reports.ts";
import { visitsFiles } from "#test/adlCalls.ts";
import { start } from "#test/start.ts";

const { as, make } = await start();
const send = committer(as);

/** One visit of a part in a session of its own; without `exit` the tab is closed before Terminate. */
async function visit(session: Launch, sco: string, values: [string, string][], exit?: string, request?: string) {
  const names = session.course.kind === "scorm12" ? "cmi.core.exit" : "cmi.exit";
  const all: [string, string][] = [
    ...values,
    ...(exit ? [[names, exit] as [string, string]] : []),
    ...(request ? [["adl.nav.request", request] as [string, string]] : []),
  ];
  const events: SessionEvent[] = [
    { seq: 1, t: 0, type: "nav", sco },
    { seq: 2, t: 1, type: "scorm.init", sco },
    ...all.map(([key, value], n) => setValue(3 + n, key, value, sco)),
  ];
  if (exit !== undefined) events.push({ seq: events.length + 1, t: 9, type: "scorm.terminate", sco });
  await send(session, { events, end: "exit" });
}

const classrooms = { scorm12: await make.classroom(), scorm2004: await make.classroom(visitsFiles()) };
const cases: [
  kind: "scorm12" | "scorm2004",
  exit: string | undefined,
  request: string,
  entry: string,
  kept: boolean,
][] = [
  ["scorm12", "", "", "", true],
  ["scorm12", "suspend", "", "resume", true],
  ["scorm12", "logout", "", "", true],
  ["scorm12", "time-out", "", "", true],
  ["scorm12", undefined, "", "resume", true],
  ["scorm2004", "", "", "ab-initio", false],
  ["scorm2004", "normal", "", "ab-initio", false],
  ["scorm2004", "logout", "", "ab-initio", false],
  ["scorm2004", "time-out", "", "ab-initio", false],
  ["scorm2004", "suspend", "", "resume", true],
  ["scorm2004", "suspend", "exitAll", "resume", true],
  ["scorm2004", "normal", "exitAll", "ab-initio", false],
  ["scorm2004", "normal", "suspendAll", "resume", true],
  ["scorm2004", "", "suspendAll", "resume", true],
  ["scorm2004", undefined, "", "resume", true],
];
test.each(cases)("%s, exit %j, request %j: entry is %j, data kept: %s", async (kind, exit, request, entry, kept) => {
  const { company, course } = classrooms[kind];
  const learner = await make.learner(company.accessCode);
  const names =
    kind === "scorm12"
      ? { at: "cmi.core.lesson_location", time: "cmi.core.session_time", total: "cmi.core.total_time" }
      : { at: "cmi.location", time: "cmi.session_time", total: "cmi.total_time" };
  const sco = kind === "scorm12" ? "i1" : "activity_1";
  const first = await make.launch(learner, company.id, course.id);
  const time = kind === "scorm12" ? "00:01:00" : "PT1M";
  const values: [string, string][] = [
    [names.at, "page 7"],
    [names.time, time],
    ["cmi.suspend_data", "state"],
    ["cmi.objectives.0.id", "goal"],
    ["cmi.interactions.0.id", "q1"],
  ];
  await visit(first, sco, values, exit, request);
  const next = (await make.launch(learner, company.id, course.id)).values[sco] ?? {};
  expect(next[kind === "scorm12" ? "cmi.core.entry" : "cmi.entry"]).toBe(entry);
  const expected = kept ? ["page 7", "state", "goal", "q1"] : [undefined, undefined, undefined, undefined];
  expect([
    next[names.at],
    next["cmi.suspend_data"],
    next["cmi.objectives.0.id"],
    next["cmi.interactions.0.id"],
  ]).toEqual(expected);
  expect(next[names.total]).toMatch(kept ? /0001?:?01:00|PT0H1M0S/ : /^PT0H0M0S$/);
  expect([next["cmi.exit"], next["cmi.core.exit"], next["adl.nav.request"]]).toEqual([undefined, undefined, undefined]);
});

test("a part that terminates while its tab closes resumes, unless it has set an exit", async () => {
  const { company, course } = classrooms.scorm2004;
  for (const exit of [[], [["cmi.exit", "normal"]]] as [string, string][][]) {
    const learner = await make.learner(company.accessCode);
    const session = await make.launch(learner, company.id, course.id);
    const values = [["cmi.location", "page 7"] as [string, string], ...exit];
    const events: SessionEvent[] = [
      { seq: 1, t: 0, type: "nav", sco: "activity_1" },
      { seq: 2, t: 1, type: "scorm.init", sco: "activity_1" },
      ...values.map(([key, value], n) => setValue(3 + n, key, value, "activity_1")),
    ];
    events.push({ seq: events.length + 1, t: 9, type: "scorm.terminate", sco: "activity_1", value: "closing" });
    await send(session, { events, end: "tab_closed" });
    const next = (await make.launch(learner, company.id, course.id)).values.activity_1 ?? {};
    const expected = exit.length > 0 ? ["ab-initio", undefined] : ["resume", "page 7"];
    expect([next["cmi.entry"], next["cmi.location"]]).toEqual(expected);
  }
});

test("a new learner attempt takes back no result and overwrites no answer", async () => {
  const { company, course, admin } = classrooms.scorm2004;
  const learner = await make.learner(company.accessCode);
  const answer = (id: string): [string, string][] => [["cmi.interactions.0.id", id]];
  const first = await make.launch(learner, company.id, course.id);
  await visit(
    first,
    "activity_1",
    [
      ["cmi.score.scaled", "0.9"],
      ["cmi.success_status", "passed"],
      ["cmi.completion_status", "completed"],
      ["cmi.session_time", "PT1M"],
      ...answer("first"),
    ],
    "normal",
  );
  const second = await make.launch(learner, company.id, course.id);
  await visit(
    second,
    "activity_1",
    [
      ["cmi.score.scaled", "0.1"],
      ["cmi.success_status", "failed"],
      ["cmi.completion_status", "incomplete"],
      ["cmi.session_time", "PT2M"],
      ...answer("second"),
    ],
    "suspend",
  );
  const third = await make.launch(learner, company.id, course.id);
  expect(third.values.activity_1).toMatchObject({
    "cmi.score.scaled": "0.1",
    "cmi.total_time": "PT0H2M0S",
    "cmi.interactions.0.id": "second",
  });
  const [enrolment] = (await as(admin)(courses.enrolments, { query: { userId: learner.user.id } })).body.items;
  expect(enrolment).toMatchObject({ progress: 11.1, scorePercent: 90, reportedSeconds: 180 });
  const { body } = await as(admin)(reports.answers, { params: { id: enrolment?.id as string } });
  expect(body.items.map(({ key }) => key).toSorted()).toEqual(["first", "second"]);
});
