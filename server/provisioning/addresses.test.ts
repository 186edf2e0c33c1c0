import { expect, test } from "vitest";
import { createDirectories, USER } from "#test/directory.ts";
import { start } from "#test/start.ts";
import { learners } from "#shared/learners/learners.ts";
import { provisioning } from "#shared/provisioning/provisioning.ts";

// The address that people log in with, beside what a directory says

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, db, make } = server;
const { company } = createDirectories(server);
type Room = Awaited<ReturnType<typeof company>>;

const unique = () => `p-${crypto.randomUUID()}@example.com`;
const emailOf = async (id: string) =>
  (await db.selectFrom("users").where("id", "=", id).select("email").executeTakeFirstOrThrow()).email;
const setEmail = async ({ admin }: Room, id: string, email: string) => {
  const { version } = await db.selectFrom("users").where("id", "=", id).select("version").executeTakeFirstOrThrow();
  const reply = await as(admin)(learners.update, { params: { id }, body: { version, email } });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
};
const sendEmail = ({ patch }: Room, id: string, value: string) =>
  patch(id, { op: "replace", path: 'emails[type eq "work"].value', value });

test("an address that is removed or left out stays", async () => {
  const room = await company();
  const [name, mail] = [unique(), unique()];
  const { id } = await room.create({ userName: name, emails: [{ value: mail, type: "work" }] });
  await room.patch(id, { op: "remove", path: "emails" });
  expect(await emailOf(id)).toBe(mail);
  await room.done("PUT", `/Users/${id}`, { schemas: [USER], userName: name, title: "Pilot" });
  expect(await emailOf(id)).toBe(mail);
  await room.done("PUT", `/Users/${id}`, { schemas: [USER], userName: unique() });
  expect(await emailOf(id)).toBe(mail);
  const next = unique();
  await sendEmail(room, id, next);
  expect(await emailOf(id)).toBe(next);
});

test("a user name is the address of a person who never had one", async () => {
  const room = await company();
  const [first, second] = [unique(), unique()];
  const { id } = await room.create({ userName: "n1" });
  expect(await emailOf(id)).toBeNull();
  await room.patch(id, { op: "replace", path: "userName", value: first });
  expect(await emailOf(id)).toBe(first);
  await room.patch(id, { op: "replace", path: "userName", value: second });
  expect(await emailOf(id)).toBe(first);
});

test("the first call about a person keeps the address that an admin has corrected", async () => {
  const room = await company();
  const [first, corrected] = [unique(), unique()];
  const { user } = await make.learner(room.company.accessCode, "Lea", first);
  await setEmail(room, user.id, corrected);
  const put = { schemas: [USER], userName: first, emails: [{ value: first, type: "work" }] };
  for (const title of ["Pilot", "Captain"]) {
    await room.done("PUT", `/Users/${user.id}`, { ...put, title });
    expect(await emailOf(user.id)).toBe(corrected);
  }
  await setEmail(room, user.id, first);
  const next = unique();
  await sendEmail(room, user.id, next);
  expect(await emailOf(user.id)).toBe(next);
});

test("an address that an admin changes and sets back is the directory's", async () => {
  const room = await company();
  const [first, next] = [unique(), unique()];
  const { user } = await make.learner(room.company.accessCode, "Lea", first);
  await room.patch(user.id, { op: "add", path: "externalId", value: "x1" });
  await setEmail(room, user.id, unique());
  await setEmail(room, user.id, first);
  await sendEmail(room, user.id, next);
  expect(await emailOf(user.id)).toBe(next);
});

test("an address that a learner changes ends what an admin has set", async () => {
  const room = await company();
  const [first, byAdmin, own, next] = [unique(), unique(), unique(), unique()];
  const { id } = await room.create({ userName: "ada", emails: [{ value: first, type: "work" }] });
  await setEmail(room, id, byAdmin);
  await sendEmail(room, id, next);
  expect(await emailOf(id)).toBe(byAdmin);
  await db.updateTable("users").set({ email: own }).where("id", "=", id).execute();
  await room.patch(id, { op: "replace", path: "title", value: "Pilot" });
  expect(await emailOf(id)).toBe(own);
  const last = unique();
  await sendEmail(room, id, last);
  expect(await emailOf(id)).toBe(last);
});

test("new people are invited if the company wants it, have an address and are active", async () => {
  const { admin, company: of, create, done, age } = await company();
  const params = { id: of.id };
  const invitationsOf = async (id: string) =>
    (await db.selectFrom("mails").where("userId", "=", id).select(["reason", "recipient"]).execute()).filter(
      ({ reason }) => reason === "learners.invitation",
    );
  const before = await create({ userName: unique() });
  expect(await invitationsOf(before.id)).toEqual([]);
  const { version } = (await as(admin)(provisioning.get, { params })).body;
  await as(admin)(provisioning.update, { params, body: { invites: true, version } });
  const [address, other] = [unique(), unique()];
  const { id } = await create({ userName: "ada", emails: [{ value: address }] });
  expect(await invitationsOf(id)).toEqual([{ reason: "learners.invitation", recipient: address }]);
  const { invitationHash, invitedBy } = await db
    .selectFrom("users")
    .where("id", "=", id)
    .select(["invitationHash", "invitedBy"])
    .executeTakeFirstOrThrow();
  expect([typeof invitationHash, invitedBy]).toEqual(["string", null]);
  expect(await invitationsOf((await create({ userName: "without-address" })).id)).toEqual([]);
  const inactive = await create({ userName: other, active: false });
  expect(await invitationsOf(inactive.id)).toEqual([]);
  // Nor when they are changed, or come back.
  for (let at = 0; at < 10; at++) await create({ userName: `filler-${at}` });
  await age();
  await done("PUT", `/Users/${id}`, { schemas: [USER], userName: "ada", title: "Pilot" });
  await done("DELETE", `/Users/${id}`);
  expect((await create({ userName: "ada", title: "Captain" })).id).toBe(id);
  expect(await invitationsOf(id)).toHaveLength(1);
});
