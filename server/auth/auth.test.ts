import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { start } from "#test/start.ts";
import { PASSWORD } from "#test/password.ts";

const { as, app, make, db } = await start();
const address = () => `p-${randomUUID()}@example.com`;
const register = (body: { email: string; accessCode?: string; name?: string; password?: string }) =>
  as(null)(auth.register, { body: { name: "Lea Learner", password: PASSWORD, ...body } });
const signIn = (email: string, password = PASSWORD, extra: Record<string, string> = {}) =>
  as(null, extra)(auth.signIn, { body: { email, password } });
const invite = async () => {
  const admin = await make.admin();
  const company = await make.company(admin);
  const email = address();
  await as(admin)(learners.invite, { body: { companyId: company.id, people: [{ email, name: "Ivo Invited" }] } });
  const mail = await db.selectFrom("mails").where("recipient", "=", email).select("body").executeTakeFirstOrThrow();
  return { admin, company, email, token: /invitation=([\w-]+)/.exec(mail.body)?.[1] as string };
};

// Each error message of sign-in and registration, with its cause

test.each([
  ["no access code", {}, "Access code is required for new users"],
  ["an unknown access code", { accessCode: "ZZZZ ZZZZ" }, "Invalid access code"],
  ["an address that is none", { email: "not-an-address", accessCode: "ZZZZZZZZ" }, "Invalid email address"],
  ["a short password", { password: "short", accessCode: "ZZZZZZZZ" }, "Password is too weak"],
])("registration with %s", async (_, input, message) => {
  const { status, body } = await register({ email: address(), ...input });
  expect(status).toBe(422);
  expect(body).toMatchObject({ error: message });
});

test("answers a wrong password and an unknown address the same way", async () => {
  const { learner } = await make.classroom();
  const message = "Invalid email or password. Please check your credentials and try again.";
  for (const email of [learner.user.email, address(), "nonsense"])
    expect(await signIn(email, "wrong")).toMatchObject({ status: 401, body: { error: message } });
});

test("registers a learner with an access code in any case and with spaces", async () => {
  const { admin, company, course } = await make.classroom();
  const email = address();
  const typed = ` ${company.accessCode.toLowerCase().slice(0, 4)} ${company.accessCode.slice(4).toLowerCase()} `;
  expect((await register({ email: email.toUpperCase(), accessCode: typed })).status).toBe(200);
  const { body } = await signIn(email);
  expect(body.user).toMatchObject({ email, role: "learner", status: "active", companyId: company.id });
  expect(body.user.lastActive).not.toBeNull();
  const found = await as(admin)(courses.enrolments, { query: { userId: body.user.id } });
  expect(found.body.items.map(({ courseId }) => courseId)).toEqual([course.id]);
});

test("reports whether the account of a taken email address is active", async () => {
  const { company } = await make.classroom();
  const email = address();
  await register({ email, accessCode: company.accessCode });
  expect(await register({ email, accessCode: company.accessCode })).toMatchObject({
    status: 409,
    body: { error: "Email address is already in use" },
  });
  await signIn(email);
  expect(await register({ email, accessCode: company.accessCode })).toMatchObject({
    status: 409,
    body: { error: "User already exists and is active" },
  });
});

test("lets an invited person claim their account without an access code", async () => {
  const { company, email } = await invite();
  expect((await register({ email, name: "Ivo Himself" })).status).toBe(200);
  expect((await signIn(email)).body.user).toMatchObject({
    name: "Ivo Himself",
    role: "learner",
    companyId: company.id,
  });
});

test("creates one account for concurrent registrations with one email", async () => {
  const { email } = await invite();
  const claims = await Promise.all([1, 2, 3].map(() => register({ email })));
  expect(claims.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  const { company } = await make.classroom();
  const other = address();
  const replies = await Promise.all(
    Array.from({ length: 30 }, () => register({ email: other, accessCode: company.accessCode })),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  const rows = await db
    .selectFrom("authAccounts")
    .innerJoin("users", "users.id", "authAccounts.userId")
    .where("users.email", "=", other)
    .select("users.id")
    .execute();
  expect(rows).toHaveLength(1);
});

test("accepts an invitation link once and verifies the email with it", async () => {
  const { email, token } = await invite();
  expect((await as(null)(auth.invitation, { params: { token } })).body).toMatchObject({ email, name: "Ivo Invited" });
  expect(
    (await as(null)(auth.acceptInvitation, { params: { token }, body: { name: "Ivo", password: PASSWORD } })).status,
  ).toBe(200);
  expect(
    (await as(null)(auth.acceptInvitation, { params: { token }, body: { name: "Eve", password: PASSWORD } })).status,
  ).toBe(404);
  expect((await signIn(email)).status).toBe(200);
});

test("enforces every rule of an access code", async () => {
  const admin = await make.admin();
  const closed = await make.company(admin, { codeEnabled: false });
  const once = await make.company(admin, { codeMaxUses: 1 });
  const domain = await make.company(admin, { allowedDomains: ["norrvik.example"] });
  const small = await make.company(admin, { learnerLimit: 1 });
  const past = await make.company(admin, { codeExpiresAt: "2020-01-01T00:00:00Z" });
  await register({ email: address(), accessCode: once.accessCode });
  await register({ email: address(), accessCode: small.accessCode });
  for (const { accessCode } of [closed, once, domain, past])
    expect(await register({ email: address(), accessCode })).toMatchObject({
      status: 422,
      body: { error: "Invalid access code" },
    });
  expect(await register({ email: address(), accessCode: small.accessCode })).toMatchObject({
    status: 409,
    code: "companies.full",
  });
  expect((await register({ email: `a${randomUUID()}@norrvik.example`, accessCode: domain.accessCode })).status).toBe(
    200,
  );
  const rotated = await as(admin)(companies.rotateCode, {
    params: { id: domain.id },
    body: { graceDays: 3, version: domain.version },
  });
  expect(rotated.body.accessCode).not.toBe(domain.accessCode);
  expect((await register({ email: `b${randomUUID()}@norrvik.example`, accessCode: domain.accessCode })).status).toBe(
    200,
  );
  await db
    .updateTable("companies")
    .set({ previousCodeUntil: sql`now() - interval '1 minute'` })
    .where("id", "=", domain.id)
    .execute();
  expect((await register({ email: `c${randomUUID()}@norrvik.example`, accessCode: domain.accessCode })).status).toBe(
    422,
  );
});

test("checks only five of forty concurrent wrong passwords", async () => {
  const { learner } = await make.classroom();
  const guesses = await Promise.all(
    Array.from({ length: 40 }, () => signIn(learner.user.email, "wrong", { "x-forwarded-for": "203.0.113.9" })),
  );
  expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(35);
  const message = "Too many unsuccessful login attempts. Please try again later or reset your password.";
  expect(await signIn(learner.user.email, PASSWORD, { "x-forwarded-for": "203.0.113.77" })).toMatchObject({
    status: 429,
    body: { error: message },
  });
  expect((await signIn(learner.user.email, PASSWORD, { "x-forwarded-for": "198.51.100.1" })).status).toBe(200);
});

test("reports a suspension only with the right password", async () => {
  const { admin, learner, company } = await make.classroom();
  const disabled = { status: 403, body: { error: "This account has been disabled. Please contact support." } };
  await as(admin)(companies.setStatus, {
    params: { id: company.id },
    body: { status: "suspended", version: company.version },
  });
  expect(await signIn(learner.user.email)).toMatchObject(disabled);
  expect((await signIn(learner.user.email, "wrong")).status).toBe(401);
  expect((await as(learner)(auth.me)).status).toBe(401);
});

test("renews the id token for our own pages until sign-out", async () => {
  const { learner } = await make.classroom();
  const reply = await app.inject({
    method: "POST",
    url: auth.signIn.path,
    payload: { email: learner.user.email, password: PASSWORD },
  });
  expect(JSON.stringify(reply.json())).not.toContain("session");
  const set = [reply.headers["set-cookie"]].flat().join("\n");
  expect(set).toMatch(/HttpOnly/i);
  expect(set).toMatch(/SameSite=Lax/i);
  const cookie = set
    .split("\n")
    .map((line) => line.split(";")[0])
    .join("; ");
  const ask = (headers: Record<string, string>) =>
    app.inject({ method: "POST", url: auth.token.path, headers: { cookie, ...headers } });
  expect((await ask({})).statusCode).toBe(200);
  expect((await ask({ origin: "https://evil.example" })).statusCode).toBe(403);
  await app.inject({ method: "POST", url: auth.signOut.path, headers: { cookie } });
  expect((await ask({})).statusCode).toBe(401);
  expect((await as({ user: learner.user, password: "", token: reply.json().token as string })(auth.me)).status).toBe(
    401,
  );
});

test("throttles the guessing of access codes by network", async () => {
  const replies = [];
  for (let i = 0; i < 62; i++)
    replies.push(
      (await as(null, { "x-forwarded-for": "192.0.2.44" })(auth.previewCode, { params: { code: "ABCDEFGH" } })).status,
    );
  expect(replies.filter((status) => status === 404)).toHaveLength(60);
  expect(replies.slice(60)).toEqual([429, 429]);
});

test("does not lock a person out elsewhere after 60 failures in one network", async () => {
  const { learner } = await make.classroom();
  for (let n = 0; n < 60; n++) await signIn(learner.user.email, "wrong", { "x-forwarded-for": "203.0.113.50" });
  expect((await signIn(learner.user.email, PASSWORD, { "x-forwarded-for": "198.51.100.50" })).status).toBe(200);
});

test("lets seventy people in one network register with one access code", async () => {
  const { company } = await make.classroom();
  const codes = [];
  for (let n = 0; n < 70; n++)
    codes.push(
      (
        await as(null, { "x-forwarded-for": "198.51.101.99" })(auth.previewCode, {
          params: { code: company.accessCode },
        })
      ).status,
    );
  expect(new Set(codes)).toEqual(new Set([200]));
});

test("answers a token request of a guest with no content", async () => {
  expect((await app.inject({ method: "POST", url: auth.token.path })).statusCode).toBe(204);
  expect(
    (await app.inject({ method: "POST", url: auth.token.path, headers: { cookie: "lyceum.session_token=made-up" } }))
      .statusCode,
  ).toBe(401);
});

test("refuses malformed origins and NUL characters", async () => {
  const { status } = await as(null, { origin: "null" })(auth.token, {});
  expect(status).toBe(403);
  expect((await app.inject("/api/auth/codes/a%00b")).statusCode).toBeLessThan(500);
  expect((await register({ email: address(), name: "a\0b", accessCode: "ABCDEFGH" })).status).toBe(422);
});
