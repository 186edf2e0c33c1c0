import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { agentKeyOf } from "#server/statements/identifiers.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { statements } from "#shared/statements/statements.ts";
import { VOIDED } from "#shared/statements/xapi.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { createRecordClient } from "#test/statements.ts";
import { statementOf } from "#test/statementOf.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make } = server;
const { company } = createRecordClient(server);

/** A company with a key, and requests of its admin. */
async function room() {
  const at = await company();
  const list = async (query: Record<string, string> = {}) => {
    const reply = await as(at.admin)(statements.list, { query: { companyId: at.company.id, ...query } });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body;
  };
  const find = async (query: Record<string, string> = {}) => (await list(query)).items.map(({ id }) => id);
  const read = (position: number) => as(at.admin)(statements.get, { params: { position } });
  const toVoid = (position: number, reason = "Sent by mistake") =>
    as(at.admin)(statements.void, { params: { position }, body: { reason } });
  return { ...at, rows: list, find, read, toVoid };
}

test("a statement is listed with the names of its learner, verb, activity and key", async () => {
  const at = await room();
  const actor = { account: { homePage: server.services.config.publicUrl, name: at.learner.user.id } };
  await at.send([
    statementOf({
      actor,
      verb: { id: "http://adlnet.gov/expapi/verbs/passed", display: { de: "bestand", "en-US": "passed" } },
      object: { id: "https://example.com/crane", definition: { name: { "en-GB": "Crane simulator" } } },
      result: { success: true, score: { raw: 9, min: 0, max: 12 }, duration: "PT1M30S", response: "secret" },
    }),
    statementOf({
      actor: { objectType: "Group", member: [{ mbox: "mailto:a@example.com" }] },
      verb: { id: "https://example.com/verbs/looked-at" },
      object: { id: "https://example.com/crane" },
      result: { score: { raw: 7 }, duration: "P99999999Y" },
    }),
  ]);
  const [second, first] = (await at.rows()).items;
  expect(first).toMatchObject({
    userId: at.learner.user.id,
    actor: { kind: "agent", name: at.learner.user.name },
    verb: { name: "passed" },
    object: { kind: "activity", id: "https://example.com/crane", name: "Crane simulator" },
    result: { success: true, completion: null, scorePercent: 75, score: null, duration: 90 },
    client: { id: at.key.id, name: "Tool" },
    session: null,
    isVoided: false,
  });
  expect(second).toMatchObject({
    userId: null,
    actor: { kind: "group", name: "", agentKey: null },
    verb: { name: "looked-at" },
    // The name from the other statement
    object: { name: "Crane simulator" },
    result: { scorePercent: null, score: 7, duration: null },
  });
  const { body } = await at.read(first!.position);
  expect(JSON.parse(body.text)).toMatchObject({ actor, result: { response: "secret" } });
  expect(body.text).toContain("\n  ");
});

test("filters find by person, agent, verb, activity, key, day and voiding", async () => {
  const at = await room();
  const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
  const actor = { account: { homePage: server.services.config.publicUrl, name: at.learner.user.id } };
  const stranger = { mbox: "mailto:stranger@example.com" };
  const [crane, verb] = ["https://example.com/crane", "https://example.com/verbs/lifted"];
  await at.send(statementOf({ id: one, actor, object: { id: crane } }));
  await at.send(statementOf({ id: two, actor: stranger, verb: { id: verb }, object: { id: crane } }));
  await at.send(statementOf({ id: three, actor: stranger }));
  const agentKey = agentKeyOf(stranger) as string;
  expect(await at.find()).toEqual([three, two, one]);
  expect(await at.find({ userId: at.learner.user.id })).toEqual([one]);
  expect(await at.find({ agentKey })).toEqual([three, two]);
  expect(await at.find({ activity: crane })).toEqual([two, one]);
  expect(await at.find({ activity: crane, verb })).toEqual([two]);
  expect(await at.find({ activity: crane, agentKey })).toEqual([two]);
  expect(await at.find({ verb })).toEqual([two]);
  expect(await at.find({ clientId: at.key.id, size: "1", page: "2" })).toEqual([two]);
  expect(await at.find({ clientId: randomUUID() })).toEqual([]);
  const today = new Date().toISOString().slice(0, 10);
  expect(await at.find({ from: today, to: today })).toEqual([three, two, one]);
  expect(await at.find({ to: "2026-01-01" })).toEqual([]);
  await at.send(statementOf({ verb: { id: VOIDED }, object: { objectType: "StatementRef", id: one } }));
  expect(await at.find({ voided: "yes" })).toEqual([one]);
  const { body } = await as(at.admin)(statements.verbs, { query: { companyId: at.company.id } });
  expect(body.items.map(({ name }) => name)).toEqual(["completed", "lifted", "voided"]);
});

test("an admin voids a statement once, with a reason; tools no longer find it", async () => {
  const at = await room();
  const id = randomUUID();
  await at.send(statementOf({ id }));
  const [{ position } = { position: 0 }] = (await at.rows()).items;
  expect((await at.toVoid(position, " x ")).status).toBe(422);
  const reply = await at.toVoid(position);
  expect(reply.body).toMatchObject({ isVoided: true, voiding: { reason: "Sent by mistake" } });
  expect((await at.on("/statements", { params: { statementId: id } })).statusCode).toBe(404);
  expect((await at.on("/statements", { params: { voidedStatementId: id } })).statusCode).toBe(200);
  expect((await at.toVoid(position)).body).toMatchObject({ code: "statements.alreadyVoided" });
  const [voiding] = (await at.rows()).items;
  expect(voiding).toMatchObject({ isVoiding: true, actor: { name: "Lyceum" }, client: null });
  expect((await at.toVoid(voiding!.position)).body).toMatchObject({ code: "statements.voidsAnother" });
});

test("simultaneous voiding stores one voiding statement", async () => {
  const at = await room();
  await at.send(statementOf());
  const [{ position } = { position: 0 }] = (await at.rows()).items;
  const replies = await Promise.all([at.toVoid(position), at.toVoid(position), at.toVoid(position)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect((await at.rows()).total).toBe(2);
});

test("admins of another company and learners can neither see nor void statements", async () => {
  const [at, other] = [await room(), await room()];
  await at.send(statementOf());
  const [{ position } = { position: 0 }] = (await at.rows()).items;
  const foreign = await make.admin();
  await limitToCompany(server.db, foreign, other.company.id);
  expect((await as(foreign)(statements.list)).body.items).toEqual([]);
  expect((await as(foreign)(statements.list, { query: { companyId: at.company.id } })).body.items).toEqual([]);
  expect((await as(foreign)(statements.get, { params: { position } })).status).toBe(404);
  expect((await as(foreign)(statements.void, { params: { position }, body: { reason: "Not mine" } })).status).toBe(404);
  const { body } = await as(foreign)(statements.verbs, { query: { companyId: at.company.id } });
  expect(body.items).toEqual([]);
  expect((await as(at.learner)(statements.list)).status).toBe(403);
});

test("an erased person is listed without a name", async () => {
  const at = await room();
  const actor = {
    name: "Nora",
    account: { homePage: server.services.config.publicUrl, name: at.learner.user.id },
  };
  await at.send(statementOf({ actor }));
  await as(at.learner)(privacy.erase, { body: {} });
  expect((await at.rows()).items[0]).toMatchObject({ userId: null, actor: { kind: "erased", name: "" } });
});
