import { sql } from "kysely";
import { expect, test } from "vitest";
import { runTurns } from "#server/enrolmentRules/runs.ts";
import { catalogue } from "#shared/catalogue/catalogue.ts";
import { courses } from "#shared/courses/courses.ts";
import { enrolmentRules } from "#shared/enrolmentRules/enrolmentRules.ts";
import { learners } from "#shared/learners/learners.ts";
import { createCatalogueTester } from "#test/catalogue.ts";
import { scaled } from "#test/long.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";

// Several people, admins and jobs change the same places at the same moment

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { make, db, services } = server;
const admin = await make.admin();
const tester = createCatalogueTester(server, admin);
const { call, work, company, people, offer, change, join, leave, withdraw } = tester;
const { requestOf, countHolders, reasonsOf, statusOf } = tester;

const statuses = (replies: { status: number }[]) => replies.map(({ status }) => status).toSorted();
const stateOf = async (person: Person, companyId: string) => (await requestOf(companyId, person))?.status;
const moveTo = (person: Person, companyId: string) =>
  call(learners.move, { body: { ids: [person.user.id], companyId } });
const giveByRule = async (companyId: string, courseId: string) => {
  const body = { companyId, name: `Rule ${courseId}`, courseIds: [courseId] };
  const { id, version } = bodyOf(await call(enrolmentRules.create, { body }));
  return call(enrolmentRules.setState, { params: { id }, body: { state: "active", version } });
};

test("parallel enrolments take exactly the places there are", { timeout: 60_000 }, async () => {
  const acme = await company();
  const everyone = await people(acme.accessCode, ...Array.from({ length: 12 }, (_, n) => `P${n}`));
  for (let round = 0; round < 5; round++) {
    const { id } = await offer(acme.id, { places: 4 });
    const replies = await Promise.all(everyone.map((person) => join(person, id, "enrol")));
    expect(statuses(replies)).toEqual([...Array(4).fill(200), ...Array(8).fill(409)]);
    expect(await countHolders(id)).toBe(4);
  }
});

test("a double click, two tabs and a waiting place make one place", { timeout: 60_000 }, async () => {
  const acme = await company();
  const [ada, ben] = (await people(acme.accessCode, "Ada", "Ben")) as [Person, Person];
  for (let round = 0; round < 10; round++) {
    const { id, courseId } = await offer(acme.id, { places: 2 });
    const both = await Promise.all([
      ...[1, 2, 3].map(() => join(ada, id, "enrol")),
      ...[1, 2].map(() => join(ada, id, "wait")),
    ]);
    expect(both.slice(0, 3).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await countHolders(id)).toBe(1);
    expect(await reasonsOf(ada, courseId)).toEqual(["self"]);
    expect(await stateOf(ada, acme.id)).toBe("enrolled");
    expect((await join(ben, id, "enrol")).status).toBe(200);
  }
});

test("enrolling while a request is approved holds one place", { timeout: 60_000 }, async () => {
  const acme = await company();
  for (let round = 0; round < 10; round++) {
    const [ada] = (await people(acme.accessCode, `Ada${round}`)) as [Person];
    const { id, courseId } = await offer(acme.id, { way: "request", places: 1 });
    await join(ada, id, "ask");
    const request = await requestOf(acme.id, ada, id);
    const decision = () => call(catalogue.decide, { params: { id: request?.id as string }, body: { approve: true } });
    await change(acme.id, id, { way: "self", places: 1 });
    const replies = await Promise.all([decision(), decision(), join(ada, id, "enrol"), withdraw(ada, id)]);
    expect(replies.every(({ status }) => [200, 409].includes(status))).toBe(true);
    const reasons = await reasonsOf(ada, courseId);
    expect([[], ["self"]]).toContainEqual(reasons);
    expect(await countHolders(id)).toBe(reasons.length);
  }
});

test(
  "a rule and a click at the same moment: one enrolment, and what the rule gives stays",
  { timeout: 60_000 },
  async () => {
    const acme = await company();
    const everyone = await people(acme.accessCode, "Ada", "Ben", "Cleo");
    for (let round = 0; round < 5; round++) {
      const { id, courseId } = await offer(acme.id);
      await Promise.all([
        giveByRule(acme.id, courseId).then(() => runTurns(services)),
        ...everyone.map((person) => join(person, id, "enrol")),
      ]);
      await runTurns(services);
      for (const person of everyone) {
        // People who had the course by the rule before the click take no place.
        const isTaken = (await reasonsOf(person, courseId)).includes("self");
        expect((await leave(person, id)).status).toBe(isTaken ? 200 : 409);
        expect(await reasonsOf(person, courseId)).toEqual(["rule"]);
        expect(await statusOf(person, courseId)).toBe("assigned");
      }
    }
  },
);

test("undoing an assignment leaves the course to the person who took it", async () => {
  const acme = await company();
  const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
  const { id, courseId } = await offer(acme.id);
  bodyOf(await join(ada, id, "enrol"));
  const body = { userIds: [ada.user.id] };
  const { undoId } = bodyOf(await call(courses.assign, { params: { id: courseId }, body }));
  bodyOf(await call(courses.undo, { params: { id: undoId } }));
  expect(await statusOf(ada, courseId)).toBe("assigned");
  expect(await reasonsOf(ada, courseId)).toContain("self");
});

test("withdrawing a course from thousands of people writes one change", { timeout: 120_000 }, async () => {
  const acme = await company();
  const count = scaled(2000, 20_000);
  const { id, courseId } = await offer(acme.id, { places: count });
  await sql`
    with made as (
      insert into users (name, email, role, status, company_id)
      select 'Many ' || n, 'many' || n || '@example.com', 'learner', 'active', ${acme.id}
      from generate_series(1, ${count}::int) n
      returning id
    ), enrolled as (
      insert into enrolments (user_id, company_id, course_id, source)
      select id, ${acme.id}, ${courseId}, 'company' from made
      returning id
    )
    select count(*) from enrolled`.execute(db);
  await sql`
    update enrolment_reasons
    set kind = 'self', rule_id = ${id}
    where company_id = ${acme.id}`.execute(db);
  const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
  await call(catalogue.offers, { params: { id: acme.id } });
  expect((await join(ada, id, "wait")).status).toBe(200);
  const body = { filter: { companyId: acme.id } };
  expect(bodyOf(await call(courses.withdraw, { params: { id: courseId }, body })).changed).toBe(count);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from catalogue_changes
    where offer_id = ${id}`.execute(db);
  expect(rows[0]?.count).toBe(1);
  // A run ends after four seconds.
  for (let run = 0; run < 5 && (await statusOf(ada, courseId)) === null; run++) await work();
  expect(await statusOf(ada, courseId)).toBe("assigned");
});

/** Deadlocks since the database was made. */
const countDeadlocks = async () => {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks::int
    from pg_stat_database
    where datname = current_database()`.execute(db);
  return rows[0]?.deadlocks ?? 0;
};

const ROUNDS = Number(process.env["CATALOGUE_ROUNDS"] ?? scaled(10, 25));

test.each([
  ["no deadlocks", false],
  ["what admins assign meanwhile", true],
])("many rounds of everything at the same moment: %s", { timeout: 900_000 }, async (_, assigns) => {
  const [acme, other] = [await company(), await company()];
  const everyone = await people(acme.accessCode, ...Array.from({ length: 6 }, (_, n) => `P${n}`));
  const [a, b] = [await offer(acme.id, { places: 2 }), await offer(acme.id, { places: 3 })];
  await giveByRule(acme.id, b.courseId);
  await sql`update enrolment_rules set state = 'paused'`.execute(db);
  const failed: unknown[] = [];
  const before = await countDeadlocks();
  const pick = (list: Person[], at: number) => list[at % list.length] as Person;
  for (let round = 0; round < ROUNDS; round++) {
    const ids = everyone.map(({ user }) => user.id);
    const mover = pick(everyone, round);
    const replies = await Promise.all([
      ...everyone.map((person, at) => join(person, (at + round) % 2 ? a.id : b.id, "enrol")),
      ...everyone.map((person, at) => join(person, (at + round) % 2 ? b.id : a.id, "wait")),
      leave(pick(everyone, round + 1), a.id),
      leave(pick(everyone, round + 2), b.id),
      withdraw(pick(everyone, round + 3), a.id),
      moveTo(mover, other.id),
      call(courses.withdraw, { params: { id: a.courseId }, body: { userIds: ids.slice(0, 3) } }),
      ...(assigns ? [call(courses.assign, { params: { id: b.courseId }, body: { userIds: ids.slice(2) } })] : []),
      call(courses.withdraw, { params: { id: b.courseId }, body: { userIds: ids.slice(3) } }),
      call(learners.suspend, { body: { ids: [pick(everyone, round + 4).user.id] } }),
      work().then(() => ({ status: 200 })),
      work().then(() => ({ status: 200 })),
    ]);
    failed.push(...replies.filter(({ status }) => status >= 500));
    await call(learners.reactivate, { body: { ids } });
    await moveTo(mover, acme.id);
    await work();
    for (const { id, places } of [a, b]) {
      const { rows } = await sql<{ doubled: number }>`
        select
          (
            select count(*)::int
            from catalogue_requests
            join enrolment_reasons reasons on reasons.rule_id = offer_id and reasons.until is null
            join enrolments on enrolments.id = reasons.enrolment_id and enrolments.user_id = catalogue_requests.user_id
            where offer_id = ${id}
              and catalogue_requests.status = 'waiting'
              and reasons.kind = 'self'
              and enrolments.company_id = ${acme.id}
              and enrolments.status <> 'withdrawn'
          ) as doubled`.execute(db);
      expect([round, rows[0]?.doubled]).toEqual([round, 0]);
      // People who were suspended or away get back what they had.
      expect(await countHolders(id)).toBeLessThanOrEqual((places ?? 0) + 2);
    }
    // What an admin has withdrawn is given back, so that the next round has something to do.
    for (const { courseId } of [a, b])
      await sql`
        update enrolment_reasons
        set ended = 'undone'
        from enrolments
        where enrolments.id = enrolment_reasons.enrolment_id
          and enrolments.course_id = ${courseId}
          and ended = 'withdrawn'`.execute(db);
  }
  expect(failed).toEqual([]);
  // Assignments and withdrawals lock the same enrolments in another order, and are repeated.
  if (!assigns) expect((await countDeadlocks()) - before).toBe(0);
});
