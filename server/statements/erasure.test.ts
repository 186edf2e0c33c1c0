import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { dumpText } from "#test/dump.ts";
import { createRecordClient, mixed, sha256 } from "#test/statements.ts";
import { statementOf } from "#test/statementOf.ts";
import { start } from "#test/start.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";

const server = await start();
const { as, db, make, services } = server;
const { company } = createRecordClient(server);

test("an erasure keeps what was done, under a random account that leads to no one", async () => {
  const { send, list, on, learner, company: of } = await company();
  await db.updateTable("users").set({ emailVerified: true }).where("id", "=", learner.user.id).execute();
  const secret = `secret-${randomUUID()}`;
  const account = { account: { homePage: services.config.publicUrl, name: learner.user.id } };
  const mailbox = { mbox: `mailto:${learner.user.email}`, name: secret };
  const own = statementOf({
    actor: account,
    result: { success: true, response: secret, extensions: { "a:b": secret } },
    context: { registration: randomUUID(), extensions: { "a:b": secret } },
    attachments: [
      {
        usageType: "a:b",
        display: { en: "x" },
        contentType: "text/plain",
        length: secret.length,
        sha2: sha256(secret),
      },
    ],
  });
  expect((await send(own, mixed(own, [{ hash: sha256(secret), bytes: secret }]))).statusCode).toBe(200);
  await send([statementOf({ actor: mailbox }), statementOf({ context: { instructor: mailbox } }), statementOf()]);
  const params = { activityId: "https://example.com/a", agent: JSON.stringify(mailbox), stateId: "s" };
  await on("/activities/state", { method: "PUT", params, body: { secret } });
  const linked = await db
    .selectFrom("statements")
    .where("companyId", "=", of.id)
    .where("userId", "=", learner.user.id)
    .select("id")
    .execute();
  expect(linked).toHaveLength(2);

  expect((await as(learner)(privacy.erase, { body: {} })).status).toBe(200);

  const { statements } = await list({ ascending: "true" });
  expect(statements).toHaveLength(4);
  const [first, second, third] = statements;
  expect(first).toMatchObject({ verb: own.verb, object: own.object, result: { success: true } });
  expect(first?.timestamp).toMatch(/T00:00:00.000Z$/);
  expect(first?.actor).toEqual(second?.actor);
  expect(third?.context?.instructor).toEqual(first?.actor);
  const agent = JSON.stringify(first?.actor);
  expect((await list({ agent })).statements).toHaveLength(2);
  const dump = await dumpText(services);
  for (const trace of [secret, Buffer.from(secret).toString("hex"), learner.user.id]) expect(dump).not.toContain(trace);
  expect((await on("/activities/state", { params })).statusCode).toBe(404);
});

test("strange extensions and SubStatements do not stop an erasure", async () => {
  const { send, list, learner } = await company();
  const secret = `secret-${randomUUID()}`;
  const actor = { account: { homePage: services.config.publicUrl, name: learner.user.id } };
  const inner = { ...statementOf({ actor }), objectType: "SubStatement", result: { response: secret } };
  const strange = { "a:b": { mbox: 5, mbox_sha1sum: [], openid: {}, account: 1 }, "a:c": { account: { name: 7 } } };
  const sent = [
    statementOf({ actor, object: inner }),
    statementOf({ context: { instructor: actor, extensions: strange } }),
  ];
  expect((await send(sent)).statusCode).toBe(200);
  expect((await as(learner)(privacy.erase, { body: {} })).status).toBe(200);
  expect((await list()).statements).toHaveLength(2);
  const dump = await dumpText(services);
  for (const trace of [secret, learner.user.id]) expect(dump).not.toContain(trace);
});

test("an export contains the person's own statements and documents, and no others", async () => {
  const { send, on, learner } = await company();
  const { account } = { account: { homePage: services.config.publicUrl, name: learner.user.id } };
  const [own, other] = [statementOf({ id: randomUUID(), actor: { account } }), statementOf({ id: randomUUID() })];
  await send([own, other]);
  const params = { activityId: "https://example.com/a", agent: JSON.stringify({ account }), stateId: "bookmark" };
  await on("/activities/state", { method: "PUT", params, body: { page: 7 } });
  const reply = await server.app.inject({
    url: privacy.export.path,
    headers: { authorization: `Bearer ${learner.token}` },
  });
  expect(reply.statusCode).toBe(200);
  expect(reply.body).toContain(own.id);
  expect(reply.body).not.toContain(other.id);
  expect(reply.body).toContain("bookmark");
});

test("an erasure includes the statements of a company that the person has left", async () => {
  const [before, now] = [await company(), await company()];
  const { learner } = before;
  const actor = { account: { homePage: services.config.publicUrl, name: learner.user.id } };
  await before.send([statementOf({ actor }), statementOf({ context: { instructor: actor } })]);
  const body = { ids: [learner.user.id], companyId: now.company.id };
  expect((await as(before.admin)(learners.move, { body })).status).toBe(200);
  await now.send(statementOf({ actor }));
  const again = await make.signIn(learner.user.email as string);
  expect((await as(again)(privacy.erase, { body: {} })).status).toBe(200);
  expect((await before.list()).statements).toHaveLength(2);
  expect(await dumpText(services)).not.toContain(learner.user.id);
});
