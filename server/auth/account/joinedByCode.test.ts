import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { learners } from "#shared/learners/learners.ts";
import { startMailbox } from "#test/mailbox.ts";
import { follow, OIDC_CLIENT, startOidc } from "#test/oidc.ts";
import { start } from "#test/start.ts";
import { PASSWORD } from "#test/password.ts";

// Access codes of companies with restricted domains require email verification, if there is a mail server

const mailbox = await startMailbox();
const RETURN = "http://localhost:1/api/auth/external/return";
const google = await startOidc(RETURN);
const server = await start({
  SMTP_URL: mailbox.url,
  GOOGLE_ISSUER: google.issuer,
  GOOGLE_CLIENT_ID: OIDC_CLIENT.id,
  GOOGLE_CLIENT_SECRET: OIDC_CLIENT.secret,
});
const { app, as, db } = server;
const runner = await server.runJobs();
afterAll(async () => {
  await runner.stop();
  await Promise.all([mailbox.close(), google.close()]);
});

type Server = Pick<typeof server, "as" | "make">;
const createCompany = async (domains: string[], { make }: Server = server) => {
  const admin = await make.admin();
  return { admin, company: await make.company(admin, { allowedDomains: domains }) };
};
const address = () => `j-${randomUUID()}@allowed.example`;
const register = (email: string, accessCode: string, { as }: Server = server, password = PASSWORD) =>
  as(null)(auth.register, { body: { name: "Jo Joining", email, password, accessCode } });
const signIn = (email: string, { as }: Server = server, password = PASSWORD) =>
  as(null)(auth.signIn, { body: { email, password } });
const verificationLinkOf = async (email: string) => ({
  token: /confirm-email\?token=([\w-]+)/.exec((await mailbox.waitForMail(email, "activated")).text)?.[1] as string,
});

test("signs a person in after registration and email verification", async () => {
  const { company } = await createCompany(["allowed.example"]);
  const email = address();
  expect(await register(email, company.accessCode)).toMatchObject({ status: 200, body: { email } });
  expect(await signIn(email)).toMatchObject({ status: 403, code: "auth.emailVerificationPending" });
  const params = await verificationLinkOf(email);
  expect((await as(null)(auth.confirmation, { params })).body).toEqual({
    email,
    name: "Jo Joining",
    company: company.name,
  });
  expect(await signIn(email)).toMatchObject({ code: "auth.emailVerificationPending" });
  expect((await as(null)(auth.answerConfirmation, { params, body: { mine: true } })).status).toBe(204);
  expect((await signIn(email)).body.user).toMatchObject({ email, companyId: company.id, role: "learner" });
  expect(await register(email, company.accessCode)).toMatchObject({
    status: 409,
    body: { error: "User already exists and is active" },
  });
});

test("deletes a registration that the owner of the address rejects", async () => {
  const { company, admin } = await createCompany(["allowed.example"]);
  const email = address();
  await register(email, company.accessCode, server, "the password of a stranger");
  const created = (await as(admin)(learners.list, { query: { q: email } })).body.items[0];
  expect(
    (
      await as(admin)(learners.update, {
        params: { id: created?.id as string },
        body: { name: "Jo Renamed", version: created?.version as number },
      })
    ).status,
  ).toBe(200);
  expect(await register(email, company.accessCode)).toMatchObject({
    status: 409,
    body: { error: "Email address is already in use" },
  });
  expect(
    (await as(null)(auth.answerConfirmation, { params: await verificationLinkOf(email), body: { mine: false } }))
      .status,
  ).toBe(204);
  expect((await signIn(email, server, "the password of a stranger")).status).toBe(401);
  expect((await as(admin)(learners.list, { query: { q: email } })).body.total).toBe(0);
  expect(await db.selectFrom("mails").where("recipient", "=", email).select("id").execute()).toEqual([]);
  expect(await register(email, "")).toMatchObject({
    status: 422,
    body: { error: "Access code is required for new users" },
  });
  expect((await register(email, company.accessCode)).status).toBe(200);
});

test("verifies a registration by a password reset, and resends the email", async () => {
  const { company } = await createCompany(["allowed.example"]);
  const email = address();
  await register(email, company.accessCode, server, "the password of a stranger");
  expect((await as(null)(auth.resendConfirmation, { body: { email } })).status).toBe(204);
  await expect.poll(() => mailbox.count(email, "activated")).toBe(2);
  await as(null)(auth.requestReset, { body: { email } });
  const token = /reset-password\?token=([\w-]+)/.exec(
    (await mailbox.waitForMail(email, "new password")).text,
  )?.[1] as string;
  await as(null)(auth.setPassword, { params: { token }, body: { password: PASSWORD } });
  expect((await signIn(email, server, "the password of a stranger")).status).toBe(401);
  expect((await signIn(email)).status).toBe(200);
});

test("hands a registration over to the owner who signs in with Google", async () => {
  const { admin, company } = await createCompany(["allowed.example"]);
  const byGoogle = async (email: string, body: object) => {
    google.next({ email });
    const started = await app.inject({
      method: "POST",
      url: auth.external.path,
      payload: { provider: "google", ...body },
    });
    const cookie = [started.headers["set-cookie"]]
      .flat()
      .map((line) => String(line).split(";")[0])
      .join("; ");
    const { pathname, search } = new URL(await follow(started.json().address, RETURN));
    const { outcome, problem } = JSON.parse(
      /id="result">(.*?)<\/script>/.exec(
        (await app.inject({ url: pathname + search, headers: { cookie } })).body,
      )?.[1] ?? "{}",
    );
    return outcome ?? problem.code;
  };
  const [taken, fresh, invited] = [address(), address(), address()];
  await as(admin)(learners.invite, { body: { companyId: company.id, people: [{ email: invited }] } });
  expect(await byGoogle(invited, { purpose: "register", accessCode: "ZZZZ ZZZZ" })).toBe("auth.codeInvalid");
  await register(taken, company.accessCode, server, "the password of a stranger");
  expect(await byGoogle(taken, { purpose: "signIn" })).toBe("signedIn");
  expect((await signIn(taken, server, "the password of a stranger")).status).toBe(401);
  expect(await byGoogle(fresh, { purpose: "register", accessCode: company.accessCode })).toBe("registered");
  expect(await byGoogle(fresh, { purpose: "signIn" })).toBe("signedIn");
  expect(
    await db
      .selectFrom("users")
      .where("email", "in", [taken, fresh])
      .select(["companyId", "emailVerificationPending", "emailVerified"])
      .execute(),
  ).toEqual(
    Array.from({ length: 2 }, () => ({ companyId: company.id, emailVerificationPending: false, emailVerified: true })),
  );
});

test("requires verification only if a company restricts email domains", async () => {
  const { company } = await createCompany(["allowed.example"]);
  expect(await register(`j-${randomUUID()}@elsewhere.example`, company.accessCode)).toMatchObject({
    status: 422,
    body: { error: "Invalid access code" },
  });
  const unrestricted = await createCompany([]);
  const email = address();
  await register(email, unrestricted.company.accessCode);
  expect((await signIn(email)).status).toBe(200);
  expect(await db.selectFrom("mails").where("recipient", "=", email).select("id").execute()).toEqual([]);
});

test.each([
  ["verification disabled", { SMTP_URL: mailbox.url, CLAIM_CONFIRMATION: "off" }],
  ["no mail server", {}],
])("%s: signs in without verification", async (_, env: Record<string, string>) => {
  const unverified = await start(env);
  const { company } = await createCompany(["allowed.example"], unverified);
  const email = address();
  await register(email, company.accessCode, unverified);
  expect((await signIn(email, unverified)).status).toBe(200);
  expect(await unverified.db.selectFrom("mails").where("recipient", "=", email).select("id").execute()).toEqual([]);
});
