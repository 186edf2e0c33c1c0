import { sql } from "kysely";
import { expect, test } from "vitest";
import { accounts } from "#shared/auth/account.ts";
import { auth } from "#shared/auth/auth.ts";
import { PASSWORD } from "#test/password.ts";
import { type Person, start } from "#test/start.ts";

// Attacks on the ten minutes in which a sensitive call needs no confirmation

const { app, as, make, db } = await start();

/** Signs in with the cookie that renews the id token. */
async function signInWithCookie({ user }: Person) {
  const payload = { email: user.email, password: PASSWORD };
  const reply = await app.inject({ method: "POST", url: auth.signIn.path, payload });
  const lines = [reply.headers["set-cookie"]].flat().map((line) => String(line).split(";")[0]);
  return {
    person: { user, token: reply.json<{ token: string }>().token, password: PASSWORD },
    cookie: lines.join("; "),
  };
}
const renew = async (cookie: string) => {
  const reply = await app.inject({ method: "POST", url: auth.token.path, headers: { cookie } });
  return reply.json<{ token: string }>().token;
};
/** Sets the last authentication of every session of a person to this many seconds ago. */
const authenticatedAgo = (seconds: number, { user }: Person) =>
  db
    .updateTable("authSessions")
    .set({ createdAt: sql`now() - make_interval(secs => ${seconds})`, reauthenticatedAt: null })
    .where("userId", "=", user.id)
    .execute();
const removeFactors = async (who: Person, victim: Person) =>
  (await as(who)(accounts.resetFactors, { params: { id: victim.user.id } })).status;

test("the window closes after ten minutes, to the second", async () => {
  const { admin, learner } = await make.classroom();
  await authenticatedAgo(594, admin);
  expect(await removeFactors(admin, learner)).toBe(204);
  await authenticatedAgo(600, admin);
  expect(await removeFactors(admin, learner)).toBe(403);
});

test("a renewed id token opens no new window", async () => {
  const { admin, learner } = await make.classroom();
  const { person, cookie } = await signInWithCookie(admin);
  await authenticatedAgo(601, admin);
  for (let n = 0; n < 3; n++) expect(await removeFactors({ ...person, token: await renew(cookie) }, learner)).toBe(403);
});

test("an old, repeated or foreign confirmation opens no window", async () => {
  const { admin, learner } = await make.classroom();
  const { person: other } = await signInWithCookie(admin);
  await authenticatedAgo(601, admin);
  const body = { method: "password", password: PASSWORD } as const;
  expect((await as(other)(accounts.reauthenticate, { body })).status).toBe(204);
  expect(await removeFactors(other, learner)).toBe(204);
  expect(await removeFactors(admin, learner)).toBe(403);
  await db
    .updateTable("authSessions")
    .set({ reauthenticatedAt: sql`now() - interval '10 minutes'` })
    .where("userId", "=", admin.user.id)
    .execute();
  expect(await removeFactors(other, learner)).toBe(403);
});

test("the window ends with its session, although the id token has not expired", async () => {
  const { admin, learner } = await make.classroom();
  const { person, cookie } = await signInWithCookie(admin);
  expect(await removeFactors(person, learner)).toBe(204);
  await app.inject({
    method: "POST",
    url: auth.signOut.path,
    headers: { cookie, authorization: `Bearer ${person.token}` },
  });
  expect([401, 403]).toContain(await removeFactors(person, learner));
});
