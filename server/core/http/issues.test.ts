import { expect, test } from "vitest";
import { createRandom } from "#server/demo/random.ts";
import { companies } from "#shared/companies/companies.ts";
import { learners } from "#shared/learners/learners.ts";
import { errorTexts } from "#server/core/http/problem.ts";
import { scaled } from "#test/long.ts";
import { listOperations, type Operation } from "#test/operations.ts";
import { breakValue, type Json, makeHostile, makeValue } from "#test/schemaInput.ts";
import { start } from "#test/start.ts";

const { app, make, as } = await start();
const operations = listOperations((await app.inject("/api/openapi.json")).json());
type Issue = { path: string; code: string; message: string };

/** What occurs only in messages of the validator (`zod/v4/locales/en.js`). */
const RAW = new RegExp(
  [
    "Too small",
    "Too big",
    "Invalid (?!email address$)",
    "expected",
    "received",
    "Unrecognized",
    "[<>]=",
    String.raw`\b(UUID|ISO|NaN|undefined)\b`,
    "pattern",
  ].join("|"),
);
const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** The texts as patterns: `{{count}}` stands for anything. */
const patterns = new Map(
  Object.entries(errorTexts).map(([code, text]) => [
    code,
    new RegExp(
      `^${text
        .split(/\{\{\w+\}\}/)
        .map(escapePattern)
        .join("[^]*")}$`,
    ),
  ]),
);
const isOurs = ({ code, message }: Issue) =>
  [code, `${code}_one`].some((key) => patterns.get(key)?.test(message)) && !RAW.test(message);

/** Every value of an object replaced by the same one. */
const fill = (value: Json, by: Json): Json =>
  value === null || typeof value !== "object" || Array.isArray(value)
    ? by
    : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, by)]));
const FILLINGS: Json[] = [
  "",
  " ",
  null,
  -1,
  0.5,
  1e308,
  [],
  {},
  [""],
  [{}],
  ["x".repeat(5000)],
  true,
  "x".repeat(6000),
  "\0",
];
const random = createRandom(4711);
const asText = (value: Json) =>
  (typeof value === "string" ? value : JSON.stringify(value)).toWellFormed().slice(0, 3000);

function makeRequests({ path, parameters, body, method }: Operation) {
  const at = (where: string) => parameters.filter((one) => one.in === where);
  let url = path;
  for (const { name, schema } of at("path"))
    url = url.replace(`{${name}}`, encodeURIComponent(asText(makeValue(random, new Map(), schema, name))));
  const searches = at("query").flatMap(({ name }) =>
    [...FILLINGS, makeHostile(random)].map((value) => `${url}?${name}=${encodeURIComponent(asText(value))}`),
  );
  if (method === "GET" || !body) return searches.map((one) => ({ url: one, payload: undefined }));
  const valid = () => makeValue(random, new Map(), body);
  return [
    ...FILLINGS.map((by) => fill(valid(), by)),
    ...Array.from({ length: scaled(10, 200) }, () => breakValue(random, valid())),
  ].map((payload) => ({ url, payload }));
}

test("every invalid field of every operation is explained by our texts", { timeout: 600_000 }, async () => {
  const { admin, learner } = await make.classroom();
  const raw = new Map<string, Issue>();
  const codes = new Set<string>();
  for (const operation of operations)
    for (const { url, payload } of makeRequests(operation)) {
      const person = operation.name.startsWith("accounts.") || operation.name.startsWith("auth.") ? learner : admin;
      const reply = await app.inject({
        method: operation.method as "POST",
        url,
        headers: { authorization: `Bearer ${person.token}`, "content-type": "application/json" },
        ...(payload !== undefined && { payload: JSON.stringify(payload) }),
      });
      if (reply.statusCode !== 422) continue;
      for (const issue of reply.json<{ issues?: Issue[] }>().issues ?? []) {
        codes.add(issue.code);
        if (!isOurs(issue) || issue.message.length > 300)
          raw.set(`${operation.name} ${issue.path.slice(0, 80)}`, issue);
      }
    }
  expect([...raw].slice(0, 20)).toEqual([]);
  expect([...codes]).toEqual(expect.arrayContaining(["core.tooLong", "core.tooSmall", "core.notNumber"]));
});

test("an issue says what to do, by its kind and the name of its field", async () => {
  const { admin } = await make.classroom();
  const issuesOf = async (body: object) =>
    ((await as(admin)(companies.create, { body: body as never })).body as unknown as { issues: Issue[] }).issues;
  const named = { path: "name", code: "core.missing.name", message: "Enter a name." };
  for (const nameless of [{}, { name: "" }, { name: "  " }, { name: null }])
    expect(await issuesOf(nameless)).toEqual([named]);
  expect(await issuesOf({ name: "x".repeat(1000), learnerLimit: 0, language: 7 })).toEqual([
    { path: "name", code: "core.tooLong", message: "Use at most 120 characters." },
    { path: "learnerLimit", code: "core.tooSmall", message: "Enter 1 or more." },
  ]);
  expect(await issuesOf({ name: ["x"] })).toEqual([{ path: "name", code: "core.notText", message: "Enter text." }]);
  const invited = await as(admin)(learners.invite, {
    body: { companyId: "7", people: [{ email: "nobody" }, {} as never] },
  });
  expect((invited.body as unknown as { issues: Issue[] }).issues).toEqual([
    { path: "companyId", code: "core.badId", message: "This is not a valid ID. Choose an existing entry." },
    { path: "people.0.email", code: "core.badEmail", message: "Enter an email address like name@example.com." },
    { path: "people.1.email", code: "core.missing.email", message: "Enter an email address." },
  ]);
});

test("a deeply nested body is refused before a schema recurses into it", async () => {
  const { admin } = await make.classroom();
  const send = async (depth: number) => {
    const value = `${"[".repeat(depth)}${"]".repeat(depth)}`;
    const reply = await app.inject({
      method: "POST",
      url: "/api/variables",
      headers: { authorization: `Bearer ${admin.token}`, "content-type": "application/json" },
      payload: `{"label":"Deep","key":"deep","type":"json","constraints":{"default":${value}}}`,
    });
    return [reply.statusCode, reply.json<{ code: string }>().code];
  };
  expect(await send(3000)).toEqual([422, "core.tooDeep"]);
  expect(await send(30_000)).toEqual([422, "core.tooDeep"]);
});
