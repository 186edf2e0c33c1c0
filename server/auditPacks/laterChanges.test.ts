import { sql } from "kysely";
import { expect, test } from "vitest";
import { auditPacks } from "#shared/auditPacks/auditPacks.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { createAuditTester } from "#test/auditPacks.ts";
import { recordEarlier } from "#test/pastDays.ts";
import { bodyOf } from "#test/probes.ts";
import { createRequirementTester, dayIn } from "#test/requirements.ts";
import { type Person, start } from "#test/start.ts";
import { unpack } from "#test/unpackedAudit.ts";

// What happens after the instant of a pack does not change what it says

const server = await start();
const { as, make, db } = server;
const admin = await make.admin();
const { call, room, demand, complete, moveTo, peopleOf } = createRequirementTester(server, admin);
const audits = createAuditTester(server, admin);
const guest = as(null);

/** Two people with a required course, which Ada has completed; everything was recorded a day ago. */
async function audited() {
  const { company, course, learners: people } = await room(["Ada", "Bo"]);
  const [ada, bo] = people as [Person, Person];
  await demand(company.id, course.id);
  await complete(ada, company.id, course.id);
  await recordEarlier(db, 1);
  return { company, course, ada, bo };
}

test("an erasure in the same quarter of an hour leaves a pack of now as it was", async () => {
  const { company, ada } = await audited();
  const pack = await audits.make(company.id, { from: dayIn(-9), to: dayIn(0), asOf: null });
  // Whenever this runs, the pack is of the middle of a quarter of an hour, and the erasure is later in it.
  await sql`update audit_packs set as_of = date_bin('15 minutes', now(), '2000-01-01') where id = ${pack.id}`.execute(
    db,
  );
  await sql`update audit_packs set as_of = as_of + (now() - as_of) / 2 where id = ${pack.id}`.execute(db);
  await sql`update audit_packs set state = 'waiting', files = null where id = ${pack.id}`.execute(db);
  await audits.work();
  const link = await audits.link(pack.id);
  const params = { token: link.token };
  bodyOf(await guest(auditPacks.draw, { params, body: { size: 2 } }));
  const keysOf = async () =>
    bodyOf(await guest(auditPacks.sample, { params: { ...params, no: 1 } })).people.map(({ key }) => key);
  const before = await keysOf();
  expect(before).toHaveLength(2);
  bodyOf(await call(privacy.erase, { body: { userId: ada.user.id } }));
  const { files } = await audits.check(pack.id);
  expect((files ?? []).filter(({ check }) => check === "records")).toEqual([]);
  expect(await keysOf()).toEqual(before);
});

test("a person who has moved keeps a name only, and is not found by the new address", async () => {
  const { company, ada } = await audited();
  const pack = await audits.make(company.id);
  const rival = await make.company(admin, { name: "Rival" });
  await sql`
    update users
    set company_id = ${rival.id}, email = 'ada@rival.example'
    where id = ${ada.user.id}`.execute(db);
  await sql`
    insert into personnel_numbers (user_id, company_id, number)
    values (${ada.user.id}, ${rival.id}, 'RIVAL-7')`.execute(db);
  const files = unpack(await audits.download(pack.id));
  expect(Object.values(files.texts).join("")).not.toMatch(/rival/i);
  expect(files.rows("matrix.csv").map((row) => row.Person)).toEqual(["Ada", "Bo"]);
  const asOf = dayIn(-1);
  expect((await peopleOf(company.id, { asOf, q: "rival" })).items).toEqual([]);
  expect(JSON.stringify(await peopleOf(company.id, { asOf }))).not.toMatch(/rival/i);
});

test("a completion that is moved to another person is another record", async () => {
  const { company, course, ada, bo } = await audited();
  await moveTo(ada, course.id, dayIn(-2));
  const pack = await audits.make(company.id, { from: dayIn(-9) });
  await sql`alter table completion_history disable trigger user`.execute(db);
  await sql`
    update completion_history
    set person_id = ${bo.user.id},
      enrolment_id = (select id from enrolments where user_id = ${bo.user.id})
    where person_id = ${ada.user.id}`.execute(db);
  await sql`alter table completion_history enable trigger user`.execute(db);
  const { files } = await audits.check(pack.id);
  expect(files?.find(({ path }) => path === "completions.csv")?.check).toBe("records");
});

test("what is still being stored is not before a pack of now", async () => {
  const { company } = await audited();
  const open = await db.startTransaction().execute();
  const { rows } = await sql<{ at: string }>`
    select now() as at, pg_current_xact_id()`.execute(open);
  await new Promise((resolve) => setTimeout(resolve, 6000));
  const pack = await audits.order(company.id, { from: dayIn(-9), to: dayIn(-1), asOf: null });
  await open.rollback().execute();
  expect(Date.parse(pack.asOf)).toBeLessThanOrEqual(Date.parse(rows[0]?.at as string) + 1);
});

test("a pack that kills its server each time has failed", async () => {
  const { company } = await audited();
  const { id } = await audits.order(company.id);
  await sql`update audit_packs set tries = 3, leased_until = now() - interval '1 second' where id = ${id}`.execute(db);
  await audits.work();
  expect(await audits.get(id)).toMatchObject({ state: "failed", files: null });
  expect(await audits.check(id)).toMatchObject({ state: "made" });
});

test("a link is good for ten downloads an hour", { timeout: 120_000 }, async () => {
  const { company } = await audited();
  const pack = await audits.make(company.id);
  const link = await audits.link(pack.id, true);
  const statuses = [];
  for (let n = 0; n < 11; n++) statuses.push((await server.app.inject(`/api/audits/${link.token}/file`)).statusCode);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 409]);
  const { items } = bodyOf(await call(auditPacks.links, { params: { id: pack.id } }));
  expect(items[0]).toMatchObject({ opened: 10 });
});
