import { sql } from "kysely";
import { test } from "vitest";
import { followPeople } from "#server/enrolmentRules/follow.ts";
import { runTurns } from "#server/enrolmentRules/runs.ts";
import { enrolmentRules } from "#shared/enrolmentRules/enrolmentRules.ts";
import { fields } from "#shared/fields/fields.ts";
import { bodyOf } from "#test/probes.ts";
import { start } from "#test/start.ts";
const { as, make, db, services } = await start();
test("measure", { timeout: 600_000 }, async () => {
  const admin = await make.admin();
  const call = as(admin);
  const company = await make.company(admin);
  const course = await make.course(admin);
  const field = bodyOf(
    await call(fields.create, { body: { companyId: company.id, key: "team", name: "Team", kind: "text" } }),
  );
  await sql`insert into users (email, name, role, status, company_id, joined_at)
    select 'p' || n || '@example.com', 'Person ' || n, 'learner', 'active', ${company.id}, now() - n * interval '1 hour'
    from generate_series(1, 5000) n`.execute(db);
  await sql`insert into field_values (user_id, field_id, text) select id, ${field.id}, 'team ' || (row_number() over ()) % 50 from users where role = 'learner'`.execute(
    db,
  );
  await sql`analyze`.execute(db);
  const timed = async <T>(name: string, work: () => Promise<T>) => {
    const t = performance.now();
    const r = await work();
    process.stdout.write(`MEASURE ${name}: ${Math.round(performance.now() - t)} ms\n`);
    return r;
  };
  const condition = (n: number) => ({
    match: "all" as const,
    tests: [
      { kind: "field" as const, field: field.id, is: "equal" as const, value: `team ${n}` },
      { kind: "status" as const, is: "is" as const, status: "active" as const },
    ],
  });
  await timed("follow 5000 new people, no rules", () => followPeople.run(services, {}));
  for (let n = 0; n < 50; n++) {
    const made = bodyOf(
      await call(enrolmentRules.create, {
        body: {
          companyId: company.id,
          name: `Rule ${n}`,
          courseIds: [course.id],
          condition: n === 0 ? null : condition(n),
          due: { kind: "assigned", days: n + 1 },
        },
      }),
    );
    bodyOf(
      await call(enrolmentRules.setState, {
        params: { id: made.id },
        body: { state: "active", version: made.version },
      }),
    );
    if (n === 0)
      await timed("run of the first rule, 5000 enrolled", () =>
        runTurns(services).then(async (more) => {
          while (more) more = await runTurns(services);
        }),
      );
  }
  await timed("runs of 49 rules over 5000 people", async () => {
    while (await runTurns(services));
  });
  const draft = {
    companyId: company.id,
    condition: null,
    courseIds: [course.id],
    due: { kind: "assigned" as const, days: 3 },
    people: "all" as const,
  };
  for (const i of [1, 2])
    await timed(`preview of everybody with 50 rules ${i}`, () =>
      call(enrolmentRules.preview, { body: draft }).then(bodyOf),
    );
  await timed("preview people", () =>
    call(enrolmentRules.previewPeople, { body: { ...draft, part: "meet", q: "Person 49" } }).then(bodyOf),
  );
  await timed("past", () => call(enrolmentRules.past, { body: draft }).then(bodyOf));
  await timed("list", () => call(enrolmentRules.list, {}).then(bodyOf));
  for (const i of [1, 2, 3]) await timed(`join by code ${i}`, () => make.learner(company.accessCode, `Joins ${i}`));
  await timed("follow the three", () => followPeople.run(services, {}));
  await sql`update field_values set text = 'team 7' where user_id = (select id from users where name = 'Person 3')`.execute(
    db,
  );
  await timed("follow one changed field", () => followPeople.run(services, {}));
  await sql`update field_values set text = 'team 8'`.execute(db);
  await timed("follow 5000 changed fields", () => followPeople.run(services, {}));
});
