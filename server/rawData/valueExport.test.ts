import { unzipSync } from "fflate";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { exportRows } from "#server/core/export/exportRows.ts";
import { audit } from "#shared/audit/audit.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { type Person, start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

const server = await start();
const { app, as, db } = server;
const { createGroup, define, folded, setValues } = createValueMaker(server);

const get = (person: Person, query: Record<string, string>) =>
  app.inject({
    url: `${rawData.export.path}?${new URLSearchParams(query)}`,
    headers: { authorization: `Bearer ${person.token}` },
  });
type Line = Record<string, VariableValue>;
const linesOf = (body: string) => body.trimEnd().split("\r\n");
const objectsOf = (body: string) =>
  body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

/** Two learners: the first one with values of every kind, the second one with a rating. */
async function createValues() {
  const group = await createGroup(2);
  const { admin, course, sessions } = group;
  const courses = [{ courseId: course.id, access: "both" as const }];
  await define(admin, { key: "rating", label: "Rating", constraints: { min: 1, max: 10 }, courses });
  await define(admin, { key: "goal", label: "Goal", type: "text", courses });
  await define(admin, { key: "ready", label: "Ready", type: "boolean", courses });
  await define(admin, { key: "topics", label: "Topics", type: "multi", constraints: { options: ["a", "b"] }, courses });
  await define(admin, { key: "mobile", label: "Mobile", type: "text", privacy: "sensitive", courses });
  await setValues(sessions[0], [
    ["rating", 3],
    ["rating", 60],
    ["goal", '=HYPERLINK("x")\nsecond, line'],
    ["ready", true],
    ["topics", ["a", "b"]],
    ["mobile", "0171-secret"],
    ["mobile", "0172-secret"],
  ]);
  await setValues(sessions[1], [["rating", 5]]);
  await folded();
  return { ...group, courseId: course.id };
}

test("exports as many values as the list counts, and states their number", async () => {
  const { admin, courseId, company, course, learners, sessions } = await createValues();
  const { total } = (await as(admin)(rawData.list, { query: { courseId } })).body;
  const reply = await get(admin, { courseId, format: "jsonl" });
  expect([reply.statusCode, reply.headers["x-rows"], reply.headers["content-type"]]).toEqual([
    200,
    String(total),
    "application/jsonl; charset=utf-8",
  ]);
  const rows = objectsOf(reply.body);
  expect(rows).toHaveLength(8);
  expect(rows[0]).toEqual({
    recordedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    happenedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    company: company.name,
    learner: learners[1]?.user.name,
    email: learners[1]?.user.email,
    course: course.title,
    version: 1,
    attempt: 1,
    part: "Part one",
    variable: "Rating",
    key: "rating",
    type: "number",
    value: 5,
    previous: null,
    refused: null,
    source: "content",
    passedFrom: null,
    corrected: false,
    actor: "",
    reason: "",
    sessionId: sessions[1]?.sessionId,
    preview: false,
  });
  expect(rows.map(({ key, value, refused }) => [key, value, refused]).toSpliced(0, 3)).toEqual([
    ["topics", ["a", "b"], null],
    ["ready", true, null],
    ["goal", '=HYPERLINK("x")\nsecond, line', null],
    ["rating", 60, "aboveMax"],
    ["rating", 3, null],
  ]);
});

test("names the value before as the list does, corrections included", async () => {
  const { admin, courseId } = await createValues();
  const listed = async () => (await as(admin)(rawData.list, { query: { courseId } })).body.items;
  const refused = (await listed()).find(({ value }) => value === 60);
  await as(admin)(rawData.correct, {
    params: { valueId: String(refused?.id) } as never,
    body: { value: 6, reason: "typed by mistake" },
  });
  const visible = (await listed()).filter(({ privacy }) => privacy !== "sensitive");
  expect(visible.map(({ previous }) => previous)).toContain(3);
  const rows = objectsOf((await get(admin, { courseId, format: "jsonl" })).body);
  expect(
    rows
      .filter(({ key }) => key !== "mobile")
      .map(({ value, previous, corrected, reason }) => [value, previous, corrected, reason]),
  ).toEqual(visible.map(({ value, previous, corrected, reason }) => [value, previous, corrected, reason]));
});

test("no cell of a sheet is a formula, and codes are words", async () => {
  const { admin, courseId } = await createValues();
  const csv = await get(admin, { courseId });
  expect(csv.headers["content-disposition"]).toBe('attachment; filename="values.csv"');
  expect(csv.body).toMatch(
    /^\ufeffRecorded at,Happened at,Company,Learner,Email,Course,Version,Attempt,Part,Variable,/,
  );
  expect(csv.body).toContain(`,Goal,goal,Text,"'=HYPERLINK(""x"")\nsecond, line",,,Course,,No,`);
  expect(csv.body).toContain(",Rating,rating,Number,60,3,Above the maximum,Course,,No,");
  expect(csv.body).toContain(',Topics,topics,Multiple choice,"a; b",,,');
  expect(csv.body).toContain(",Ready,ready,Yes or no,Yes,,,");
  const xlsx = await get(admin, { courseId, format: "xlsx" });
  const sheet = Buffer.from(unzipSync(xlsx.rawPayload)["xl/worksheets/sheet1.xml"] as Uint8Array).toString();
  expect(sheet.match(/<row /g)).toHaveLength(9);
  expect(sheet).toContain("=HYPERLINK(&quot;x&quot;)");
  expect(sheet).not.toContain("<f>");
});

test("an export has the rows of the filter", async () => {
  const { admin, courseId, learners } = await createValues();
  const userId = learners[0]?.user.id as string;
  for (const [filter, count] of [
    [{ userId }, 7],
    [{ q: learners[1]?.user.email as string }, 1],
    [{ atLeast: "4", atMost: "9" }, 1],
    [{ contains: "HYPERLINK" }, 1],
    [{ contains: "secret" }, 0],
    [{ to: "2020-01-01" }, 0],
    [{ preview: "yes" }, 0],
  ] as [Record<string, string>, number][]) {
    const reply = await get(admin, { courseId, ...filter });
    expect([filter, reply.headers["x-rows"], linesOf(reply.body).length]).toEqual([filter, String(count), count + 1]);
  }
});

test("masks the values of sensitive variables in every format", async () => {
  const { admin, courseId } = await createValues();
  for (const format of ["csv", "jsonl"]) {
    const { body } = await get(admin, { courseId, format });
    expect([format, body.includes("secret")]).toEqual([format, false]);
  }
  const xlsx = await get(admin, { courseId, format: "xlsx" });
  const sheet = Buffer.from(unzipSync(xlsx.rawPayload)["xl/worksheets/sheet1.xml"] as Uint8Array).toString();
  expect(sheet).not.toContain("secret");
  const rows = objectsOf((await get(admin, { courseId, q: "mobile", format: "jsonl" })).body);
  expect(rows.map(({ value, previous }) => [value, previous])).toEqual([
    ["masked", "masked"],
    ["masked", null],
  ]);
});

test("replaces learners by pseudonyms that two exports do not share", async () => {
  const { admin, courseId, learners, sessions } = await createValues();
  const id = (await as(admin)(rawData.list, { query: { courseId, q: "rating" } })).body.items[0]?.id;
  const params = { valueId: String(id) } as never;
  await as(admin)(rawData.correct, { params, body: { value: 6, reason: "a reason with a name" } });
  const query = { courseId, format: "jsonl", pseudonyms: "yes" };
  const [first, second] = [(await get(admin, query)).body, (await get(admin, query)).body];
  const people = objectsOf(first).map(({ learner }) => learner as string);
  expect(new Set(people).size).toBe(2);
  expect(people.every((one) => /^[0-9a-f]{16}$/.test(one))).toBe(true);
  expect(people.filter((one) => one === people.at(-1))).toHaveLength(7);
  expect(objectsOf(second).some(({ learner }) => people.includes(learner as string))).toBe(false);
  const names = [...learners, admin].flatMap(({ user }) => [user.id, user.name, user.email]);
  for (const word of [...names, ...sessions.map(({ sessionId }) => sessionId), "a reason"])
    expect([word, first.includes(word)]).toEqual([word, false]);
  expect(Object.keys(objectsOf(first)[0] ?? {})).not.toContain("email");
  expect(
    objectsOf(first)
      .filter(({ freeText }) => freeText)
      .map(({ key }) => key),
  ).toEqual(["goal"]);
});

test("a sheet with pseudonyms says so in its head", async () => {
  const { admin, courseId, company, course } = await createValues();
  const reply = await get(admin, { courseId, pseudonyms: "yes" });
  expect(reply.headers["content-disposition"]).toBe('attachment; filename="values-without-names.csv"');
  const [head, ...rows] = linesOf(reply.body.replace("\ufeff", ""));
  expect(head).toBe(
    "Recorded at,Happened at,Company,Learner (pseudonym),Course,Version,Attempt,Part,Variable,Key,Type," +
      "Value (free text may name people),Previous value (free text may name people),Refused,Source,Passed on from," +
      "Corrected,Session (pseudonym),Preview,Free text",
  );
  expect(rows[0]).toContain(`,${company.name},`);
  expect(rows[0]).toContain(`,${course.title},`);
});

test("exports only values in the scope of the admin, and records it with the count", async () => {
  const { admin, courseId, company, learners } = await createValues();
  const other = await createValues();
  expect((await get(learners[0] as Person, { courseId })).statusCode).toBe(403);
  expect((await app.inject({ url: rawData.export.path })).statusCode).toBe(401);
  await limitToCompany(db, admin, company.id);
  expect((await get(admin, { courseId })).headers["x-rows"]).toBe("8");
  expect((await get(admin, { courseId: other.courseId })).headers["x-rows"]).toBe("0");
  const ownValues = objectsOf((await get(admin, { format: "jsonl", pseudonyms: "yes" })).body);
  expect(new Set(ownValues.map((row) => row.company))).toEqual(new Set([company.name]));
  const { body } = await as(other.admin)(audit.list, { query: { actorId: admin.user.id, action: "variables.export" } });
  expect(body.items.map(({ details }) => details)).toEqual([
    { values: ownValues.length, format: "jsonl", namesHidden: true },
    { values: 0, format: "csv", namesHidden: false },
    { values: 8, format: "csv", namesHidden: false },
  ]);
});

test("sends many values piece by piece, and a reader may stop", async () => {
  const { admin, courseId } = await createValues();
  await sql`insert into variable_values (variable_id, user_id, company_id, course_id, source, value, happened_at)
    select variable_id, user_id, company_id, course_id, source, to_jsonb(n), now()
    from variable_values, generate_series(1, 5000) n where course_id = ${courseId} and value = '5'`.execute(db);
  await sql`analyze variable_values`.execute(db);
  const whole = await get(admin, { courseId });
  expect([whole.headers["x-rows"], linesOf(whole.body).length]).toEqual(["5008", 5009]);
  const address = await app.listen({ port: 0, host: "127.0.0.1" });
  for (let count = 0; count < 25; count++) {
    const stop = new AbortController();
    const reply = await fetch(`${address}${rawData.export.path}?courseId=${courseId}&format=jsonl`, {
      headers: { authorization: `Bearer ${admin.token}` },
      signal: stop.signal,
    });
    await reply.body?.getReader().read();
    stop.abort();
  }
  expect((await get(admin, { courseId, format: "jsonl" })).body.split("\n")).toHaveLength(5009);
});

test("refuses a sheet with more rows than Excel holds", () => {
  const write = (count: number) => exportRows("many", "xlsx", (async function* () {})(), [], count);
  expect(() => write(1_048_576)).toThrow("1,048,575");
  expect(write(1_048_575).rows).toBe(1_048_575);
});
