import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { createRandom } from "#server/demo/random.ts";
import { committer, openPart } from "#test/commits.ts";
import { apiKeys } from "#shared/apiKeys/apiKeys.ts";
import { auth } from "#shared/auth/auth.ts";
import { VISITOR_HEADER } from "#shared/conversations/conversations.ts";
import { keyScope } from "#shared/core/users.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { learners } from "#shared/learners/learners.ts";
import { SESSION_HEADER } from "#shared/player/player.ts";
import { createBotMaker } from "#test/bots.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { readCompanyRows } from "#test/companyRows.ts";
import { createEventMaker } from "#test/events.ts";
import { scaled } from "#test/long.ts";
import { listOperations, type Operation, type Sent, sendTo } from "#test/operations.ts";
import {
  breakValue,
  type Json,
  makeHostile,
  makeValue,
  pick,
  type Random,
  rememberValues,
  type SeenValues,
} from "#test/schemaInput.ts";
import { fillCompany } from "#test/probes.ts";
import { start } from "#test/start.ts";

// Every operation of the OpenAPI document, called by guests, visitors of a chatbot, learners, admins of one company and
// of the academy, and API keys, with input that is valid, wrong, huge, nested, foreign or not text: no answer is above
// 499, and none is missing. SEED=… repeats a run, ROUNDS=… makes it longer.

const SEED = Number(process.env.SEED ?? (process.env.LONG ? Date.now() % 1_000_000 : 4711));
const ROUNDS = Number(process.env.ROUNDS ?? scaled(1, 60));
const ROLES = ["guest", "visitor", "learner", "manager", "admin", "key"] as const;

const errors: string[] = [];
const server = await start({}, (line) => {
  if (/"level":(50|60)/.test(line)) errors.push(line.slice(0, 1500));
});
const { app, make, as, db } = server;
const origin = await app.listen({ host: "127.0.0.1", port: 0 });
afterAll(() => app.server.closeAllConnections());
const operations = listOperations((await app.inject("/api/openapi.json")).json());
/** Values seen, by field, by domain and field (`courses.id`), and the last version of each id. */
const seen: SeenValues = new Map();
const versions = new Map<string, number>();
const domainOf = ({ name }: Operation) => name.split(".")[0] as string;

/** People and rows to work with. Called again when the fuzzing itself has locked them out. */
async function createPeople() {
  const { admin, learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  await committer(as)(session, { events: openPart() });
  const events = createEventMaker(server);
  const event = await events.createPublished(admin, { visibility: "public", capacity: 500 });
  const { body: registration } = await as(admin)(eventRegistrations.add, {
    params: { id: event.id },
    body: { name: "Gerd Guest", email: `gerd-${SEED}-${event.slug}@example.com`, state: "confirmed" },
  });
  const guest = await events.registerGuest(event);
  await as(null)(auth.requestReset, { body: { email: learner.user.email } });
  await as(admin)(learners.invite, {
    body: { companyId: company.id, people: [{ email: `ines-${event.slug}@example.com` }] },
  });
  const { rows: links } = await sql<{ token: string }>`
    select (regexp_matches(body, '(?:=|/)([\\w.-]{30,})', 'g'))[1] as token from mails`.execute(db);
  seen.set("token", new Set([guest.token, ...links.map(({ token }) => token)]));
  seen.set("code", new Set([company.accessCode]));
  for (const field of ["password", "current"]) seen.set(field, new Set([learner.password]));
  remember("learners", [{ ...learner.user, version: 1 }]);
  remember("companies", company);
  remember("courses", course);
  remember("events", event);
  remember("eventRegistrations", [registration, { version: event.version, id: event.id }]);
  const { admin: manager } = await make.classroom();
  await limitToCompany(db, manager, company.id);
  const scopes = keyScope.options;
  const { body: apiKey } = await as(admin)(apiKeys.create, { body: { name: "Fuzz", scopes, companyId: null } });
  const bots = createBotMaker(server);
  const visitor = await bots.visit(await bots.createBot(admin, { access: "public" }));
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const headers: Record<(typeof ROLES)[number], Record<string, string>> = {
    guest: {},
    visitor: { [VISITOR_HEADER]: visitor },
    learner: bearer(learner.token),
    manager: bearer(manager.token),
    admin: bearer(admin.token),
    key: bearer(apiKey.key),
  };
  return { headers, session };
}

/** Rows of every domain, by their columns. */
async function rememberRows() {
  const { company } = await fillCompany(server);
  for (const row of await readCompanyRows(db, company.id)) rememberValues(seen, JSON.parse(row) as unknown);
}

/** Rows with a version are of the kind of their domain; the ids of other rows are of any kind. */
function remember(domain: string, reply: unknown) {
  rememberValues(seen, reply);
  const { items = [] } = reply as { items?: unknown[] };
  for (const row of [reply, items].flat(2) as { id?: string; version?: number }[]) {
    if (!row?.id || !row.version) continue;
    const ids = seen.get(`${domain}.id`) ?? new Set();
    if (ids.size < 100) seen.set(`${domain}.id`, ids.add(row.id));
    versions.set(row.id, row.version);
  }
}

/** The values seen that fit an operation: ids of its own kind, and the version of the row that its path names. */
function valuesFor(domain: string, pathId: string): SeenValues {
  const idsOf = (kind: string) => seen.get(`${kind}.id`) ?? new Set();
  const version = versions.get(pathId);
  return new Map([
    ...seen,
    ...["id", "ids"].map((name) => [name, idsOf(domain)] as const),
    ...["userId", "userIds", "personId", "actorId"].map((name) => [name, idsOf("learners")] as const),
    ...["companyId", "companyIds"].map((name) => [name, idsOf("companies")] as const),
    ...["courseId", "courseIds"].map((name) => [name, idsOf("courses")] as const),
    ...(version ? [["version", new Set([version])] as const] : []),
  ]);
}

function makeRequest(random: Random, operation: Operation): Sent {
  const { method, path, parameters, body: schema } = operation;
  const isBroken = (part: number) => random() < part;
  const domain = domainOf(operation);
  let pathId = "";
  let url = path;
  const search: string[] = [];
  for (const { name, in: where, schema: shape, required } of parameters) {
    if (where === "query" && !required && random() < 0.4) continue;
    const isHostile = isBroken(0.12);
    const value = asText(isHostile ? makeHostile(random) : makeValue(random, valuesFor(domain, ""), shape, name));
    if (where === "path") pathId ||= value;
    if (where === "path") url = url.replace(`{${name}}`, encode(random, value).slice(0, 3000));
    else search.push(`${name}${pick(random, ["", "", "", "", "[]", "[a]"])}=${encode(random, value).slice(0, 6000)}`);
  }
  if (isBroken(0.1))
    search.push(pick(random, ["page=0", "size=1e9", "__proto__=1", "a=%zz", "userId=%00", "&&=&", "q[]=1&q[]=2"]));
  if (search.length > 0) url += `?${search.join("&")}`;
  if (method === "GET" || method === "DELETE") return { method, url, type: "", body: undefined };
  const valid = schema ? makeValue(random, valuesFor(domain, pathId), schema) : null;
  return { method, url, ...encodeBody(random, isBroken(0.5) ? breakValue(random, valid) : valid) };
}

const asText = (value: Json) => (typeof value === "string" ? value : JSON.stringify(value)).toWellFormed();
const encode = (random: Random, text: string) =>
  random() < 0.03 ? pick(random, ["%zz", "%ff%fe", "%00", "%2f..", ""]) : encodeURIComponent(text);

/** A body as JSON, now and then cut off, compressed, in another encoding or with another type. */
function encodeBody(random: Random, value: Json): Pick<Sent, "type" | "body"> {
  const type = "application/json";
  const text = JSON.stringify(value);
  const how = random();
  if (how < 0.9) return { type, body: text };
  return pick<() => Pick<Sent, "type" | "body">>(random, [
    () => ({ type, body: text.slice(0, Math.floor(text.length / 2)) }),
    () => ({ type, body: "" }),
    () => ({ type, body: "[".repeat(30_000) }),
    () => ({ type, body: `{"a":${"9".repeat(5000)}}` }),
    () => ({ type, body: Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x80]) }),
    () => ({ type, body: gzipSync(text) }),
    () => ({ type: "application/json; charset=utf-16", body: text }),
    () => ({ type: "text/plain", body: text }),
    () => ({ type: "application/x-www-form-urlencoded", body: "a=1&a[b]=2" }),
    () => ({ type: "multipart/form-data; boundary=x", body: "--x\r\n\r\n" }),
    () => ({ type: "application/json;;;=", body: text }),
  ])();
}

const shorten = (text: unknown) => String(text).slice(0, 600);

/** One object, unlike an export in lines of JSON. */
const isJson = (text: string) => text.startsWith("{") && !text.includes("}\n{");

test(`no input makes an operation fail or hang (seed ${SEED})`, { timeout: 3_600_000 }, async () => {
  const random = createRandom(SEED);
  await rememberRows();
  let people = await createPeople();
  const wrong: unknown[] = [];
  const statuses = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++)
    for (const operation of operations)
      for (const role of ROLES) {
        const sent = makeRequest(random, operation);
        const { session } = people;
        const isCommit = operation.name === "player.commit" && random() < 0.7;
        if (isCommit) sent.url = sent.url.replace(/sessions\/[^/]*/, `sessions/${session.sessionId}`);
        const reply = await sendTo(origin, sent, {
          ...people.headers[role],
          ...(isCommit && { [SESSION_HEADER]: session.token }),
          // Guests from many networks, so that no limit hides what is behind it
          "x-forwarded-for": `203.0.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}`,
        });
        const kind = `${Math.floor(reply.status / 100)}xx`;
        statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
        if (reply.status > 499 || reply.status === 0)
          wrong.push([
            operation.name,
            role,
            reply.status,
            shorten(reply.text),
            sent.method,
            shorten(sent.url),
            sent.type,
            shorten(sent.body),
            errors.at(-1),
          ]);
        if (reply.status === 200 && isJson(reply.text)) remember(domainOf(operation), JSON.parse(reply.text));
        const isLockedOut =
          reply.status === 401 && !["guest", "visitor"].includes(role) && !/reauth|password/i.test(reply.text);
        if (isLockedOut) people = await createPeople();
      }
  console.info(`fuzz: seed ${SEED}, ${JSON.stringify(Object.fromEntries(statuses))}`);
  expect(wrong.slice(0, 10)).toEqual([]);
  // The server is well afterwards: nothing unexpected was logged, and a learner can learn.
  expect(errors).toEqual([]);
  expect((await sendTo(origin, { method: "GET", url: "/api/health", type: "", body: undefined }, {})).status).toBe(200);
  const { session } = await createPeople();
  expect((await committer(as)(session, { events: openPart(3) })).status).toBe(200);
  // Many requests get past validation and policies; the exact number depends on the seed.
  expect(statuses.get("2xx") ?? 0).toBeGreaterThan(operations.length / 2);
});
