import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { BUILTIN_ID } from "#shared/connectors/connectors.ts";
import { type PromptInput, prompts, type TryEvent } from "#shared/prompts/prompts.ts";
import { variables } from "#shared/variables/variables.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

const { app, as, make, db } = await start();
const { admin, company, learner, course } = await make.classroom();
const boss = as(admin);
const provider = await startProvider("openai");
afterAll(() => provider.stop());
const connector = await connect(boss, provider, { isDefault: true });
await boss(variables.create, { body: { key: "self_rating", label: "Self rating", type: "number" } });
await boss(variables.create, {
  body: { key: "hidden", label: "Hidden", type: "text", usableInPrompts: false },
});

const write = async (input: Partial<PromptInput> = {}) => {
  const key = `p-${randomUUID().slice(0, 8)}`;
  const body = { key, name: "Explain", purpose: "button" as const, body: "Explain {{course.title}}.", ...input };
  return boss(prompts.create, { body });
};
const tryText = async (body: object) => {
  const reply = await app.inject({
    method: "POST",
    url: prompts.try.path,
    payload: { purpose: "button", message: "Hello", ...body },
    headers: { authorization: `Bearer ${admin.token}` },
  });
  const events = reply.body
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TryEvent);
  return {
    events,
    text: events.map((event) => (event.type === "text" ? event.text : "")).join(""),
    status: reply.statusCode,
  };
};

test("saves every change as a new version, of which one can be made live", async () => {
  const { body: made } = await write();
  expect(made).toMatchObject({ live: null, draft: { number: 1 }, keys: ["course.title"] });
  const params = { id: made.id };
  const second = (
    await boss(prompts.saveVersion, {
      params,
      body: { body: "Explain simply.", note: "Shorter", version: made.version },
    })
  ).body;
  expect(second).toMatchObject({ live: null, draft: { number: 2 }, keys: [] });
  const versionId = second.draft.id;
  const live = (await boss(prompts.setLive, { params, body: { versionId, version: second.version } })).body;
  expect(live.live).toEqual({ id: versionId, number: 2 });
  expect(live.versions.map(({ number, note, author }) => [number, note, author])).toEqual([
    [2, "Shorter", "Ada Admin"],
    [1, "", "Ada Admin"],
  ]);
});

test("restores an earlier text as the next version, and leaves the live one", async () => {
  const { body: made } = await write({ body: "First text." });
  const params = { id: made.id };
  const changed = (await boss(prompts.saveVersion, { params, body: { body: "Second text.", version: made.version } }))
    .body;
  const live = (
    await boss(prompts.setLive, { params, body: { versionId: changed.draft.id, version: changed.version } })
  ).body;
  const body = { versionId: made.draft.id, version: live.version };
  const restored = (await boss(prompts.restoreVersion, { params, body })).body;
  expect(restored).toMatchObject({ draft: { number: 3 }, live: { number: 2 } });
  expect(restored.versions[0]).toMatchObject({ body: "First text.", note: "Text of version 1" });
});

test("refuses to change a version in the database", async () => {
  const { body: made } = await write();
  const change = db
    .updateTable("promptVersions")
    .set({ body: "Another text" })
    .where("id", "=", made.draft.id)
    .execute();
  await expect(change).rejects.toThrow("never change");
});

test.each(["{{no_such_variable}}", "{{hidden}}", "{{transcript}}"])(
  "refuses the unknown placeholder %s",
  async (body) => {
    const reply = await write({ body: `Read ${body}` });
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ issues: [{ path: "body", code: "prompts.unknownKey" }] });
  },
);

test("refuses a change that is based on an older version, and a key that is taken", async () => {
  const { body: made } = await write();
  const change = { params: { id: made.id }, body: { body: "New text", version: made.version } };
  expect((await boss(prompts.saveVersion, change)).status).toBe(200);
  expect((await boss(prompts.saveVersion, change)).code).toBe("core.conflict");
  expect((await write({ key: made.key })).body).toMatchObject({ issues: [{ code: "prompts.keyTaken" }] });
});

test("streams a try with the values of a sample learner, its tokens and cost", async () => {
  provider.next({ obeys: true });
  const sent = {
    body: "Help {{learner.first_name}} of {{company.name}}. Rating {{self_rating}}.",
    connectorId: connector.id,
  };
  const { events, text } = await tryText({ ...sent, userId: learner.user.id });
  expect(text).toContain(`Help Lea of ${company.name}. Rating not available.`);
  expect(events[0]).toMatchObject({ type: "start", model: "stand-in-large" });
  expect(events.at(-1)).toMatchObject({ type: "end", reason: "stop", inputTokens: 40, cost: 0.00006 });
});

test("says in a try why a model does not answer", async () => {
  provider.next({ status: 429 });
  expect((await tryText({ body: "Help." })).events).toEqual([{ type: "error", code: "busy" }]);
});

test("tells what each placeholder stands for", async () => {
  const body = "{{learner.name}} {{self_rating}} {{input}} {{nothing}}";
  const reply = await boss(prompts.resolve, {
    body: { body, purpose: "button", userId: learner.user.id, courseId: course.id },
  });
  expect(reply.body.keys).toEqual([
    { key: "learner.name", value: "Lea Learner", source: "builtIn" },
    { key: "self_rating", value: null, source: "variable" },
    { key: "input", value: null, source: "runtime" },
    { key: "nothing", value: null, source: "unknown" },
  ]);
});

test("checks the answer to a test question by version", async () => {
  const { body: made } = await write();
  const params = { id: made.id };
  const question = { name: "Counts", message: "Count", contains: ["THREE"], lacks: ["six"], maxWords: 10 };
  const { body: added } = await boss(prompts.addCase, { params, body: question });
  const run = (versionId: string) =>
    boss(prompts.runCase, {
      params: { id: made.id, caseId: added.id },
      body: { versionId, connectorId: connector.id },
    });
  expect((await run(made.draft.id)).body).toMatchObject({ passed: true, faults: [], model: "stand-in-large" });
  const next = (await boss(prompts.saveVersion, { params, body: { body: "Count on.", version: made.version } })).body;
  provider.next({ text: ["four five six ".repeat(4)] });
  expect((await run(next.draft.id)).body).toMatchObject({
    passed: false,
    faults: ["does not contain “THREE”", "contains “six”", "12 words instead of at most 10"],
  });
  // The built-in connection has nothing to quote: a refusal passes no test, not even one that only forbids words.
  const { body: other } = await boss(prompts.addCase, { params, body: { ...question, contains: [] } });
  const refused = await boss(prompts.runCase, {
    params: { id: made.id, caseId: other.id },
    body: { versionId: next.draft.id, connectorId: BUILTIN_ID },
  });
  expect(refused.body).toMatchObject({ passed: false, faults: ["refused"] });
  await boss(prompts.removeCase, { params: { id: made.id, caseId: other.id } });
  const { questions, cases, passed } = (await boss(prompts.get, { params })).body;
  expect(questions[0]?.results).toHaveLength(2);
  expect([cases, passed]).toEqual([1, 0]);
  await boss(prompts.updateCase, { params: { id: made.id, caseId: added.id }, body: { ...question, name: "New" } });
  expect((await boss(prompts.get, { params })).body.questions[0]).toMatchObject({ name: "New", results: [] });
  await boss(prompts.removeCase, { params: { id: made.id, caseId: added.id } });
  expect((await boss(prompts.get, { params })).body.questions).toEqual([]);
});

test("counts the runs of a prompt and what they cost", async () => {
  const { body: made } = await write({ name: "Counted" });
  await tryText({ body: "Anything", versionId: made.draft.id });
  const { items } = (await boss(prompts.list, { query: { q: "Counted" } })).body;
  expect(items[0]).toMatchObject({ runs: 1, cost: 0.00006 });
});

test("keeps a sample learner of another company out of reach", async () => {
  const stranger = { body: "Hi {{learner.name}}", userId: randomUUID() };
  expect((await tryText(stranger)).status).toBe(404);
});

test("answers without any provider by saying what the built-in connection can do", async () => {
  const { events, text } = await tryText({ body: "Help.", connectorId: "00000000-0000-4000-8000-000000000001" });
  expect(text).toContain("The built-in connection only quotes documents");
  expect(events.at(-1)).toMatchObject({ type: "end", reason: "refused", cost: 0 });
});
