import { Secret, TOTP } from "otpauth";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { accounts } from "#shared/account.ts";
import { audit } from "#shared/audit.ts";
import { auth } from "#shared/auth.ts";
import { privacy } from "#shared/privacy.ts";
import { sso } from "#shared/sso.ts";
import { follow, OIDC_CLIENT, startOidc } from "#test/oidc.ts";
import { type Person, start } from "#test/start.ts";

// Delicate acts of admins want a sign-in, or a confirmation, of the last ten minutes

const RETURN = "http://localhost:1/api/auth/external/return";
const provider = await startOidc(RETURN);
const { app, as, make, db } = await start({
  GOOGLE_ISSUER: provider.issuer,
  GOOGLE_CLIENT_ID: OIDC_CLIENT.id,
  GOOGLE_CLIENT_SECRET: OIDC_CLIENT.secret,
});
afterAll(() => provider.close());
const PASSWORD = "correct horse battery";

/** As if everybody who is signed in had come, or confirmed, so long ago. */
const wait = (minutes: number, { user }: Person) =>
  db
    .updateTable("authSessions")
    .set({
      createdAt: sql`created_at - make_interval(mins => ${minutes})`,
      reauthenticatedAt: sql`reauthenticated_at - make_interval(mins => ${minutes})`,
    })
    .where("userId", "=", user.id)
    .execute();
const prove = (who: Person, password = PASSWORD, headers = {}) =>
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
/** Every delicate act, ready to be tried: what it is called, and the call. */
async function delicate() {
  const room = await make.classroom();
  const other = await make.company(room.admin);
  const victim = await make.learner(room.company.accessCode, "Vic");
  const domain = `${room.company.id.slice(0, 8)}.example`;
  const saved = await as(room.admin)(sso.save, {
    params: { id: other.id },
    body: { ...input, domains: [`o${domain}`], version: 0 },
  });
  expect(saved.status).toBe(200);
  const acts = (who: Person) => ({
    erase: () => as(who)(privacy.erase, { body: { userId: victim.user.id } }),
    factors: () => as(who)(accounts.resetFactors, { params: { id: room.learner.user.id } }),
    ssoMade: () =>
      as(who)(sso.save, { params: { id: room.company.id }, body: { ...input, domains: [domain], version: 0 } }),
    ssoEnforced: () =>
      as(who)(sso.save, {
        params: { id: other.id },
        body: { ...input, enforced: true, domains: [`o${domain}`], version: 1 },
      }),
    ssoRemoved: () => as(who)(sso.remove, { params: { id: other.id } }),
  });
  return { ...room, acts, victim };
}

test("refuses sensitive calls ten minutes after sign-in until confirmed", async () => {
  const { admin, acts, victim } = await delicate();
  await wait(9, admin);
  expect((await as(admin)(accounts.resetFactors, { params: { id: victim.user.id } })).status).toBe(204);
  await wait(2, admin);
  for (const [name, act] of Object.entries(acts(admin))) {
    expect([name, await act()]).toMatchObject([
      name,
      { status: 403, code: "auth.reauthRequired", body: { details: { methods: ["password"] } } },
    ]);
  }
  expect(await db.selectFrom("users").where("id", "=", victim.user.id).select("id").execute()).toHaveLength(1);
  expect((await prove(admin)).status).toBe(204);
  for (const [name, act] of Object.entries(acts(admin)))
    expect([name, [200, 204]]).toEqual([name, expect.arrayContaining([(await act()).status])]);
  await wait(11, admin);
  expect((await acts(admin).factors()).code).toBe("auth.reauthRequired");
  expect(await failures(admin)).toEqual([]);
});

test("asks for reauthentication only for sensitive calls", async () => {
  const { admin, learner, victim } = await delicate();
  await wait(60, admin);
  await wait(60, learner);
  expect((await as(admin)(accounts.admins)).status).toBe(200);
  expect((await as(admin)(privacy.preview, { query: { userId: victim.user.id } })).status).toBe(200);
  expect((await as(admin)(privacy.export, { query: { userId: victim.user.id } })).status).toBe(200);
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
  expect((await prove(learner)).status).toBe(204);
  expect((await as(learner)(privacy.erase, { body: {} })).body).toMatchObject({ by: "self" });
});

test("limits a confirmation to its own session", async () => {
  const { admin, acts } = await delicate();
  const elsewhere = await make.signIn(admin.user.email);
  await wait(11, admin);
  await prove(elsewhere);
  expect((await acts(admin).factors()).code).toBe("auth.reauthRequired");
  expect((await acts(elsewhere).factors()).status).toBe(204);
});

test("counts and records wrong passwords together with sign-ins", async () => {
  const { admin, acts } = await delicate();
  await wait(11, admin);
  expect(await prove(admin, "wrong")).toMatchObject({
    status: 422,
    body: { issues: [{ path: "password", code: "auth.wrongPassword" }] },
  });
  const tries = await Promise.all([
    ...Array.from({ length: 10 }, () => prove(admin, "wrong")),
    ...Array.from({ length: 10 }, () =>
      as(null)(auth.signIn, { body: { email: admin.user.email, password: "wrong" } }),
    ),
  ]);
  expect(tries.filter(({ status }) => status === 422 || status === 401)).toHaveLength(4);
  expect(await prove(admin)).toMatchObject({ status: 429, code: "auth.tooManyAttempts" });
  expect((await as(null)(auth.signIn, { body: { email: admin.user.email, password: PASSWORD } })).status).toBe(429);
  expect((await acts(admin).erase()).code).toBe("auth.reauthRequired");
  const written = await failures(admin);
  expect(written).toHaveLength(tries.slice(0, 10).length + 2);
  expect(written).toContainEqual({ by: "password", locked: true });
  expect(written).toContainEqual({ by: "password", locked: false });
  await Promise.all(Array.from({ length: 20 }, () => prove(admin, "wrong")));
  expect(await failures(admin)).toHaveLength(20);
});

test("accepts an app code only from people without a password", async () => {
  const { admin, acts } = await delicate();
  const { secret } = (await as(admin)(accounts.startApp, { body: { password: PASSWORD } })).body;
  const code = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  await as(admin)(accounts.confirmApp, { body: { code: code(-1) } });
  await wait(11, admin);
  const byApp = (text: string) => as(admin)(accounts.reauthenticate, { body: { method: "app", code: text } });
  expect(await byApp(code(0))).toMatchObject({ status: 403, code: "core.forbidden" });
  await db.deleteFrom("authAccounts").where("userId", "=", admin.user.id).execute();
  expect((await acts(admin).factors()).body).toMatchObject({ details: { methods: ["app"] } });
  expect(await byApp("000000")).toMatchObject({
    status: 422,
    body: { issues: [{ path: "code", code: "auth.wrongCode" }] },
  });
  expect((await byApp(code(0))).status).toBe(204);
  expect((await byApp(code(0))).status).toBe(422);
  expect((await acts(admin).factors()).status).toBe(204);
});

test("requires recent authentication to add a first sign-in method", async () => {
  const { learner } = await delicate();
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
  const ways = async () => [
    (await as(learner)(accounts.startApp, { body: {} })).code,
    (await as(learner)(accounts.startPasskey, { body: {} })).code,
    (await link()).code,
  ];
  expect(await ways()).toEqual([undefined, undefined, undefined]);
  await wait(11, learner);
  expect(await ways()).toEqual(["auth.reauthRequired", "auth.reauthRequired", "auth.reauthRequired"]);
});

test("accepts only the same Google account in the same browser", async () => {
  const { admin, acts } = await delicate();
  const window = async (purpose: "link" | "reauth", email: string, cookies = true) => {
    provider.next({ email });
    const begun = await app.inject({
      method: "POST",
      url: auth.external.path,
      payload: { provider: "google", purpose, password: PASSWORD },
      headers: { authorization: `Bearer ${admin.token}` },
    });
    const cookie = [begun.headers["set-cookie"]]
      .flat()
      .map((line) => String(line).split(";")[0])
      .join("; ");
    const { pathname, search } = new URL(await follow(begun.json().address, RETURN));
    const page = await app.inject({ url: pathname + search, headers: cookies ? { cookie } : {} });
    expect(page.headers["set-cookie"]).toBeUndefined();
    const { outcome, problem } = JSON.parse(/id="result">(.*?)<\/script>/.exec(page.body)?.[1] ?? "{}");
    return outcome ?? problem.code;
  };
  expect(await window("link", "boss@gmail.example")).toBe("linked");
  const elsewhere = await make.signIn(admin.user.email);
  await wait(11, admin);
  expect((await acts(admin).factors()).body).toMatchObject({ details: { methods: ["password", "google"] } });
  expect(await window("reauth", "somebody@gmail.example")).toBe("auth.reauthWrongAccount");
  expect(await window("reauth", "boss@gmail.example", false)).toBe("auth.googleFailed");
  expect((await acts(admin).factors()).code).toBe("auth.reauthRequired");
  expect(await window("reauth", "boss@gmail.example")).toBe("reauthenticated");
  expect((await acts(elsewhere).factors()).code).toBe("auth.reauthRequired");
  expect((await acts(admin).factors()).status).toBe(204);
  expect(await failures(admin)).toEqual([{ by: "google", locked: false }]);
  const nobody = await app.inject({
    method: "POST",
    url: auth.external.path,
    payload: { provider: "google", purpose: "reauth" },
  });
  expect(nobody.statusCode).toBe(401);
});
