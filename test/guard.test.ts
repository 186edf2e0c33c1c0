import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as domains from "#server/domains.ts";
import { listContracts } from "#server/endpoints.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { player } from "#shared/player/player.ts";
import { conversationReplays, replays } from "#shared/reports/replays.ts";
import { reports } from "#shared/reports/reports.ts";
import type { Contract } from "#shared/core/route.ts";
import { ENDLESS_STREAMS } from "#test/operations.ts";
import { start } from "#test/start.ts";

const { app, as, make } = await start();
const nameOf = ({ domain, name }: Contract) => `${domain}.${name}`;
const all = listContracts().map((contract) => ({ name: nameOf(contract), contract }));

// Endpoints are for admins unless the domain.ts of their domain names them under `openTo`. The policies in routes.ts
// decide; `openTo` says it a second time, so that one wrong word in routes.ts cannot open an endpoint.

const openTo = Object.values(domains).map((domain) => domain.openTo ?? {});
/** Endpoints without sign-in; all others answer 401. */
const openToGuests = openTo.flatMap(({ guests = [] }) => guests);
/** Endpoints that learners may use, for their own data. */
const openToLearners = openTo.flatMap(({ learners: names = [] }) => names);
/** False for `privacy.erase`, which without a body erases the caller; server/privacy/erasure.test.ts tests call. */
/** Endpoints that only learners who lead people may use. */
const openToManagers = openTo.flatMap(({ managers: names = [] }) => names);
// A stream that both may open has no end.
const isHarmless = ({ name, contract }: { name: string; contract: Contract }) =>
  name !== "privacy.erase" && !ENDLESS_STREAMS.includes(contract.path);

const urlOf = (contract: Contract, id: string = randomUUID()) => contract.path.replace(/:\w+/g, id);
const visit = (contract: Contract, token?: string, id?: string) =>
  app.inject({
    method: contract.method,
    url: urlOf(contract, id),
    ...(contract.method !== "GET" && contract.method !== "DELETE" && { payload: {} }),
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });

test("every name under `openTo` is an endpoint", () => {
  const names = all.map(({ name }) => name);
  expect([...openToGuests, ...openToLearners, ...openToManagers].filter((name) => !names.includes(name))).toEqual([]);
});

test("every contract in shared/ is mounted", async () => {
  const folder = join(import.meta.dirname, "../shared");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const modules: Record<string, unknown>[] = await Promise.all(files.map((file) => import(join(folder, file))));
  const mounted = new Set(all.map(({ name }) => name));
  const missing = modules
    .flatMap((exported) => Object.values(exported))
    .flatMap((list) =>
      Object.values(list ?? {})
        .filter(isContract)
        .map(nameOf),
    )
    .filter((name) => !mounted.has(name));
  expect(
    missing,
    "mount these in the routes.ts of their domain, and list that under `routes` in its domain.ts",
  ).toEqual([]);
});
const isContract = (value: unknown): value is Contract =>
  typeof value === "object" && value !== null && "domain" in value && "method" in value && "path" in value;

test.each(all.filter(({ name }) => !openToGuests.includes(name)))(
  "$name needs a sign-in",
  async ({ name, contract }) => {
    const advice = `if guests may call ${name}, name it under openTo.guests in the domain.ts of its domain`;
    expect((await visit(contract)).statusCode, advice).toBe(401);
    expect((await visit(contract, "made.up.token")).statusCode, advice).toBe(401);
  },
);

test("a commit needs the token of its session", async () => {
  expect((await app.inject({ method: "POST", url: urlOf(player.commit), payload: { events: [] } })).statusCode).toBe(
    401,
  );
});

test("endpoints for admins answer 403 to learners and managers, not to admins", async () => {
  const { admin, learner, company } = await make.classroom();
  const leader = await make.learner(company.accessCode, "Lena Leader");
  const to = { ids: [learner.user.id], managerId: leader.user.id };
  expect((await as(admin)(learners.setManager, { body: to })).body).toEqual({ changed: 1 });
  for (const { name, contract } of all.filter(({ name }) => !openToGuests.includes(name)).filter(isHarmless)) {
    const [mine, theirs] = [await visit(contract, learner.token), await visit(contract, admin.token)];
    const leads = await visit(contract, leader.token);
    const advice = `${name}: if learners may call it, name it under openTo.learners in domain.ts, otherwise not`;
    if (openToManagers.includes(name)) {
      expect([mine.statusCode, theirs.statusCode], name).toEqual([403, 403]);
      expect(leads.statusCode, name).not.toBe(403);
      continue;
    }
    if (openToLearners.includes(name)) expect(mine.statusCode, advice).not.toBe(403);
    else expect([mine.statusCode, leads.statusCode], advice).toEqual([403, 403]);
    expect(theirs.statusCode, name).not.toBe(403);
  }
});

test("every GET endpoint with an id answers 404 to an unknown and to a malformed id", async () => {
  const admin = await make.admin();
  for (const { name, contract } of all.filter(
    ({ name, contract: { path, method } }) =>
      path.includes(":id") && method === "GET" && !openToManagers.includes(name),
  )) {
    expect([name, (await visit(contract, admin.token)).statusCode]).toEqual([name, 404]);
    expect([name, (await visit(contract, admin.token, "nonsense")).statusCode]).toEqual([name, 404]);
  }
});

test("a learner cannot read or launch anything of another company", async () => {
  const [a, b] = [await make.classroom(), await make.classroom()];
  await make.launch(b.learner, b.company.id, b.course.id);
  const theirs = (await as(b.admin)(courses.enrolments, { query: { userId: b.learner.user.id } })).body.items[0];
  const session = (await as(b.admin)(reports.learner, { params: { id: b.learner.user.id } })).body.sessions[0];
  const stranger = as(a.learner);
  expect((await stranger(learners.get, { params: { id: b.learner.user.id } })).status).toBe(404);
  expect((await stranger(reports.learner, { params: { id: b.learner.user.id } })).status).toBe(404);
  expect((await stranger(reports.answers, { params: { id: theirs?.id as string } })).status).toBe(404);
  expect((await stranger(reports.session, { params: { id: session?.id as string } })).status).toBe(404);
  expect((await stranger(courses.get, { params: { id: b.course.id } })).status).toBe(404);
  expect((await stranger(courses.enrolments, { query: { companyId: b.company.id } })).body.total).toBe(0);
  expect((await stranger(courses.enrolments, { query: { userId: b.learner.user.id } })).body.total).toBe(0);
  expect((await stranger(courses.list)).body.items.map(({ id }) => id)).toEqual([a.course.id]);
  expect(
    (
      await stranger(player.launch, {
        params: { companyId: b.company.id, courseId: b.course.id },
        body: { clientId: "a-spying-window" },
      })
    ).status,
  ).toBe(404);
  expect(
    (
      await stranger(player.launch, {
        params: { companyId: a.company.id, courseId: b.course.id },
        body: { clientId: "a-spying-window" },
      })
    ).status,
  ).toBe(404);
  expect((await stranger(companies.get, { params: { id: b.company.id } })).status).toBe(403);
});

test("a learner cannot read the records of a colleague", async () => {
  const room = await make.classroom();
  const colleague = await make.learner(room.company.accessCode, "Carl Colleague");
  const { sessionId } = await make.launch(room.learner, room.company.id, room.course.id);
  const [enrolment] = (await as(room.learner)(courses.enrolments)).body.items;
  const issue = { params: { id: room.learner.user.id }, body: {} };
  const issued = (await as(room.admin)(reports.issue, issue)).body;
  const addresses: [Contract, string][] = [
    [reports.learner, room.learner.user.id],
    ...[reports.figures, reports.rows, reports.changes, reports.export, reports.issue].map(
      (contract): [Contract, string] => [contract, room.learner.user.id],
    ),
    [reports.pdf, issued.id],
    [reports.answers, enrolment?.id as string],
    [reports.session, sessionId],
  ];
  for (const [contract, id] of addresses) {
    expect((await visit(contract, room.learner.token, id)).statusCode, contract.path).toBe(200);
    expect((await visit(contract, colleague.token, id)).statusCode, contract.path).toBe(404);
  }
  const adminsOnly: [Contract, string][] = [
    ...Object.values({ ...replays, ...conversationReplays }).map((contract): [Contract, string] => [
      contract,
      sessionId,
    ]),
    [reports.people, room.company.id],
    [reports.issued, ""],
    [reports.check, issued.id],
  ];
  for (const [contract, id] of adminsOnly)
    for (const person of [room.learner, colleague])
      expect((await visit(contract, person.token, id)).statusCode, contract.path).toBe(403);
  // Reports on a company or a course do not exist for learners, nor does one that was issued on them.
  const ofMany = (await as(room.admin)(reports.issue, { params: { id: room.company.id }, body: {} })).body;
  for (const id of [room.company.id, room.course.id])
    for (const contract of [reports.figures, reports.rows, reports.changes, reports.export, reports.issue])
      expect((await visit(contract, room.learner.token, id)).statusCode, contract.path).toBe(404);
  expect((await visit(reports.pdf, room.learner.token, ofMany.id)).statusCode).toBe(404);
  expect((await as(colleague)(courses.enrolments)).body.items.every(({ userId }) => userId === colleague.user.id)).toBe(
    true,
  );
});

test("replies contain no columns that the contract does not name", async () => {
  const { admin, learner } = await make.classroom();
  const bodies = [await as(admin)(learners.list), await as(admin)(companies.list), await as(learner)(courses.list)].map(
    ({ body }) => JSON.stringify(body),
  );
  for (const word of ["hash", "token", "password", "logoType", "secret"])
    expect(bodies.filter((body) => new RegExp(`"[^"]*${word}[^"]*":`, "i").test(body))).toEqual([]);
});
