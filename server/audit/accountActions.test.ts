import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import { afterAll, expect, test } from "vitest";
import { purgeExpiredRecords } from "#server/privacy/jobs.ts";
import { accounts } from "#shared/account.ts";
import { audit, SHORT_LIVED_DAYS } from "#shared/audit.ts";
import { auth } from "#shared/auth.ts";
import { privacy } from "#shared/privacy.ts";
import { follow, OIDC_CLIENT, type Persona, startOidc } from "#test/oidc.ts";
import { type Person, start } from "#test/start.ts";

// Entries about people's own accounts and failed logins

const RETURN = "http://localhost:1/api/auth/external/return";
const google = await startOidc(RETURN);
const { app, as, make, db, services, runJobs } = await start({
  GOOGLE_ISSUER: google.issuer,
  GOOGLE_CLIENT_ID: OIDC_CLIENT.id,
  GOOGLE_CLIENT_SECRET: OIDC_CLIENT.secret,
});
const runner = await runJobs();
afterAll(() => Promise.all([google.close(), runner.stop()]));

const PASSWORD = "correct horse battery";
const body = { password: PASSWORD };
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
const cookiesOf = (set: unknown) =>
  [set]
    .flat()
    .filter(Boolean)
    .map((line) => String(line).split(";")[0])
    .join("; ");
const acts = async (who: Person) =>
  await db
    .selectFrom("auditEntries")
    .where("personId", "=", who.user.id)
    .where("action", "like", "account.%")
    .select(["action", "details", "actorId", "actorRole", "companyId"])
    .orderBy("at")
    .execute();
const names = async (who: Person) => (await acts(who)).map(({ action }) => action.replace("account.", ""));
const stepOf = async (email: string) =>
  cookiesOf(
    (await app.inject({ method: "POST", url: auth.signIn.path, payload: { email, password: PASSWORD } })).headers[
      "set-cookie"
    ],
  );
const second = (cookie: string, code: string, method: "app" | "recovery" = "app") =>
  as(null, { cookie })(auth.secondStep, { body: { method, code } });
const throughGoogle = async (who: Persona, by?: Person) => {
  google.next(who);
  const begun = await app.inject({
    method: "POST",
    url: auth.external.path,
    payload: { provider: "google", ...(by && { purpose: "link", password: PASSWORD }) },
    headers: by ? { authorization: `Bearer ${by.token}` } : {},
  });
  const { pathname, search } = new URL(await follow(begun.json().address, RETURN));
  return app.inject({ url: pathname + search, headers: { cookie: cookiesOf(begun.headers["set-cookie"]) } });
};

test("records every login and account change for its person", async () => {
  const { learner, company } = await make.classroom();
  const me = as(learner);
  const { secret } = (await me(accounts.startApp, { body })).body;
  const { codes } = (await me(accounts.confirmApp, { body: { code: codeOf(secret, -1) } })).body;
  expect((await second(await stepOf(learner.user.email), codeOf(secret))).status).toBe(200);
  const byCode = await second(await stepOf(learner.user.email), codes[0] as string, "recovery");
  expect(byCode.body.recoveryCodes).toBe(9);
  await me(accounts.recoveryCodes, { body });
  await throughGoogle({ email: learner.user.email }, learner);
  await me(accounts.unlinkGoogle, { body });
  const [other] = (await me(accounts.sessions)).body.items.filter(({ current }) => !current);
  await me(accounts.endSession, { params: { id: other?.id as string } });
  await me(accounts.endOthers);
  await me(accounts.endOthers);
  await me(accounts.removeApp, { body });
  await me(accounts.changePassword, { body: { current: PASSWORD, password: "another mule charger" } });
  expect(await names(learner)).toEqual([
    "signIn",
    "appAdded",
    "recoveryCodes",
    "signIn",
    "recoveryUsed",
    "signIn",
    "recoveryCodes",
    "googleLinked",
    "googleUnlinked",
    "sessionsEnded",
    "sessionsEnded",
    "appRemoved",
    "password",
  ]);
  const written = await acts(learner);
  expect(
    written.every(
      ({ actorId, actorRole, companyId }) =>
        actorId === learner.user.id && actorRole === "learner" && companyId === company.id,
    ),
  ).toBe(true);
  expect(written.flatMap(({ action, details }) => (action === "account.signIn" ? [details] : []))).toEqual([
    { by: "password" },
    { by: "password", second: "app" },
    { by: "password", second: "recovery" },
  ]);
  expect(JSON.stringify(written)).not.toContain((codes[0] as string).slice(0, 5));
});

test("records nothing for a refused change", async () => {
  const { learner } = await make.classroom();
  const me = as(learner);
  await me(accounts.changePassword, { body: { current: "wrong", password: "another mule charger" } });
  await me(accounts.startApp, { body });
  await me(accounts.removeApp, { body });
  await me(accounts.unlinkGoogle, { body });
  expect(await names(learner)).toEqual(["signIn"]);
});

test("records wrong second factor codes and the lockout without an actor", async () => {
  const { learner } = await make.classroom();
  const { secret } = (await as(learner)(accounts.startApp, { body })).body;
  await as(learner)(accounts.confirmApp, { body: { code: codeOf(secret, -1) } });
  const cookie = await stepOf(learner.user.email);
  await Promise.all(Array.from({ length: 12 }, () => second(cookie, "000000")));
  const tried = (await acts(learner)).filter(({ actorRole }) => actorRole === "nobody");
  expect(tried.map(({ action }) => action).toSorted()).toEqual([
    "account.locked",
    ...Array.from({ length: 5 }, () => "account.refused"),
  ]);
  expect(tried.every(({ actorId }) => actorId === null)).toBe(true);
  expect((await as(learner)(audit.mine, { query: { kind: "accounts" } })).body.items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        action: "account.locked",
        actor: null,
        actorRole: "nobody",
        isSelf: false,
        details: { second: "app" },
      }),
    ]),
  );
});

test("records a password lockout once, and nothing for unknown addresses", async () => {
  const { learner } = await make.classroom();
  const guess = (email: string) =>
    as(null, { "x-forwarded-for": "198.51.100.9" })(auth.signIn, { body: { email, password: "wrong" } });
  for (let n = 0; n < 8; n++) await guess(learner.user.email);
  for (let n = 0; n < 8; n++) await guess("nobody@nowhere.example");
  await expect.poll(() => names(learner), { timeout: 10_000 }).toEqual(["signIn", "locked"]);
  await expect
    .poll(
      async () =>
        (
          await sql<{
            n: number;
          }>`select count(*)::int as n from graphile_worker.jobs where task_identifier = 'auth:locked'`.execute(db)
        ).rows[0]?.n,
      { timeout: 10_000 },
    )
    .toBe(0);
  expect(
    await db
      .selectFrom("auditEntries")
      .where("action", "=", "account.locked")
      .where("personId", "is", null)
      .selectAll()
      .execute(),
  ).toEqual([]);
});

test("filters the log by kind and shows learners only their own entries", async () => {
  const { admin, learner, company } = await make.classroom();
  await as(learner)(privacy.export);
  const list = async (query: object) =>
    (await as(admin)(audit.list, { query: { companyId: company.id, ...query } as never })).body.items.map(
      ({ action }) => action,
    );
  expect(await list({ kind: "accounts" })).toEqual(["account.signIn"]);
  expect(await list({ kind: "administration" })).not.toContain("account.signIn");
  expect(await list({ action: "account.signIn" })).toEqual(["account.signIn"]);
  const mine = async (kind?: "accounts" | "administration") =>
    (await as(learner)(audit.mine, { query: { ...(kind && { kind }) } })).body.items.map(({ action, isSelf }) => [
      action,
      isSelf,
    ]);
  expect(await mine("accounts")).toEqual([["account.signIn", true]]);
  expect(await mine("administration")).toEqual([["privacy.export", true]]);
  expect(await mine()).toHaveLength(2);
});

test("deletes old logins, keeps changes, and deletes all on erasure", async () => {
  const { learner } = await make.classroom();
  await as(learner)(accounts.changePassword, { body: { current: PASSWORD, password: "another mule charger" } });
  await db.transaction().execute(async (tx) => {
    await sql`select set_config('lyceum.rewrite', 'allowed', true)`.execute(tx);
    await tx
      .updateTable("auditEntries")
      .set({ at: sql`now() - make_interval(days => ${SHORT_LIVED_DAYS + 1})` })
      .where("personId", "=", learner.user.id)
      .execute();
  });
  const again = await as(null)(auth.signIn, { body: { email: learner.user.email, password: "another mule charger" } });
  expect(again.status).toBe(200);
  await purgeExpiredRecords.work(services, {});
  expect(await names(learner)).toEqual(["password", "signIn"]);
  const fresh = { ...learner, token: again.body.token };
  const held = (await as(fresh)(privacy.preview)).body.holdings;
  expect(held.filter(({ key }) => key.startsWith("audit"))).toMatchObject([
    { key: "audit.own", fate: "delete", rows: 2 },
  ]);
  expect(held.map(({ what }) => what).join()).not.toContain("admin");
  expect((await as(fresh)(privacy.erase, { body: {} })).status).toBe(200);
  expect(
    await db
      .selectFrom("auditEntries")
      .where("action", "like", "account.%")
      .where("personId", "is", null)
      .selectAll()
      .execute(),
  ).toEqual([]);
});
