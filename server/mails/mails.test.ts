import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { SMTPServer } from "smtp-server";
import { afterAll, expect, test } from "vitest";
import { learners } from "#shared/learners/learners.ts";
import { mails } from "#shared/mails/mails.ts";
import { start } from "#test/start.ts";

/** An SMTP server on loopback that rejects the first email, as a busy server would. */
const received: string[] = [];
let refusals = 1;
const post = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  logger: false,
  onData: (stream, _, done) => {
    let text = "";
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    stream.on("end", () => {
      if (refusals-- > 0) return done(new Error("busy, try again"));
      received.push(text);
      done();
    });
  },
});
post.listen(0, "127.0.0.1");
await once(post.server, "listening");
const { port } = post.server.address() as AddressInfo;
const { as, make, runJobs } = await start({ SMTP_URL: `smtp://127.0.0.1:${port}` });
const jobs = await runJobs();
afterAll(async () => {
  await jobs.stop();
  post.close();
});

test("sends an email by job and retries after a rejection", async () => {
  const admin = await make.admin();
  const company = await make.company(admin, { name: "Søhne & <Partner>" });
  const email = `p-${randomUUID()}@example.com`;
  await as(admin)(learners.invite, { body: { companyId: company.id, people: [{ email, name: "Åse <b>Berg</b>" }] } });
  const row = async () => (await as(admin)(mails.list, { query: { q: email } })).body.items[0];
  const statuses = new Set<string>();
  for (let tries = 0; tries < 150 && (await row())?.status !== "sent"; tries++) {
    statuses.add(String((await row())?.status));
    await sleep(100);
  }
  expect(await row()).toMatchObject({ status: "sent", recipient: email, reason: "learners.invitation", error: null });
  expect(statuses.has("failed")).toBe(true);
  // Once an email is sent, admins cannot see its link, which is only for the recipient.
  expect((await row())?.body).toContain("/register?invitation=…");
  expect((await row())?.body).not.toMatch(/invitation=[\w-]/);
  expect(received).toHaveLength(1);
  expect(received[0]).toContain(`To: ${email}`);
  expect(received[0]).toContain("From: Lyceum <no-reply@localhost>");
  expect(received[0]).toMatch(/text\/plain[\s\S]*text\/html/);
  expect(received[0]?.split("text/html")[1]).not.toContain("<b>Berg");
}, 60_000);

test("failed emails can be retried", async () => {
  const server = await start();
  const admin = await server.make.admin();
  const { id } = await server.db
    .insertInto("mails")
    .values({
      recipient: "a@example.com",
      subject: "s",
      body: "b",
      html: "h",
      reason: "auth.reset",
      status: "failed",
      error: "450",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  expect((await server.as(admin)(mails.retry, { body: {} })).body).toEqual({ changed: 1 });
  const { items } = (await server.as(admin)(mails.list, { query: { status: "kept" } })).body;
  expect(items.map((mail) => [mail.id, mail.error])).toEqual([[id, null]]);
});

test("a retry replaces the job that would send the email again later", async () => {
  const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
  const admin = await server.make.admin();
  const company = await server.make.company(admin);
  const body = { companyId: company.id, people: [{ email: "late@example.com", name: "Late" }] };
  expect((await server.as(admin)(learners.invite, { body })).status).toBe(200);
  await server.db.updateTable("mails").set({ status: "failed", error: "450" }).execute();
  expect((await server.as(admin)(mails.retry, { body: {} })).body).toEqual({ changed: 1 });
  const { rows } = await sql`select from graphile_worker.jobs where task_identifier = 'mails:send'`.execute(server.db);
  expect(rows).toHaveLength(1);
});
