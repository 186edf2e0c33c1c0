import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { followCatalogue, tellCatalogue } from "#server/catalogue/follow.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { createCatalogueTester } from "#test/catalogue.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";

// Companies and people do not wait for each other where they need not

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { make, db, services } = server;
const admin = await make.admin();
const tester = createCatalogueTester(server, admin);
const { call, company, people, offer, change, join, leave, lead, statusOf, mailsTo } = tester;

const countWaiting = async (offerId: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from catalogue_requests
    where offer_id = ${offerId}
      and status = 'waiting'`.execute(db);
  return rows[0]?.count ?? 0;
};

/** Puts many people on the waiting list of an offer. */
const queueMany = (companyId: string, offerId: string, count: number) =>
  sql`
    with made as (
      insert into users (name, email, role, status, company_id)
      select 'Many ' || n, ${offerId} || n || '@example.com', 'learner', 'active', ${companyId}
      from generate_series(1, ${count}::int) n
      returning id
    )
    insert into catalogue_requests (offer_id, company_id, user_id, status, waiting_since)
    select ${offerId}, ${companyId}, id, 'waiting', now()
    from made`.execute(db);

test("a long waiting list holds up no other company", { timeout: 120_000 }, async () => {
  const [big, small] = [await company(), await company()];
  const [mona, ada, ben] = (await people(small.accessCode, "Mona", "Ada", "Ben")) as [Person, Person, Person];
  await lead(mona, ada);
  const long = await offer(big.id, { places: 5000 });
  await queueMany(big.id, long.id, 1000);
  const short = await offer(small.id, { places: 1 });
  const asked = await offer(small.id, { way: "request" });
  bodyOf(await join(ada, short.id, "enrol"));
  bodyOf(await join(ben, short.id, "wait"));
  bodyOf(await join(ada, asked.id, "ask"));
  await sql`delete from catalogue_changes`.execute(db);
  await sql`insert into catalogue_changes (offer_id) values (${long.id})`.execute(db);
  bodyOf(await leave(ada, short.id));
  await followCatalogue.run(services, {});
  expect(await statusOf(ben, short.courseId)).toBe("assigned");
  expect(await countWaiting(long.id)).toBeGreaterThan(0);
  await tellCatalogue.run(services, {});
  expect(await mailsTo(mona)).toEqual(["asked"]);
  for (let turn = 0; turn < 30 && (await countWaiting(long.id)) > 0; turn++) await followCatalogue.run(services, {});
  expect(await countWaiting(long.id)).toBe(0);
  const { rows } = await sql`
    select held, waiting
    from catalogue_offers
    where id = ${long.id}`.execute(db);
  expect(rows).toEqual([{ held: 1000, waiting: 0 }]);
});

test("people who take a course with any number of places do not wait for each other", async () => {
  const acme = await company();
  const [ada, ben, cleo] = (await people(acme.accessCode, "Ada", "Ben", "Cleo")) as [Person, Person, Person];
  const { id, courseId } = await offer(acme.id);
  const other = await services.pool.connect();
  await other.query("begin");
  // As another person who takes the course does until the end of their transaction.
  await other.query("select from catalogue_offers where id = $1 for share", [id]);
  await other.query("select from courses where id = $1 for share", [courseId]);
  const replies = await Promise.all([join(ada, id, "enrol"), join(ben, id, "enrol")]);
  await other.query("rollback");
  other.release();
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  await change(acme.id, id, { places: 2 });
  expect(await join(cleo, id, "enrol")).toMatchObject({ status: 409, code: "catalogue.full" });
});

test("assigning survives a deadlock, also from the list of people", { timeout: 60_000 }, async () => {
  for (const way of ["courses", "learners"] as const) {
    const acme = await company();
    const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
    const { id, courseId } = await offer(acme.id);
    bodyOf(await join(ada, id, "enrol"));
    bodyOf(await call(courses.withdraw, { params: { id: courseId }, body: { userIds: [ada.user.id] } }));
    const other = await services.pool.connect();
    await other.query("begin");
    // So that the assignment is what PostgreSQL ends.
    await other.query("set local deadlock_timeout = '20s'");
    await other.query("select from enrolments where course_id = $1 for no key update", [courseId]);
    const assigned =
      way === "courses"
        ? call(courses.assign, { params: { id: courseId }, body: { userIds: [ada.user.id] } })
        : call(learners.assign, { body: { ids: [ada.user.id], courseIds: [courseId] } });
    await sleep(500);
    await other.query("select from courses where id = $1 for key share", [courseId]);
    await other.query("commit");
    other.release();
    expect([way, (await assigned).status]).toEqual([way, 200]);
    expect(await statusOf(ada, courseId)).toBe("assigned");
  }
});
