import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { reminders } from "#shared/reminders/reminders.ts";
import { createClient } from "#test/client.ts";
import { copyLearner } from "#test/copiedLearners.ts";
import { scaled } from "#test/long.ts";
import { startMailbox } from "#test/mailbox.ts";
import { openClass } from "#test/openClass.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { everyDay, step } from "#test/reminders.ts";
import { dayIn } from "#test/requirements.ts";

// A server that is killed while it reminds people: one step and one email for each, and no one is missed

const LEARNERS = scaled(120, 2000);
const KILLS = scaled(3, 30);
/** Jobs that a server works on at the same time (server/core/jobs.ts). */
const JOBS_AT_ONCE = 2;
const mailbox = await startMailbox();
const server = await createProcess({ SMTP_URL: mailbox.url });
afterAll(async () => {
  await server.remove();
  await mailbox.close();
});
const count = async (what: string) =>
  (await server.query<{ n: number }>(`select count(*)::int as n ${what}`))[0]?.n ?? 0;

test("kills while reminders are planned, written and sent miss and repeat no one", { timeout: 900_000 }, async () => {
  await server.start();
  const [person] = await openClass(server.url, 1);
  const companyId = person?.params.companyId as string;
  await server.query(copyLearner(LEARNERS));
  await server.query(`
    update enrolments
    set due_date = '${dayIn(3)}',
      assigned_at = now() - interval '30 days'`);
  const admin = createClient(server.url);
  admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
  const body = { terms: everyDay(step("due_soon", 3)), version: 0 };
  await admin.call(reminders.save, { params: { id: companyId }, body });
  await server.query("select graphile_worker.add_job('reminders:send', '{}', job_key := 'reminders:send')");

  for (let kills = 0; kills < KILLS; kills++) {
    // The further it gets, the later the next kill.
    const before = (await count("from reminders")) + (await count("from mails where status = 'sent'"));
    for (let waits = 0; waits < 400; waits++) {
      const now = (await count("from reminders")) + (await count("from mails where status = 'sent'"));
      if (now > before || now >= 2 * LEARNERS) break;
      await sleep(25);
    }
    await server.kill();
    await server.start();
  }
  await expect
    .poll(() => count("from mails where reason = 'reminders.sent' and status = 'sent'"), {
      timeout: 300_000,
      interval: 500,
    })
    .toBe(LEARNERS);

  expect(await count("from reminders where status = 'sent'")).toBe(LEARNERS);
  expect(await count("from reminders")).toBe(LEARNERS);
  expect(await count("from mails where reason = 'reminders.sent'")).toBe(LEARNERS);
  const people = await server.query<{ email: string }>("select email from users where role = 'learner'");
  const delivered = people.map(({ email }) => mailbox.count(email, "Due soon"));
  expect(delivered.filter((times) => times === 0)).toEqual([]);
  // What was in flight at a kill is delivered again, with the same Message-ID.
  const repeated = delivered.reduce((sum, times) => sum + times, 0) - LEARNERS;
  expect(repeated).toBeLessThanOrEqual(KILLS * JOBS_AT_ONCE);
});
