import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { audit } from "#shared/audit/audit.ts";
import type { PersonCondition, PersonTest } from "#shared/conditions/conditions.ts";
import { courses } from "#shared/courses/courses.ts";
import { fields } from "#shared/fields/fields.ts";
import { groups } from "#shared/groups/groups.ts";
import { learners } from "#shared/learners/learners.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";

const { as, app, make, db, runJobs } = await start();
const admin = await make.admin();
const call = as(admin);

const all = (...tests: PersonCondition["tests"]): PersonCondition => ({ match: "all", tests });
const isActive: PersonTest = { kind: "status", is: "is", status: "active" };
const addGroup = async (companyId: string, rule: PersonCondition | null, name = `Group ${randomUUID().slice(0, 8)}`) =>
  bodyOf(await call(groups.create, { body: { companyId, name, rule } }));
const memberIds = async (id: string) =>
  bodyOf(await call(groups.members, { params: { id }, query: { size: 100 } })).items.map((row) => row.id);
const waitForMembers = (id: string, expected: string[]) =>
  vi.waitFor(async () => expect((await memberIds(id)).toSorted()).toEqual(expected.toSorted()), {
    timeout: 10_000,
    interval: 50,
  });
const setField = async (id: string, fieldId: string, value: string | number | null) => {
  const { version } = bodyOf(await call(learners.get, { params: { id } }));
  bodyOf(await call(learners.update, { params: { id }, body: { fields: { [fieldId]: value }, version } }));
};
async function companyWithSite() {
  const company = await make.company(admin);
  const site = bodyOf(
    await call(fields.create, { body: { companyId: company.id, key: "site", name: "Site", kind: "text" } }),
  );
  const inHamburg: PersonTest = { kind: "field", field: site.id, is: "equal", value: "Hamburg" };
  const people: Person[] = [];
  for (const name of ["Ada", "Bo", "Cy"]) people.push(await make.learner(company.accessCode, name));
  const [ada = "", bo = "", cy = ""] = people.map(({ user }) => user.id);
  return { company, site, inHamburg, ada, bo, cy };
}

test("a rule finds its people when it is saved, and names what it refers to", async () => {
  const { company, site, inHamburg, ada, bo } = await companyWithSite();
  await setField(ada, site.id, "hamburg ");
  await setField(bo, site.id, "Oslo");
  const group = await addGroup(company.id, all(inHamburg, isActive));
  expect(group).toMatchObject({ people: 1, byHand: 0, keptOut: 0, names: { [site.id]: "Site" } });
  expect(await memberIds(group.id)).toEqual([ada]);
  const { items } = bodyOf(await call(learners.list, { query: { companyId: company.id, groupId: group.id } }));
  expect(items.map(({ id }) => id)).toEqual([ada]);
});

test("what is decided by hand wins over the rule, until it ends", async () => {
  const { company, site, inHamburg, ada, bo, cy } = await companyWithSite();
  await setField(ada, site.id, "Hamburg");
  const { id } = await addGroup(company.id, all(inHamburg));
  const place = (ids: string[], where: "in" | "out" | null, until: string | null = null) =>
    call(groups.place, { params: { id }, body: { ids, place: where, until } });
  expect(bodyOf(await place([bo], "in", "2099-12-31"))).toEqual({ changed: 1 });
  bodyOf(await place([ada, cy], "out"));
  expect(await memberIds(id)).toEqual([bo]);
  const out = bodyOf(await call(groups.members, { params: { id }, query: { why: "out" } }));
  expect(out.items.map((row) => row.id)).toEqual([ada, cy]);
  expect(bodyOf(await call(groups.get, { params: { id } }))).toMatchObject({ people: 1, byHand: 1, keptOut: 2 });
  expect((await place([bo], "in", "2020-01-01")).status).toBe(422);
  bodyOf(await place([ada, bo], null));
  expect(await memberIds(id)).toEqual([ada]);
  const { items } = bodyOf(await call(groups.ofPerson, { params: { id: cy } }));
  expect(items).toMatchObject([{ id, why: "out" }]);
});

test("who was in a group when is kept and cannot be changed", async () => {
  const { company, site, inHamburg, ada } = await companyWithSite();
  const { id, version } = await addGroup(company.id, all(inHamburg));
  await setField(ada, site.id, "Hamburg");
  bodyOf(await call(groups.update, { params: { id }, body: { rule: all(inHamburg, isActive), version } }));
  bodyOf(await call(groups.place, { params: { id }, body: { ids: [ada], place: "in" } }));
  bodyOf(await call(groups.place, { params: { id }, body: { ids: [ada], place: "out" } }));
  const history = () => db.selectFrom("groupMembers").where("groupId", "=", id).orderBy("id").selectAll().execute();
  const rows = await history();
  expect(rows.map(({ why, until }) => [why, until !== null])).toEqual([
    ["rule", true],
    ["hand", true],
  ]);
  expect(Date.parse(rows[1]?.since ?? "")).toBeGreaterThanOrEqual(Date.parse(rows[0]?.until ?? ""));
  await expect(sql`update group_members set since = now() where group_id = ${id}`.execute(db)).rejects.toThrow(
    "append-only",
  );
  await expect(db.deleteFrom("groupMembers").where("groupId", "=", id).execute()).rejects.toThrow("append-only");
  await db.deleteFrom("users").where("id", "=", ada).execute();
  const after = await history();
  expect(after.length).toBe(2);
  expect(after.map(({ personId }) => personId)).not.toContain(ada);
});

test("groups refer to groups, but not in a circle", async () => {
  const { company, site, inHamburg, ada, bo } = await companyWithSite();
  await setField(ada, site.id, "Hamburg");
  const one = await addGroup(company.id, all(inHamburg));
  const isIn = (id: string): PersonTest => ({ kind: "group", group: id, is: "member" });
  const two = await addGroup(company.id, all(isIn(one.id)));
  const three = await addGroup(company.id, {
    match: "all",
    tests: [isActive, { kind: "group", group: two.id, is: "notMember" }],
  });
  expect(await memberIds(two.id)).toEqual([ada]);
  expect(await memberIds(three.id)).not.toContain(ada);
  bodyOf(await call(groups.place, { params: { id: one.id }, body: { ids: [bo], place: "in" } }));
  expect(await memberIds(two.id)).toEqual([ada, bo]);
  expect(await memberIds(three.id)).not.toContain(bo);
  const circle = await call(groups.update, {
    params: { id: one.id },
    body: { rule: all(isIn(three.id)), version: one.version },
  });
  expect(circle).toMatchObject({ status: 422, body: { issues: [{ path: "rule", code: "groups.circle" }] } });
  const removed = await call(groups.remove, { params: { id: one.id } });
  expect(removed).toMatchObject({ status: 409, code: "groups.used" });
  expect(bodyOf(await call(groups.get, { params: { id: one.id } })).usedBy).toEqual([
    { kind: "group", id: two.id, name: two.name },
  ]);
  expect((await call(groups.remove, { params: { id: three.id } })).status).toBe(204);
  expect((await call(groups.get, { params: { id: three.id } })).status).toBe(404);
});

test("refuses what can never be true, and what the company does not have", async () => {
  const { company, site, inHamburg } = await companyWithSite();
  const elsewhere = await companyWithSite();
  const foreignGroup = await addGroup(elsewhere.company.id, null);
  const refusal = async (...tests: PersonTest[]) => {
    const body = { companyId: company.id, name: randomUUID(), rule: all(...tests) };
    const reply = await call(groups.create, { body });
    return reply.code === "core.invalid"
      ? (reply.body as unknown as { issues: { code: string }[] }).issues[0]?.code
      : reply.code;
  };
  const inOslo: PersonTest = { kind: "field", field: site.id, is: "equal", value: "Oslo" };
  expect(await refusal(inHamburg, inOslo)).toBe("groups.neverTrue");
  expect(await refusal(elsewhere.inHamburg)).toBe("groups.goneField");
  expect(await refusal({ kind: "group", group: foreignGroup.id, is: "member" })).toBe("groups.goneGroup");
  expect(await refusal({ kind: "course", course: randomUUID(), is: "has" })).toBe("groups.goneCourse");
  expect(await refusal({ kind: "variable", key: "no_such_key", is: "set" })).toBe("groups.unusableVariable");
  expect(await refusal({ kind: "field", field: site.id, is: "more", value: 5 })).toBe("groups.badComparison");
});

test("a preview says who would join and leave, and changes nothing", async () => {
  const { company, site, inHamburg, ada, bo } = await companyWithSite();
  await setField(ada, site.id, "Hamburg");
  await setField(bo, site.id, "Oslo");
  const { id } = await addGroup(company.id, all(inHamburg));
  const inOslo: PersonTest = { kind: "field", field: site.id, is: "equal", value: "Oslo" };
  const preview = bodyOf(await call(groups.preview, { body: { companyId: company.id, id, rule: all(inOslo) } }));
  expect(preview).toEqual({
    members: { count: 1, names: ["Bo"] },
    joins: { count: 1, names: ["Bo"] },
    leaves: { count: 1, names: ["Ada"] },
  });
  expect(await memberIds(id)).toEqual([ada]);
});

test("a second admin is told that the group has changed", async () => {
  const { company } = await companyWithSite();
  const { id, version, name } = await addGroup(company.id, null);
  bodyOf(await call(groups.update, { params: { id }, body: { description: "First", version } }));
  const stale = await call(groups.update, { params: { id }, body: { description: "Second", version } });
  expect(stale).toMatchObject({
    status: 409,
    code: "core.conflict",
    body: { details: { current: { description: "First" }, changedBy: "Ada Admin" } },
  });
  const twice = await call(groups.create, { body: { companyId: company.id, name: name.toUpperCase() } });
  expect(twice.status).toBe(422);
  const log = await call(audit.list, { query: { action: "groups.update", companyId: company.id } });
  expect(log.body.items[0]).toMatchObject({ object: name });
});

test("a field or a choice that a rule refers to stays", async () => {
  const { company, site, inHamburg } = await companyWithSite();
  const { name } = await addGroup(company.id, all(inHamburg));
  expect(await call(fields.archive, { params: { id: site.id } })).toMatchObject({
    status: 409,
    code: "fields.usedByGroup",
    body: { error: expect.stringContaining(name) as string },
  });
});

test("exports the people of a group with the reason", async () => {
  const { company, site, inHamburg, ada, bo } = await companyWithSite();
  await setField(ada, site.id, "Hamburg");
  const { id } = await addGroup(company.id, all(inHamburg));
  bodyOf(await call(groups.place, { params: { id }, body: { ids: [bo], place: "in", note: "=Deputy" } }));
  const url = groups.export.path.replace(":id", id);
  const reply = await app.inject({ url, headers: { authorization: `Bearer ${admin.token}` } });
  expect(reply.headers["x-rows"]).toBe("2");
  const lines = reply.body.trim().split("\r\n");
  expect(lines[1]).toMatch(/^Ada,[^,]+,By rule,/);
  expect(lines[2]).toMatch(/^Bo,[^,]+,By hand,[^,]+,,'=Deputy,$/);
});

test("people follow their fields, status, courses and company", async () => {
  const jobs = await runJobs();
  const { company, site, inHamburg, ada, bo, cy } = await companyWithSite();
  const course = await make.course(admin);
  const bySite = await addGroup(company.id, all(inHamburg));
  const byStatus = await addGroup(company.id, all(isActive));
  const byCourse = await addGroup(company.id, all({ kind: "course", course: course.id, is: "has" }));
  const nested = await addGroup(company.id, all({ kind: "group", group: bySite.id, is: "member" }));
  await setField(ada, site.id, "Hamburg");
  await waitForMembers(bySite.id, [ada]);
  await waitForMembers(nested.id, [ada]);
  bodyOf(await call(learners.suspend, { body: { ids: [bo] } }));
  await waitForMembers(byStatus.id, [ada, cy]);
  bodyOf(await call(courses.assign, { params: { id: course.id }, body: { userIds: [cy] } }));
  await waitForMembers(byCourse.id, [cy]);
  const target = await make.company(admin);
  bodyOf(await call(learners.move, { body: { ids: [ada], companyId: target.id } }));
  await waitForMembers(nested.id, []);
  await waitForMembers(byStatus.id, [cy]);
  const newcomer = await make.learner(company.accessCode, "Dea");
  await waitForMembers(byStatus.id, [cy, newcomer.user.id]);
  await jobs.stop();
});
