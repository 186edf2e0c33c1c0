import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { readRegistry } from "#server/core/domains/registry.ts";
import * as domains from "#server/domains.ts";
import { ALL_PREFERENCES } from "#shared/consent/consentPreferences.ts";
import { consents } from "#shared/consent/consent.ts";
import { player, SESSION_HEADER } from "#shared/player/player.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { reports } from "#shared/reports/reports.ts";
import { start } from "#test/start.ts";

const { app, as, make, db } = await start();
type Document = {
  schemaVersion: number;
  generatedAt: string;
  userId: string;
  sections: Record<
    string,
    { purpose: string; legalBasis: string; retention: string; items: Record<string, unknown>[] }
  >;
};
const read = async (...args: Parameters<typeof as>) => (await as(...args)(privacy.export)).body as unknown as Document;

test("answers 401 with its own message to guests", async () => {
  expect((await app.inject("/api/exportUserData")).json()).toMatchObject({
    error: "You must be logged in to export data",
  });
  const erase = await app.inject({ method: "POST", url: "/api/deleteUserData", payload: {} });
  expect([erase.statusCode, erase.json().error]).toEqual([401, "You must be logged in to delete data"]);
});

test("exports all data of the person, without secrets or data of others", async () => {
  const { admin, learner, company, course } = await make.classroom();
  const other = await make.learner(company.accessCode, "Other Person");
  const session = await make.launch(learner, company.id, course.id);
  // More batches than fit on one page
  for (let seq = 1; seq <= 130; seq++) {
    await as(null, { [SESSION_HEADER]: session.token })(player.commit, {
      params: { id: session.sessionId },
      body: {
        events: [{ seq, t: seq, type: "scorm.set", sco: "i1", key: "cmi.core.lesson_location", value: `p${seq}` }],
      },
    });
  }
  await as(learner)(consents.record, { body: { status: "accept_all", preferences: ALL_PREFERENCES } });
  await as(admin)(reports.learner, { params: { id: learner.user.id } });
  const reply = await app.inject({ url: "/api/exportUserData", headers: { authorization: `Bearer ${learner.token}` } });
  expect([reply.statusCode, reply.headers["content-type"], reply.headers["cache-control"]]).toEqual([
    200,
    "application/json; charset=utf-8",
    "no-store",
  ]);
  expect(reply.headers["content-disposition"]).toMatch(/^attachment; filename="my-data-\d{4}-\d\d-\d\d\.json"$/);
  const body = reply.json() as Document;
  expect(body).toMatchObject({ schemaVersion: 2, userId: learner.user.id });
  const { sections } = readRegistry(Object.values(domains));
  expect(Object.keys(body.sections)).toEqual(sections.map(({ key }) => key));
  for (const [key, { purpose, legalBasis, retention }] of Object.entries(body.sections))
    expect([key, Boolean(purpose && legalBasis && retention)]).toEqual([key, true]);
  const count = (key: string) => body.sections[key]?.items.length;
  expect(
    [
      "profile",
      "signInMethods",
      "signIns",
      "enrolments",
      "attempts",
      "resumeStates",
      "sessions",
      "sessionEvents",
      "consents",
      "actionsAboutMe",
      "myActions",
    ].map(count),
  ).toEqual([1, 1, 1, 1, 1, 1, 1, 130, 1, 1, 2]);
  expect(body.sections.profile?.items[0]).toMatchObject({
    id: learner.user.id,
    email: learner.user.email,
    company: company.name,
  });
  expect(body.sections.sessionEvents?.items.map(({ firstSeq }) => firstSeq)).toEqual(
    Array.from({ length: 130 }, (_, at) => at + 1),
  );
  const secrets = await sql<{ word: string }>`
    select password as word from auth_accounts
    union
    select token from auth_sessions
    union
    select token_hash from sessions`.execute(db);
  for (const { word } of secrets.rows) expect(reply.body).not.toContain(word);
  for (const word of [other.user.id, other.user.email, admin.user.email, admin.user.id])
    expect(reply.body).not.toContain(word);
});

test("lets admins export anyone and learners only themselves", async () => {
  const { admin, learner, company } = await make.classroom();
  const colleague = await make.learner(company.accessCode);
  const ask = (who: typeof admin, userId: string) => as(who)(privacy.export, { query: { userId } });
  expect((await ask(admin, learner.user.id)).body).toMatchObject({ userId: learner.user.id });
  expect((await ask(learner, learner.user.id)).status).toBe(200);
  expect((await ask(colleague, learner.user.id)).status).toBe(403);
  expect((await ask(admin, randomUUID())).status).toBe(404);
  expect((await ask(admin, "nonsense")).status).toBe(422);
  expect((await read(admin)).userId).toBe(admin.user.id);
});

test("answers an internal error with its own message", async () => {
  const { learner } = await make.classroom();
  await sql`alter table audit_entries rename to gone`.execute(db);
  const [exported, erased] = [await as(learner)(privacy.export), await as(learner)(privacy.erase, { body: {} })];
  await sql`alter table gone rename to audit_entries`.execute(db);
  expect([exported.status, (exported.body as unknown as { error: string }).error]).toEqual([
    500,
    "Failed to export user data",
  ]);
  expect([erased.status, (erased.body as unknown as { error: string }).error]).toEqual([
    500,
    "Failed to delete user data",
  ]);
});

test("removes invitation links from exported emails", async () => {
  const { admin, company } = await make.classroom();
  const { learners } = await import("#shared/learners/learners.ts");
  const email = `m-${randomUUID()}@example.com`;
  await as(admin)(learners.invite, { body: { companyId: company.id, people: [{ email }] } });
  const id = (await as(admin)(learners.list, { query: { q: email } })).body.items[0]?.id as string;
  const body = (await as(admin)(privacy.export, { query: { userId: id } })).body as unknown as Document;
  expect(body.sections.mails?.items[0]?.recipient).toBe(email);
  expect(body.sections.mails?.items[0]?.body).toContain("invitation=…");
});
