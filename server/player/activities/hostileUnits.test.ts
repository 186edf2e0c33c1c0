import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { au, BASE, cmi5Package } from "#test/activityPackages.ts";
import { listSaid, room } from "#test/activityRoom.ts";
import { type FakeUnit, openUnit, verbOf } from "#test/fakeUnit.ts";
import { start } from "#test/start.ts";
import type { Statement } from "#shared/statements/xapi.ts";

const server = await start();
const { db } = server;
const one = `${BASE}/au/one`;
const strict = 'moveOn="CompletedAndPassed" masteryScore="0.8"';
const SESSION = "https://w3id.org/xapi/cmi5/context/extensions/sessionid";
const MASTERY = "https://w3id.org/xapi/cmi5/context/extensions/masteryscore";
const CATEGORIES = "https://w3id.org/xapi/cmi5/context/categories/";
const duration = "PT1S";

async function openStrict() {
  const at = await room(server, cmi5Package(au({ attributes: strict }) + au({ id: "au/two" })));
  const session = await at.launch();
  return { at, session, unit: await openUnit(server, session, one) };
}
const passed = (unit: FakeUnit, score: object = { scaled: 0.9 }) =>
  unit.statement("passed", { success: true, duration, score });
const completed = (unit: FakeUnit) => unit.statement("completed", { completion: true, duration });
/** A statement that is not defined by cmi5. */
const allowed = (unit: FakeUnit, verb = "experienced"): Statement => {
  const statement = unit.statement(verb);
  const { category: _, ...contextActivities } = statement.context?.contextActivities ?? {};
  return { ...statement, context: { ...statement.context, contextActivities } };
};
const inContext = (statement: Statement, change: Partial<Statement["context"]>): Statement => ({
  ...statement,
  context: { ...statement.context, ...change },
});
const withExtensions = (statement: Statement, change: Record<string, unknown>) =>
  inContext(statement, { extensions: { ...statement.context?.extensions, ...change } as never });
const withCategories = (statement: Statement, names: string[]) =>
  inContext(statement, {
    contextActivities: {
      ...statement.context?.contextActivities,
      category: names.map((name) => ({ id: CATEGORIES + name })),
    },
  });

describe("an initialized AU is refused", () => {
  const cases: [string, (unit: FakeUnit) => Statement][] = [
    [
      "a forged actor",
      (unit) => ({ ...passed(unit), actor: { account: { homePage: "http://localhost:1", name: "x" } } }),
    ],
    ["an actor by email", (unit) => ({ ...passed(unit), actor: { mbox: "mailto:lea@example.com" } })],
    ["another registration", (unit) => inContext(passed(unit), { registration: randomUUID() })],
    ["no registration", (unit) => inContext(passed(unit), { registration: undefined as never })],
    ["no context", (unit) => ({ ...passed(unit), context: undefined as never })],
    ["another session id", (unit) => withExtensions(passed(unit), { [SESSION]: randomUUID() })],
    [
      "no publisher id",
      (unit) => inContext(passed(unit), { contextActivities: { category: [{ id: `${CATEGORIES}cmi5` }] } }),
    ],
    ["a statement about another AU", (unit) => ({ ...passed(unit), object: { id: unit.activityId.slice(0, -1) } })],
    ["the publisher's id as object", (unit) => ({ ...passed(unit), object: { id: one } })],
    ["a time that is not in UTC", (unit) => ({ ...passed(unit), timestamp: "2026-11-01T10:00:00+02:00" })],
    ["no time", (unit) => ({ ...passed(unit), timestamp: undefined as never })],
    ["a second initialized", (unit) => unit.statement("initialized")],
    ["what only the platform says", (unit) => unit.statement("https://w3id.org/xapi/adl/verbs/satisfied")],
    ["a waiver of its own", (unit) => unit.statement("https://w3id.org/xapi/adl/verbs/waived", { success: true })],
    ["voiding", (unit) => ({ ...allowed(unit, "voided"), object: { objectType: "StatementRef", id: randomUUID() } })],
    ["a pass below the mastery score", (unit) => passed(unit, { scaled: 0.79 })],
    ["a pass without success", (unit) => unit.statement("passed", { completion: true, duration })],
    ["a pass without duration", (unit) => unit.statement("passed", { success: true })],
    ["a pass with a raw score alone", (unit) => passed(unit, { scaled: 0.9, raw: 9 })],
    ["a pass without the mastery score", (unit) => withExtensions(passed(unit), { [MASTERY]: 0.1 })],
    [
      "a failure at the mastery score",
      (unit) => unit.statement("failed", { success: false, duration, score: { scaled: 0.8 } }),
    ],
    ["a completion with success", (unit) => unit.statement("completed", { completion: true, success: true, duration })],
    [
      "a completion with a score",
      (unit) => unit.statement("completed", { completion: true, duration, score: { scaled: 1 } }),
    ],
    ["an outcome without the category moveon", (unit) => withCategories(completed(unit), ["cmi5"])],
    ["the category moveon without an outcome", (unit) => withCategories(allowed(unit), ["moveon"])],
  ];
  test.each(cases)("%s", async (_, make) => {
    const { unit, session, at } = await openStrict();
    await unit.initialize();
    const reply = await unit.send(make(unit));
    expect([400, 403]).toContain(reply.status);
    expect((await listSaid(db, session.attemptId)).map(({ verb }) => verb)).toEqual(["launched", "initialized"]);
    expect(await at.progress(session)).toMatchObject({ completion: "incomplete", scorePercent: null });
  });
});

test("the order of statements is that of cmi5", async () => {
  const { unit } = await openStrict();
  expect((await unit.send(allowed(unit))).status).toBe(403);
  expect((await unit.complete()).status).toBe(403);
  await unit.initialize();
  expect((await unit.send(allowed(unit))).status).toBe(204);
  expect((await unit.fail(0.1)).status).toBe(204);
  expect((await unit.pass(0.9)).status).toBe(403);
  expect((await unit.complete()).status).toBe(204);
  expect((await unit.complete()).status).toBe(403);
  expect((await unit.terminate()).status).toBe(204);
  for (const late of [allowed(unit), passed(unit)]) expect((await unit.send(late)).status).toBe(403);
  expect((await unit.state("bookmark", { method: "PUT", body: {} })).status).toBe(403);
});

test("initialized needs the learner preferences, which the AU cannot change", async () => {
  const { at, session } = await openStrict();
  const unit = await openUnit(server, session, one, { reads: false });
  expect((await unit.initialize()).status).toBe(403);
  expect((await unit.preferences()).status).toBe(404);
  expect((await unit.initialize()).status).toBe(204);
  const change = { method: "PUT", body: { languagePreference: "en", audioPreference: "on" } } as const;
  expect((await unit.preferences(change)).status).toBe(403);
  expect(await at.progress(session)).toMatchObject({ completion: "incomplete" });
});

test("a commit of the browser says nothing about the outcome of an AU", async () => {
  const { at, session } = await openStrict();
  const set = (seq: number, key: string, value: string) =>
    ({ seq, t: seq, type: "scorm.set", sco: one, key, value }) as const;
  const { body } = await at.send(session, {
    events: [set(1, "cmi.completion_status", "completed"), set(2, "cmi.success_status", "passed")],
  });
  expect(body).toMatchObject({ ackSeq: 2, attempt: { completion: "incomplete", parts: [{ state: "todo" }, {}] } });
});

test("one refused statement refuses its whole batch", async () => {
  const { unit, session, at } = await openStrict();
  await unit.initialize();
  const { status, text } = await unit.sendAll([passed(unit), completed(unit), completed(unit)]);
  expect(status).toBe(403);
  expect(text).toContain("Statement 3");
  expect((await listSaid(db, session.attemptId)).map(({ verb }) => verb)).toEqual(["launched", "initialized"]);
  expect(await at.progress(session)).toMatchObject({ completion: "incomplete" });
  const batch = await unit.sendAll([passed(unit), completed(unit), unit.statement("terminated", { duration })]);
  expect(batch.status).toBe(200);
});

test("a launch reaches nothing of another learner, and not what the platform writes", async () => {
  const { unit } = await openStrict();
  const other = await openStrict();
  await other.unit.initialize();
  await other.unit.state("bookmark", { method: "PUT", body: { secret: 1 } });
  const theirs = {
    stateId: "bookmark",
    activityId: other.unit.activityId,
    agent: JSON.stringify(other.unit.actor),
    registration: other.unit.registration,
  };
  for (const method of ["GET", "PUT", "DELETE"] as const)
    expect(
      (await unit.call("activities/state", theirs, { method, ...(method === "PUT" && { body: {} }) })).status,
    ).toBe(403);
  const statements = await unit.call("statements", { registration: other.unit.registration });
  expect(statements.text).not.toContain(other.unit.registration);
  const agents = await unit.call("agents/profile", { profileId: "p", agent: JSON.stringify(other.unit.actor) });
  expect(agents.status).toBe(403);
  for (const method of ["PUT", "POST", "DELETE"] as const)
    expect((await unit.state("LMS.LaunchData", { method, ...(method !== "DELETE" && { body: {} }) })).status).toBe(403);
  const profile = { activityId: one, profileId: "p" };
  expect((await unit.call("activities/profile", profile, { method: "PUT", body: {} })).status).toBe(403);
  expect((await unit.initialize()).status).toBe(204);
});

test("credentials of a launch are no key, and those of nobody open nothing", async () => {
  const { unit } = await openStrict();
  const headers = { "x-experience-api-version": "1.0.3", authorization: unit.auth };
  const onApplication = await server.app.inject({ url: "/xapi/statements", headers });
  expect(onApplication.statusCode).toBe(401);
  expect(onApplication.headers["www-authenticate"]).toBeUndefined();
  const unknown = await unit.call("statements", {}, { headers: { authorization: "Basic eDp5" } });
  expect(unknown.status).toBe(401);
  expect(unknown.headers["www-authenticate"]).toBeUndefined();
});

test("a state of 2 MB is stored, and a larger one refused", async () => {
  const { unit } = await openStrict();
  const put = (bytes: number) => unit.state("large", { method: "PUT", body: { text: "x".repeat(bytes) } });
  expect((await put(2 * 1024 * 1024 - 20)).status).toBe(204);
  expect((await put(2 * 1024 * 1024 + 20)).status).toBe(413);
  expect((await unit.state("large")).text.length).toBeGreaterThan(2 * 1024 * 1024 - 30);
});

test("values that the database cannot store are refused or stored as they can be", async () => {
  const { unit, at, session } = await openStrict();
  await unit.initialize();
  const statement = unit.statement(verbOf("answered"), { response: "a\0b", duration });
  const interaction = { id: `${BASE}/q`, definition: { interactionType: "fill-in" } };
  const reply = await unit.send({ ...allowed(unit, "answered"), ...statement, object: interaction });
  expect([204, 400, 403]).toContain(reply.status);
  expect((await unit.terminate()).status).toBe(204);
  expect(await at.progress(session)).toMatchObject({ completion: "incomplete" });
});

test("a course cannot fill the disk with states", async () => {
  const { at, unit } = await openStrict();
  await unit.initialize();
  const fill = (name: string) =>
    sql`
      insert into statement_documents (company_id, kind, document_id, user_id, content_type, bytes, etag)
      values (${at.company.id}, 'state', ${name}, ${at.learner.user.id}, 'text/plain',
        convert_to(repeat('x', 33554432), 'UTF8'), '')`.execute(db);
  await fill("one");
  expect((await unit.state("place", { method: "PUT", body: { page: 1 } })).status).toBe(204);
  await fill("two");
  expect((await unit.state("place", { method: "PUT", body: { page: 2 } })).status).toBe(403);
  expect(JSON.parse((await unit.state("place")).text)).toEqual({ page: 1 });
});
