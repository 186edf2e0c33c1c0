import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { type ButtonInput, buttonPrompts } from "#shared/prompts/buttonPrompts.ts";
import { prompts } from "#shared/prompts/prompts.ts";
import { variables } from "#shared/variables/variables.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

const server = await start();
const { as, make } = server;
const { folded } = createValueMaker(server);
const { admin, company, learner, course } = await make.classroom();
const boss = as(admin);
const lea = as(learner);
const provider = await startProvider("openai");
afterAll(() => provider.stop());
await connect(boss, provider, { isDefault: true });
const quality = (
  await boss(variables.create, {
    body: {
      key: "plan_quality",
      label: "Plan quality",
      type: "number",
      constraints: { min: 1, max: 5, step: 1 },
      courses: [{ courseId: course.id, access: "both" }],
    },
  })
).body;
const prompt = (
  await boss(prompts.create, {
    body: {
      key: "check",
      name: "Check",
      purpose: "button",
      body: "Check the plan of {{learner.first_name}}: {{input}}",
    },
  })
).body;
await boss(prompts.setLive, {
  params: { id: prompt.id },
  body: { versionId: prompt.draft.id, version: prompt.version },
});

async function addButton(input: Partial<ButtonInput> = {}) {
  const body = {
    key: `b-${randomUUID().slice(0, 8)}`,
    label: "Check my plan",
    promptId: prompt.id,
    courseIds: [course.id],
  };
  const made = await boss(buttonPrompts.create, { body: { ...body, ...input } });
  if (made.status !== 200) throw new Error(JSON.stringify(made.body));
  return (await boss(buttonPrompts.setStatus, { params: { id: made.body.id }, body: { status: "active" } })).body;
}
const setPromptStatus = (status: "active" | "archived") =>
  boss(prompts.setStatus, { params: { id: prompt.id }, body: { status } });
const run = (id: string, input = "I send the list at three.", who = lea, courseId = course.id) =>
  who(buttonPrompts.run, { params: { id }, body: { courseId, input } });

test("runs the live version for a learner of the course, by id and by key", async () => {
  const button = await addButton();
  provider.next({ obeys: true });
  const { body } = await run(button.id);
  expect(body).toMatchObject({ isAnswered: true, values: {}, left: 9 });
  expect(body.text).toBe("Check the plan of Lea: I send the list at three.");
  expect((await run(button.key)).body.left).toBe(8);
  const { items } = (await boss(buttonPrompts.list, { query: { q: button.key } })).body;
  expect(items[0]).toMatchObject({ runs: 2, failed: 0, cost: 0.00012, liveNumber: 1 });
});

test("writes the variables that the answer fills in, within their limits", async () => {
  const button = await addButton({ outputs: [{ key: "plan_quality", about: "How complete the plan is" }] });
  provider.next({ structured: '{"answer": "Clear who and when.", "plan_quality": 4}' });
  expect((await run(button.id)).body).toMatchObject({ text: "Clear who and when.", values: { plan_quality: 4 } });
  await folded();
  const { items } = (await boss(variables.values, { params: { id: quality.id } })).body;
  expect(items[0]).toMatchObject({ userId: learner.user.id, current: 4 });
  for (const structured of [
    '{"answer": "x", "plan_quality": 9}',
    '{"answer": "x", "plan_quality": 2.5}',
    '{"answer": "x"}',
  ]) {
    provider.next({ structured });
    expect((await run(button.id)).body).toMatchObject({ isAnswered: false, values: {} });
  }
});

test("gives the admin's text when the model fails, and does not count the run", async () => {
  const button = await addButton({ failureText: "Mira is away.", dailyLimit: 1 });
  provider.next({ status: 500 });
  expect((await run(button.id)).body).toEqual({ isAnswered: false, text: "Mira is away.", values: {}, left: 1 });
  expect((await run(button.id)).body.isAnswered).toBe(true);
});

test("lets ten clicks at once pass as often as the limit allows", async () => {
  const button = await addButton({ dailyLimit: 3 });
  const replies = await Promise.all(Array.from({ length: 10 }, () => run(button.id)));
  const outcomes = replies.map(({ status, code }) => code ?? String(status)).toSorted();
  expect(outcomes).toEqual([...Array(3).fill("200"), ...Array(7).fill("buttonPrompts.limit")]);
});

test("a run that is stamped a moment later than this one keeps nobody waiting", async () => {
  const button = await addButton();
  expect((await run(button.id)).status).toBe(200);
  await sql`update button_runs set at = now() + interval '2 seconds' where button_id = ${button.id}`.execute(server.db);
  expect((await run(button.id)).status).toBe(200);
});

test("waits between two runs", async () => {
  const button = await addButton({ cooldownSeconds: 3600 });
  expect((await run(button.id)).status).toBe(200);
  expect((await run(button.id)).code).toBe("buttonPrompts.cooldown");
});

test("offers a button only while its condition holds", async () => {
  const button = await addButton({ visibleWhen: { key: "company.name", is: "equal", value: company.name } });
  const hidden = await addButton({ visibleWhen: { key: "company.name", is: "missing", value: "" } });
  const { items } = (await lea(buttonPrompts.offered, { params: { id: course.id } })).body;
  const isVisible = (id: string) => items.find((item) => item.id === id)?.isVisible;
  expect([isVisible(button.id), isVisible(hidden.id)]).toEqual([true, false]);
  expect((await run(hidden.id)).code).toBe("buttonPrompts.notVisible");
});

test("is unknown to learners of other courses and companies, and while it is a draft", async () => {
  const button = await addButton();
  const stranger = await make.classroom();
  expect((await run(button.id, "x", as(stranger.learner))).status).toBe(404);
  expect((await run(button.id, "x", as(stranger.learner), stranger.course.id)).status).toBe(404);
  await boss(buttonPrompts.setStatus, { params: { id: button.id }, body: { status: "draft" } });
  expect((await run(button.id)).status).toBe(404);
});

test("refuses to fill in what is not a variable", async () => {
  const body = { key: "bad", label: "Bad", promptId: prompt.id, outputs: [{ key: "nothing_like_it" }] };
  expect((await boss(buttonPrompts.create, { body })).body).toMatchObject({
    issues: [{ path: "outputs", code: "buttonPrompts.unknownVariable" }],
  });
});

test("refuses a change that is based on an older version", async () => {
  const button = await addButton();
  const change = () =>
    boss(buttonPrompts.update, { params: { id: button.id }, body: { label: "New", version: button.version } });
  expect((await change()).body.label).toBe("New");
  expect((await change()).code).toBe("core.conflict");
});

test("a button whose prompt is archived says so, and does not run it", async () => {
  const { id } = await addButton();
  const isArchived = async () =>
    (await boss(buttonPrompts.list)).body.items.find((button) => button.id === id)?.isPromptArchived;
  expect(await isArchived()).toBe(false);
  await setPromptStatus("archived");
  expect(await isArchived()).toBe(true);
  const asked = provider.chats().length;
  expect((await run(id)).body).toMatchObject({ isAnswered: false, text: "This did not work. Try again later." });
  expect(provider.chats().length).toBe(asked);
  await setPromptStatus("active");
  expect((await run(id)).body.isAnswered).toBe(true);
});

test("a button without a live version of its prompt cannot be activated", async () => {
  const draft = (await boss(prompts.create, { body: { key: "unborn", name: "Unborn", purpose: "button", body: "Hi" } }))
    .body;
  const body = { key: "unborn", label: "Unborn", promptId: draft.id };
  const { id } = (await boss(buttonPrompts.create, { body })).body;
  const activate = () => boss(buttonPrompts.setStatus, { params: { id }, body: { status: "active" } });
  const refused = await activate();
  expect([refused.status, refused.code]).toEqual([409, "buttonPrompts.notLive"]);
  await boss(prompts.setLive, {
    params: { id: draft.id },
    body: { versionId: draft.draft.id, version: draft.version },
  });
  expect((await activate()).body.status).toBe("active");
});

test("without a provider a button has no answer, and takes no run", async () => {
  const button = await addButton({ connectorId: null, failureText: "Ask your manager." });
  await server.db.updateTable("connectors").set({ isDefault: false }).execute();
  expect((await run(button.id)).body).toEqual({ isAnswered: false, text: "Ask your manager.", values: {}, left: 10 });
});
