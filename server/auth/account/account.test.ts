import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { openSession } from "#server/auth/sessions.ts";
import { sendPasswordReset } from "#server/auth/password/passwordResets.ts";
import { accounts } from "#shared/auth/account.ts";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { learners } from "#shared/learners/learners.ts";
import { type Person, start } from "#test/start.ts";
import { PASSWORD } from "#test/password.ts";

const { app, as, make, db, services, library, runJobs } = await start();
const runner = await runJobs();
afterAll(() => runner.stop());

const OTHER = "wrong mule charger";
const elsewhere = { "x-forwarded-for": "198.51.100.7" };
const signIn = (email: string, password = PASSWORD, extra: Record<string, string> = {}) =>
  as(null, extra)(auth.signIn, { body: { email, password } });
const resetMailsTo = (email: string) =>
  db
    .selectFrom("mails")
    .where("recipient", "=", email)
    .where("reason", "=", "auth.reset")
    .select("body")
    .orderBy("createdAt")
    .execute();
const reset = async (email: string) => {
  const before = (await resetMailsTo(email)).length;
  expect((await as(null)(auth.requestReset, { body: { email } })).status).toBe(204);
  await expect.poll(async () => (await resetMailsTo(email)).length, { timeout: 10_000 }).toBe(before + 1);
  return /token=([\w-]+)/.exec((await resetMailsTo(email)).at(-1)?.body ?? "")?.[1] as string;
};

test("sets a password once with a reset link and clears lockouts", async () => {
  const { learner } = await make.classroom();
  const { email } = learner.user;
  for (let n = 0; n < 6; n++) await signIn(email, "wrong", elsewhere);
  expect((await signIn(email, PASSWORD, elsewhere)).status).toBe(429);
  const token = await reset(email);
  expect((await as(null)(auth.reset, { params: { token } })).body).toEqual({ email, name: learner.user.name });
  expect(await as(null)(auth.setPassword, { params: { token }, body: { password: "short" } })).toMatchObject({
    status: 422,
    body: { error: "Password is too weak" },
  });
  expect((await as(null)(auth.setPassword, { params: { token }, body: { password: OTHER } })).status).toBe(200);
  expect((await as(null)(auth.setPassword, { params: { token }, body: { password: OTHER } })).status).toBe(404);
  expect((await as(learner)(auth.me)).status).toBe(401);
  expect((await signIn(email, OTHER, elsewhere)).status).toBe(200);
  expect((await signIn(email)).status).toBe(401);
});

test("answers reset requests the same for all addresses and throttles them", async () => {
  const { learner } = await make.classroom();
  const requestReset = (email: string) => as(null)(auth.requestReset, { body: { email } });
  for (const email of [learner.user.email, `nobody-${randomUUID()}@example.com`]) {
    expect(
      (await Promise.all([1, 2, 3, 4, 5].map(() => requestReset(email)))).map(({ status }) => status).toSorted(),
    ).toEqual([204, 204, 204, 429, 429]);
  }
});

test("expires reset tokens after an hour and stores only their hash", async () => {
  const { learner } = await make.classroom();
  const token = await reset(learner.user.email);
  expect(JSON.stringify(await db.selectFrom("authOneTimeTokens").selectAll().execute())).not.toContain(token);
  const replies = await Promise.all(
    [1, 2].map(() => as(null)(auth.setPassword, { params: { token }, body: { password: OTHER } })),
  );
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  const expired = await reset(learner.user.email);
  await db
    .updateTable("authOneTimeTokens")
    .set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
    .where("userId", "=", learner.user.id)
    .execute();
  expect((await as(null)(auth.setPassword, { params: { token: expired }, body: { password: OTHER } })).status).toBe(
    404,
  );
});

test("activates invited but not suspended accounts with a reset link", async () => {
  const admin = await make.admin();
  const company = await make.company(admin);
  const email = `i-${randomUUID()}@example.com`;
  await as(admin)(learners.invite, { body: { companyId: company.id, people: [{ email, name: "Ivo" }] } });
  const token = await reset(email);
  await as(null)(auth.setPassword, { params: { token }, body: { password: OTHER } });
  const { body } = await signIn(email, OTHER);
  expect(body.user).toMatchObject({ status: "active", companyId: company.id, name: "Ivo" });
  const unusedToken = await reset(email);
  await as(admin)(learners.suspend, { body: { ids: [body.user.id], reason: "" } });
  expect(
    await as(null)(auth.setPassword, { params: { token: unusedToken }, body: { password: PASSWORD } }),
  ).toMatchObject({
    status: 403,
    body: { error: "This account has been disabled. Please contact support." },
  });
  const before = (await resetMailsTo(email)).length;
  await sendPasswordReset.work(services, { email });
  expect((await resetMailsTo(email)).length).toBe(before);
});

test("ends other sessions when the password is changed", async () => {
  const { learner } = await make.classroom();
  const other = await make.signIn(learner.user.email);
  const change = (who: Person, current: string, password = OTHER) =>
    as(who)(accounts.changePassword, { body: { current, password } });
  expect(await change(learner, "wrong")).toMatchObject({
    status: 422,
    body: { issues: [{ path: "current", code: "auth.wrongPassword" }] },
  });
  expect(await change(learner, PASSWORD, "short")).toMatchObject({
    status: 422,
    body: { issues: [{ path: "password", message: "Password is too weak" }] },
  });
  expect((await change(learner, PASSWORD)).status).toBe(204);
  expect((await as(learner)(auth.me)).status).toBe(200);
  expect((await as(other)(auth.me)).status).toBe(401);
  const replies = await Promise.all(Array.from({ length: 12 }, () => change(learner, "wrong")));
  expect(replies.filter(({ status }) => status === 422)).toHaveLength(5);
});

test("lists and ends only one's own sessions", async () => {
  const { learner, company } = await make.classroom();
  const phone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
    "Version/17.4 Mobile/15E148 Safari/604.1";
  const second = (await signIn(learner.user.email, PASSWORD, { "user-agent": phone })).body;
  await make.signIn(learner.user.email);
  const { items } = (await as(learner)(accounts.sessions)).body;
  expect(items.map(({ current }) => current)).toEqual([true, false, false]);
  expect(items.find(({ kind }) => kind === "phone")).toMatchObject({ device: "Safari on iOS" });
  expect(JSON.stringify(items)).not.toMatch(/127\.0\.0\.1|token/);
  const stranger = await make.learner(company.accessCode);
  const phoneId = items.find(({ kind }) => kind === "phone")?.id as string;
  expect((await as(stranger)(accounts.endSession, { params: { id: phoneId } })).status).toBe(404);
  expect((await as(learner)(accounts.endSession, { params: { id: phoneId } })).status).toBe(204);
  expect((await as({ ...learner, token: second.token })(auth.me)).status).toBe(401);
  expect((await as(learner)(accounts.endOthers)).body).toEqual({ ended: 1 });
  expect((await as(learner)(auth.me)).status).toBe(200);
});

test("ends sessions immediately on suspension or move", async () => {
  const { admin, company } = await make.classroom();
  const [a, b, c] = [
    await make.learner(company.accessCode),
    await make.learner(company.accessCode),
    await make.learner(company.accessCode),
  ];
  const target = await make.company(admin);
  await as(admin)(learners.suspend, { body: { ids: [a.user.id], reason: "" } });
  await as(admin)(learners.move, { body: { ids: [b.user.id], companyId: target.id } });
  for (const person of [a, b]) expect((await as(person)(auth.me)).status).toBe(401);
  expect((await as(c)(auth.me)).status).toBe(200);
  await as(admin)(companies.setStatus, {
    params: { id: company.id },
    body: { status: "suspended", version: company.version },
  });
  expect((await as(c)(auth.me)).status).toBe(401);
  for (const { user } of [a, b, c])
    expect(await db.selectFrom("authSessions").where("userId", "=", user.id).select("id").execute()).toEqual([]);
});

test('answers "User data not found" to a sign-in of an erased person', async () => {
  const { learner } = await make.classroom();
  await db.deleteFrom("sessions").where("userId", "=", learner.user.id).execute();
  await db.deleteFrom("users").where("id", "=", learner.user.id).execute();
  expect((await as(learner)(auth.me)).status).toBe(401);
  const client = { headers: new Headers(), cookies: {}, network: "127.0.0" };
  await expect(openSession(services, library, client, learner.user.id, "password")).rejects.toMatchObject({
    status: 404,
    message: "User data not found",
  });
});

test("does not lock a known browser out after failures in its network", async () => {
  const { learner } = await make.classroom();
  const { email } = learner.user;
  const first = await app.inject({
    method: "POST",
    url: auth.signIn.path,
    payload: { email, password: PASSWORD },
    headers: elsewhere,
  });
  const cookie = [first.headers["set-cookie"]]
    .flat()
    .map((line) => String(line).split(";")[0] ?? "")
    .filter((line) => line.startsWith("lyceum.known="))
    .join();
  for (let n = 0; n < 6; n++) await signIn(email, "wrong", elsewhere);
  expect((await signIn(email, PASSWORD, elsewhere)).status).toBe(429);
  expect((await signIn(email, PASSWORD, { ...elsewhere, cookie })).status).toBe(200);
  expect((await signIn(email, PASSWORD, { ...elsewhere, cookie: `${cookie.slice(0, -3)}AAA` })).status).toBe(429);
  const replies = await Promise.all(Array.from({ length: 40 }, () => signIn(email, "wrong", { ...elsewhere, cookie })));
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(5);
});

test("supports disabled password registration and unverifies a changed email", async () => {
  const closed = await start({ PASSWORD_SIGN_UP: "off" });
  const refused = await closed.as(null)(auth.register, {
    body: { name: "Nora", email: "nora@example.com", password: PASSWORD, accessCode: "ABCD EFGH" },
  });
  expect(refused).toMatchObject({ status: 403, body: { error: "Email/password sign up is not enabled" } });
  const { admin, learner } = await make.classroom();
  const token = await reset(learner.user.email);
  const { version } = (await as(admin)(learners.get, { params: { id: learner.user.id } })).body;
  await as(admin)(learners.update, {
    params: { id: learner.user.id },
    body: { name: "Lea", email: `new-${randomUUID()}@example.com`, version },
  });
  expect((await as(null)(auth.setPassword, { params: { token }, body: { password: OTHER } })).status).toBe(404);
});

test("throttles the discovery of accounts by registering", async () => {
  const { learner } = await make.classroom();
  const requestReset = () =>
    as(null, { "x-forwarded-for": "192.0.2.77" })(auth.register, {
      body: { name: "N", email: learner.user.email, password: PASSWORD },
    });
  const statuses = [];
  for (let n = 0; n < 102; n++) statuses.push((await requestReset()).status);
  expect(statuses.filter((status) => status === 409)).toHaveLength(100);
  expect(statuses.slice(100)).toEqual([429, 429]);
});
