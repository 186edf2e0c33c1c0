import { Secret, TOTP } from "otpauth";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { accounts } from "#shared/auth/account.ts";
import { audit } from "#shared/audit/audit.ts";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { registrationsExportPath } from "#shared/events/eventRegistrations.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { academies } from "#shared/settings/settings.ts";
import { sso } from "#shared/auth/sso.ts";
import { createEventMaker } from "#test/events.ts";
import { follow, OIDC_CLIENT, startOidc } from "#test/oidc.ts";
import { type Person, start } from "#test/start.ts";
import { PASSWORD } from "#test/password.ts";

// Sensitive calls require authentication within the last ten minutes

const RETURN = "http://localhost:1/api/auth/external/return";
const provider = await startOidc(RETURN);
const server = await start({
  GOOGLE_ISSUER: provider.issuer,
  GOOGLE_CLIENT_ID: OIDC_CLIENT.id,
  GOOGLE_CLIENT_SECRET: OIDC_CLIENT.secret,
});
const { app, as, make, db } = server;
const events = createEventMaker(server);
afterAll(() => provider.close());

/** Makes all sessions of a person appear older. */
const ageSessions = (minutes: number, { user }: Person) =>
  db
    .updateTable("authSessions")
    .set({
      createdAt: sql`created_at - make_interval(mins => ${minutes})`,
      reauthenticatedAt: sql`reauthenticated_at - make_interval(mins => ${minutes})`,
    })
    .where("userId", "=", user.id)
    .execute();
const confirmPassword = (who: Person, password = PASSWORD, headers = {}) =>
  as(who, headers)(accounts.reauthenticate, { body: { method: "password", password } });
const failures = async (who: Person) =>
  (await as(who)(audit.list, { query: { action: "account.reauthFailed", actorId: who.user.id } })).body.items.map(
    ({ details }) => details,
  );

const input = {
  kind: "oidc",
  issuer: provider.issuer,
  clientId: OIDC_CLIENT.id,
  clientSecret: OIDC_CLIENT.secret,
  enforced: false,
  enabled: true,
} as const;
/** A classroom with one call of each sensitive kind, by name. */
async function createSensitiveCalls() {
  const classroom = await make.classroom();
  const other = await make.company(classroom.admin);
  const victim = await make.learner(classroom.company.accessCode, "Vic");
  const domain = `${classroom.company.id.slice(0, 8)}.example`;
  const saved = await as(classroom.admin)(sso.save, {
    params: { id: other.id },
    body: { ...input, domains: [`o${domain}`], version: 0 },
  });
  expect(saved.status).toBe(200);
  const calls = (who: Person) => ({
    erase: () => as(who)(privacy.erase, { body: { userId: victim.user.id } }),
    factors: () => as(who)(accounts.resetFactors, { params: { id: classroom.learner.user.id } }),
    ssoMade: () =>
      as(who)(sso.save, { params: { id: classroom.company.id }, body: { ...input, domains: [domain], version: 0 } }),
    ssoEnforced: () =>
      as(who)(sso.save, {
        params: { id: other.id },
        body: { ...input, enforced: true, domains: [`o${domain}`], version: 1 },
      }),
    ssoRemoved: () => as(who)(sso.remove, { params: { id: other.id } }),
    export: () => as(who)(privacy.export, { query: { userId: classroom.learner.user.id } }),
    registrations: async () => {
      const url = registrationsExportPath(event.id, "csv");
      const reply = await app.inject({ url, headers: { authorization: `Bearer ${who.token}` } });
      const body = reply.statusCode === 200 ? {} : reply.json();
      return { status: reply.statusCode, code: body.code, body };
    },
    company: async () => {
      const { version } = (await as(who)(companies.get, { params: { id: other.id } })).body;
      return as(who)(companies.setStatus, { params: { id: other.id }, body: { status: "suspended", version } });
    },
    settings: async () => {
      const { version } = (await as(who)(academies.settings)).body;
      return as(who)(academies.update, { body: { headline: "Learn", version } });
    },
    policy: async () => {
      const { items } = (await as(who)(academies.policies)).body;
      return as(who)(academies.publishPolicy, { body: { body: "Text", after: items[0]?.version ?? 0 } });
    },
  });
  const event = await events.createPublished(classroom.admin);
  return { ...classroom, calls, victim };
}

test("refuses sensitive calls ten minutes after sign-in until confirmed", async () => {
  const { admin, calls, victim } = await createSensitiveCalls();
  await ageSessions(9, admin);
  expect((await as(admin)(accounts.resetFactors, { params: { id: victim.user.id } })).status).toBe(204);
  await ageSessions(2, admin);
  for (const [name, call] of Object.entries(calls(admin))) {
    expect([name, await call()]).toMatchObject([
      name,
      { status: 403, code: "auth.reauthRequired", body: { details: { methods: ["password"] } } },
    ]);
  }
  expect(await db.selectFrom("users").where("id", "=", victim.user.id).select("id").execute()).toHaveLength(1);
  expect((await confirmPassword(admin)).status).toBe(204);
  for (const [name, call] of Object.entries(calls(admin)))
    expect([name, [200, 204]]).toEqual([name, expect.arrayContaining([(await call()).status])]);
  await ageSessions(11, admin);
  expect((await calls(admin).factors()).code).toBe("auth.reauthRequired");
  expect(await failures(admin)).toEqual([]);
});

test("asks for reauthentication only for sensitive calls", async () => {
  const { admin, learner, victim } = await createSensitiveCalls();
  await ageSessions(60, admin);
  await ageSessions(60, learner);
  expect((await as(admin)(accounts.admins)).status).toBe(200);
  expect((await as(admin)(privacy.preview, { query: { userId: victim.user.id } })).status).toBe(200);
  expect((await as(learner)(privacy.export)).status).toBe(200);
  expect(await as(null)(privacy.erase, { body: {} })).toMatchObject({
    status: 401,
    body: { error: "You must be logged in to delete data" },
  });
  expect(await as(learner)(privacy.erase, { body: { userId: victim.user.id } })).toMatchObject({
    status: 403,
    code: "core.forbidden",
  });
  expect(await as(learner)(privacy.erase, { body: {} })).toMatchObject({
    status: 403,
    code: "auth.reauthRequired",
    body: { details: { methods: ["password"], company: null } },
  });
  expect((await confirmPassword(learner)).status).toBe(204);
  expect((await as(learner)(privacy.erase, { body: {} })).body).toMatchObject({ by: "self" });
});

test("limits a confirmation to its own session", async () => {
  const { admin, calls } = await createSensitiveCalls();
  const elsewhere = await make.signIn(admin.user.email);
  await ageSessions(11, admin);
  await confirmPassword(elsewhere);
  expect((await calls(admin).factors()).code).toBe("auth.reauthRequired");
  expect((await calls(elsewhere).factors()).status).toBe(204);
});

test("counts and records wrong passwords together with sign-ins", async () => {
  const { admin, calls } = await createSensitiveCalls();
  await ageSessions(11, admin);
  expect(await confirmPassword(admin, "wrong")).toMatchObject({
    status: 422,
    body: { issues: [{ path: "password", code: "auth.wrongPassword" }] },
  });
  const attempts = await Promise.all([
    ...Array.from({ length: 10 }, () => confirmPassword(admin, "wrong")),
    ...Array.from({ length: 10 }, () =>
      as(null)(auth.signIn, { body: { email: admin.user.email, password: "wrong" } }),
    ),
  ]);
  expect(attempts.filter(({ status }) => status === 422 || status === 401)).toHaveLength(4);
  expect(await confirmPassword(admin)).toMatchObject({ status: 429, code: "auth.tooManyAttempts" });
  expect((await as(null)(auth.signIn, { body: { email: admin.user.email, password: PASSWORD } })).status).toBe(429);
  expect((await calls(admin).erase()).code).toBe("auth.reauthRequired");
  const recorded = await failures(admin);
  expect(recorded).toHaveLength(attempts.slice(0, 10).length + 2);
  expect(recorded).toContainEqual({ by: "password", locked: true });
  expect(recorded).toContainEqual({ by: "password", locked: false });
  await Promise.all(Array.from({ length: 20 }, () => confirmPassword(admin, "wrong")));
  expect(await failures(admin)).toHaveLength(20);
});

test("accepts an app code only from people without a password", async () => {
  const { admin, calls } = await createSensitiveCalls();
  const { secret } = (await as(admin)(accounts.startApp, { body: { password: PASSWORD } })).body;
  const code = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  await as(admin)(accounts.confirmApp, { body: { code: code(-1) } });
  await ageSessions(11, admin);
  const byApp = (text: string) => as(admin)(accounts.reauthenticate, { body: { method: "app", code: text } });
  expect(await byApp(code(0))).toMatchObject({ status: 403, code: "core.forbidden" });
  await db.deleteFrom("authAccounts").where("userId", "=", admin.user.id).execute();
  expect((await calls(admin).factors()).body).toMatchObject({ details: { methods: ["app"] } });
  expect(await byApp("000000")).toMatchObject({
    status: 422,
    body: { issues: [{ path: "code", code: "auth.wrongCode" }] },
  });
  expect((await byApp(code(0))).status).toBe(204);
  expect((await byApp(code(0))).status).toBe(422);
  expect((await calls(admin).factors()).status).toBe(204);
});

test("requires recent authentication to add a first sign-in method", async () => {
  const { learner } = await createSensitiveCalls();
  await db.deleteFrom("authAccounts").where("userId", "=", learner.user.id).execute();
  const link = async () =>
    (
      await app.inject({
        method: "POST",
        url: auth.external.path,
        payload: { provider: "google", purpose: "link" },
        headers: { authorization: `Bearer ${learner.token}` },
      })
    ).json() as { code?: string };
  const addFirstMethods = async () => [
    (await as(learner)(accounts.startApp, { body: {} })).code,
    (await as(learner)(accounts.startPasskey, { body: {} })).code,
    (await link()).code,
  ];
  expect(await addFirstMethods()).toEqual([undefined, undefined, undefined]);
  await ageSessions(11, learner);
  expect(await addFirstMethods()).toEqual(["auth.reauthRequired", "auth.reauthRequired", "auth.reauthRequired"]);
});

test("accepts only the same Google account in the same browser", async () => {
  const { admin, calls } = await createSensitiveCalls();
  const signInByPopup = async (purpose: "link" | "reauth", email: string, cookies = true) => {
    provider.next({ email });
    const started = await app.inject({
      method: "POST",
      url: auth.external.path,
      payload: { provider: "google", purpose, password: PASSWORD },
      headers: { authorization: `Bearer ${admin.token}` },
    });
    const cookie = [started.headers["set-cookie"]]
      .flat()
      .map((line) => String(line).split(";")[0])
      .join("; ");
    const { pathname, search } = new URL(await follow(started.json().address, RETURN));
    const page = await app.inject({ url: pathname + search, headers: cookies ? { cookie } : {} });
    expect(page.headers["set-cookie"]).toBeUndefined();
    const { outcome, problem } = JSON.parse(/id="result">(.*?)<\/script>/.exec(page.body)?.[1] ?? "{}");
    return outcome ?? problem.code;
  };
  expect(await signInByPopup("link", "boss@gmail.example")).toBe("linked");
  const elsewhere = await make.signIn(admin.user.email);
  await ageSessions(11, admin);
  expect((await calls(admin).factors()).body).toMatchObject({ details: { methods: ["password", "google"] } });
  expect(await signInByPopup("reauth", "somebody@gmail.example")).toBe("auth.reauthWrongAccount");
  expect(await signInByPopup("reauth", "boss@gmail.example", false)).toBe("auth.googleFailed");
  expect((await calls(admin).factors()).code).toBe("auth.reauthRequired");
  expect(await signInByPopup("reauth", "boss@gmail.example")).toBe("reauthenticated");
  expect((await calls(elsewhere).factors()).code).toBe("auth.reauthRequired");
  expect((await calls(admin).factors()).status).toBe(204);
  expect(await failures(admin)).toEqual([{ by: "google", locked: false }]);
  const signedOut = await app.inject({
    method: "POST",
    url: auth.external.path,
    payload: { provider: "google", purpose: "reauth" },
  });
  expect(signedOut.statusCode).toBe(401);
});
