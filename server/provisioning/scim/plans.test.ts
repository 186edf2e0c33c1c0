import { expect, test } from "vitest";
import { createDirectories, ENTERPRISE, GROUP } from "#test/directory.ts";
import { createPlanReader } from "#test/plans.ts";
import { start } from "#test/start.ts";
import { provisioning, SCIM_PATH } from "#shared/provisioning/provisioning.ts";

// What lists of a directory read: the people whom a filter names, and not the company

const server = await start();
const { app, services } = server;
const { admin, company, done, key } = await createDirectories(server).company();
const { read } = createPlanReader({ app, services }, admin.token);
const PEOPLE = 8000;
const { pool } = services;
const { rows } = await pool.query<{ id: string }>(
  `insert into users (email, name, role, status, company_id)
  select 'plan-' || n || '@example.com', 'Person ' || n, 'learner', 'invited', $1
  from generate_series(1, $2::int) n
  returning id`,
  [company.id, PEOPLE],
);
await pool.query(
  `insert into provisioned_people (user_id, company_id, user_name, external_id, email, attributes)
  select id, company_id, 'user-' || email, 'external-' || email, email, jsonb_build_object('emails', jsonb_build_array(
    jsonb_build_object('own', true, 'type', 'work'),
    jsonb_build_object('value', 'home-' || email, 'type', 'home')
  ))
  from users
  where company_id = $1
    and email like 'plan-%'`,
  [company.id],
);
await pool.query(
  `insert into personnel_numbers (user_id, company_id, number)
  select id, company_id, 'N-' || email
  from users
  where company_id = $1`,
  [company.id],
);
const members = rows.slice(3, 2000).map(({ id }) => ({ value: id }));
await done("POST", "/Groups", { schemas: [GROUP], displayName: "Crew", members: [{ value: rows[2]?.id }] });
await done("POST", "/Groups", { schemas: [GROUP], displayName: "Everyone", members });
await pool.query(
  `insert into provisioning_calls (company_id, method, resource, person_id, status, result)
  select $1, 'GET', 'Users', ($2::uuid[])[1 + n % 50], case when n % 1000 = 0 then 400 else 200 end, 'listed'
  from generate_series(1, 20000) n`,
  [company.id, rows.slice(0, 50).map(({ id }) => id)],
);
await pool.query(
  `insert into provisioning_holds (user_id, company_id, kind, asked_at, refused_at)
  select id, company_id, 'suspend', now() - random() * interval '1 hour', case when random() < 0.5 then now() end
  from users
  where id = any($1::uuid[])`,
  [rows.slice(0, 2000).map(({ id }) => id)],
);
await pool.query("vacuum (analyze)");

const one = "plan-17@example.com";
test.each([
  `userName eq "user-${one}"`,
  `userName eq "USER-${one}"`,
  `externalId eq "external-${one}"`,
  `emails.value eq "${one}"`,
  `emails.value eq "home-${one}"`,
  `emails[type eq "work"].value eq "${one}"`,
  `${ENTERPRISE}:employeeNumber eq "N-${one}"`,
  `id eq "${rows[16]?.id}"`,
])("the filter %s reads only whom it finds", async (filter) => {
  const path = `${SCIM_PATH}/Users?${new URLSearchParams({ filter })}`;
  const reply = await app.inject({ url: path, headers: { authorization: `Bearer ${key.key}` } });
  expect(reply.json()).toMatchObject({ totalResults: 1 });
  expect(await read(path, key.key)).toBeLessThan(60);
});

test("a group is found by a member without reading the members of others", async () => {
  const query = new URLSearchParams({ filter: `members.value eq "${rows[2]?.id}"`, excludedAttributes: "members" });
  expect(await read(`${SCIM_PATH}/Groups?${query}`, key.key)).toBeLessThan(60);
});

test("pages of calls and of waiting people read their rows", async () => {
  const path = (of: { path: string }) => of.path.replace(":id", company.id);
  for (const query of ["", "&result=refused", "&page=2"])
    expect(await read(`${path(provisioning.calls)}?size=10${query}`), query).toBeLessThan(200);
  expect(await read(`${path(provisioning.holds)}?size=10`)).toBeLessThan(200);
});
