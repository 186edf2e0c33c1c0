import { sql } from "kysely";
import { expect, test } from "vitest";
import { linkAccount } from "#server/auth/sso/google.ts";
import { accounts } from "#shared/auth/account.ts";
import { audit } from "#shared/audit/audit.ts";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { startSsoServer } from "#test/ssoFixture.ts";
import { PASSWORD } from "#test/password.ts";

const { as, make, db, createConnection, signInByOidc, signInBySaml } = await startSsoServer();

for (const [kind, login] of [
  ["oidc", signInByOidc],
  ["saml", signInBySaml],
] as const) {
  test(`${kind}: creates a learner at the first login and finds them at the next`, async () => {
    const { connectionId, company, email } = await createConnection({ kind });
    const who = { email: email(), name: "Sanna Single" };
    const first = await login(connectionId, who);
    expect(first.me).toMatchObject({ ...who, role: "learner", companyId: company.id, status: "active" });
    expect((await login(connectionId, who)).me.id).toBe(first.me.id);
  });

  test(`${kind}: reauthenticates only the same person with a recent login`, async () => {
    const { connectionId, company, email, admin } = await createConnection({ kind });
    const who = { email: email(), name: "Paul Proof" };
    const { person } = await login(connectionId, who);
    await db
      .updateTable("authSessions")
      .set({ createdAt: sql`now() - interval '11 minutes'` })
      .where("userId", "=", person.user.id)
      .execute();
    const offer = { methods: ["company"], company: { connectionId, name: company.name } };
    expect(await as(person)(privacy.erase, { body: {} })).toMatchObject({
      status: 403,
      code: "auth.reauthRequired",
      body: { details: offer },
    });
    const other = email();
    expect((await login(connectionId, { email: other }, person)).code).toBe("auth.reauthWrongAccount");
    expect((await login(connectionId, { ...who, minutes: 11 }, person)).code).toBe("auth.reauthStale");
    expect(await db.selectFrom("users").where("email", "=", other).execute()).toEqual([]);
    expect((await as(person)(privacy.erase, { body: {} })).code).toBe("auth.reauthRequired");
    // A password is accepted too, until single sign-on is enforced.
    await db
      .insertInto("authAccounts")
      .values({ userId: person.user.id, accountId: person.user.id, providerId: "credential", password: "x" })
      .execute();
    expect((await as(person)(accounts.reauthOptions)).body).toEqual({ ...offer, methods: ["password", "company"] });
    await db.updateTable("ssoConnections").set({ enforced: true }).where("id", "=", connectionId).execute();
    expect((await as(person)(accounts.reauthOptions)).body).toEqual(offer);
    expect((await as(person)(accounts.reauthenticate, { body: { method: "password", password: "x" } })).code).toBe(
      "core.forbidden",
    );
    await linkAccount(db, person.user.id, "google", "own subject");
    expect((await signInByOidc("google", { email: "own@gmail.example", sub: "own subject" }, person)).code).toBe(
      "core.forbidden",
    );
    await db
      .updateTable("users")
      .set({ companyId: (await make.company(admin)).id })
      .where("id", "=", person.user.id)
      .execute();
    expect((await login(connectionId, who, person)).code).toBe("core.forbidden");
    await db.updateTable("users").set({ companyId: company.id }).where("id", "=", person.user.id).execute();
    expect(
      (
        await as(admin)(audit.list, { query: { action: "account.reauthFailed", personId: person.user.id } })
      ).body.items.map(({ details }) => details.by),
    ).toEqual(["sso", "google", "sso", "sso"]);
    expect(await login(connectionId, who, person)).toMatchObject({ outcome: "reauthenticated", me: undefined });
    expect((await as(person)(privacy.erase, { body: {} })).body).toMatchObject({ by: "self" });
  });

  test(`${kind}: activates invited people and removes a stranger's password`, async () => {
    const { connectionId, company, email, admin } = await createConnection({ kind });
    const [invited, taken] = [email(), email()];
    await as(admin)(learners.invite, { body: { companyId: company.id, people: [{ email: invited, name: "Ivo" }] } });
    expect((await login(connectionId, { email: invited })).me).toMatchObject({ email: invited, companyId: company.id });
    const stranger = await make.learner(company.accessCode, "Stranger", taken);
    expect((await login(connectionId, { email: taken })).me.id).toBe(stranger.user.id);
    expect((await as(stranger)(auth.me)).status).toBe(401);
    expect((await as(null)(auth.signIn, { body: { email: taken, password: PASSWORD } })).status).toBe(401);
  });

  test(`${kind}: refuses admins, other companies, other domains and full companies`, async () => {
    const { connectionId, company, email, admin } = await createConnection({ kind });
    const elsewhere = await make.company(admin);
    const [boss, other, gone] = [email(), email(), email()];
    await db.updateTable("users").set({ email: boss }).where("id", "=", admin.user.id).execute();
    await make.learner(elsewhere.accessCode, "Other", other);
    expect((await login(connectionId, { email: boss })).code).toBe("auth.ssoWrongCompany");
    expect((await login(connectionId, { email: other })).code).toBe("auth.ssoWrongCompany");
    expect((await login(connectionId, { email: "somebody@elsewhere.example" })).code).toBe("auth.ssoWrongDomain");
    const { me } = await login(connectionId, { email: gone });
    await as(admin)(learners.suspend, { body: { ids: [me.id], reason: "" } });
    expect((await login(connectionId, { email: gone })).problem?.error).toBe(
      "This account has been disabled. Please contact support.",
    );
    const { version } = (await as(admin)(companies.get, { params: { id: company.id } })).body;
    await as(admin)(companies.update, { params: { id: company.id }, body: { learnerLimit: 1, version } });
    await login(connectionId, { email: email() });
    expect((await login(connectionId, { email: email() })).code).toBe("companies.full");
  });
}

test("refuses people whose domain belongs to another company", async () => {
  const [a, b] = [await createConnection({ kind: "oidc" }), await createConnection({ kind: "oidc" })];
  expect((await signInByOidc(a.connectionId, { email: b.email() })).code).toBe("auth.ssoWrongDomain");
});

for (const [kind, login] of [
  ["oidc", signInByOidc],
  ["saml", signInBySaml],
] as const) {
  test(`${kind}: refuses malformed email addresses, which could reach other people`, async () => {
    const { connectionId, domain } = await createConnection({ kind });
    for (const email of [
      `victim@elsewhere.example,x@${domain}`,
      `"victim@elsewhere.example" <x>@${domain}`,
      `a<b>@${domain}`,
      `a,b@${domain}`,
      `a@b@${domain}`,
      `${"x".repeat(250)}@${domain}`,
    ]) {
      expect([email, (await login(connectionId, { email })).code]).toEqual([email, "auth.ssoFailed"]);
    }
    expect(await db.selectFrom("users").where("email", "like", `%@${domain}`).select("email").execute()).toEqual([]);
  });
}
