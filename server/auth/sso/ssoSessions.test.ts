import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import { afterAll, expect, test } from "vitest";
import { SSO_SESSION_HOURS } from "#server/auth/betterAuth.ts";
import { deleteExpiredSignInData } from "#server/auth/password/passwordResets.ts";
import { accounts } from "#shared/auth/account.ts";
import { auth } from "#shared/auth/auth.ts";
import { sso, type SsoInput } from "#shared/auth/sso.ts";
import { follow, OIDC_CLIENT, startOidc } from "#test/oidc.ts";
import { type Person, start } from "#test/start.ts";
import { PASSWORD } from "#test/password.ts";

// Which sessions end after changes of single sign-on

const RETURN = "http://localhost:1/api/auth/external/return";
const provider = await startOidc(RETURN);
const { app, as, make, db, services } = await start();
afterAll(() => provider.close());
const oidcInput = {
  kind: "oidc",
  issuer: provider.issuer,
  clientId: OIDC_CLIENT.id,
  clientSecret: OIDC_CLIENT.secret,
  enforced: false,
  enabled: true,
} as const;
const cookiesOf = (set: unknown) =>
  [set]
    .flat()
    .filter(Boolean)
    .map((line) => String(line).split(";")[0])
    .join("; ");

/** A company with a course and single sign-on; `saveConnection` changes the connection. */
async function createConnection() {
  const classroom = await make.classroom();
  const domain = `d${randomUUID().slice(0, 8)}.example`;
  let version = 0;
  const saveConnection = async (input: Partial<SsoInput> = {}) => {
    const reply = await as(classroom.admin)(sso.save, {
      params: { id: classroom.company.id },
      body: { ...oidcInput, domains: [domain], ...input, version },
    });
    expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
    version++;
  };
  await saveConnection();
  const { connectionId = "" } = (await as(null)(auth.sso, { body: { email: `x@${domain}` } })).body ?? {};
  const email = () => `s-${randomUUID().slice(0, 8)}@${domain}`;
  return {
    ...classroom,
    connectionId,
    email,
    saveConnection,
    addPerson: () => make.learner(classroom.company.accessCode, "Known", email()),
  };
}
async function signInBySso(connectionId: string, email: string): Promise<Person & { cookie: string }> {
  provider.next({ email });
  const started = await app.inject({ method: "POST", url: auth.external.path, payload: { provider: connectionId } });
  const { pathname, search } = new URL(await follow(started.json().address, RETURN));
  const cookie = cookiesOf(
    (await app.inject({ url: pathname + search, headers: { cookie: cookiesOf(started.headers["set-cookie"]) } }))
      .headers["set-cookie"],
  );
  const { user, token } = (await app.inject({ method: "POST", url: auth.token.path, headers: { cookie } })).json();
  return { user, token, password: "", cookie };
}
const isSignedIn = async (person: Person) => (await as(person)(auth.me)).status === 200;
const refreshes = async (cookie: string) =>
  (await app.inject({ method: "POST", url: auth.token.path, headers: { cookie } })).statusCode;

test("ends all other sessions of a domain when single sign-on is enforced", async () => {
  const { connectionId, email, saveConnection, admin, company, course, learner, addPerson } = await createConnection();
  const [byPassword, ssoPerson] = [await addPerson(), await signInBySso(connectionId, email())];
  const launch = await make.launch(byPassword, company.id, course.id);
  const other = await createConnection();
  const stranger = await other.addPerson();
  await saveConnection({ enforced: true });
  expect(await isSignedIn(byPassword)).toBe(false);
  expect(await db.selectFrom("sessions").where("id", "=", launch.sessionId).select("endReason").execute()).toEqual([
    { endReason: "revoked" },
  ]);
  for (const unaffected of [ssoPerson, admin, learner, stranger])
    expect([unaffected.user.email, await isSignedIn(unaffected)]).toEqual([unaffected.user.email, true]);
  expect(await refreshes(ssoPerson.cookie)).toBe(200);
  const again = await signInBySso(connectionId, byPassword.user.email);
  expect([again.user.id, await isSignedIn(again)]).toEqual([byPassword.user.id, true]);
});

test("ends no sessions while an enforced connection is disabled", async () => {
  const { saveConnection, addPerson } = await createConnection();
  const person = await addPerson();
  await saveConnection({ enforced: true, enabled: false });
  expect(await isSignedIn(person)).toBe(true);
  await saveConnection({ enforced: true });
  expect(await isSignedIn(person)).toBe(false);
});

test("ends sign-ins that are concurrent with enforcement", async () => {
  const { saveConnection, addPerson } = await createConnection();
  const people = await Promise.all([1, 2, 3, 4].map(addPerson));
  const concurrent = people.flatMap(({ user }) =>
    [1, 2, 3].map(async (n) => {
      await new Promise((resolve) => setTimeout(resolve, n * 40));
      return make.signIn(user.email).catch(() => null);
    }),
  );
  await saveConnection({ enforced: true });
  for (const person of [...people, ...(await Promise.all(concurrent))])
    if (person) expect(await isSignedIn(person)).toBe(false);
  expect(
    await db
      .selectFrom("authSessions")
      .where(
        "userId",
        "in",
        people.map(({ user }) => user.id),
      )
      .select("id")
      .execute(),
  ).toEqual([]);
});

test("refuses the second step if single sign-on was enforced after the first", async () => {
  const { saveConnection, addPerson } = await createConnection();
  const person = await addPerson();
  const { secret } = (await as(person)(accounts.startApp, { body: { password: PASSWORD } })).body;
  const code = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  await as(person)(accounts.confirmApp, { body: { code: code(-1) } });
  const first = await app.inject({
    method: "POST",
    url: auth.signIn.path,
    payload: { email: person.user.email, password: PASSWORD },
  });
  await saveConnection({ enforced: true });
  expect(
    await as(null, { cookie: cookiesOf(first.headers["set-cookie"]) })(auth.secondStep, {
      body: { method: "app", code: code(0) },
    }),
  ).toMatchObject({ status: 403, code: "auth.ssoRequired" });
});

test(`ends single sign-on after ${SSO_SESSION_HOURS} hours, unlike one by password`, async () => {
  const { connectionId, email, company, course, addPerson } = await createConnection();
  const [ssoPerson, byPassword] = [await signInBySso(connectionId, email()), await addPerson()];
  const [row] = await db
    .selectFrom("authSessions")
    .where("userId", "=", ssoPerson.user.id)
    .select(["createdAt", "endsAt"])
    .execute();
  expect(Math.round((Date.parse(row?.endsAt ?? "") - Date.parse(row?.createdAt ?? "")) / 60_000)).toBe(
    SSO_SESSION_HOURS * 60,
  );
  const age = (hours: number) =>
    db
      .updateTable("authSessions")
      .set({
        endsAt: sql`ends_at - make_interval(hours => ${hours})`,
        expiresAt: sql`expires_at - make_interval(hours => ${hours})`,
      })
      .execute();
  await age(SSO_SESSION_HOURS - 1);
  expect([await isSignedIn(ssoPerson), await refreshes(ssoPerson.cookie)]).toEqual([true, 200]);
  await age(2);
  expect([await isSignedIn(ssoPerson), await refreshes(ssoPerson.cookie), await isSignedIn(byPassword)]).toEqual([
    false,
    401,
    true,
  ]);
  const again = await signInBySso(connectionId, ssoPerson.user.email);
  const launch = await make.launch(again, company.id, course.id);
  const open = async () =>
    (await db.selectFrom("sessions").where("id", "=", launch.sessionId).select("endedAt").executeTakeFirstOrThrow())
      .endedAt === null;
  await deleteExpiredSignInData.work(services, {});
  expect([
    await db.selectFrom("authSessions").where("userId", "=", ssoPerson.user.id).select("id").execute(),
    await open(),
  ]).toEqual([[expect.anything()], true]);
  await age(SSO_SESSION_HOURS);
  await deleteExpiredSignInData.work(services, {});
  expect([
    await db.selectFrom("authSessions").where("userId", "=", ssoPerson.user.id).select("id").execute(),
    await open(),
    await isSignedIn(byPassword),
  ]).toEqual([[], false, true]);
});

for (const [name, endConnection] of [
  ["disabled", ({ saveConnection }) => saveConnection({ enabled: false })],
  [
    "removed",
    async ({ admin, company }) =>
      expect((await as(admin)(sso.remove, { params: { id: company.id } })).status).toBe(204),
  ],
] as [string, (connection: Awaited<ReturnType<typeof createConnection>>) => Promise<unknown>][]) {
  test(`ends only the sessions of a connection when it is ${name}`, async () => {
    const connection = await createConnection();
    const [ssoPerson, byPassword, other] = [
      await signInBySso(connection.connectionId, connection.email()),
      await connection.addPerson(),
      await createConnection(),
    ];
    const elsewhere = await signInBySso(other.connectionId, other.email());
    await endConnection(connection);
    expect([await isSignedIn(ssoPerson), await refreshes(ssoPerson.cookie)]).toEqual([false, 401]);
    expect([await isSignedIn(byPassword), await isSignedIn(elsewhere)]).toEqual([true, true]);
  });
}

test("requires a new login after a change of provider", async () => {
  const { saveConnection, connectionId, email } = await createConnection();
  const ssoPerson = await signInBySso(connectionId, email());
  const next = await startOidc(RETURN);
  await saveConnection({ issuer: next.issuer });
  expect(await isSignedIn(ssoPerson)).toBe(false);
  await next.close();
});
