import { expect, test } from "vitest";
import { createDirectories, USER } from "#test/directory.ts";
import { start } from "#test/start.ts";
import { learners } from "#shared/learners/learners.ts";

// The address that people log in with, beside what a directory says

const server = await start();
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

test("a user name is the address of who never had one", async () => {
  const room = await company();
  const [first, second] = [unique(), unique()];
  const { id } = await room.create({ userName: "n1" });
  expect(await emailOf(id)).toBeNull();
  await room.patch(id, { op: "replace", path: "userName", value: first });
  expect(await emailOf(id)).toBe(first);
  await room.patch(id, { op: "replace", path: "userName", value: second });
  expect(await emailOf(id)).toBe(first);
});

test("the first call about somebody keeps the address that an admin has corrected", async () => {
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
