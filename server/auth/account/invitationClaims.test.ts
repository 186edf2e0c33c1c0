import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { learners } from "#shared/learners/learners.ts";
import { startMailbox } from "#test/mailbox.ts";
import { start } from "#test/start.ts";
import { PASSWORD } from "#test/password.ts";

// A claimed account must verify its email before the first sign-in, if there is a mail server

const mailbox = await startMailbox();
const { as, make, runJobs } = await start({ SMTP_URL: mailbox.url });
const runner = await runJobs();
afterAll(async () => {
  await runner.stop();
  await mailbox.close();
});

const invite = async () => {
  const admin = await make.admin();
  const company = await make.company(admin);
  const email = `c-${randomUUID()}@example.com`;
  await as(admin)(learners.invite, { body: { companyId: company.id, people: [{ email, name: "Ivo Invited" }] } });
  const invitation = /invitation=([\w-]+)/.exec((await mailbox.waitForMail(email, "invites you")).text)?.[1] as string;
  return { admin, company, email, invitation };
};
const claim = (email: string, password = PASSWORD, accessCode?: string) =>
  as(null)(auth.register, { body: { name: "Ivo Himself", email, password, ...(accessCode && { accessCode }) } });
const signIn = (email: string, password = PASSWORD) => as(null)(auth.signIn, { body: { email, password } });
const tokenOf = (text: string) => /confirm-email\?token=([\w-]+)/.exec(text)?.[1] as string;

test("signs a person in after claim and email verification", async () => {
  const { company, email } = await invite();
  expect((await claim(email)).status).toBe(200);
  expect(await signIn(email)).toMatchObject({ status: 403, code: "auth.emailVerificationPending" });
  expect((await signIn(email, "wrong")).status).toBe(401);
  const { text, subject } = await mailbox.waitForMail(email, "activated");
  expect(subject).toBe("Your account was activated");
  const params = { token: tokenOf(text) };
  expect((await as(null)(auth.confirmation, { params })).body).toEqual({
    email,
    name: "Ivo Himself",
    company: company.name,
  });
  expect(await signIn(email)).toMatchObject({ code: "auth.emailVerificationPending" });
  expect((await as(null)(auth.answerConfirmation, { params, body: { mine: true } })).status).toBe(204);
  expect((await as(null)(auth.answerConfirmation, { params, body: { mine: true } })).status).toBe(404);
  expect((await signIn(email)).body.user).toMatchObject({ email, companyId: company.id, role: "learner" });
});

test("a claim needs no access code, but a wrong one is refused", async () => {
  const { email, company } = await invite();
  for (const wrong of ["ZZZZ ZZZZ", company.accessCode.slice(0, -1), "%"])
    expect(await claim(email, PASSWORD, wrong)).toMatchObject({
      status: 422,
      body: { error: "Invalid access code", code: "auth.codeInvalid" },
    });
  expect((await signIn(email)).status).toBe(401);
  expect((await claim(email, PASSWORD, company.accessCode.toLowerCase())).status).toBe(200);
});

test("reverts a claim that the owner of the address rejects", async () => {
  const { email } = await invite();
  await claim(email, "the password of a stranger");
  const params = { token: tokenOf((await mailbox.waitForMail(email, "activated")).text) };
  await as(null)(auth.answerConfirmation, { params, body: { mine: false } });
  expect((await signIn(email, "the password of a stranger")).status).toBe(401);
  expect((await claim(email)).status).toBe(200);
});

test("prefers the invitation link to an unverified claim", async () => {
  const { email, invitation } = await invite();
  await claim(email, "the password of a stranger");
  const stale = { token: tokenOf((await mailbox.waitForMail(email, "activated")).text) };
  expect(
    (
      await as(null)(auth.acceptInvitation, {
        params: { token: invitation },
        body: { name: "Ivo", password: PASSWORD },
      })
    ).status,
  ).toBe(200);
  expect((await signIn(email, "the password of a stranger")).status).toBe(401);
  expect((await signIn(email)).status).toBe(200);
  expect((await as(null)(auth.confirmation, { params: stale })).status).toBe(404);
});

test("accepts one of three concurrent claims", async () => {
  const { email } = await invite();
  const claims = await Promise.all([1, 2, 3].map(() => claim(email)));
  expect(claims.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
});

test("resends the verification three times an hour without revealing accounts", async () => {
  const { email } = await invite();
  await claim(email);
  const resend = (address: string) => as(null)(auth.resendConfirmation, { body: { email: address } });
  for (const address of [email, `nobody-${randomUUID()}@example.com`]) {
    expect((await Promise.all([1, 2, 3].map(() => resend(address)))).map(({ status }) => status)).toEqual([
      204, 204, 204,
    ]);
    expect(await resend(address)).toMatchObject({ status: 429, code: "auth.tooManyMails" });
  }
  await expect.poll(() => mailbox.count(email, "activated")).toBe(4);
  expect(mailbox.count("nobody", "")).toBe(0);
});

test("verifies a claim by a reset; notifies if verification is disabled", async () => {
  const { email } = await invite();
  await claim(email);
  await as(null)(auth.requestReset, { body: { email } });
  const token = /reset-password\?token=([\w-]+)/.exec(
    (await mailbox.waitForMail(email, "new password")).text,
  )?.[1] as string;
  await as(null)(auth.setPassword, { params: { token }, body: { password: "another good one" } });
  expect((await signIn(email, "another good one")).status).toBe(200);

  const unverified = await start({ SMTP_URL: mailbox.url, CLAIM_CONFIRMATION: "off" });
  const admin = await unverified.make.admin();
  const company = await unverified.make.company(admin);
  const other = `b-${randomUUID()}@example.com`;
  await unverified.as(admin)(learners.invite, { body: { companyId: company.id, people: [{ email: other }] } });
  await unverified.as(null)(auth.register, { body: { name: "Bea", email: other, password: PASSWORD } });
  expect((await unverified.as(null)(auth.signIn, { body: { email: other, password: PASSWORD } })).status).toBe(200);
  expect(
    await unverified.db
      .selectFrom("mails")
      .where("recipient", "=", other)
      .where("reason", "=", "auth.activated")
      .select("subject")
      .execute(),
  ).toHaveLength(1);
});
