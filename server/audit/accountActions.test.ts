import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import { afterAll, expect, test } from "vitest";
import { purgeExpiredLogins } from "#server/audit/jobs.ts";
import { accounts } from "#shared/auth/account.ts";
import { accountAction, audit, SHORT_LIVED_DAYS } from "#shared/audit/audit.ts";
import { auth } from "#shared/auth/auth.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { follow, OIDC_CLIENT, type Persona, startOidc } from "#test/oidc.ts";
import { type Person, start } from "#test/start.ts";
import { PASSWORD } from "#test/password.ts";

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

const body = { password: PASSWORD };
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
const cookiesOf = (set: unknown) =>
  [set]
    .flat()
    .filter(Boolean)
    .map((line) => String(line).split(";")[0])
    .join("; ");
const entriesOf = async (who: Person) =>
  await db
    .selectFrom("auditEntries")
    .where("personId", "=", who.user.id)
    .where("action", "in", accountAction.options)
    .select(["action", "details", "actorId", "actorRole", "companyId"])
    .orderBy("at")
    .execute();
const actionNamesOf = async (who: Person) => (await entriesOf(who)).map(({ action }) => action.replace("account.", ""));
const startSecondStep = async (email: string) =>
  cookiesOf(
    (await app.inject({ method: "POST", url: auth.signIn.path, payload: { email, password: PASSWORD } })).headers[
      "set-cookie"
    ],
  );
const enterCode = (cookie: string, code: string, method: "app" | "recovery" = "app") =>
  as(null, { cookie })(auth.secondStep, { body: { method, code } });
const signInByGoogle = async (who: Persona, by?: Person) => {
  google.next(who);
  const started = await app.inject({
    method: "POST",
    url: auth.external.path,
    payload: { provider: "google", ...(by && { purpose: "link", password: PASSWORD }) },
    headers: by ? { authorization: `Bearer ${by.token}` } : {},
  });
  const { pathname, search } = new URL(await follow(started.json().address, RETURN));
  return app.inject({ url: pathname + search, headers: { cookie: cookiesOf(started.headers["set-cookie"]) } });
};

test("records every login and account change for its person", async () => {
  const { learner, company } = await make.classroom();
  const call = as(learner);
  const { secret } = (await call(accounts.startApp, { body })).body;
  const { codes } = (await call(accounts.confirmApp, { body: { code: codeOf(secret, -1) } })).body;
  expect((await enterCode(await startSecondStep(learner.user.email), codeOf(secret))).status).toBe(200);
  const byCode = await enterCode(await startSecondStep(learner.user.email), codes[0] as string, "recovery");
  expect(byCode.body.recoveryCodes).toBe(9);
  await call(accounts.recoveryCodes, { body });
  await signInByGoogle({ email: learner.user.email }, learner);
  await call(accounts.unlinkGoogle, { body });
  const [other] = (await call(accounts.sessions)).body.items.filter(({ current }) => !current);
  await call(accounts.endSession, { params: { id: other?.id as string } });
  await call(accounts.endOthers);
  await call(accounts.endOthers);
  await call(accounts.removeApp, { body });
  await call(accounts.changePassword, { body: { current: PASSWORD, password: "another mule charger" } });
  expect(await actionNamesOf(learner)).toEqual([
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
  const recorded = await entriesOf(learner);
  expect(
    recorded.every(
      ({ actorId, actorRole, companyId }) =>
        actorId === learner.user.id && actorRole === "learner" && companyId === company.id,
    ),
  ).toBe(true);
  expect(recorded.flatMap(({ action, details }) => (action === "account.signIn" ? [details] : []))).toEqual([
    { by: "password" },
    { by: "password", second: "app" },
    { by: "password", second: "recovery" },
  ]);
  expect(JSON.stringify(recorded)).not.toContain((codes[0] as string).slice(0, 5));
});

test("records nothing for a refused change", async () => {
  const { learner } = await make.classroom();
  const call = as(learner);
  await call(accounts.changePassword, { body: { current: "wrong", password: "another mule charger" } });
  await call(accounts.startApp, { body });
  await call(accounts.removeApp, { body });
  await call(accounts.unlinkGoogle, { body });
  expect(await actionNamesOf(learner)).toEqual(["signIn"]);
});

test("records wrong second factor codes and the lockout without an actor", async () => {
  const { learner } = await make.classroom();
  const { secret } = (await as(learner)(accounts.startApp, { body })).body;
  await as(learner)(accounts.confirmApp, { body: { code: codeOf(secret, -1) } });
  const cookie = await startSecondStep(learner.user.email);
  await Promise.all(Array.from({ length: 12 }, () => enterCode(cookie, "000000")));
  const refused = (await entriesOf(learner)).filter(({ actorRole }) => actorRole === "nobody");
  expect(refused.map(({ action }) => action).toSorted()).toEqual([
    "account.locked",
    ...Array.from({ length: 5 }, () => "account.refused"),
  ]);
  expect(refused.every(({ actorId }) => actorId === null)).toBe(true);
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
  await expect.poll(() => actionNamesOf(learner), { timeout: 10_000 }).toEqual(["signIn", "locked"]);
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
  const ownActions = async (kind?: "accounts" | "administration") =>
    (await as(learner)(audit.mine, { query: { ...(kind && { kind }) } })).body.items.map(({ action, isSelf }) => [
      action,
      isSelf,
    ]);
  expect(await ownActions("accounts")).toEqual([["account.signIn", true]]);
  expect(await ownActions("administration")).toEqual([["privacy.export", true]]);
  expect(await ownActions()).toHaveLength(2);
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
  await purgeExpiredLogins.work(services, {});
  expect(await actionNamesOf(learner)).toEqual(["password", "signIn"]);
  const newSession = { ...learner, token: again.body.token };
  const held = (await as(newSession)(privacy.preview)).body.holdings;
  expect(held.filter(({ key }) => key.startsWith("audit"))).toMatchObject([
    { key: "audit.own", fate: "delete", rows: 2 },
  ]);
  expect(held.map(({ what }) => what).join()).not.toContain("admin");
  expect((await as(newSession)(privacy.erase, { body: {} })).status).toBe(200);
  expect(
    await db
      .selectFrom("auditEntries")
      .where("action", "in", accountAction.options)
      .where("personId", "is", null)
      .selectAll()
      .execute(),
  ).toEqual([]);
});
