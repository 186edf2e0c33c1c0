import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, expect, test, vi } from "vitest";
import { passBatch } from "#server/flows/propagation.ts";
import { flows } from "#shared/flows/flows.ts";
import { notifications } from "#shared/notifications/notifications.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { reports } from "#shared/reports/reports.ts";
import { variables } from "#shared/variables/variables.ts";
import { webhooks } from "#shared/webhooks/webhooks.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { type Person, start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

const { as, make, db, ...server } = await start();
const { createGroup, setValues, define, folded } = createValueMaker({ as, make, db });

type Received = { path: string; headers: IncomingHttpHeaders; body: string; at: number };
const received: Received[] = [];
/** The answers of the receiver by path; 204 by default. */
const answers = new Map<string, (response: ServerResponse) => void>();
const receiver = createServer(async (request, response) => {
  const body = await text(request);
  received.push({ path: request.url ?? "", headers: request.headers, body, at: Date.now() });
  const answer = answers.get(request.url ?? "");
  if (answer) answer(response);
  else response.writeHead(204).end();
});
receiver.listen(0, "127.0.0.1");
await once(receiver, "listening");
const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

const at = (path: string) => received.filter((one) => one.path === path);
const arrived = (path: string, count: number) =>
  vi.waitFor(() => expect(at(path)).toHaveLength(count), { timeout: 15_000, interval: 50 });
const valueOf = ({ body }: Received) => (JSON.parse(body) as { value: unknown }).value;

/** A variable of a course whose values are sent to a path of the receiver. */
async function wire(path: string, options: { includesNames?: boolean; companyId?: string } = {}) {
  const group = await createGroup(1);
  const key = path.slice(1);
  const variable = await define(group.admin, { key, courses: [{ courseId: group.course.id, access: "both" }] });
  const webhook = await connect(group.admin, variable.id, path, options);
  return { ...group, key, variable, webhook, session: group.sessions[0] };
}
/** Also sends the values of a variable to a path of the receiver. */
async function connect(admin: Person, sourceVariableId: string, path: string, options: object = {}) {
  const body = { name: path.slice(1), url: origin + path, ...options };
  const created = await as(admin)(webhooks.create, { body });
  expect(created.status, JSON.stringify(created.body)).toBe(200);
  const target = { kind: "webhook" as const, webhookId: created.body.id };
  await as(admin)(flows.create, { body: { sourceVariableId, target } });
  return created.body;
}
const readWebhook = async (admin: Person, name: string) =>
  (await as(admin)(webhooks.list, { query: { q: name } })).body.items[0];

test("sends values in order, signed, with a pseudonym instead of the name", async () => {
  const { key, session, webhook, learners } = await wire("/order");
  await setValues(
    session,
    [1, 2, 3].map((value): [string, number] => [key, value]),
  );
  await arrived("/order", 3);
  expect(at("/order").map(valueOf)).toEqual([1, 2, 3]);
  const ids = new Set<unknown>();
  for (const { headers, body } of at("/order")) {
    const id = headers["webhook-id"] as string;
    const signed = `${id}.${headers["webhook-timestamp"] as string}.${body}`;
    const secret = Buffer.from(webhook.secret.slice("whsec_".length), "base64");
    expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", secret).update(signed).digest("base64")}`);
    const { learner } = JSON.parse(body) as { learner: { pseudonym: string } };
    expect(Object.keys(learner)).toEqual(["pseudonym"]);
    expect(body).not.toContain(learners[0]?.user.email);
    ids.add(id);
  }
  expect(ids.size).toBe(3);
});

test("repeats a failed event with the same id before the later ones", async () => {
  let failures = 2;
  answers.set("/flaky", (response) => response.writeHead(failures-- > 0 ? 503 : 200).end("later"));
  const { admin, key, session, webhook } = await wire("/flaky");
  await setValues(session, [
    [key, 1],
    [key, 2],
  ]);
  for (const tries of [1, 2]) {
    await arrived("/flaky", tries);
    await vi.waitFor(async () => {
      const { body } = await as(admin)(webhooks.deliveries, { params: { id: webhook.id } });
      expect(body.items.map((delivery) => delivery.tries)).toEqual([0, tries]);
    }, 15_000);
    expect(await readWebhook(admin, key)).toMatchObject({ lastStatus: 503, lastAnswer: "later", pending: 2 });
    await as(admin)(webhooks.retry, { params: { id: webhook.id } });
  }
  await arrived("/flaky", 4);
  expect(at("/flaky").map(valueOf)).toEqual([1, 1, 1, 2]);
  expect(new Set(at("/flaky").map(({ headers }) => headers["webhook-id"])).size).toBe(2);
  await vi.waitFor(async () => {
    const { body } = await as(admin)(webhooks.deliveries, { params: { id: webhook.id } });
    expect(body.items.map(({ status, tries }) => [status, tries])).toEqual([
      ["delivered", 1],
      ["delivered", 3],
    ]);
  }, 15_000);
  expect(await readWebhook(admin, key)).toMatchObject({ failingSince: null, pending: 0 });
}, 30_000);

test("a receiver that does not answer holds no other one up", async () => {
  const open: ServerResponse[] = [];
  answers.set("/silent", (response) => open.push(response));
  const silent = await wire("/silent");
  const quick = await wire("/quick");
  await setValues(silent.session, [[silent.key, 1]]);
  await arrived("/silent", 1);
  await setValues(quick.session, [[quick.key, 1]]);
  await arrived("/quick", 1);
  expect(open.every((response) => !response.writableEnded)).toBe(true);
  for (const response of open) response.end();
});

test("follows no redirect, and says so", async () => {
  answers.set("/moved", (response) => response.writeHead(302, { location: "http://127.0.0.1:1/inside" }).end());
  const { admin, webhook } = await wire("/moved");
  const { body } = await as(admin)(webhooks.test, { params: { id: webhook.id } });
  expect(body).toMatchObject({ ok: false, status: 302 });
  expect(body.answer).toContain("redirects are not followed");
});

test("says in words why a receiver cannot be reached", async () => {
  answers.set("/closed", (response) => response.destroy());
  const { admin, webhook } = await wire("/closed");
  const { body } = await as(admin)(webhooks.test, { params: { id: webhook.id } });
  expect(body).toMatchObject({
    ok: false,
    status: null,
    answer: "The server closed the connection without an answer.",
  });
});

test("switches a failing webhook off, tells admins, and resumes when switched on", async () => {
  answers.set("/gone", (response) => response.writeHead(410).end("gone"));
  const { admin, key, session, webhook } = await wire("/gone");
  await setValues(session, [[key, 1]]);
  await vi.waitFor(async () => expect((await readWebhook(admin, key))?.failingSince).not.toBeNull(), 15_000);
  const past = new Date(Date.now() - 49 * 3_600_000).toISOString();
  await db.updateTable("webhooks").set({ failingSince: past }).where("id", "=", webhook.id).execute();
  await as(admin)(webhooks.retry, { params: { id: webhook.id } });
  await vi.waitFor(async () => expect((await readWebhook(admin, key))?.status).toBe("off"), 15_000);
  const { items } = (await as(admin)(notifications.list)).body;
  expect(items[0]).toMatchObject({ kind: "webhookOff", params: { name: key, answer: "gone" } });
  const issues = async () => (await as(admin)(reports.dashboard)).body.attention;
  expect((await issues()).find(({ title }) => title === key)?.values.status).toBe("off");
  answers.delete("/gone");
  const { version } = (await readWebhook(admin, key)) as { version: number };
  await as(admin)(webhooks.update, { params: { id: webhook.id }, body: { version, status: "active" } });
  await vi.waitFor(async () => expect((await readWebhook(admin, key))?.pending).toBe(0), 15_000);
  expect((await issues()).filter(({ title }) => title === key)).toEqual([]);
}, 60_000);

test("sends names only where an admin has chosen so", async () => {
  const { key, session, learners } = await wire("/named", { includesNames: true });
  await setValues(session, [[key, 1]]);
  await arrived("/named", 1);
  expect(at("/named")[0]?.body).toContain(learners[0]?.user.email);
});

test("sends nothing of other companies", async () => {
  const { learner: stranger } = await make.classroom();
  const { admin, key, variable, session } = await wire("/strange", { companyId: stranger.user.companyId as string });
  await connect(admin, variable.id, "/familiar");
  await setValues(session, [[key, 1]]);
  // A value passes all flows of its variable at the same time.
  await arrived("/familiar", 1);
  expect(await readWebhook(admin, key)).toMatchObject({ pending: 0, delivered: 0 });
});

test("sends the next event to a new address, and none once it is switched off", async () => {
  const held: ServerResponse[] = [];
  for (const path of ["/before", "/after"]) answers.set(path, (response) => held.push(response));
  const { admin, key, session, webhook } = await wire("/before");
  const change = (input: object, version: number) =>
    as(admin)(webhooks.update, { params: { id: webhook.id }, body: { version, ...input } });
  await setValues(session, [
    [key, 1],
    [key, 2],
    [key, 3],
  ]);
  await arrived("/before", 1);
  const moved = await change({ url: `${origin}/after` }, webhook.version);
  held[0]?.writeHead(204).end();
  await arrived("/after", 1);
  await change({ status: "off" }, moved.body.version);
  held[1]?.writeHead(204).end();
  await vi.waitFor(async () => {
    const row = db.selectFrom("webhooks").where("id", "=", webhook.id).select("leasedUntil");
    expect(await row.executeTakeFirst()).toEqual({ leasedUntil: null });
  }, 15_000);
  expect(await readWebhook(admin, key)).toMatchObject({ pending: 1, delivered: 2 });
  expect(received.filter(({ body }) => body.includes(key)).map(valueOf)).toEqual([1, 2]);
});

test("does not send what was deleted or corrected before it could be sent", async () => {
  answers.set("/waiting", (response) => response.writeHead(503).end());
  const { admin, key, session, variable, webhook } = await wire("/waiting");
  await setValues(session, [
    [key, 1],
    [key, 2],
    [key, 3],
  ]);
  const isRefused = async () => expect(await readWebhook(admin, key)).toMatchObject({ lastStatus: 503, pending: 3 });
  await vi.waitFor(isRefused, 15_000);
  const { items } = (await as(admin)(rawData.list, { query: { variableId: variable.id } })).body;
  const params = (wanted: number) => ({
    params: { valueId: String(items.find(({ value }) => value === wanted)?.id) as never },
  });
  await as(admin)(rawData.removeValue, params(1));
  await as(admin)(rawData.correct, { ...params(2), body: { value: 20, reason: "typing error" } });
  await folded();
  await vi.waitFor(async () => {
    await passBatch(server.services);
    expect(await readWebhook(admin, key)).toMatchObject({ pending: 2 });
  }, 15_000);
  answers.delete("/waiting");
  await as(admin)(webhooks.retry, { params: { id: webhook.id } });
  await vi.waitFor(async () => expect(await readWebhook(admin, key)).toMatchObject({ pending: 0 }), 15_000);
  expect(at("/waiting").map(valueOf).slice(-2)).toEqual([3, 20]);
}, 30_000);

test("does not send what waits when its variable becomes sensitive", async () => {
  answers.set("/private", (response) => response.writeHead(503).end());
  const { admin, key, session, variable } = await wire("/private");
  await setValues(session, [[key, 1]]);
  const isPending = async () => expect(await readWebhook(admin, key)).toMatchObject({ lastStatus: 503, pending: 1 });
  await vi.waitFor(isPending, 15_000);
  const body = { version: variable.version, privacy: "sensitive" as const };
  await as(admin)(variables.update, { params: { id: variable.id }, body });
  expect(await readWebhook(admin, key)).toMatchObject({ pending: 0, delivered: 0 });
}, 30_000);

test("an admin of one company adds webhooks of that company only", async () => {
  const { admin, company } = await make.classroom();
  const foreign = (await as(admin)(webhooks.create, { body: { name: "all", url: `${origin}/all` } })).body;
  await limitToCompany(db, admin, company.id);
  const { body } = await as(admin)(webhooks.create, { body: { name: "own", url: `${origin}/own` } });
  expect(body.companyId).toBe(company.id);
  const all = { version: body.version, companyId: null };
  expect((await as(admin)(webhooks.update, { params: { id: body.id }, body: all })).body.companyId).toBe(company.id);
  const variable = await define(admin, { key: "of_company" });
  const target = { kind: "webhook" as const, webhookId: foreign.id };
  expect((await as(admin)(flows.create, { body: { sourceVariableId: variable.id, target } })).status).toBe(404);
});

test("shows a secret once, and keeps it encrypted", async () => {
  const { admin, webhook, key } = await wire("/secret");
  expect(JSON.stringify(await readWebhook(admin, key))).not.toContain(webhook.secret);
  const { secret } = await db
    .selectFrom("webhooks")
    .where("id", "=", webhook.id)
    .select("secret")
    .executeTakeFirstOrThrow();
  expect(secret).not.toContain(webhook.secret.slice(6));
  const rotated = await as(admin)(webhooks.rotateSecret, { params: { id: webhook.id } });
  expect(rotated.body.secret).not.toBe(webhook.secret);
});

test("another node delivers what a node that has died had leased", async () => {
  const { admin, key, session, webhook } = await wire("/lease");
  await db
    .updateTable("webhooks")
    .set({ leasedUntil: new Date(Date.now() + 1500).toISOString() })
    .where("id", "=", webhook.id)
    .execute();
  await server.startAnother();
  await setValues(session, [[key, 1]]);
  await arrived("/lease", 1);
  await vi.waitFor(async () => expect(await readWebhook(admin, key)).toMatchObject({ pending: 0 }), 15_000);
  expect(at("/lease")).toHaveLength(1);
});
