import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { accounts } from "#shared/auth/account.ts";
import { auth } from "#shared/auth/auth.ts";
import { startMailbox } from "#test/mailbox.ts";
import { PASSWORD } from "#test/password.ts";
import { type Person, start } from "#test/start.ts";

const mailbox = await startMailbox();
const { as, make, db, runJobs } = await start({ SMTP_URL: mailbox.url });
const runner = await runJobs();
afterAll(async () => {
  await runner.stop();
  await mailbox.close();
});

const newEmail = () => `new-${randomUUID()}@example.com`;
const request = (who: Person, email: string) => as(who)(accounts.changeEmail, { body: { email } });
async function linkTo(email: string) {
  const { text } = await mailbox.waitForMail(email, "Confirm your new email address");
  return /confirm-new-email\?token=([\w-]+)/.exec(text)?.[1] as string;
}
const confirm = (token: string) => as(null)(auth.confirmEmailChange, { params: { token } });
const codeOf = ({ body }: { body: unknown }) => (body as { issues: { code: string }[] }).issues[0]?.code;

test("an admin's new address takes effect once its owner has confirmed it", async () => {
  const admin = await make.admin();
  const email = newEmail();
  expect((await request(admin, email)).body).toEqual({ outcome: "linkSent" });
  expect((await as(admin)(accounts.get)).body).toMatchObject({ email: admin.user.email, pendingEmail: email });
  const token = await linkTo(email);
  expect((await as(null)(auth.emailChange, { params: { token } })).body).toEqual({ email });
  expect((await as(admin)(auth.me)).body.email).toBe(admin.user.email);
  const replies = await Promise.all([confirm(token), confirm(token)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  expect((await as(admin)(accounts.get)).body).toMatchObject({ email, pendingEmail: null });
  await make.signIn(email);
  expect((await as(null)(auth.signIn, { body: { email: admin.user.email, password: PASSWORD } })).status).toBe(401);
  const notice = await mailbox.waitForMail(admin.user.email, "Your email address was changed");
  expect(notice.text).not.toContain(email);
});

test("only the newest link works, and a cancelled one does not", async () => {
  const admin = await make.admin();
  const [first, second] = [newEmail(), newEmail()];
  await request(admin, first);
  const old = await linkTo(first);
  await request(admin, second);
  expect((await confirm(old)).status).toBe(404);
  const token = await linkTo(second);
  expect((await as(admin)(accounts.cancelEmail)).status).toBe(204);
  expect((await confirm(token)).status).toBe(404);
  expect((await as(admin)(accounts.get)).body.pendingEmail).toBeNull();
});

test("expired links and links of suspended people do not work", async () => {
  const admin = await make.admin();
  const email = newEmail();
  await request(admin, email);
  const token = await linkTo(email);
  const set = (expiresAt: number) =>
    db
      .updateTable("authEmailChanges")
      .set({ expiresAt: new Date(expiresAt).toISOString() })
      .where("userId", "=", admin.user.id)
      .execute();
  await set(Date.now() - 1000);
  expect((await confirm(token)).status).toBe(404);
  await set(Date.now() + 60_000);
  await db.updateTable("users").set({ status: "suspended" }).where("id", "=", admin.user.id).execute();
  expect((await confirm(token)).status).toBe(404);
});

test("a taken address is refused, even if it was free when it was requested", async () => {
  const { admin, learner, company } = await make.classroom();
  expect(codeOf(await request(admin, learner.user.email))).toBe("admins.emailTaken");
  expect(codeOf(await request(admin, admin.user.email))).toBe("auth.emailIsSame");
  const email = newEmail();
  await request(admin, email);
  const token = await linkTo(email);
  await make.learner(company.accessCode, "Lea", email);
  expect(await confirm(token)).toMatchObject({ status: 409, code: "auth.emailInUse" });
  expect((await as(admin)(auth.me)).body.email).toBe(admin.user.email);
});

test("changing the password cancels a pending change of the address", async () => {
  const admin = await make.admin();
  const email = newEmail();
  await request(admin, email);
  const token = await linkTo(email);
  await as(admin)(accounts.changePassword, { body: { current: PASSWORD, password: "wrong mule charger" } });
  expect((await confirm(token)).status).toBe(404);
});

test("requests are limited, and learners cannot make any", async () => {
  const { admin, learner } = await make.classroom();
  const statuses: number[] = [];
  for (let count = 0; count < 6; count++) statuses.push((await request(admin, newEmail())).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  expect((await request(learner, newEmail())).status).toBe(403);
});

test("without a mail server the address changes immediately", async () => {
  const quiet = await start();
  const admin = await quiet.make.admin();
  const email = newEmail();
  const reply = await quiet.as(admin)(accounts.changeEmail, { body: { email } });
  expect(reply.body).toEqual({ outcome: "changed" });
  expect((await quiet.as(admin)(auth.me)).body.email).toBe(email);
  const notices = await quiet.db.selectFrom("mails").select(["recipient", "reason"]).execute();
  expect(notices).toEqual([{ recipient: admin.user.email, reason: "auth.emailChanged" }]);
});
