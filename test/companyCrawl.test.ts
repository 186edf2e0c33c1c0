import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { createRandom } from "#server/demo/random.ts";
import { auth } from "#shared/auth/auth.ts";
import { drafts } from "#shared/lessons/drafts.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { createCrawler, idsOf, isGet, isId, urlsOf, valuesOf, visitAll } from "#test/crawl.ts";
import { readCompanyRows } from "#test/companyRows.ts";
import { addLeader } from "#test/leaders.ts";
import { isLong, sampled, scaled } from "#test/long.ts";
import { listOperations, type Operation } from "#test/operations.ts";
import { holdsId, makeValue, rememberValues, type Schema, type SeenValues, withIds } from "#test/schemaInput.ts";
import { fillCompany } from "#test/probes.ts";
import { start } from "#test/start.ts";

// A manager, a learner and a leader of company A read everything they can. Those of company B then ask for every id
// they saw, in every operation that takes one. Managers of one company are admins whose account belongs to it, as in
// scope.test.ts; a leader is a learner who leads another one.

const SEED = Number(process.env.SEED ?? 1);
const random = createRandom(SEED);
const server = await start();
const { app, as, db } = server;
const origin = await app.listen({ host: "127.0.0.1", port: 0 });
afterAll(() => app.server.closeAllConnections());
const operations = listOperations((await app.inject("/api/openapi.json")).json());
/** These answer to everybody who has the code or link in their path, or the token of a session. */
const BY_LINK = ["previewCode", "invitation", "reset", "confirmation", "emailChange"]
  .map((name) => `auth.${name}`)
  .concat("eventRegistrations.mine", "eventRegistrations.exportMine", "player.lesson", "transcripts.open")
  .concat(["open", "sample", "person", "download"].map((name) => `auditPacks.${name}`));

/** What everybody may read who has the number of a certificate, or checks one or a badge of this issuer. */
const PUBLIC = ["verify", "publicProof", "heads", "headFeed", "head", "timestamp"]
  .map((name) => `certificates.${name}`)
  .concat("badges.issuer", "badges.status");
/** Refused to admins of one company. */
const OF_ACADEMY = ["admins.list", "mailServer.get", "settings.policies", "settings.settings"];
/**
 * What these answer depends on their query or on a number in their path, which test/scope.test.ts and the tests of the
 * domain give them.
 */
const BY_QUERY = [
  "analysis.analytics",
  "analysis.conversations",
  "analysis.export",
  "analysisRuns.compare",
  "analysisRuns.get",
  "auditPacks.file",
  "badges.get",
  "badges.status",
  "catalogue.export",
  ...["head", "headFeed", "pdf", "timestamp"].map((name) => `certificates.${name}`),
  "certificates.picture",
  "conversations.stream",
  ...["choices", "export", "list"].map((name) => `groups.${name}`),
  "imports.rejected",
  "learners.export",
  "lessonDrafts.export",
  "lessonVersions.compare",
  "lessonVersions.compareLesson",
  "measures.pdf",
  "packageChecks.get",
  "packageChecks.seen",
  "rawData.attempts",
  "rawData.export",
  "rawData.history",
  "rawData.mine",
  "reports.export",
  "reports.pdf",
  "search.find",
  "statements.verbs",
  "requirements.export",
  "requirements.exportTeam",
  "team.export",
  "transcripts.file",
  "transcripts.pdf",
  "variables.sentValues",
];

const a = await fillCompany(server);
const b = await fillCompany(server);
const [leaderOfA, leaderOfB] = [await addLeader(server, a), await addLeader(server, b)];
for (const { manager, company } of [a, b]) await limitToCompany(db, manager, company.id);
await as(a.manager)(drafts.create, { body: { title: "Written by company A", language: "en" } });
/** Changes that can be undone are in no list: the people of company A were told their ids when they made them. */
const undoIds = ["courses.undo", "learners.undoSuspension"].map((name) => a.writes[name]?.id as string);

type Reader = { token: string; user: { email: string | null } };
const { call, crawl } = createCrawler(origin, operations, async (person: Reader) =>
  Object.assign(person, await server.make.signIn(person.user.email as string)),
);
const readByA = new Set<string>();
const seenByA = await crawl([a.manager, a.learner, leaderOfA], (url) => readByA.add(url));
/** Every value of the rows of a company. */
async function valuesOfRows(companyId: string) {
  const values: SeenValues = new Map();
  for (const row of await readCompanyRows(db, companyId))
    rememberValues(values, JSON.parse(row) as unknown, "", Infinity);
  return new Set(valuesOf(values).map(String));
}
const [ofA, ofB] = [await valuesOfRows(a.company.id), await valuesOfRows(b.company.id)];
const { rows: academyRows } = await sql<{ id: string }>`
  select id from courses
  union all
  select id from course_versions
  union all
  select id from variables
  union all
  select id from prompts
  union all
  select id from prompt_versions
  union all
  select id from connectors
  union all
  select id from paths
  union all
  select (step->>'id')::uuid from path_versions cross join jsonb_array_elements(steps) step`.execute(db);
const ofAcademy = new Set(academyRows.map(({ id }) => id));
const { rows: academyNames } = await sql<{ name: string }>`
  select key as name from variables
  union all
  select key from prompts
  union all
  select title from paths`.execute(db);
/** The academy names its things, and company B reads these names. */
const isInNames = (value: string) => academyNames.some(({ name }) => name.includes(value));
/** Two companies of one test have rows of the same minute. */
const isTime = (value: string) => /^\d{4}-\d\d-\d\dT/.test(value);
/** What only rows of company A hold, and its people saw. Words that are too short to be told apart say nothing. */
const marks = [...new Set([...valuesOf(seenByA.seen).map(String), ...undoIds])]
  .filter((mark) => !isTime(mark) && !isInNames(mark))
  .filter(
    (value) =>
      (ofA.has(value) || undoIds.includes(value)) && !ofB.has(value) && !ofAcademy.has(value) && value.length >= 8,
  );
const ids = marks.filter(isId);
/**
 * Courses, paths, versions and definitions of variables belong to the academy: company B may see them, but not what A
 * does with them.
 */
const sharedIds = idsOf(seenByA.seen).filter((id) => ofAcademy.has(id));
const inputs = readInputs();
const strangers = { manager: b.manager, learner: b.learner, leader: leaderOfB };
/** What a reply says about company A, besides what the request said. */
const leaks = (text: string, request: string) => {
  for (const mark of marks) if (!isId(mark) && request.includes(mark)) said.add(mark);
  return marks.filter((mark) => text.includes(mark) && !request.includes(mark) && !said.has(mark));
};
/** Words that company B has itself sent: it may have named a course of the academy with them. */
const said = new Set<string>();

test("the crawl of company A finds its records, and fails nowhere", async () => {
  expect(seenByA.wrong).toEqual([]);
  const { rows } = await sql<{ id: string }>`
    select id from users where company_id = ${a.company.id}
    union all
    select id from enrolments where company_id = ${a.company.id}
    union all
    select id from events where company_id = ${a.company.id}
    union all
    select id from sessions where company_id = ${a.company.id}
    union all
    select id from mails where company_id = ${a.company.id}`.execute(db);
  expect(rows.map(({ id }) => id).filter((id) => !ids.includes(id))).toEqual([]);
  const silent = operations
    .filter(isGet)
    .map(({ name }) => name)
    .filter((name) => !seenByA.answered.has(name));
  expect(silent.toSorted(), "GET operations of which the crawl got no answer").toEqual(
    [...BY_LINK, ...OF_ACADEMY, ...BY_QUERY].toSorted(),
  );
});

/** How many addresses are tried that company A got no answer from, for each operation. */
const OTHERS = 12;
/** The rows of company A are compared after as many operations; one by one in `npm run test:long`. */
const COMPARED = scaled(10, 1);
type Answer = Awaited<ReturnType<typeof call>>;
/** A reply without the id that was asked for, and without the times at which it was counted. */
const withoutTimes = (text: string, id: string) =>
  text.replaceAll(id, "").replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|"reqId":"[^"]*"/g, "");

/** What company A could read, and some of what it could not. */
const urlsToTry = (operation: Operation) => {
  const urls = urlsOf(operation, inputs);
  const others = urls.filter((url) => !readByA.has(url));
  return [...urls.filter((url) => readByA.has(url)), ...sampled(operation.name, others, OTHERS)];
};
/** Ids that a filter may hold: those that were found under its name, and some others. */
const idsToTry = (operation: Operation, name: string) => {
  const own = new Set([...(seenByA.seen.get(name) ?? [])].map(String).filter((id) => ids.includes(id)));
  const others = ids.filter((id) => !own.has(id));
  return [...own, ...sampled(`${operation.name} ${name}`, others, OTHERS)];
};

test("company B reads nothing of what company A saw", { timeout: 600_000 }, async () => {
  const wrong: unknown[] = [];
  for (const operation of operations.filter((one) => isGet(one) && !PUBLIC.includes(one.name))) {
    const queries = operation.parameters.filter(({ in: where, schema }) => where === "query" && holdsId(schema));
    const filters = operation.path.includes("{") ? [] : queries.map(({ name }) => name);
    const withFilter = (name: string, id: string) => `${operation.path}?${name}=${id}`;
    for (const [who, person] of Object.entries(strangers)) {
      const nobody = randomUUID();
      const unknown = new Map<string, Answer>();
      for (const name of filters) unknown.set(name, await call(person, "GET", withFilter(name, nobody)));
      const asked = filters.flatMap((name) => idsToTry(operation, name).map((id) => ({ name, id })));
      await visitAll(asked, async ({ name, id }) => {
        const url = withFilter(name, id);
        const asUnknown = unknown.get(name);
        const { status, text } = await call(person, "GET", url);
        if (status !== asUnknown?.status || withoutTimes(text, id) !== withoutTimes(asUnknown.text, nobody))
          wrong.push([operation.name, who, url, status, "tells that the id exists", text.slice(0, 300)]);
        if (leaks(text, url).length > 0) wrong.push([operation.name, who, url, status, leaks(text, url)]);
      });
    }
    await visitAll(urlsToTry(operation), async (url) => {
      for (const [who, person] of Object.entries(strangers)) {
        const { status, text } = await call(person, "GET", url);
        if (status === 0 || status > 499 || leaks(text, url).length > 0)
          wrong.push([operation.name, who, url, status, leaks(text, url)]);
      }
    });
  }
  expect(wrong.slice(0, 20)).toEqual([]);
});

test(`company B changes nothing of company A (seed ${SEED})`, { timeout: 3_600_000 }, async () => {
  const wrong: unknown[] = [];
  const before = JSON.stringify(await readCompanyRows(db, a.company.id));
  const takesIds = operations.filter(
    (one) => !isGet(one) && (one.path.includes("{") || holdsId(one.body ?? {})) && !one.path.includes("{token}"),
  );
  expect(takesIds.length).toBeGreaterThan(40);
  for (const [index, operation] of takesIds.entries()) {
    const targets = isLong ? [...ids, ...sharedIds] : targetsOf(operation);
    const urls = operation.path.includes("{")
      ? urlsOf(operation, new Map([["id", new Set(targets)]]))
      : [operation.path];
    for (const url of urls)
      for (let n = 0; n < trialsOf(url); n++)
        for (const [who, person] of Object.entries(strangers)) {
          const body = operation.body ? makeBody(operation.body) : {};
          const { status, text } = await call(
            person,
            operation.method,
            url,
            operation.method === "DELETE" ? undefined : body,
          );
          const request = url + JSON.stringify(body);
          if (status === 0 || status > 499 || leaks(text, request).length > 0)
            wrong.push([operation.name, who, url, status, leaks(text, request), JSON.stringify(body).slice(0, 300)]);
        }
    const isCompared = (index + 1) % COMPARED === 0 || index === takesIds.length - 1;
    if (isCompared && JSON.stringify(await readCompanyRows(db, a.company.id)) !== before) {
      const suspects = takesIds.slice(Math.floor(index / COMPARED) * COMPARED, index + 1).map(({ name }) => name);
      wrong.push([suspects, "changed rows of company A"]);
      break;
    }
  }
  expect(wrong.slice(0, 20)).toEqual([]);
  // They were refused for what they asked, not because they had been signed out.
  for (const person of Object.values(strangers)) expect((await as(person)(auth.me)).status).toBe(200);
});

/** How many things of company A an operation is asked to change: those that it can read by the same path. */
const [OF_THE_KIND, OF_ANY_KIND, OF_THE_ACADEMY] = [4, 2, 2];
function targetsOf({ name, path }: Operation) {
  const root = path.slice(0, path.indexOf("{"));
  const read = [...readByA].filter((url) => url.startsWith(root)).map((url) => url.slice(root.length).split(/[/?]/)[0]);
  const kind = ids.filter((id) => read.includes(id));
  return [
    ...sampled(name, kind, OF_THE_KIND),
    ...sampled(`${name} of any kind`, ids, OF_ANY_KIND + (kind.length > 0 ? 0 : OF_THE_KIND)),
    ...sampled(name, sharedIds, OF_THE_ACADEMY),
  ];
}

/** A course of the academy, or no id in the path: what counts is in the body. */
const trialsOf = (url: string) => (ids.some((id) => url.includes(id)) ? 1 : scaled(2, 100));
/** What company A saw, as input for requests: no values of company B, and no random ids. */
function readInputs(): SeenValues {
  const known = new Set(marks);
  const isInput = (value: string | number) => typeof value === "number" || known.has(value) || ofAcademy.has(value);
  const read = new Map([...seenByA.seen].map(([name, values]) => [name, new Set([...values].filter(isInput))]));
  const idsIn = (name: string) => new Set([...(read.get(name) ?? [])].filter(isId));
  for (const name of ["userId", "companyId", "courseId"]) read.set(`${name}s`, idsIn(name));
  return read.set("ids", new Set([...idsIn("id"), ...idsIn("userId")]));
}
function makeBody(schema: Schema) {
  const body = makeValue(random, inputs, withIds(schema)) as Record<string, unknown>;
  // Bulk actions take either rows or a filter.
  const rows = "ids" in body ? "ids" : "userIds";
  if ("filter" in body) delete body[random() < 0.7 ? "filter" : rows];
  return body;
}
