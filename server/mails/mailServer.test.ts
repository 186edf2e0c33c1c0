import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { learners } from "#shared/learners/learners.ts";
import { mailServers } from "#shared/mails/mailServer.ts";
import { mails } from "#shared/mails/mails.ts";
import { startMailbox } from "#test/mailbox.ts";
import { type Person, start } from "#test/start.ts";

const server = await start();
const { as, make, db } = server;
const other = await server.startAnother();
// Emails are sent by a node that did not make the changes.
const runner = await other.runJobs();
afterAll(() => runner.stop());

const SECRET = "correct-horse-9000";
const portOf = (listening: Server) => (listening.address() as AddressInfo).port;
/** Starts an SMTP server on loopback. Returns its port. */
async function startSmtp(options: SMTPServerOptions = {}) {
  const smtp = new SMTPServer({ disabledCommands: ["STARTTLS"], logger: false, authOptional: true, ...options });
  smtp.on("error", () => {});
  smtp.listen(0, "127.0.0.1");
  await once(smtp.server, "listening");
  onTestFinished(() => new Promise<void>((done) => void smtp.close(() => done())));
  return portOf(smtp.server as Server);
}
const settings = (port: number, change: object = {}) => ({
  host: "127.0.0.1",
  port,
  security: "none" as const,
  senderName: "",
  senderAddress: "academy@example.com",
  ...change,
});
const state = async (who: Person) => (await as(who)(mailServers.get)).body;
const versionNow = async (who: Person) => (await state(who)).server?.version ?? 0;
const save = async (who: Person, port: number, change: object = {}) =>
  as(who)(mailServers.save, { body: { ...settings(port, change), version: await versionNow(who) } });
const tryOut = async (who: Person, port: number, change: object = {}) =>
  (await as(who)(mailServers.tryOut, { body: settings(port, change) })).body;
const issuesOf = ({ body }: { body: unknown }) => (body as { issues?: { path: string; code: string }[] }).issues;
async function invite(by: Person) {
  const company = await make.company(by);
  const email = `p-${randomUUID()}@example.com`;
  await as(by)(learners.invite, { body: { companyId: company.id, people: [{ email, name: "Åse" }] } });
  return email;
}
const statusOf = async (by: Person, email: string) =>
  (await as(by)(mails.list, { query: { q: email } })).body.items[0]?.status;

test("every node uses a saved mail server until it is removed", async () => {
  const [admin, mailbox] = [await make.admin(), await startMailbox()];
  onTestFinished(() => mailbox.close());
  expect(await state(admin)).toEqual({ operator: null, server: null });
  const before = await invite(admin);
  expect(await statusOf(admin, before)).toBe("kept");
  const port = Number(new URL(mailbox.url).port);
  expect((await save(admin, port, { senderName: "Nordic Training" })).status).toBe(200);
  expect((await as(admin)(mails.list)).body.isSending).toBe(true);
  const email = await invite(admin);
  expect((await mailbox.waitForMail(email, "invites you")).from).toBe("Nordic Training <academy@example.com>");
  await expect.poll(() => statusOf(admin, email), { timeout: 10_000 }).toBe("sent");
  await db.updateTable("mails").set({ status: "queued" }).where("recipient", "=", email).execute();
  expect((await as(admin)(mailServers.remove)).status).toBe(204);
  expect((await as(admin)(mails.list)).body.isSending).toBe(false);
  expect(await statusOf(admin, await invite(admin))).toBe("kept");
  await db.updateTable("mails").set({ status: "failed" }).where("recipient", "=", email).execute();
  await as(admin)(mails.retry, { body: {} });
  expect(await statusOf(admin, email)).toBe("kept");
  expect((await as(admin)(mailServers.remove)).status).toBe(404);
});

test("the password is encrypted, kept for the same account only, never returned", async () => {
  const admin = await make.admin();
  const seen: string[] = [];
  const port = await startSmtp({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) => {
      seen.push(`${username}:${password}`);
      done(null, { user: username });
    },
  });
  expect(issuesOf(await save(admin, port, { username: "lyceum" }))).toMatchObject([
    { path: "password", code: "mails.passwordNeeded" },
  ]);
  const saved = await save(admin, port, { username: "lyceum", password: SECRET });
  expect(saved.body.server).toMatchObject({ username: "lyceum", hasPassword: true, version: 1 });
  expect((await save(admin, port, { username: "lyceum", senderName: "New" })).body.server?.hasPassword).toBe(true);
  expect((await as(admin)(mailServers.test)).body.failure).toBeNull();
  expect(await tryOut(admin, port, { username: "lyceum" })).toMatchObject({ failure: null });
  expect(seen).toEqual([`lyceum:${SECRET}`, `lyceum:${SECRET}`]);
  const stored = await db.selectFrom("mailServer").selectAll().execute();
  for (const text of [JSON.stringify(stored), JSON.stringify(saved.body), JSON.stringify(await state(admin))])
    expect(text).not.toContain(SECRET);
  const elsewhere = { username: "lyceum", host: "localhost" };
  for (const reply of [
    await save(admin, port, elsewhere),
    await save(admin, port, { username: "other" }),
    await as(admin)(mailServers.tryOut, { body: settings(port, elsewhere) }),
  ])
    expect(issuesOf(reply)).toMatchObject([{ code: "mails.passwordNeeded" }]);
  // An attacker with write access to the database must not make another server receive the password.
  await db.updateTable("mailServer").set({ host: "localhost" }).execute();
  expect((await state(admin)).server?.hasPassword).toBe(false);
  expect((await as(admin)(mailServers.test)).body.failure).toBe("login");
  expect(seen).toHaveLength(2);
  await as(admin)(mailServers.remove);
});

test("a test email reports the kind of failure and the answer of the server", async () => {
  const admin = await make.admin();
  const refuse = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code });
  const plain = await startSmtp({ onData: (stream, _, done) => void stream.resume().on("end", () => done()) });
  expect(await tryOut(admin, plain)).toEqual({ to: admin.user.email, failure: null, answer: "250 OK: message queued" });
  const login = await startSmtp({
    allowInsecureAuth: true,
    onAuth: ({ password }, _, done) => done(refuse(535, `Go away, ${password ?? ""}`)),
  });
  expect(await tryOut(admin, login, { username: "lyceum", password: SECRET })).toMatchObject({
    failure: "login",
    answer: "535 Go away, …",
  });
  const sender = await startSmtp({ onMailFrom: (_, __, done) => done(refuse(553, "Not your address")) });
  expect(await tryOut(admin, sender)).toMatchObject({ failure: "sender", answer: "553 Not your address" });
  const recipient = await startSmtp({ onRcptTo: (_, __, done) => done(refuse(550, "No such mailbox")) });
  expect(await tryOut(admin, recipient)).toMatchObject({ failure: "recipient", answer: "550 No such mailbox" });
  const message = await startSmtp({
    onData: (stream, _, done) => void stream.resume().on("end", () => done(refuse(554, "Looks like spam"))),
  });
  expect(await tryOut(admin, message)).toMatchObject({ failure: "message", answer: "554 Looks like spam" });
  expect((await tryOut(admin, plain, { security: "starttls" })).failure).toBe("encryption");
  expect((await tryOut(admin, plain, { security: "tls" })).failure).toBe("encryption");
  const encrypted = await startSmtp({ disabledCommands: [], secure: true });
  expect((await tryOut(admin, encrypted, { security: "tls" })).failure).toBe("certificate");
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const port = portOf(closed);
  await new Promise((done) => closed.close(done));
  expect((await tryOut(admin, port)).failure).toBe("refusedConnection");
});

test("a hostile server can neither block a request nor exhaust the memory", async () => {
  const admin = await make.admin();
  const hostile = createServer((socket) => {
    socket.on("error", () => {});
    const line = Buffer.alloc(64 * 1024, "2");
    const flood = () => {
      while (socket.writable && socket.write(line));
      socket.once("drain", flood);
    };
    flood();
  }).listen(0, "127.0.0.1");
  await once(hostile, "listening");
  onTestFinished(() => void hostile.close());
  const started = performance.now();
  expect((await tryOut(admin, portOf(hostile))).failure).not.toBeNull();
  expect(performance.now() - started).toBeLessThan(15_000);
}, 30_000);

test("private addresses and unencrypted connections are refused", async () => {
  const strict = await start({ PRIVATE_HOSTS: "" });
  const admin = await strict.make.admin();
  const issues = async (change: object) => {
    const body = { ...settings(587, { security: "starttls", ...change }), version: 0 };
    const tested = await strict.as(admin)(mailServers.tryOut, { body });
    const saved = await strict.as(admin)(mailServers.save, { body });
    expect(issuesOf(tested)).toEqual(issuesOf(saved));
    return issuesOf(saved)?.map(({ path, code }) => `${path}: ${code}`);
  };
  for (const host of ["127.0.0.1", "localhost", "127.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1"])
    expect([host, await issues({ host })]).toEqual([host, ["host: core.privateAddress"]]);
  expect(await issues({ host: "mail.example.com", security: "none" })).toEqual(["security: mails.needsEncryption"]);
  for (const host of ["https://mail.example.com", "mail.example.com/x", "a b", "user@host", "x\r\ny"])
    expect([host, await issues({ host })]).toEqual([host, ["host: mails.badHost"]]);
  expect(await issues({ senderAddress: "nobody" })).toEqual(["senderAddress: core.badEmail"]);
  expect((await strict.as(admin)(mailServers.get)).body.server).toBeNull();
});

test("of two admins who save at the same time, the second gets a conflict", async () => {
  const [ann, bob] = [await make.admin(), await make.admin()];
  const replies = await Promise.all(
    [ann, bob].map((who) =>
      as(who)(mailServers.save, {
        body: { ...settings(2525), version: 0 },
      }),
    ),
  );
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({
    details: { current: { port: 2525, version: 1 }, changedBy: "Ada Admin" },
  });
  await as(ann)(mailServers.remove);
});

test("SMTP_URL takes precedence, and off keeps everything in the outbox", async () => {
  const byOperator = await start({ SMTP_URL: "smtp://user:hidden@mail.example.com:2525" });
  const admin = await byOperator.make.admin();
  const read = await byOperator.as(admin)(mailServers.get);
  expect(read.body).toEqual({
    operator: { host: "mail.example.com:2525", sender: "no-reply@localhost" },
    server: null,
  });
  const saved = await byOperator.as(admin)(mailServers.save, { body: { ...settings(1), version: 0 } });
  expect(saved).toMatchObject({ status: 409, code: "mails.setByOperator" });
  const off = await start({ SMTP_URL: "off" });
  await off.db.insertInto("mailServer").values(settings(1)).execute();
  const quiet = await off.make.admin();
  expect((await off.as(quiet)(mailServers.get)).body).toMatchObject({ operator: { host: "" }, server: { port: 1 } });
  expect((await off.as(quiet)(mailServers.test)).code).toBe("mails.noServer");
  const company = await off.make.company(quiet);
  const people = [{ email: "p@example.com", name: "" }];
  await off.as(quiet)(learners.invite, { body: { companyId: company.id, people } });
  expect((await off.as(quiet)(mails.list)).body.items[0]?.status).toBe("kept");
});
