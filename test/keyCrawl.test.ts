import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { listContracts } from "#server/endpoints.ts";
import { apiKeys, KEY_REQUESTS_PER_MINUTE } from "#shared/apiKeys/apiKeys.ts";
import { keyScope } from "#shared/core/users.ts";
import { variables } from "#shared/variables/variables.ts";
import { readCompanyRows } from "#test/companyRows.ts";
import { isId } from "#test/crawl.ts";
import { fillCompany } from "#test/probes.ts";
import { listOperations, sendTo } from "#test/operations.ts";
import { rememberValues, type Schema, type SeenValues } from "#test/schemaInput.ts";
import { start } from "#test/start.ts";

// What an API key of company B can find out about company A, in every operation that keys may call

const server = await start();
const { app, as, db } = server;
const origin = await app.listen({ host: "127.0.0.1", port: 0 });
afterAll(() => app.server.closeAllConnections());
const [a, b] = [await fillCompany(server), await fillCompany(server)];
const openToKeys = listContracts().flatMap(({ keyScope: scope, method, path }) =>
  scope ? [`${method} ${path.replace(/:(\w+)/g, "{$1}")}`] : [],
);
const operations = listOperations((await app.inject("/api/openapi.json")).json()).filter(({ method, path }) =>
  openToKeys.includes(`${method} ${path}`),
);

const createKey = async () => {
  const body = { name: "Crawl", scopes: keyScope.options, companyId: b.company.id };
  return (await as(b.manager)(apiKeys.create, { body })).body.key;
};
let [key, sent] = [await createKey(), 0];
/** Sends a request with a key that has requests left. */
async function call(method: string, url: string, body?: object) {
  if (++sent % KEY_REQUESTS_PER_MINUTE === 0) key = await createKey();
  const request = { method, url, type: "application/json", body: body && JSON.stringify(body) };
  const { status, text } = await sendTo(origin, request, { authorization: `Bearer ${key}` });
  return { status, text };
}

/** The courses and variables of a company, from its enrolments, with their versions. */
async function readDefinitions(companyId: string) {
  const { rows } = await sql<{ id: string; row: unknown }>`
    with own as (select course_id from enrolments where company_id = ${companyId}
      union select course_id from company_courses where company_id = ${companyId})
    select id::text, to_jsonb(c) as row from courses c where id in (select course_id from own)
    union all
    select id::text, to_jsonb(v) - 'parts'
    from course_versions v
    where course_id in (select course_id from own)
    union all select v.id::text, to_jsonb(v) from variables v join variable_courses c on c.variable_id = v.id
      where c.course_id in (select course_id from own)`.execute(db);
  return rows;
}
/** What tells one company from another in its rows and definitions: ids, names, codes and texts. */
async function marksOf(companyId: string) {
  const values: SeenValues = new Map();
  const rows = [
    ...(await readCompanyRows(db, companyId)).map((row) => JSON.parse(row) as unknown),
    ...(await readDefinitions(companyId)).map(({ row }) => row),
  ];
  for (const row of rows) rememberValues(values, row, "", Infinity);
  const texts = [...values.values()].flatMap((ofName) => [...ofName]).map(String);
  return new Set(texts.filter((text) => text.length >= 6 && !/^\d{4}-\d\d-\d\d/.test(text)));
}
const [ofA, ofB] = [await marksOf(a.company.id), await marksOf(b.company.id)];
/** Both were set up by people of the academy, whose ids are in the rows of both. */
const marks = [...ofA].filter((mark) => !ofB.has(mark));
const definitions = (await readDefinitions(a.company.id)).map(({ id }) => id).filter((id) => !ofB.has(id));
const ids = [...new Set([a.company.id, ...definitions, ...marks.filter(isId)])];

const holdsId = ({ format, items, anyOf = [] }: Schema): boolean =>
  format === "uuid" || [...anyOf, ...(items ? [items] : [])].some(holdsId);
/** A reply without the id that was asked for, and without what differs between two equal requests. */
const comparable = ({ status, text }: { status: number; text: string }, id: string) =>
  `${status} ${text.replaceAll(id, "").replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "")}`;

test("company A has courses and definitions that company B does not have", () => {
  expect(definitions.length).toBeGreaterThan(2);
  expect(operations.length).toBe(openToKeys.length);
});

test("a key of company B reads nothing of company A, its courses and variables", async () => {
  const wrong: unknown[] = [];
  for (const { path } of operations.filter(({ method, path }) => method === "GET" && !path.includes("{")))
    for (const query of ["", "?size=100", "?status=archived"]) {
      const { text } = await call("GET", path + query);
      for (const mark of marks)
        if (text.includes(JSON.stringify(mark))) wrong.push([path + query, mark, text.slice(0, 300)]);
    }
  expect(wrong.slice(0, 20)).toEqual([]);
});

test("for a key, an id of another company is an unknown one, in paths and filters", async () => {
  const wrong: unknown[] = [];
  const nobody = randomUUID();
  for (const { path, parameters } of operations.filter(({ method }) => method === "GET")) {
    const filters = parameters.filter(({ in: where, schema }) => where === "query" && holdsId(schema));
    const shapes = path.includes("{")
      ? [(id: string) => path.replace(/\{\w+\}/, id)]
      : filters.map(
          ({ name }) =>
            (id: string) =>
              `${path}?${name}=${id}`,
        );
    for (const urlOf of shapes) {
      const unknown = comparable(await call("GET", urlOf(nobody)), nobody);
      for (const id of ids) {
        const answer = comparable(await call("GET", urlOf(id)), id);
        if (answer !== unknown) wrong.push([urlOf(id), answer.slice(0, 200), unknown.slice(0, 200)]);
      }
    }
  }
  expect(wrong.slice(0, 20)).toEqual([]);
});

test("a key stores no value of a variable or course of another company", async () => {
  const write = (value: object) =>
    call("POST", variables.sendValues.path, { values: [{ id: randomUUID(), value: 1, ...value }] });
  const own = { userId: b.learner.user.id };
  const [ofOthers, free] = await Promise.all(
    [a.course.id, null].map((courseId) =>
      as(a.manager)(variables.create, {
        body: {
          key: `key_${randomUUID().slice(0, 8)}`,
          label: "Stress",
          type: "number",
          courses: courseId ? [{ courseId, access: "both" }] : [],
        },
      }),
    ),
  );
  if (!ofOthers || !free) throw new Error("Not defined");
  expect((await write({ ...own, variableId: free.body.id })).status).toBe(200);
  const courseId = a.course.id;
  for (const value of [
    { variableId: ofOthers.body.id },
    { variableId: free.body.id, courseId },
    { variableId: free.body.id, userId: a.learner.user.id },
  ])
    expect((await write({ ...own, ...value })).status).toBe(404);
});
