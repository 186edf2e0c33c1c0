import { sql } from "kysely";
import { expect, test } from "vitest";
import { catalogue } from "#shared/catalogue/catalogue.ts";
import { learners } from "#shared/learners/learners.ts";
import { managers } from "#shared/managers/managers.ts";
import { createCatalogueTester } from "#test/catalogue.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";

// Every open request is known to someone who can answer it

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, make, db } = server;
const admin = await make.admin();
const tester = createCatalogueTester(server, admin);
const { call, company, people, offer, join, read, lead, requestOf, requestsOf, mailsTo } = tester;

/** As some time later, when it is looked at again who can answer. */
const later = async () => {
  await sql`update catalogue_requests set looked_at = looked_at - interval '1 hour'`.execute(db);
  await tester.work();
};
/** Top leads Mona, and Mona leads Ada; Nils leads nobody. */
async function team() {
  const acme = await company();
  const [top, mona, nils, ada] = (await people(acme.accessCode, "Top", "Mona", "Nils", "Ada")) as [
    Person,
    Person,
    Person,
    Person,
  ];
  await lead(top, mona);
  await lead(mona, ada);
  const { id } = await offer(acme.id, { way: "request" });
  const ask = async () => bodyOf(await join(ada, id, "ask"));
  return { acme, top, mona, nils, ada, id, ask };
}
const mailsToAdmins = async (companyId: string) => {
  const { rows } = await sql`
    select recipient
    from mails
    where reason = 'notifications.catalogueRequests'
      and body like ${`%${companyId}%`}`.execute(db);
  return rows.length;
};

test("a request is told to the manager of now", async () => {
  const { acme, mona, nils, ada, ask } = await team();
  await ask();
  await later();
  expect(await mailsTo(mona)).toEqual(["asked"]);
  await lead(nils, ada);
  // Looked at less than ten minutes ago.
  await tester.work();
  expect(await mailsTo(nils)).toEqual([]);
  await later();
  await later();
  expect([await mailsTo(mona), await mailsTo(nils)]).toEqual([["asked"], ["asked"]]);
  expect(await requestOf(acme.id, ada)).toMatchObject({ manager: "Nils" });
  expect(await mailsToAdmins(acme.id)).toBe(0);
});

test("where managers cannot answer, admins are told, once a day", async () => {
  const { acme, mona, ada, id, ask } = await team();
  await sql`update companies set managers_see_people = false where id = ${acme.id}`.execute(db);
  expect(await ask()).toMatchObject({ answers: "admin" });
  const limited = await make.admin();
  await limitToCompany(db, limited, acme.id);
  await later();
  await later();
  expect(await mailsTo(mona)).toEqual([]);
  const told = await mailsToAdmins(acme.id);
  expect(told).toBeGreaterThan(0);
  const unmanaged = await requestsOf(acme.id, { status: "open", unmanaged: true });
  expect(unmanaged).toMatchObject([{ name: "Ada", manager: null }]);
  const [ben] = (await people(acme.accessCode, "Ben")) as [Person];
  bodyOf(await join(ben, id, "ask"));
  await later();
  expect(await mailsToAdmins(acme.id)).toBe(told);
  expect(bodyOf(await read(ada, id)).status).toBe("open");
});

test("the next manager above is told if the nearest cannot answer", async () => {
  const { acme, top, mona, ada, ask } = await team();
  bodyOf(await call(learners.suspend, { body: { ids: [mona.user.id] } }));
  expect(await ask()).toMatchObject({ answers: "manager" });
  await later();
  expect(bodyOf(await as(top)(catalogue.teamRequests)).total).toBe(1);
  expect([await mailsTo(top), await mailsTo(mona)]).toEqual([["asked"], []]);
  expect(await requestOf(acme.id, ada)).toMatchObject({ manager: "Top" });
  expect(await requestsOf(acme.id, { unmanaged: true })).toEqual([]);
});

test("a deputy is told while they stand in", async () => {
  const { top, mona, nils, ask } = await team();
  const today = new Date().toISOString().slice(0, 10);
  const body = { deputyId: nils.user.id, fromDay: today, untilDay: today };
  bodyOf(await call(managers.addDeputy, { params: { id: mona.user.id }, body }));
  await ask();
  await later();
  expect([await mailsTo(nils), await mailsTo(mona), await mailsTo(top)]).toEqual([["asked"], [], []]);
  await sql`delete from manager_deputies where deputy_id = ${nils.user.id}`.execute(db);
  await later();
  expect(await mailsTo(mona)).toEqual(["asked"]);
});

test("the old company reads nothing of the new one", async () => {
  const { acme, ada, ask } = await team();
  const other = await company();
  const [zed] = (await people(other.accessCode, "Zed")) as [Person];
  await ask();
  bodyOf(await call(learners.move, { body: { ids: [ada.user.id], companyId: other.id } }));
  await lead(zed, ada);
  await sql`
    insert into personnel_numbers (user_id, company_id, number)
    values (${ada.user.id}, ${other.id}, 'OTHER-77')`.execute(db);
  expect(await requestOf(acme.id, ada)).toMatchObject({ manager: null, personnelNumber: null });
  await tester.work();
  expect(await requestOf(acme.id, ada)).toMatchObject({ status: "closed", manager: null, personnelNumber: null });
});
