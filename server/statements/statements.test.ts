import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { expect, test } from "vitest";
import { createRecordClient, mixed, sha256 } from "#test/statements.ts";
import { statementOf } from "#test/statementOf.ts";
import { start } from "#test/start.ts";
import { statements as contracts } from "#shared/statements/statements.ts";
import { SIGNATURE, VOIDED } from "#shared/statements/xapi.ts";

const server = await start();
const { company, createKey, call } = createRecordClient(server);
const own = await company();
const { send, list, on } = own;

test("a stored statement comes back as it was sent, with what the store adds", async () => {
  const id = randomUUID();
  const sent = statementOf({
    id,
    result: { score: { scaled: 0.5 }, duration: "PT1M" },
    timestamp: "2026-03-29T01:30:00+01:00",
  });
  expect((await send(sent)).json()).toEqual([id]);
  const stored = (await on("/statements", { params: { statementId: id } })).json<Record<string, unknown>>();
  expect(stored).toMatchObject({ ...sent, version: "1.0.0", authority: { account: { name: own.key.userName } } });
  expect(Date.parse(stored.stored as string)).toBeGreaterThan(Date.now() - 60_000);
  const current = statementOf({ id: randomUUID(), timestamp: "2026-03-29T01:30:00+01:00" });
  await send(current, { version: "2.0.0" });
  const { timestamp, version } = (await on("/statements", { params: { statementId: current.id as string } })).json<{
    timestamp: string;
    version: string;
  }>();
  expect([timestamp, version]).toEqual(["2026-03-29T00:30:00.000Z", "2.0.0"]);
});

test.each<[string, Record<string, unknown>]>([
  ["an actor without identifier", { actor: { name: "Ada" } }],
  ["two identifiers", { actor: { mbox: "mailto:a@example.com", openid: "https://example.com/a" } }],
  ["an anonymous group without members", { actor: { objectType: "Group" } }],
  ["a group within a group", { actor: { objectType: "Group", member: [{ objectType: "Group", member: [] }] } }],
  ["a verb that is no IRI", { verb: { id: "completed" } }],
  ["a language that is none", { verb: { id: "https://example.com/v", display: { "a-very-long-tag": "x" } } }],
  ["an unknown member", { colour: "red" }],
  ["null", { result: { success: null } }],
  ["a scaled score above 1", { result: { score: { scaled: 1.01 } } }],
  ["a raw score below min", { result: { score: { raw: 1, min: 2, max: 3 } } }],
  ["a duration that is none", { result: { duration: "1 minute" } }],
  ["a day that does not exist", { timestamp: "2026-02-30T00:00:00Z" }],
  ["a negative offset of zero", { timestamp: "2026-02-20T00:00:00-00:00" }],
  [
    "a SubStatement within a SubStatement",
    {
      object: {
        ...statementOf(),
        objectType: "SubStatement",
        object: { ...statementOf(), objectType: "SubStatement" },
      },
    },
  ],
  [
    "a platform where the object is an agent",
    { object: { objectType: "Agent", mbox: "mailto:a@b.de" }, context: { platform: "x" } },
  ],
  [
    "components of another type of interactions",
    { object: { id: "https://example.com/q", definition: { interactionType: "numeric", choices: [] } } },
  ],
  ["an extension whose key is no IRI", { context: { extensions: { key: 1 } } }],
  [
    "an attachment without its bytes",
    {
      attachments: [
        {
          usageType: "https://example.com/u",
          display: { en: "x" },
          contentType: "text/plain",
          length: 1,
          sha2: sha256("x"),
        },
      ],
    },
  ],
  [
    "people of version 2.0",
    { context: { contextAgents: [{ objectType: "contextAgent", agent: { mbox: "mailto:a@b.de" } }] } },
  ],
])("refuses %s, and stores nothing of the request", async (_, changes) => {
  const good = statementOf({ id: randomUUID() });
  const reply = await send([good, statementOf(changes)]);
  expect([reply.statusCode, reply.json<{ code: string }>().code]).toEqual([400, "statements.badRequest"]);
  expect((await on("/statements", { params: { statementId: good.id as string } })).statusCode).toBe(404);
});

test("a repeated statement is stored once, a different one with its id is refused", async () => {
  const sent = statementOf({ id: randomUUID(), result: { success: true } });
  const replies = await Promise.all(Array.from({ length: 6 }, () => send(sent)));
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200]);
  expect((await send({ ...sent, verb: { ...sent.verb, display: { de: "beendet" } } })).statusCode).toBe(200);
  expect((await send({ ...sent, result: { success: false } })).statusCode).toBe(409);
  const { statements } = await list({ activity: (sent.object as { id: string }).id });
  expect(statements).toHaveLength(1);
  expect((await send([sent, sent])).statusCode).toBe(400);
});

test("a voided statement is found only by voidedStatementId; the voiding one stays", async () => {
  const sent = statementOf({ id: randomUUID() });
  const voiding = (target: string, id = randomUUID()) =>
    statementOf({ id, verb: { id: VOIDED }, object: { objectType: "StatementRef", id: target } });
  const first = voiding(sent.id as string);
  await send(sent);
  await send(first);
  await send(voiding(first.id as string));
  const get = async (name: string, id: string) => (await on("/statements", { params: { [name]: id } })).statusCode;
  expect(await get("statementId", sent.id as string)).toBe(404);
  expect(await get("voidedStatementId", sent.id as string)).toBe(200);
  expect(await get("statementId", first.id as string)).toBe(200);
  const { statements } = await list({ activity: (sent.object as { id: string }).id });
  expect(statements.map(({ id }) => id)).toContain(first.id);
  expect(statements.map(({ id }) => id)).not.toContain(sent.id);
  const late = statementOf({ id: randomUUID() });
  await send(voiding(late.id as string));
  await send(late);
  expect(await get("statementId", late.id as string)).toBe(404);
});

test("filters find by agent, activity, registration and time, also related statements", async () => {
  const agent = { mbox: `mailto:${randomUUID()}@example.com` };
  const activity = `https://example.com/${randomUUID()}`;
  const registration = randomUUID();
  const ids = Array.from({ length: 3 }, () => randomUUID());
  await send(statementOf({ id: ids[0], actor: { objectType: "Group", member: [agent] } }));
  await send(
    statementOf({
      id: ids[1],
      context: { instructor: agent, registration, contextActivities: { parent: { id: activity } } },
    }),
  );
  await send(
    statementOf({ id: ids[2], object: { ...statementOf({ object: { id: activity } }), objectType: "SubStatement" } }),
  );
  const found = async (params: Record<string, string>) =>
    (await list({ ascending: "true", ...params })).statements.map(({ id }) => id);
  const named = JSON.stringify(agent);
  expect(await found({ agent: named })).toEqual([ids[0]]);
  expect(await found({ agent: named, related_agents: "true" })).toEqual([ids[0], ids[1]]);
  expect(await found({ activity })).toEqual([]);
  expect(await found({ activity, related_activities: "true" })).toEqual([ids[1], ids[2]]);
  expect(await found({ activity, related_activities: "true", agent: named, related_agents: "true" })).toEqual([ids[1]]);
  expect(await found({ registration })).toEqual([ids[1]]);
  const { stored } = (await on("/statements", { params: { statementId: ids[1] as string } })).json<{
    stored: string;
  }>();
  expect(await found({ agent: named, related_agents: "true", since: stored })).toEqual([]);
  expect(await found({ agent: named, related_agents: "true", until: stored })).toEqual([ids[0], ids[1]]);
  const wrong: Record<string, string>[] = [
    { limit: "-1" },
    { colour: "red" },
    { agent: "{" },
    { statementId: randomUUID(), verb: "a:b" },
  ];
  for (const params of wrong) expect((await on("/statements", { params })).statusCode).toBe(400);
});

test("the pages of a list contain every statement once, only for its company", async () => {
  const verb = { id: `https://example.com/verbs/${randomUUID()}` };
  await send(Array.from({ length: 7 }, () => statementOf({ verb })));
  const seen: string[] = [];
  let page = await list({ verb: verb.id, limit: "3" });
  const { more } = page;
  for (;;) {
    seen.push(...page.statements.map(({ id }) => id));
    if (!page.more) break;
    const cursor = new URLSearchParams(page.more.split("?")[1]).get("more") as string;
    page = await list({ more: cursor });
  }
  expect([seen.length, new Set(seen).size]).toEqual([7, 7]);
  const cursor = new URLSearchParams(more.split("?")[1]).get("more") as string;
  const other = await company();
  expect((await other.on("/statements", { params: { more: cursor } })).statusCode).toBe(400);
  expect((await on("/statements", { params: { more: `x${cursor}` } })).statusCode).toBe(400);
});

test("format “ids” leaves out names; “canonical” has stored texts in one language", async () => {
  const activity = `https://example.com/${randomUUID()}`;
  const id = randomUUID();
  await send(statementOf({ object: { id: activity, definition: { name: { de: "Kurs" } } } }));
  await send(
    statementOf({
      id,
      actor: { name: "Ada", mbox: "mailto:ada@example.com" },
      object: { id: activity, definition: { name: { en: "Course" } } },
    }),
  );
  const get = async (format: string, language = "de") =>
    (await on("/statements", { params: { statementId: id, format }, headers: { "accept-language": language } })).json<{
      actor: object;
      object: object;
    }>();
  expect(await get("ids")).toMatchObject({ actor: { mbox: "mailto:ada@example.com" }, object: { id: activity } });
  expect((await get("ids")).actor).not.toHaveProperty("name");
  expect((await get("canonical")).object).toEqual({ id: activity, definition: { name: { de: "Kurs" } } });
  expect((await get("canonical", "en-GB,de;q=0.5")).object).toMatchObject({ definition: { name: { en: "Course" } } });
  const known = (await on("/activities", { params: { activityId: activity } })).json<object>();
  expect(known).toMatchObject({ definition: { name: { de: "Kurs", en: "Course" } } });
});

test("attachments are stored once and sent with their statements", async () => {
  const bytes = "the text of an attachment";
  const attachment = {
    usageType: "https://example.com/text",
    display: { en: "Text" },
    contentType: "text/plain",
    length: bytes.length,
    sha2: sha256(bytes),
  };
  const sent = statementOf({ id: randomUUID(), attachments: [attachment] });
  expect((await send(sent, mixedSent(sent, bytes, attachment.sha2))).statusCode).toBe(200);
  const reply = await on("/statements", { params: { statementId: sent.id as string, attachments: "true" } });
  expect(reply.headers["content-type"]).toMatch(/^multipart\/mixed/);
  expect(reply.body).toContain(bytes);
  expect(reply.body).toContain(`x-experience-api-hash: ${attachment.sha2}`);
  const forged = { ...sent, id: randomUUID() };
  expect((await send(forged, mixedSent(forged, "another text", attachment.sha2))).statusCode).toBe(400);
  expect((await send(forged, mixedSent(forged, "another text", sha256("another text")))).statusCode).toBe(400);
});
const mixedSent = (sent: unknown, bytes: string, hash: string) => mixed(sent, [{ hash, bytes }]);

test("a signed statement is stored only if the signature belongs to it", async () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jws = (payload: object, alg = "RS256") => {
    const text = [{ alg }, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
  };
  const post = (statement: object, signature: string, contentType = "application/octet-stream") => {
    const attachment = {
      usageType: SIGNATURE,
      display: { en: "Signature" },
      contentType,
      length: signature.length,
      sha2: sha256(signature),
    };
    const sent = { ...statement, attachments: [attachment] };
    return send(sent, mixed(sent, [{ hash: attachment.sha2, bytes: signature, type: contentType }]));
  };
  const statement = statementOf({ id: randomUUID(), timestamp: "2026-03-29T00:30:00Z" });
  expect((await post(statement, jws(statement))).statusCode).toBe(200);
  const other = { ...statement, id: randomUUID() };
  const replies = [
    await post(other, jws({ ...other, verb: { id: "https://example.com/failed" } })),
    await post(other, jws(other, "HS256")),
    await post(other, "not a JWS"),
    await post(other, jws(other), "text/plain"),
  ];
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400]);
});

test("two companies with the same ids cannot see or change each other's statements", async () => {
  const other = await company();
  const sent = statementOf({ id: randomUUID() });
  await send(sent);
  expect((await other.on("/statements", { params: { statementId: sent.id as string } })).statusCode).toBe(404);
  await other.send(statementOf({ verb: { id: VOIDED }, object: { objectType: "StatementRef", id: sent.id } }));
  expect((await on("/statements", { params: { statementId: sent.id as string } })).statusCode).toBe(200);
  expect((await other.send({ ...sent, result: { success: false } })).statusCode).toBe(200);
  // The other company had voided this id before it sent the statement.
  expect((await other.list()).statements.map(({ verb }) => verb.id)).toEqual([VOIDED]);
});

test("a key can do only what its scopes permit, and nothing once revoked", async () => {
  const status = async (authorization: string, path: string, method: "GET" | "POST" = "GET", body?: unknown) =>
    (await call(authorization, path, { method, ...(body !== undefined && { body }) })).statusCode;
  const writer = await createKey(own.admin, own.company.id, ["statements/write"]);
  expect(await status(writer.authorization, "/statements", "POST", statementOf())).toBe(200);
  expect(await status(writer.authorization, "/statements")).toBe(403);
  const mine = await createKey(own.admin, own.company.id, ["statements/write", "statements/read/mine"]);
  await call(mine.authorization, "/statements", { method: "POST", body: statementOf() });
  const read = (await call(mine.authorization, "/statements")).json<{ statements: unknown[] }>();
  expect(read.statements).toHaveLength(1);
  const reader = await createKey(own.admin, own.company.id, ["all/read"]);
  expect(await status(reader.authorization, "/statements", "POST", statementOf())).toBe(403);
  expect(await status(reader.authorization, "/statements")).toBe(200);
  await server.as(own.admin)(contracts.revokeClient, { params: { id: reader.id } });
  expect(await status(reader.authorization, "/statements")).toBe(401);
  const wrong = `Basic ${Buffer.from(`${mine.userName}:wrong`).toString("base64")}`;
  expect(await status(wrong, "/statements")).toBe(401);
});
