import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import { afterAll, expect, test } from "vitest";
import { SSO_SESSION_HOURS } from "#server/auth/betterAuth.ts";
import { deleteExpiredSignInData } from "#server/auth/password/passwordResets.ts";
import { accounts } from "#shared/account.ts";
import { auth } from "#shared/auth.ts";
import { sso, type SsoInput } from "#shared/sso.ts";
import { follow, OIDC_CLIENT, startOidc } from "#test/oidc.ts";
import { type Person, start } from "#test/start.ts";

// Sessions and single sign-on: which ones end, and when

const RETURN = "http://localhost:1/api/auth/external/return";
const provider = await startOidc(RETURN);
const { app, as, make, db, services } = await start();
afterAll(() => provider.close());
const PASSWORD = "correct horse battery";
const base = {
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

/** A company with a course and its own provider; `change` is the next version of the connection. */
async function connect() {
  const room = await make.classroom();
  const domain = `d${randomUUID().slice(0, 8)}.example`;
  let version = 0;
  const change = async (input: Partial<SsoInput> = {}) => {
    const reply = await as(room.admin)(sso.save, {
      params: { id: room.company.id },
      body: { ...base, domains: [domain], ...input, version },
    });
    expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
    version++;
  };
  await change();
  const { connectionId = "" } = (await as(null)(auth.sso, { body: { email: `x@${domain}` } })).body ?? {};
  const email = () => `s-${randomUUID().slice(0, 8)}@${domain}`;
  return { ...room, connectionId, email, change, known: () => make.learner(room.company.accessCode, "Known", email()) };
}
async function bySso(connectionId: string, email: string): Promise<Person & { cookie: string }> {
  provider.next({ email });
  const begun = await app.inject({ method: "POST", url: auth.external.path, payload: { provider: connectionId } });
  const { pathname, search } = new URL(await follow(begun.json().address, RETURN));
  const cookie = cookiesOf(
    (await app.inject({ url: pathname + search, headers: { cookie: cookiesOf(begun.headers["set-cookie"]) } })).headers[
      "set-cookie"
    ],
  );
  const { user, token } = (await app.inject({ method: "POST", url: auth.token.path, headers: { cookie } })).json();
  return { user, token, password: "", cookie };
}
const isIn = async (who: Person) => (await as(who)(auth.me)).status === 200;
const refreshes = async (cookie: string) =>
  (await app.inject({ method: "POST", url: auth.token.path, headers: { cookie } })).statusCode;

test("ends all other sessions of a domain when single sign-on is enforced", async () => {
  const { connectionId, email, change, admin, company, course, learner, known } = await connect();
  const [byPassword, single] = [await known(), await bySso(connectionId, email())];
  const launch = await make.launch(byPassword, company.id, course.id);
  const other = await connect();
  const stranger = await other.known();
  await change({ enforced: true });
  expect(await isIn(byPassword)).toBe(false);
  expect(await db.selectFrom("sessions").where("id", "=", launch.sessionId).select("endReason").execute()).toEqual([
    { endReason: "revoked" },
  ]);
  for (const stays of [single, admin, learner, stranger])
    expect([stays.user.email, await isIn(stays)]).toEqual([stays.user.email, true]);
  expect(await refreshes(single.cookie)).toBe(200);
  const again = await bySso(connectionId, byPassword.user.email);
  expect([again.user.id, await isIn(again)]).toEqual([byPassword.user.id, true]);
});

test("ends no sessions while an enforced connection is disabled", async () => {
  const { change, known } = await connect();
  const who = await known();
  await change({ enforced: true, enabled: false });
  expect(await isIn(who)).toBe(true);
  await change({ enforced: true });
  expect(await isIn(who)).toBe(false);
});

test("ends sign-ins that are concurrent with enforcement", async () => {
  const { change, known } = await connect();
  const people = await Promise.all([1, 2, 3, 4].map(known));
  const under = people.flatMap(({ user }) =>
    [1, 2, 3].map(async (n) => {
      await new Promise((resolve) => setTimeout(resolve, n * 40));
      return make.signIn(user.email).catch(() => null);
    }),
  );
  await change({ enforced: true });
  for (const who of [...people, ...(await Promise.all(under))]) if (who) expect(await isIn(who)).toBe(false);
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
  const { change, known } = await connect();
  const who = await known();
  const { secret } = (await as(who)(accounts.startApp, { body: { password: PASSWORD } })).body;
  const code = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  await as(who)(accounts.confirmApp, { body: { code: code(-1) } });
  const first = await app.inject({
    method: "POST",
    url: auth.signIn.path,
    payload: { email: who.user.email, password: PASSWORD },
  });
  await change({ enforced: true });
  expect(
    await as(null, { cookie: cookiesOf(first.headers["set-cookie"]) })(auth.secondStep, {
      body: { method: "app", code: code(0) },
    }),
  ).toMatchObject({ status: 403, code: "auth.ssoRequired" });
});

test(`a session by single sign-on is over after ${SSO_SESSION_HOURS} hours, however much it is used; one by password is not`, async () => {
  const { connectionId, email, company, course, known } = await connect();
  const [single, byPassword] = [await bySso(connectionId, email()), await known()];
  const [row] = await db
    .selectFrom("authSessions")
    .where("userId", "=", single.user.id)
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
  expect([await isIn(single), await refreshes(single.cookie)]).toEqual([true, 200]);
  await age(2);
  expect([await isIn(single), await refreshes(single.cookie), await isIn(byPassword)]).toEqual([false, 401, true]);
  const again = await bySso(connectionId, single.user.email);
  const launch = await make.launch(again, company.id, course.id);
  const open = async () =>
    (await db.selectFrom("sessions").where("id", "=", launch.sessionId).select("endedAt").executeTakeFirstOrThrow())
      .endedAt === null;
  await deleteExpiredSignInData.work(services, {});
  expect([
    await db.selectFrom("authSessions").where("userId", "=", single.user.id).select("id").execute(),
    await open(),
  ]).toEqual([[expect.anything()], true]);
  await age(SSO_SESSION_HOURS);
  await deleteExpiredSignInData.work(services, {});
  expect([
    await db.selectFrom("authSessions").where("userId", "=", single.user.id).select("id").execute(),
    await open(),
    await isIn(byPassword),
  ]).toEqual([[], false, true]);
});

for (const [name, act] of [
  ["switched off", ({ change }) => change({ enabled: false })],
  [
    "taken away",
    async ({ admin, company }) =>
      expect((await as(admin)(sso.remove, { params: { id: company.id } })).status).toBe(204),
  ],
] as [string, (house: Awaited<ReturnType<typeof connect>>) => Promise<unknown>][]) {
  test(`a connection is ${name}: the sessions that it opened end, those of others stay`, async () => {
    const house = await connect();
    const [single, byPassword, other] = [
      await bySso(house.connectionId, house.email()),
      await house.known(),
      await connect(),
    ];
    const elsewhere = await bySso(other.connectionId, other.email());
    await act(house);
    expect([await isIn(single), await refreshes(single.cookie)]).toEqual([false, 401]);
    expect([await isIn(byPassword), await isIn(elsewhere)]).toEqual([true, true]);
  });
}

test("requires a new login after a change of provider", async () => {
  const { change, connectionId, email } = await connect();
  const single = await bySso(connectionId, email());
  const next = await startOidc(RETURN);
  await change({ issuer: next.issuer });
  expect(await isIn(single)).toBe(false);
  await next.close();
});
