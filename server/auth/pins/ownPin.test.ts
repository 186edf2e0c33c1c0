import { sql } from "kysely";
import { expect, test } from "vitest";
import { accounts } from "#shared/auth/account.ts";
import { auth } from "#shared/auth/auth.ts";
import { pins } from "#shared/auth/pins.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { addNumbered, allowPins, OWN_PIN, signInNumbered } from "#test/numbered.ts";
import { start } from "#test/start.ts";

// What people who log in with a PIN do with it afterwards: change it, and confirm who they are

const server = await start();
const { as, make, db } = server;
const admin = await make.admin();
const company = await allowPins(server, admin, await make.company(admin, { name: "Harbour" }));
let last = 2000;

async function loggedIn() {
  const person = await addNumbered(server, admin, company, `P-${++last}`);
  return { person, session: await signInNumbered(server, person) };
}
type Session = Awaited<ReturnType<typeof loggedIn>>["session"];
const NEW_PIN = "860427";
const change = (session: Session, current: string, pin = NEW_PIN) =>
  as(session)(accounts.changePin, { body: { current, pin } });
const signIn = (number: string, pin: string) => as(null)(pins.signIn, { body: { company: company.slug, number, pin } });
const age = ({ user }: Session) =>
  sql`
    update auth_sessions
    set created_at = created_at - interval '11 minutes', reauthenticated_at = null
    where user_id = ${user.id}`.execute(db);
const refused = (path: string, code: string) => ({ status: 422, body: { issues: [{ path, code }] } });

test("a changed PIN replaces the old one and ends other sessions", async () => {
  const { person, session } = await loggedIn();
  const other = (await signIn(person.number, OWN_PIN)).body;
  expect((await as(session)(accounts.get)).body).toMatchObject({ hasPin: true, hasPassword: false });
  expect((await change(session, OWN_PIN)).status).toBe(204);
  expect((await as(session)(auth.me)).status).toBe(200);
  expect((await as(other)(auth.me)).status).toBe(401);
  expect((await signIn(person.number, OWN_PIN)).code).toBe("auth.pinWrong");
  expect((await signIn(person.number, NEW_PIN)).status).toBe(200);
});

test("a wrong current PIN and a weak new one are refused, and tries are few", async () => {
  const { person, session } = await loggedIn();
  expect(await change(session, OWN_PIN, "123456")).toMatchObject(refused("pin", "auth.pinWeak"));
  expect(await change(session, OWN_PIN, OWN_PIN)).toMatchObject(refused("pin", "auth.pinWeak"));
  for (let n = 0; n < 5; n++)
    expect(await change(session, "402817")).toMatchObject(refused("current", "auth.ownPinWrong"));
  expect(await change(session, OWN_PIN)).toMatchObject({ status: 429, code: "auth.pinLocked" });
  const { body } = await as(admin)(learners.issuePin, { params: { id: person.id }, body: {} });
  expect((await signIn(person.number, body.pin)).code).toBe("auth.pinMustChange");
});

test("two changes at once: one of them holds, the other one is told", async () => {
  const { person, session } = await loggedIn();
  const replies = await Promise.all([change(session, OWN_PIN, "860427"), change(session, OWN_PIN, "275940")]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 422]);
  const holds = replies[0]?.status === 204 ? "860427" : "275940";
  expect((await signIn(person.number, holds)).status).toBe(200);
});

test("who has no PIN can change none", async () => {
  const learner = await make.learner(company.accessCode);
  const reply = await as(learner)(accounts.changePin, { body: { current: OWN_PIN, pin: NEW_PIN } });
  expect(reply).toMatchObject({ status: 409, code: "auth.noPinLogin" });
  expect((await as(learner)(accounts.get)).body.hasPin).toBe(false);
});

test("the PIN confirms who a person is before their data are deleted", async () => {
  const { session } = await loggedIn();
  await age(session);
  const erase = () => as(session)(privacy.erase, { body: {} });
  expect(await erase()).toMatchObject({ status: 403, code: "auth.reauthRequired" });
  expect((await as(session)(accounts.reauthOptions)).body.methods).toEqual(["pin"]);
  const confirm = (pin: string) => as(session)(accounts.reauthenticate, { body: { method: "pin", pin } });
  expect(await confirm("402817")).toMatchObject(refused("pin", "auth.ownPinWrong"));
  expect((await erase()).status).toBe(403);
  expect((await confirm(OWN_PIN)).status).toBe(204);
  expect((await erase()).status).toBe(200);
});

test("a PIN that another person has handed out confirms nothing", async () => {
  const { person, session } = await loggedIn();
  await sql`update auth_pins set is_initial = true where user_id = ${person.id}`.execute(db);
  expect((await as(session)(accounts.reauthOptions)).body.methods).toEqual([]);
  const reply = await as(session)(accounts.reauthenticate, { body: { method: "pin", pin: OWN_PIN } });
  expect(reply.status).toBe(403);
});
