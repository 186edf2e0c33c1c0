import { expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { sso } from "#shared/auth/sso.ts";
import { OIDC_CLIENT, startOidc } from "#test/oidc.ts";
import { RETURN_URL, startSsoServer } from "#test/ssoFixture.ts";
import { PASSWORD } from "#test/password.ts";

const { as, make, db, oidcInput, samlInput, createConnection, startSignIn, signInByOidc } = await startSsoServer();

test("sends a stored secret only to the provider it was entered for", async () => {
  const { admin, company, domain } = await createConnection({ kind: "oidc" });
  const other = await startOidc(RETURN_URL);
  const { clientSecret, ...rest } = oidcInput;
  const save = (change: object) =>
    as(admin)(sso.save, { params: { id: company.id }, body: { ...rest, domains: [domain], version: 1, ...change } });
  for (const change of [{ issuer: other.issuer }, { clientId: "another client" }]) {
    expect(await save(change)).toMatchObject({
      status: 422,
      body: { issues: [{ path: "clientSecret", code: "sso.clientSecretMissing" }] },
    });
  }
  expect((await save({ issuer: other.issuer, clientSecret })).status).toBe(200);
  expect((await save({ issuer: other.issuer, version: 2 })).status).toBe(200);
  await other.close();
});

test("refuses passwords and registration when enforced, except for admins", async () => {
  const { connectionId, company, email, admin, domain } = await createConnection({ kind: "oidc" });
  const learner = await make.learner(company.accessCode, "Known", email());
  const { version } = (await as(admin)(sso.get, { params: { id: company.id } })).body.connection ?? { version: 0 };
  await as(admin)(sso.save, {
    params: { id: company.id },
    body: { ...oidcInput, domains: [domain], enforced: true, version },
  });
  expect(await as(null)(auth.signIn, { body: { email: learner.user.email, password: PASSWORD } })).toMatchObject({
    status: 403,
    code: "auth.ssoRequired",
    body: { details: { connectionId } },
  });
  expect((await as(null)(auth.signIn, { body: { email: learner.user.email, password: "wrong" } })).status).toBe(401);
  expect(
    await as(null)(auth.register, {
      body: { name: "N", email: email(), password: PASSWORD, accessCode: company.accessCode },
    }),
  ).toMatchObject({ status: 403, body: { error: "Email/password sign up is not enabled" } });
  await db
    .updateTable("users")
    .set({ email: `boss@${domain}` })
    .where("id", "=", admin.user.id)
    .execute();
  expect((await as(null)(auth.signIn, { body: { email: `boss@${domain}`, password: PASSWORD } })).status).toBe(200);
  expect((await signInByOidc(connectionId, { email: learner.user.email })).me.id).toBe(learner.user.id);
});

test("validates settings by field and never returns the secret", async () => {
  const { admin, company, domain, connectionId } = await createConnection({ kind: "oidc" });
  const read = async () => (await as(admin)(sso.get, { params: { id: company.id } })).body;
  expect(JSON.stringify(await read())).not.toContain(OIDC_CLIENT.secret);
  expect(JSON.stringify(await db.selectFrom("ssoConnections").selectAll().execute())).not.toContain(OIDC_CLIENT.secret);
  const save = (id: string, body: object) =>
    as(admin)(sso.save, { params: { id }, body: { ...oidcInput, domains: [domain], ...body } });
  const { clientSecret: _, ...withoutSecret } = oidcInput;
  expect(
    (
      await as(admin)(sso.save, {
        params: { id: company.id },
        body: { ...withoutSecret, domains: [domain], version: 1 },
      })
    ).body,
  ).toMatchObject({ hasSecret: true, version: 2 });
  expect((await save(company.id, { version: 1 })).code).toBe("core.conflict");
  const other = await make.company(admin);
  const paths = async (reply: Promise<{ body: unknown }>) =>
    ((await reply).body as { issues?: { path: string }[] }).issues?.map(({ path }) => path);
  expect(await paths(save(other.id, {}))).toEqual(["domains"]);
  expect(await paths(save(other.id, { domains: [] }))).toEqual(["domains"]);
  for (const issuer of ["http://169.254.169.254/", "ftp://x.example", "nonsense", "https://user:pw@x.example"])
    expect(await paths(save(other.id, { issuer, domains: ["o.example"] }))).toEqual(["issuer"]);
  expect(await paths(save(other.id, { issuer: "http://127.0.0.1:9", domains: ["o.example"] }))).toEqual(["issuer"]);
  expect(
    await paths(
      as(admin)(sso.save, {
        params: { id: other.id },
        body: { ...samlInput, domains: ["o.example"], certificate: "nonsense" },
      }),
    ),
  ).toEqual(["certificate"]);
  const nothing = { issuer: "", clientId: "", clientSecret: "", entryPoint: "", certificate: "", domains: [] };
  expect(await paths(save(other.id, nothing))).toEqual(["issuer", "clientId", "clientSecret", "domains"]);
  expect(
    await paths(save(other.id, { ...nothing, issuer: "http://127.0.0.1:9", domains: ["o.example", "no domain"] })),
  ).toEqual(["issuer", "clientId", "clientSecret", "domains"]);
  expect(await paths(save(other.id, { ...nothing, kind: "saml" }))).toEqual([
    "issuer",
    "entryPoint",
    "certificate",
    "domains",
  ]);
  expect((await as(admin)(sso.remove, { params: { id: company.id } })).status).toBe(204);
  expect((await read()).connection).toBeNull();
  expect((await startSignIn(connectionId)).status).toBe(404);
});
