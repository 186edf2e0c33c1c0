import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { audit } from "#shared/audit/audit.ts";
import { type Field, type FieldKind, fields } from "#shared/fields/fields.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { start, type Person } from "#test/start.ts";

const { app, as, make, db, services } = await start();

const newField = async (admin: Person, companyId: string | null, kind: FieldKind, more: object = {}) => {
  const key = `f_${randomUUID().slice(0, 8)}`;
  const reply = await as(admin)(fields.create, { body: { companyId, key, name: `Field ${key}`, kind, ...more } });
  expect(reply.status).toBe(200);
  return reply.body;
};
const setValues = async (admin: Person, id: string, values: Record<string, string | number | null>) => {
  const { version } = (await as(admin)(learners.get, { params: { id } })).body;
  return as(admin)(learners.update, { params: { id }, body: { fields: values, version } });
};
const filterOf = (...pairs: [Field, string][]) =>
  new URLSearchParams(pairs.map(([{ id }, value]) => [id, value])).toString();

test("a value of each kind is stored, listed, filtered by and exported", async () => {
  const { admin, company, learner } = await make.classroom();
  const other = await make.learner(company.accessCode, "Otto Other");
  const choices = [{ name: "Operations" }, { name: "Sales" }];
  const department = await newField(admin, company.id, "choice", { choices });
  const site = await newField(admin, company.id, "text");
  const entry = await newField(admin, company.id, "date");
  const hours = await newField(admin, company.id, "number");
  const [operations, sales] = department.choices.map(({ id }) => id) as [string, string];
  const values = { [department.id]: operations, [site.id]: "Hamburg", [entry.id]: "2026-03-29", [hours.id]: 38.5 };
  expect((await setValues(admin, learner.user.id, values)).body.fields).toEqual(values);
  await setValues(admin, other.user.id, { [department.id]: sales, [site.id]: "Hamburg" });

  const find = async (...pairs: [Field, string][]) => {
    const query = { companyId: company.id, fields: filterOf(...pairs) };
    return (await as(admin)(learners.list, { query })).body.items.map(({ id }) => id);
  };
  expect(await find([department, operations])).toEqual([learner.user.id]);
  expect((await find([site, "hamb"])).toSorted()).toEqual([learner.user.id, other.user.id].toSorted());
  expect(await find([site, "hamb"], [department, sales])).toEqual([other.user.id]);
  expect(await find([entry, "2026-03-29"])).toEqual([learner.user.id]);
  expect(await find([hours, "38.5"])).toEqual([learner.user.id]);
  expect(await find([hours, "many"], [entry, "soon"])).toEqual([]);

  const query = new URLSearchParams({ companyId: company.id, fields: filterOf([hours, "38.5"]) });
  const headers = { authorization: `Bearer ${admin.token}` };
  const { body } = await app.inject({ url: `${learners.export.path}?${query.toString()}`, headers });
  const [head, line] = body.split("\r\n");
  const cells = Object.fromEntries((head ?? "").split(",").map((name, at) => [name, (line ?? "").split(",")[at]]));
  expect(cells).toMatchObject({
    [department.name]: "Operations",
    [site.name]: "Hamburg",
    [entry.name]: "2026-03-29",
    [hours.name]: "38.5",
  });
});

test("refuses values that do not fit, and values of a field of another company", async () => {
  const { admin, company, learner } = await make.classroom();
  const elsewhere = await make.company(admin);
  const number = await newField(admin, company.id, "number");
  const choice = await newField(admin, company.id, "choice", { choices: [{ name: "North" }] });
  const foreign = await newField(admin, elsewhere.id, "text");
  const pathOf = async (values: Record<string, string | number>) => {
    const { status, body } = await setValues(admin, learner.user.id, values);
    return [status, (body as unknown as { issues: { path: string }[] }).issues[0]?.path];
  };
  expect(await pathOf({ [number.id]: "12" })).toEqual([422, `fields.${number.id}`]);
  expect(await pathOf({ [choice.id]: randomUUID() })).toEqual([422, `fields.${choice.id}`]);
  expect(await pathOf({ [foreign.id]: "x" })).toEqual([422, `fields.${foreign.id}`]);
  expect((await as(admin)(learners.get, { params: { id: learner.user.id } })).body.fields).toEqual({});
});

test("the learner sees what is meant for learners, and nothing of others", async () => {
  const { admin, company, learner } = await make.classroom();
  const other = await make.learner(company.accessCode, "Otto Other");
  const open = await newField(admin, company.id, "text", { visibleTo: "learner" });
  const hidden = await newField(admin, company.id, "text");
  await setValues(admin, learner.user.id, { [open.id]: "Hamburg", [hidden.id]: "secret" });
  const own = await as(learner)(fields.ofPerson, { params: { id: learner.user.id } });
  expect(own.body.items).toEqual([{ id: open.id, name: open.name, kind: "text", text: "Hamburg" }]);
  expect((await as(learner)(learners.get, { params: { id: learner.user.id } })).body.fields).toEqual({
    [open.id]: "Hamburg",
  });
  expect((await as(other)(fields.ofPerson, { params: { id: learner.user.id } })).status).toBe(404);
});

test("keeps the history of a value, and takes the values of people who go", async () => {
  const { admin, company, learner } = await make.classroom();
  const site = await newField(admin, company.id, "text");
  await setValues(admin, learner.user.id, { [site.id]: "Hamburg" });
  await setValues(admin, learner.user.id, { [site.id]: "Hamburg" });
  await setValues(admin, learner.user.id, { [site.id]: "Oslo" });
  await setValues(admin, learner.user.id, { [site.id]: null });
  const history = () =>
    db.selectFrom("fieldValueHistory").where("fieldId", "=", site.id).orderBy("id").selectAll().execute();
  expect((await history()).map(({ change, value, actorId, reason }) => [change, value, actorId, reason])).toEqual([
    ["set", "Hamburg", admin.user.id, "learners.update"],
    ["set", "Oslo", admin.user.id, "learners.update"],
    ["removed", null, admin.user.id, "learners.update"],
  ]);
  await setValues(admin, learner.user.id, { [site.id]: "Bergen" });
  const exported = await as(learner)(privacy.export);
  expect(JSON.stringify(exported.body)).toContain("Bergen");
  await db.deleteFrom("users").where("id", "=", learner.user.id).execute();
  const rows = await history();
  expect(rows.map(({ value }) => value)).toEqual([null, null, null, null]);
  expect(new Set(rows.map(({ personId }) => personId)).size).toBe(1);
  expect(rows[0]?.personId).not.toBe(learner.user.id);
});

test("forgets values of a company's own fields when a person moves", async () => {
  const { admin, company, learner } = await make.classroom();
  const target = await make.company(admin);
  const own = await newField(admin, company.id, "text");
  const ofAll = await newField(admin, null, "text");
  await setValues(admin, learner.user.id, { [own.id]: "Hamburg", [ofAll.id]: "E 4711" });
  await as(admin)(learners.move, { body: { ids: [learner.user.id], companyId: target.id } });
  const { body } = await as(admin)(learners.get, { params: { id: learner.user.id } });
  expect(body.fields).toEqual({ [ofAll.id]: "E 4711" });
  await setValues(admin, learner.user.id, { [ofAll.id]: null });
  await as(admin)(fields.archive, { params: { id: ofAll.id } });
  expect((await as(admin)(fields.remove, { params: { id: ofAll.id } })).status).toBe(204);
});

test("an archived field keeps its values and is offered nowhere", async () => {
  const { admin, company, learner } = await make.classroom();
  const site = await newField(admin, company.id, "text");
  await setValues(admin, learner.user.id, { [site.id]: "Hamburg" });
  expect((await as(admin)(fields.remove, { params: { id: site.id } })).code).toBe("fields.inUse");
  await as(admin)(fields.archive, { params: { id: site.id } });
  const listed = async () => (await as(admin)(fields.list, { query: { companyId: company.id } })).body.items;
  const valuesOf = async () => (await as(admin)(learners.get, { params: { id: learner.user.id } })).body.fields;
  expect((await listed()).map(({ id }) => id)).not.toContain(site.id);
  expect(await valuesOf()).toEqual({});
  await as(admin)(fields.restore, { params: { id: site.id } });
  expect((await listed()).find(({ id }) => id === site.id)?.people).toBe(1);
  expect(await valuesOf()).toEqual({ [site.id]: "Hamburg" });
});

test("choices are renamed and added, but not removed from people", async () => {
  const { admin, company, learner } = await make.classroom();
  const field = await newField(admin, company.id, "choice", { choices: [{ name: "North" }, { name: "South" }] });
  const [north] = field.choices as [Field["choices"][number]];
  await setValues(admin, learner.user.id, { [field.id]: north.id });
  const params = { id: field.id };
  const renamed = [{ id: north.id, name: "Far North" }, { name: "East" }];
  const update = await as(admin)(fields.update, { params, body: { choices: renamed, version: field.version } });
  expect(update.body.choices.map(({ name }) => name)).toEqual(["Far North", "East"]);
  const { version } = update.body;
  const refused = await as(admin)(fields.update, { params, body: { choices: [{ name: "South" }], version } });
  expect(refused).toMatchObject({ status: 409, code: "fields.choiceInUse" });
  const stale = await as(admin)(fields.update, { params, body: { name: "Region", version: field.version } });
  expect(stale).toMatchObject({ status: 409, code: "core.conflict" });
});

test("the ids of choices are given by the server, each to one choice", async () => {
  const { admin, company } = await make.classroom();
  const field = await newField(admin, company.id, "choice", { choices: [{ name: "North" }] });
  const [north] = field.choices;
  const save = (choices: { id?: string; name: string }[]) =>
    as(admin)(fields.update, { params: { id: field.id }, body: { choices, version: 1 } });
  const refused = { status: 422, body: { issues: [{ path: "choices", code: "fields.goneChoice" }] } };
  expect(await save([{ id: randomUUID(), name: "South" }])).toMatchObject(refused);
  expect(
    await save([
      { id: north?.id as string, name: "North" },
      { id: north?.id as string, name: "South" },
    ]),
  ).toMatchObject(refused);
  const body = { companyId: company.id, key: "region", name: "Region", kind: "choice" as const };
  expect(
    await as(admin)(fields.create, { body: { ...body, choices: [{ id: randomUUID(), name: "South" }] } }),
  ).toMatchObject(refused);
});

test("a choice that is being removed is given to nobody", async () => {
  const { admin, company, learner } = await make.classroom();
  const field = await newField(admin, company.id, "choice", { choices: [{ name: "North" }, { name: "South" }] });
  const [north = "", south = ""] = field.choices.map(({ id }) => id);
  const other = await services.pool.connect();
  await other.query("begin");
  await other.query("select from fields where id = $1 for update", [field.id]);
  const saving = setValues(admin, learner.user.id, { [field.id]: north });
  await new Promise((resolve) => setTimeout(resolve, 500));
  await other.query("update fields set choices = $2, version = 2 where id = $1", [
    field.id,
    JSON.stringify([{ id: south, name: "South" }]),
  ]);
  await other.query("commit");
  other.release();
  expect((await saving).status).toBe(422);
});

test("keys and names are unique among the fields of the same people", async () => {
  const admin = await make.admin();
  const [one, two] = [await make.company(admin), await make.company(admin)];
  const first = await newField(admin, one.id, "text");
  const again = { ...first, kind: "text" as const };
  const add = async (companyId: string | null, input: { key: string; name: string }) =>
    (await as(admin)(fields.create, { body: { kind: "text", ...input, companyId } })).status;
  expect(await add(one.id, { key: again.key, name: "Another" })).toBe(422);
  expect(await add(one.id, { key: "another", name: again.name.toUpperCase() })).toBe(422);
  expect(await add(null, { key: again.key, name: "Another" })).toBe(422);
  expect(await add(two.id, { key: again.key, name: again.name })).toBe(200);
  const log = await as(admin)(audit.list, { query: { action: "fields.create", companyId: two.id } });
  expect(log.body.items[0]).toMatchObject({ object: first.name });
});

test("a company has at most 50 fields", async () => {
  const admin = await make.admin();
  const company = await make.company(admin);
  await db
    .insertInto("fields")
    .values(
      Array.from({ length: 50 }, (_, at) => ({
        companyId: company.id,
        key: `k${at}`,
        name: `N${at}`,
        kind: "text" as const,
      })),
    )
    .execute();
  const body = { companyId: company.id, key: "more", name: "More", kind: "text" as const };
  expect((await as(admin)(fields.create, { body })).code).toBe("fields.tooMany");
  await db.deleteFrom("fields").where("companyId", "=", company.id).execute();
});
