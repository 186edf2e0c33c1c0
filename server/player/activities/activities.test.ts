import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { enrolmentOf, listSaid, room } from "#test/activityRoom.ts";
import { replayAttempt } from "#server/player/replay.ts";
import { au, BASE, block, cmi5Package } from "#test/activityPackages.ts";
import { launchPart, openUnit } from "#test/fakeUnit.ts";
import { start } from "#test/start.ts";

const server = await start();
const { db, make } = server;
const one = `${BASE}/au/one`;
const two = `${BASE}/au/two`;
const strict = 'moveOn="CompletedAndPassed" masteryScore="0.8"';

test("an AU that completes and passes completes part, attempt and enrolment", async () => {
  const at = await room(server, cmi5Package(block("block", "Block", au({ attributes: strict }))));
  const session = await at.launch();
  expect(session.course.kind).toBe("cmi5");
  const unit = await openUnit(server, session, one);
  expect(unit.actor).toEqual({
    objectType: "Agent",
    account: { homePage: "http://localhost:1", name: at.learner.user.id },
  });
  expect(unit.registration).toBe(session.attemptId);
  expect(unit.document).toMatchObject({ launchMode: "Normal", moveOn: "CompletedAndPassed", masteryScore: 0.8 });
  expect((await unit.initialize()).status).toBe(204);
  expect((await unit.pass(0.85)).status).toBe(204);
  expect(await at.progress(session)).toMatchObject({ completion: "incomplete", scorePercent: 85 });
  expect((await unit.complete()).status).toBe(204);
  expect((await unit.terminate()).status).toBe(204);
  expect(await at.progress(session)).toMatchObject({
    completion: "complete",
    success: "passed",
    scorePercent: 85,
    parts: [{ sco: one, state: "done" }],
  });
  expect(await enrolmentOf(at)).toMatchObject({ status: "completed", success: "passed", scorePercent: 85 });
  const said = await listSaid(db, session.attemptId);
  expect(said.map(({ verb }) => verb)).toEqual([
    "launched",
    "initialized",
    "passed",
    "completed",
    "satisfied",
    "satisfied",
    "terminated",
  ]);
  const satisfied = said.filter(({ verb }) => verb === "satisfied").map(({ statement }) => statement);
  expect(satisfied.map(({ object }) => (object as { definition?: { type?: string } }).definition?.type)).toEqual([
    "https://w3id.org/xapi/cmi5/activitytype/block",
    "https://w3id.org/xapi/cmi5/activitytype/course",
  ]);
  expect(satisfied.map(({ context }) => context?.contextActivities?.grouping?.[0]?.id)).toEqual([
    `${BASE}/block`,
    BASE,
  ]);
});

test("a recount of the stored events gives the outcome of the statements", async () => {
  const at = await room(server, cmi5Package(au({ attributes: strict }) + au({ id: "au/two" })));
  const session = await at.launch();
  await at.send(session, {
    events: [
      { seq: 1, t: 0, type: "launch" },
      { seq: 2, t: 1, type: "nav", sco: one },
    ],
  });
  const unit = await openUnit(server, session, one);
  await unit.initialize();
  await unit.fail(0.2);
  await unit.complete();
  await unit.terminate();
  await at.send(session, { events: [{ seq: 3, t: 1, type: "nav", sco: one }] });
  const again = await openUnit(server, session, one);
  await again.initialize();
  await again.pass(0.9);
  await at.send(session, { events: [{ seq: 4, t: 2, type: "nav", sco: two }] });
  const attempt = await db
    .selectFrom("attempts")
    .where("id", "=", session.attemptId)
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(attempt).toMatchObject({ completion: "complete", success: "passed", scorePercent: 90 });
  const replay = await replayAttempt(db, attempt, { kind: "reported" });
  expect(replay).toMatchObject({
    isWhole: true,
    events: 4,
    facts: { isPassed: true, isReported: true, scorePercent: 90 },
  });
  expect(replay.metAt).not.toBeNull();
});

describe("moveOn", () => {
  test.each([
    ["Completed", "complete", "pass"],
    ["Passed", "pass", "complete"],
    ["CompletedOrPassed", "complete", null],
    ["CompletedOrPassed", "pass", null],
  ] as const)("%s is met by what it names: %s", async (moveOn, meets, other) => {
    const at = await room(server, cmi5Package(au({ attributes: `moveOn="${moveOn}"` })));
    const session = await at.launch();
    const unit = await openUnit(server, session, one);
    await unit.initialize();
    if (other) {
      await unit[other]();
      expect(await at.progress(session)).toMatchObject({ completion: "incomplete" });
    }
    await unit[meets]();
    expect(await at.progress(session)).toMatchObject({ completion: "complete" });
  });
  test("NotApplicable: opening the part is enough, and cmi5 is told at the first launch", async () => {
    const at = await room(server, cmi5Package(block("b", "B", au())));
    const session = await at.launch();
    await openUnit(server, session, one);
    expect((await listSaid(db, session.attemptId)).map(({ verb }) => verb)).toEqual([
      "satisfied",
      "satisfied",
      "launched",
    ]);
    await at.send(session, { events: [{ seq: 1, t: 0, type: "nav", sco: one }] });
    expect(await at.progress(session)).toMatchObject({ completion: "complete" });
  });
});

test("the URL for the credentials answers once, and its query is needed", async () => {
  const at = await room(server, cmi5Package(au()));
  const unit = await openUnit(server, await at.launch(), one);
  expect(await unit.postFetch()).toMatchObject({ "error-code": "1" });
  const forged = await unit.inject(`http://127.0.0.1:2/activities/token?launch=${randomUUID()}&key=${"a".repeat(43)}`, {
    method: "POST",
  });
  expect(forged).toMatchObject({ status: 200, text: expect.stringContaining('"error-code":"3"') });
  expect(forged.headers["content-type"]).toContain("application/json");
});

test("another launch of the attempt abandons the AU before it", async () => {
  const at = await room(server, cmi5Package(au({ attributes: strict })));
  const session = await at.launch();
  const unit = await openUnit(server, session, one);
  await unit.initialize();
  const again = await openUnit(server, session, one);
  expect((await unit.complete()).status).toBe(403);
  expect((await unit.state("bookmark")).status).toBe(403);
  expect((await again.initialize()).status).toBe(204);
  const said = await listSaid(db, session.attemptId);
  expect(said.map(({ verb }) => verb)).toEqual(["launched", "initialized", "abandoned", "launched", "initialized"]);
  expect(said[2]?.statement.result?.duration).toMatch(/^PT0H0M[\d.]+S$/);
  expect(said[2]?.statement.context?.extensions).toEqual({
    "https://w3id.org/xapi/cmi5/context/extensions/sessionid": unit.launchId,
  });
});

test("the state of an AU is there at its next launch", async () => {
  const at = await room(server, cmi5Package(au({ attributes: strict })));
  const session = await at.launch();
  const unit = await openUnit(server, session, one);
  expect((await unit.state("bookmark", { method: "PUT", body: { page: 3 } })).status).toBe(204);
  const later = await openUnit(server, await at.launch({ takeOver: true }), one);
  expect(JSON.parse((await later.state("bookmark")).text)).toEqual({ page: 3 });
  expect(later.activityId).toBe(unit.activityId);
  expect(later.registration).toBe(unit.registration);
});

test("the same statement sent again changes nothing", async () => {
  const at = await room(server, cmi5Package(au({ attributes: 'moveOn="Passed"' })));
  const session = await at.launch();
  const unit = await openUnit(server, session, one);
  await unit.initialize();
  const passed = unit.statement("passed", { success: true, duration: "PT1S", score: { scaled: 0.8 } });
  expect((await unit.send(passed)).status).toBe(204);
  expect((await unit.send(passed)).status).toBe(204);
  const events = await db
    .selectFrom("sessionEvents")
    .where("sessionId", "=", session.sessionId)
    .orderBy("firstSeq")
    .select("events")
    .execute();
  const keys = events.flatMap((batch) => batch.events).map(({ type, key }) => key ?? type);
  expect(keys).toEqual(["scorm.init", "cmi.score.scaled", "cmi.success_status"]);
});

test("a preview is browsed, and a completed course is reviewed: nothing counts", async () => {
  const at = await room(server, cmi5Package(au({ attributes: 'moveOn="Completed"' })));
  const preview = await make.launch(at.admin, at.company.id, at.course.id);
  const browsed = await openUnit(server, preview, one);
  expect(browsed.document?.launchMode).toBe("Browse");
  await browsed.initialize();
  expect((await browsed.complete()).status).toBe(403);
  const session = await at.launch();
  const unit = await openUnit(server, session, one);
  await unit.initialize();
  await unit.complete();
  const reviewed = await openUnit(server, session, one);
  expect(reviewed.document?.launchMode).toBe("Review");
  await reviewed.initialize();
  expect((await reviewed.fail(0.1)).status).toBe(403);
  expect((await reviewed.terminate()).status).toBe(204);
  expect(await at.progress(session)).toMatchObject({ completion: "complete", scorePercent: null });
});

test("answers of an AU are answers of the part", async () => {
  const at = await room(server, cmi5Package(au({ attributes: strict })));
  const session = await at.launch();
  const unit = await openUnit(server, session, one);
  await unit.initialize();
  const answered = (response: string, success: boolean) =>
    unit.statement(
      "answered",
      { response, success, duration: "PT4S" },
      {
        object: {
          id: `${BASE}/question`,
          definition: {
            type: "http://adlnet.gov/expapi/activities/cmi.interaction",
            interactionType: "choice",
            description: { en: "Which exit?" },
            correctResponsesPattern: ["left"],
          },
        },
        context: {
          ...unit.statement("x").context,
          contextActivities: unit.document!.contextTemplate.contextActivities,
        },
      },
    );
  const { status } = await unit.sendAll([answered("right", false), answered("left", true)]);
  expect(status).toBe(200);
  const answers = await db
    .selectFrom("answers")
    .where("attemptId", "=", session.attemptId)
    .orderBy("n")
    .select(["n", "sco", "fields"])
    .execute();
  expect(answers).toMatchObject([
    { n: 0, sco: one, fields: { id: `${BASE}/question`, learner_response: "right", result: "incorrect" } },
    {
      n: 1,
      sco: one,
      fields: { description: "Which exit?", "correct_responses.0.pattern": "left", result: "correct" },
    },
  ]);
});

test("a launch needs the token of its session, a part with statements, and access", async () => {
  const at = await room(server, cmi5Package(au()));
  const session = await at.launch();
  expect((await launchPart(server, { ...session, token: "wrong" }, one)).status).toBe(401);
  expect((await launchPart(server, session, "other")).status).toBe(404);
  const newer = await at.launch({ takeOver: true });
  expect((await launchPart(server, session, one)).code).toBe("player.sessionReplaced");
  const unit = await openUnit(server, newer, one);
  await at.suspend();
  expect((await unit.initialize()).status).toBe(401);
  expect((await launchPart(server, newer, one)).status).toBe(403);
});
