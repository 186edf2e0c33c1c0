import { sql } from "kysely";
import { expect, test } from "vitest";
import { followPeople } from "#server/enrolmentRules/follow.ts";
import { runTurns } from "#server/enrolmentRules/runs.ts";
import { createDirectories, GROUP, patchOf, type ScimList, type ScimUser } from "#test/directory.ts";
import { start } from "#test/start.ts";
import { audit } from "#shared/audit/audit.ts";
import { enrolmentRules } from "#shared/enrolmentRules/enrolmentRules.ts";
import { groups } from "#shared/groups/groups.ts";

const server = await start();
const { as, db, make, services } = server;
const { company } = createDirectories(server);

type Room = Awaited<ReturnType<typeof company>>;
const makeGroup = ({ done }: Room, displayName: string, members: string[] = []) =>
  done<ScimUser>("POST", "/Groups", { schemas: [GROUP], displayName, members: members.map((value) => ({ value })) });
const inGroup = async (id: string) =>
  (
    await db
      .selectFrom("groupMembers")
      .where("groupId", "=", id)
      .where("until", "is", null)
      .select(["personId", "why"])
      .orderBy("why")
      .execute()
  ).map(({ personId, why }) => `${personId} ${why}`);

test("a group of RFC 7643 is a group here, with the directory's name and members", async () => {
  const room = await company();
  const { create, admin, company: of } = room;
  const [a, b] = [await create({ userName: "a", displayName: "Babs" }), await create({ userName: "b" })];
  const made = await makeGroup(room, "Tour Guides", [a.id, b.id]);
  expect(made).toMatchObject({
    schemas: [GROUP],
    displayName: "Tour Guides",
    meta: { resourceType: "Group", location: `http://localhost:1/scim/v2/Groups/${made.id}` },
  });
  expect(made.members).toHaveLength(2);
  const { body } = await as(admin)(groups.list, { query: { companyId: of.id, kind: "provided" } });
  expect(body.items).toMatchObject([{ id: made.id, provided: true, people: 2, rule: null }]);
  const params = { id: made.id };
  const version = body.items[0]?.version ?? 0;
  const renamed = await as(admin)(groups.update, { params, body: { name: "Mine", version } });
  expect([renamed.status, renamed.code]).toEqual([409, "groups.provided"]);
  expect((await as(admin)(groups.update, { params, body: { description: "Ours", version } })).status).toBe(200);
});

test("by hand and kept out win over the directory", async () => {
  const room = await company();
  const { create, admin, call, learner } = room;
  const [a, b] = [await create({ userName: "a" }), await create({ userName: "b" })];
  const { id } = await makeGroup(room, "Crew", [a.id]);
  const place = (ids: string[], to: "in" | "out" | null) =>
    as(admin)(groups.place, { params: { id }, body: { ids, place: to } });
  await place([a.id], "out");
  await place([learner.user.id], "in");
  await call(
    "PATCH",
    `/Groups/${id}`,
    patchOf({ op: "replace", path: "members", value: [{ value: a.id }, { value: b.id }] }),
  );
  expect(await inGroup(id)).toEqual([`${learner.user.id} hand`, `${b.id} provided`]);
  await place([a.id], null);
  await call("PATCH", `/Groups/${id}`, patchOf({ op: "remove", path: `members[value eq "${b.id}"]` }));
  expect(await inGroup(id)).toEqual([`${learner.user.id} hand`, `${a.id} provided`]);
});

test("unknown and foreign members are refused as a whole, foreign groups not found", async () => {
  const [room, other] = [await company(), await company()];
  const { create, call, find, done } = room;
  const { id: known } = await create({ userName: "known" });
  const { id } = await makeGroup(room, "Crew");
  for (const value of [crypto.randomUUID(), other.learner.user.id, room.admin.user.id, "nobody", id]) {
    const change = patchOf({ op: "add", path: "members", value: [{ value: known }, { value }] });
    const { status, body } = await call("PATCH", `/Groups/${id}`, change);
    expect([status, body]).toMatchObject([400, { scimType: "invalidValue", detail: expect.stringMatching(/member/) }]);
  }
  expect(await inGroup(id)).toEqual([]);
  const foreign = await makeGroup(other, "Theirs");
  expect((await call("GET", `/Groups/${foreign.id}`)).status).toBe(404);
  expect((await call("DELETE", `/Groups/${foreign.id}`)).status).toBe(404);
  const byHand = (await as(room.admin)(groups.create, { body: { companyId: room.company.id, name: "By hand" } })).body;
  expect((await call("GET", `/Groups/${byHand.id}`)).status).toBe(404);
  const taken = await call("POST", "/Groups", { schemas: [GROUP], displayName: "by hand" });
  expect([taken.status, taken.body]).toMatchObject([409, { scimType: "uniqueness" }]);
  expect((await find(`members.value eq "${known}"`, "Groups")).totalResults).toBe(0);
  expect((await done<ScimList>("GET", "/Groups?sortBy=displayName")).Resources.map(({ id: one }) => one)).toEqual([id]);
});

test("10,000 members come, change and go by bounded statements", async () => {
  const room = await company();
  const { call, done } = room;
  const { rows } = await sql<{ id: string }>`
    insert into users (name, role, status, company_id)
    select 'Person ' || number, 'learner', 'invited', ${room.company.id}
    from generate_series(1, 10000) number
    returning id`.execute(db);
  const ids = rows.map(({ id }) => id);
  const { id } = await makeGroup(room, "Everyone", ids);
  const count = async () =>
    (await db.selectFrom("groups").where("id", "=", id).select("people").executeTakeFirst())?.people;
  expect(await count()).toBe(10_000);
  await call("PATCH", `/Groups/${id}`, patchOf({ op: "remove", path: `members[value eq "${ids[0]}"]` }));
  expect(await count()).toBe(9999);
  const read = await done<{ members: unknown[] }>("GET", `/Groups/${id}`);
  expect(read.members).toHaveLength(9999);
  const list = await done<ScimList>("GET", "/Groups?excludedAttributes=members");
  expect(list.Resources[0]).not.toHaveProperty("members");
  await done("DELETE", `/Groups/${id}`);
  expect(await inGroup(id)).toEqual([]);
}, 60_000);

test("two changes with the same ETag: one succeeds", async () => {
  const room = await company();
  const { create, call } = room;
  const [a, b] = [await create({ userName: "a" }), await create({ userName: "b" })];
  const { id, meta } = await makeGroup(room, "Crew");
  const replies = await Promise.all(
    [a, b].map((one) =>
      call("PATCH", `/Groups/${id}`, patchOf({ op: "add", path: "members", value: [{ value: one.id }] }), {
        "if-match": meta.version,
      }),
    ),
  );
  expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 412]);
});

test("a person in a group is enrolled by its rule, and the log names the key", async () => {
  const room = await company();
  const { create, admin, company: of, done, call } = room;
  const group = await makeGroup(room, "Pilots");
  const course = await make.course(admin);
  const tests = [{ kind: "group" as const, is: "member" as const, group: group.id }];
  const { body: rule } = await as(admin)(enrolmentRules.create, {
    body: { companyId: of.id, name: "Pilots", courseIds: [course.id], condition: { match: "all", tests } },
  });
  await as(admin)(enrolmentRules.setState, {
    params: { id: rule.id },
    body: { state: "active", version: rule.version },
  });
  const atOnce = await make.course(admin);
  const { body: everyone } = await as(admin)(enrolmentRules.create, {
    body: {
      companyId: of.id,
      name: "Everyone",
      courseIds: [atOnce.id],
      condition: { match: "all", tests: [{ kind: "status", is: "is", status: "invited" }] },
    },
  });
  await as(admin)(enrolmentRules.setState, {
    params: { id: everyone.id },
    body: { state: "active", version: everyone.version },
  });
  while (await runTurns(services));
  const person = await create({ userName: "pilot" });
  const isEnrolled = (courseId: string) =>
    db.selectFrom("enrolments").where("userId", "=", person.id).where("courseId", "=", courseId).select("id").execute();
  expect(await isEnrolled(atOnce.id)).toHaveLength(1);
  await done("PATCH", `/Groups/${group.id}`, patchOf({ op: "add", path: "members", value: [{ value: person.id }] }));
  await followPeople.run(services, {});
  expect(await isEnrolled(course.id)).toHaveLength(1);
  const refused = await call("DELETE", `/Groups/${group.id}`);
  expect(refused.status).toBe(409);
  const { body: log } = await as(admin)(audit.list, { query: { personId: person.id } });
  const entries = log.items.map(({ action, actorRole, actor, details }) => ({
    action,
    actorRole,
    actor,
    by: details.directory,
  }));
  const by = { actorRole: "directory", actor: null, by: "Entra ID" };
  expect(entries).toEqual([
    { action: "provisioning.addMember", ...by },
    { action: "provisioning.create", ...by },
  ]);
  const { rows } = await sql<{ reason: string }>`
    select reason
    from membership_history
    where person_id = ${person.id}`.execute(db);
  expect(rows).toEqual([{ reason: "provisioning.create" }]);
});
