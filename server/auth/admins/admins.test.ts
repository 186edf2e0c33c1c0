import { randomUUID } from "node:crypto";
import { afterAll, expect, test, vi } from "vitest";
import { apiKeys } from "#shared/apiKeys/apiKeys.ts";
import { accounts } from "#shared/auth/account.ts";
import { admins } from "#shared/auth/admins.ts";
import { auth } from "#shared/auth/auth.ts";
import { audit } from "#shared/audit/audit.ts";
import { learners } from "#shared/learners/learners.ts";
import { mails } from "#shared/mails/mails.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { PASSWORD } from "#test/password.ts";
import { type Person, start } from "#test/start.ts";

const server = await start();
const { as, make, db, runJobs } = server;
const runner = await runJobs();
afterAll(() => runner.stop());

const newEmail = () => `invited-${randomUUID()}@example.com`;
const tokenOf = (link: string | null) => /invitation=([\w-]+)/.exec(link ?? "")?.[1] as string;
async function invite(by: Person, email = newEmail()) {
  const reply = await as(by)(admins.invite, { body: { email } });
  expect(reply.status).toBe(200);
  return { ...reply.body, token: tokenOf(reply.body.link) };
}
const accept = (token: string, password = PASSWORD) =>
  as(null)(auth.acceptInvitation, { params: { token }, body: { name: "Nils New", password } });
async function makeSecondAdmin(by: Person) {
  const { email, token } = await invite(by);
  expect((await accept(token)).status).toBe(200);
  return make.signIn(email);
}
const remove = (by: Person, who: Person) => as(by)(admins.remove, { params: { id: who.user.id } });
const rowOf = async (by: Person, id: string) =>
  (await as(by)(admins.list, { query: { size: 200 } })).body.items.find((row) => row.id === id);
const actionsOn = async (by: Person, personId: string) =>
  (await as(by)(audit.list, { query: { personId } })).body.items.map(({ action }) => action);
/** Removes all admins except these. */
const keepOnly = (...people: Person[]) =>
  db
    .updateTable("users")
    .set({ status: "suspended" })
    .where("role", "=", "admin")
    .where(
      "id",
      "not in",
      people.map(({ user }) => user.id),
    )
    .execute();
const ageSessions = ({ user }: Person) =>
  db
    .updateTable("authSessions")
    .set({ createdAt: new Date(Date.now() - 11 * 60_000).toISOString() })
    .where("userId", "=", user.id)
    .execute();

test("an invited person sets a password with the link and is an admin", async () => {
  const admin = await make.admin();
  const { id, email, link, token } = await invite(admin);
  expect(link).toMatch(/\/register\?invitation=[\w-]{43}$/);
  expect(JSON.stringify(await db.selectFrom("users").where("id", "=", id).selectAll().execute())).not.toContain(token);
  expect(await rowOf(admin, id)).toMatchObject({ email, status: "invited", hasFactor: false, lastActive: null });
  expect((await as(null)(auth.invitation, { params: { token } })).body).toMatchObject({
    email,
    company: "Lyceum",
    role: "admin",
  });
  const replies = await Promise.all([accept(token), accept(token), accept(token)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
  const { user } = await make.signIn(email);
  expect(user).toMatchObject({ role: "admin", companyId: null, name: "Nils New", status: "active" });
  expect(await rowOf(admin, id)).toMatchObject({ status: "active", invitationExpiresAt: null, isLast: false });
  expect(await actionsOn(admin, id)).toEqual(["account.signIn", "account.becameAdmin", "admins.invite"]);
});

test("a weak password is refused and leaves the invitation valid", async () => {
  const { token } = await invite(await make.admin());
  expect(await accept(token, "password")).toMatchObject({ status: 422, code: "auth.passwordWeak" });
  expect((await accept(token)).status).toBe(200);
});

test("addresses of learners, admins and invited people are refused with a reason", async () => {
  const { admin, learner } = await make.classroom();
  const { email } = await invite(admin);
  const codeFor = async (address: string) => {
    const { status, body } = await as(admin)(admins.invite, { body: { email: address } });
    return [status, (body as unknown as { issues: { path: string; code: string }[] }).issues[0]];
  };
  expect(await codeFor(learner.user.email.toUpperCase())).toMatchObject([
    422,
    { path: "email", code: "admins.isLearner" },
  ]);
  expect(await codeFor(admin.user.email)).toMatchObject([422, { code: "admins.isAdmin" }]);
  expect(await codeFor(email)).toMatchObject([422, { code: "admins.isInvited" }]);
  expect(await codeFor("nobody")).toMatchObject([422, { code: "core.badEmail" }]);
});

test("of two admins who invite the same person at the same time, one is refused", async () => {
  const [ann, bob] = [await make.admin(), await make.admin()];
  const body = { email: newEmail() };
  const replies = await Promise.all([ann, bob].map((who) => as(who)(admins.invite, { body })));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422]);
});

test("a new link replaces the old one, and a revoked one no longer works", async () => {
  const admin = await make.admin();
  const first = await invite(admin);
  const again = await as(admin)(admins.resend, { params: { id: first.id } });
  expect((await accept(first.token)).status).toBe(404);
  expect((await as(null)(auth.invitation, { params: { token: tokenOf(again.body.link) } })).status).toBe(200);
  const bodies = async () =>
    (await as(admin)(mails.list, { query: { q: first.email } })).body.items.map(({ body }) => body);
  expect(await bodies()).toEqual([expect.stringContaining(tokenOf(again.body.link))]);
  expect((await as(admin)(admins.revoke, { params: { id: first.id } })).status).toBe(204);
  expect((await accept(tokenOf(again.body.link))).status).toBe(404);
  expect(await rowOf(admin, first.id)).toBeUndefined();
  expect(await bodies()).toEqual([]);
  expect((await as(admin)(admins.resend, { params: { id: first.id } })).status).toBe(404);
  expect((await as(admin)(admins.invite, { body: { email: first.email } })).status).toBe(200);
});

test("an expired link does not work", async () => {
  const { id, token } = await invite(await make.admin());
  const invitationExpiresAt = new Date(Date.now() - 1000).toISOString();
  await db.updateTable("users").set({ invitationExpiresAt }).where("id", "=", id).execute();
  expect((await as(null)(auth.invitation, { params: { token } })).status).toBe(404);
  expect((await accept(token)).status).toBe(404);
});

test("nobody becomes an admin without the link", async () => {
  const admin = await make.admin();
  const { company } = await make.classroom();
  const { id, email } = await invite(admin);
  const person = { name: "Mallory", email, password: PASSWORD };
  expect((await as(null)(auth.register, { body: person })).status).toBe(409);
  expect((await as(null)(auth.register, { body: { ...person, accessCode: company.accessCode } })).status).toBe(409);
  expect((await as(null)(auth.signIn, { body: { email, password: PASSWORD } })).status).toBe(401);
  expect((await as(null)(auth.requestReset, { body: { email } })).status).toBe(204);
  expect((await as(null)(auth.requestReset, { body: { email: admin.user.email } })).status).toBe(204);
  const resets = (to: string) =>
    db.selectFrom("mails").where("recipient", "=", to).where("reason", "=", "auth.reset").select("id").execute();
  await expect.poll(async () => (await resets(admin.user.email)).length, { timeout: 10_000 }).toBe(1);
  expect(await resets(email)).toEqual([]);
  expect(await rowOf(admin, id)).toMatchObject({ status: "invited" });
  expect(
    (await as(admin)(learners.invite, { body: { companyId: company.id, people: [{ email, name: "" }] } })).body,
  ).toMatchObject({ outcomes: [{ outcome: "skipped", reason: "learners.isAdmin" }] });
});

test("a removed admin loses sessions on every node, keys, links and password", async () => {
  const other = await server.startAnother();
  const admin = await make.admin();
  const second = await makeSecondAdmin(admin);
  const elsewhere = await make.signIn(second.user.email);
  const { body: key } = await as(second)(apiKeys.create, { body: { name: "HR", scopes: ["learners:read"] } });
  const withKey = () => other.as({ ...second, token: key.key })(learners.list);
  expect((await withKey()).status).toBe(200);
  expect((await rowOf(admin, second.user.id))?.apiKeys).toBe(1);
  const nodes = [server, other];
  await vi.waitFor(() => expect(nodes.every(({ services }) => services.accessChanges.isCurrent())).toBe(true), 10_000);
  const seen = () =>
    Promise.all(nodes.flatMap((node) => [second, elsewhere].map(async (who) => (await node.as(who)(auth.me)).status)));
  expect(await seen()).toEqual([200, 200, 200, 200]);
  expect((await remove(admin, second)).status).toBe(204);
  expect(await seen()).toEqual([401, 401, 401, 401]);
  expect((await withKey()).status).toBe(401);
  expect((await as(null)(auth.signIn, { body: { email: second.user.email, password: PASSWORD } })).status).toBe(401);
  expect(await rowOf(admin, second.user.id)).toMatchObject({ status: "removed", hasFactor: false, apiKeys: 0 });
  expect((await as(admin)(accounts.admins)).body.items.map(({ id }) => id)).not.toContain(second.user.id);
  expect((await remove(admin, second)).status).toBe(404);
  expect((await actionsOn(admin, second.user.id))[0]).toBe("admins.remove");
  expect((await as(admin)(mails.list, { query: { q: second.user.email } })).body.items[0]).toMatchObject({
    reason: "auth.adminRemoved",
  });

  const again = await invite(admin, second.user.email);
  expect(again.id).toBe(second.user.id);
  expect((await accept(again.token, "wrong mule charger")).status).toBe(200);
  expect(await seen()).toEqual([401, 401, 401, 401]);
  expect((await withKey()).status).toBe(401);
  await make.signIn(second.user.email, "wrong mule charger");
});

test("revoking the invitation of a removed admin leaves them removed", async () => {
  const admin = await make.admin();
  const second = await makeSecondAdmin(admin);
  await remove(admin, second);
  const { id } = await invite(admin, second.user.email);
  expect((await as(admin)(admins.revoke, { params: { id } })).status).toBe(204);
  expect(await rowOf(admin, id)).toMatchObject({ status: "removed" });
  const company = await make.company(admin);
  const people = [{ email: second.user.email, name: "" }];
  expect((await as(admin)(learners.invite, { body: { companyId: company.id, people } })).body.outcomes).toMatchObject([
    { outcome: "skipped", reason: "learners.wasAdmin" },
  ]);
});

test("the last admin cannot be removed, not even by themselves", async () => {
  const admin = await make.admin();
  await keepOnly(admin);
  await invite(admin);
  expect(await rowOf(admin, admin.user.id)).toMatchObject({ isLast: true });
  expect(await remove(admin, admin)).toMatchObject({ status: 409, code: "admins.isLast" });
  const second = await makeSecondAdmin(admin);
  expect(await rowOf(admin, admin.user.id)).toMatchObject({ isLast: false });
  expect((await remove(second, second)).status).toBe(204);
  expect((await as(second)(auth.me)).status).toBe(401);
});

test("of two admins who remove each other at the same time, one stays", async () => {
  for (let round = 0; round < 5; round++) {
    const pair = [await make.admin(), await make.admin()] as const;
    await keepOnly(...pair);
    const [ann, bob] = pair;
    const replies = await Promise.all([remove(ann, bob), remove(bob, ann)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, expect.toBeOneOf([401, 403, 409])]);
    const left = await db
      .selectFrom("users")
      .where("role", "=", "admin")
      .where("status", "=", "active")
      .select("id")
      .execute();
    expect(left).toHaveLength(1);
  }
});

test("one of two admins stays if one removes the other while being erased by them", async () => {
  for (let round = 0; round < 3; round++) {
    const [ann, bob] = [await make.admin(), await make.admin()];
    await keepOnly(ann, bob);
    const erase = as(bob)(privacy.erase, { body: { userId: ann.user.id } });
    const replies = await Promise.all([remove(ann, bob), erase]);
    expect(replies.filter(({ status }) => status < 300).length).toBeLessThan(2);
    const left = await db.selectFrom("users").where("role", "=", "admin").where("status", "=", "active").select("id");
    expect((await left.execute()).length).toBeGreaterThan(0);
  }
});

test("changes of admins and of one's own address require a recent login", async () => {
  const admin = await make.admin();
  const { id } = await invite(admin);
  const second = await makeSecondAdmin(admin);
  await ageSessions(admin);
  const replies = [
    await as(admin)(admins.invite, { body: { email: newEmail() } }),
    await as(admin)(admins.resend, { params: { id } }),
    await as(admin)(admins.revoke, { params: { id } }),
    await remove(admin, second),
    await as(admin)(accounts.changeEmail, { body: { email: newEmail() } }),
  ];
  expect(replies.map(({ code }) => code)).toEqual(replies.map(() => "auth.reauthRequired"));
  expect((await as(admin)(admins.list)).status).toBe(200);
});

test("admins of one company can neither see nor change admins", async () => {
  const { admin: manager, company } = await make.classroom();
  const academy = await make.admin();
  const { id } = await invite(academy);
  await limitToCompany(db, manager, company.id);
  const replies = [
    await as(manager)(admins.list),
    await as(manager)(admins.invite, { body: { email: newEmail() } }),
    await as(manager)(admins.resend, { params: { id } }),
    await as(manager)(admins.revoke, { params: { id } }),
    await remove(manager, academy),
    await as(manager)(accounts.changeEmail, { body: { email: newEmail() } }),
  ];
  expect(replies.map(({ status, code }) => [status, code])).toEqual(replies.map(() => [403, "core.forbidden"]));
  expect((await remove(academy, manager)).status).toBe(404);
});
