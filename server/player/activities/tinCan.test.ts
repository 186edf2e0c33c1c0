import { expect, test } from "vitest";
import { BASE, tinCanPackage } from "#test/activityPackages.ts";
import { enrolmentOf, room } from "#test/activityRoom.ts";
import { openUnit } from "#test/fakeUnit.ts";
import { start } from "#test/start.ts";

const server = await start();
const story = `${BASE}/story`;
const duration = "PT2M";

test("a Tin Can package gets credentials in its address, and completes by what it says", async () => {
  const at = await room(server, tinCanPackage("story.html?lang=en"));
  const session = await at.launch();
  expect(session.course.kind).toBe("xapi");
  const unit = await openUnit(server, session, story);
  const query = Object.fromEntries(unit.address.searchParams);
  expect(query).toMatchObject({
    lang: "en",
    endpoint: "http://127.0.0.1:2/xapi/",
    activity_id: story,
    registration: session.attemptId,
    auth: expect.stringMatching(/^Basic /),
  });
  const page = { id: `${story}/slide` };
  expect((await unit.say("experienced", undefined, { object: page })).status).toBe(204);
  expect((await unit.state("bookmark", { method: "PUT", body: { slide: 2 } }, { activityId: story })).status).toBe(204);
  const result = { success: true, completion: true, duration, score: { raw: 8, min: 0, max: 10 } };
  expect((await unit.say("passed", result, { object: page })).status).toBe(204);
  expect(await at.progress(session)).toMatchObject({ completion: "incomplete" });
  expect((await unit.say("passed", result)).status).toBe(204);
  expect((await unit.say("terminated", { duration })).status).toBe(204);
  expect(await at.progress(session)).toMatchObject({ completion: "complete", success: "passed", scorePercent: 80 });
  expect(await enrolmentOf(at)).toMatchObject({ status: "completed", success: "passed", scorePercent: 80 });
});

test("statements of an earlier launch, and of others, are refused", async () => {
  const at = await room(server, tinCanPackage());
  const session = await at.launch();
  const unit = await openUnit(server, session, story);
  const forged = { actor: { account: { homePage: "http://localhost:1", name: "another-learner" } } };
  expect((await unit.say("passed", { success: true }, forged)).status).toBe(403);
  expect((await unit.say("passed", { success: true }, { context: { registration: crypto.randomUUID() } })).status).toBe(
    403,
  );
  const again = await openUnit(server, session, story);
  expect((await unit.say("passed", { success: true })).status).toBe(403);
  expect((await again.say("failed", { score: { scaled: 0.4 } })).status).toBe(204);
  expect(await at.progress(session)).toMatchObject({ success: "failed", scorePercent: 40 });
});

test("a package changes and reads only what belongs to its launch", async () => {
  const at = await room(server, tinCanPackage());
  const unit = await openUnit(server, await at.launch(), story);
  const state = (method: "GET" | "PUT" | "DELETE", query: Record<string, string>) =>
    unit.call(
      "activities/state",
      { agent: JSON.stringify(unit.actor), ...query },
      { method, ...(method === "PUT" && { body: { slide: 2 } }) },
    );
  const mine = { activityId: story, registration: unit.registration, stateId: "bookmark" };
  expect((await state("PUT", mine)).status).toBe(204);
  expect((await state("DELETE", { activityId: story })).status).toBe(204);
  expect((await state("GET", mine)).status).toBe(200);
  const ofCourse = `${server.services.config.publicUrl}/activities/${at.course.id}/part`;
  expect((await state("PUT", { activityId: ofCourse, stateId: "bookmark" })).status).toBe(403);

  const named = { id: `${story}/named`, definition: { name: { en: "Written by a learner" } } };
  expect((await unit.say("experienced", undefined, { object: named })).status).toBe(204);
  const known = await unit.call("activities", { activityId: named.id });
  expect(JSON.parse(known.text)).toEqual({ objectType: "Activity", id: named.id });

  const later = await openUnit(server, await at.launch({ newAttempt: true, takeOver: true }), story);
  const other = JSON.parse((await later.call("statements", {})).text) as { statements: unknown[] };
  expect([later.registration === unit.registration, other.statements.length]).toEqual([false, 0]);
});
