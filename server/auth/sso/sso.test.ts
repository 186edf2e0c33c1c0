import { randomUUID } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { linkAccount } from "#server/auth/sso/google.ts";
import { accounts } from "#shared/account.ts";
import { audit } from "#shared/audit.ts";
import { auth, type ExternalResult } from "#shared/auth.ts";
import { companies } from "#shared/companies.ts";
import { learners } from "#shared/learners.ts";
import { privacy } from "#shared/privacy.ts";
import { sso, type SsoInput } from "#shared/sso.ts";
import { follow, OIDC_CLIENT, type Persona, startOidc } from "#test/oidc.ts";
import { type Answer, createIdp, IDP, SSO_ADDRESS } from "#test/saml.ts";
import { CERTIFICATE, OTHER_CERTIFICATE, OTHER_KEY } from "#test/samlKeys.ts";
import { type Person, start } from "#test/start.ts";

const RETURN = "http://localhost:1/api/auth/external/return";
const ACS = "http://localhost:1/api/auth/external/saml";
const provider = await startOidc(RETURN);
const { app, as, make, db } = await start({
  GOOGLE_ISSUER: provider.issuer,
  GOOGLE_CLIENT_ID: OIDC_CLIENT.id,
  GOOGLE_CLIENT_SECRET: OIDC_CLIENT.secret,
});
afterAll(() => provider.close());
const idp = createIdp(ACS, "http://localhost:1/api/auth/saml/metadata");
const PASSWORD = "correct horse battery";

const base = {
  kind: "oidc",
  issuer: provider.issuer,
  clientId: OIDC_CLIENT.id,
  clientSecret: OIDC_CLIENT.secret,
  enforced: false,
  enabled: true,
  version: 0,
} as const;
const saml = {
  kind: "saml",
  issuer: IDP,
  entryPoint: SSO_ADDRESS,
  certificate: CERTIFICATE,
  enforced: false,
  enabled: true,
  version: 0,
} as const;
const connect = async (input: Partial<SsoInput> & Pick<SsoInput, "kind">) => {
  const admin = await make.admin();
  const company = await make.company(admin);
  const domain = `d${randomUUID().slice(0, 8)}.example`;
  const body = { ...(input.kind === "oidc" ? base : saml), domains: [domain], ...input };
  const saved = await as(admin)(sso.save, { params: { id: company.id }, body });
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.body));
  const offer = (await as(null)(auth.sso, { body: { email: `x@${domain}` } })).body;
  return {
    admin,
    company,
    domain,
    connectionId: offer?.connectionId ?? "",
    email: () => `s-${randomUUID().slice(0, 8)}@${domain}`,
  };
};
const cookiesOf = (set: unknown) =>
  [set]
    .flat()
    .filter(Boolean)
    .map((line) => String(line).split(";")[0])
    .join("; ");
const begin = async (connectionId: string, email = "", prove?: Person) => {
  const reply = await app.inject({
    method: "POST",
    url: auth.external.path,
    payload: { provider: connectionId, email, ...(prove && { purpose: "reauth" }) },
    headers: prove ? { authorization: `Bearer ${prove.token}` } : {},
  });
  return {
    cookie: cookiesOf(reply.headers["set-cookie"]),
    status: reply.statusCode,
    ...(reply.json() as { address: string; error: string }),
  };
};
const land = async (url: string, cookie: string) => {
  const { pathname, search } = new URL(url, "http://localhost:1");
  const page = await app.inject({ url: pathname + search, headers: { cookie } });
  const result = JSON.parse(/id="result">(.*?)<\/script>/.exec(page.body)?.[1] ?? "{}") as ExternalResult;
  const set = cookiesOf(page.headers["set-cookie"]);
  const grant = set
    ? (await app.inject({ method: "POST", url: auth.token.path, headers: { cookie: set } })).json()
    : null;
  return { ...result, code: result.problem?.code, me: grant?.user, person: { ...grant, password: "" } as Person };
};
const byOidc = async (connectionId: string, who: Persona, prove?: Person) => {
  provider.next(who);
  const { address, cookie } = await begin(connectionId, "", prove);
  expect(new URL(address).searchParams.get("max_age")).toBe(prove ? "0" : null);
  return land(await follow(address, RETURN), cookie);
};
const send = async (form: { SAMLResponse: string; RelayState: string }) => {
  const reply = await app.inject({
    method: "POST",
    url: "/api/auth/external/saml",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams({ SAMLResponse: form.SAMLResponse, RelayState: form.RelayState }).toString(),
  });
  expect(reply.statusCode).toBe(303);
  return String(reply.headers.location);
};
const bySaml = async (connectionId: string, answer: Answer, prove?: Person) => {
  const { address, cookie } = await begin(connectionId, "", prove);
  expect(
    inflateRawSync(Buffer.from(new URL(address).searchParams.get("SAMLRequest") ?? "", "base64")).includes(
      'ForceAuthn="true"',
    ),
  ).toBe(prove !== undefined);
  return land(await send(await idp.answer(address, answer)), cookie);
};

for (const [kind, login] of [
  ["oidc", byOidc],
  ["saml", bySaml],
] as const) {
  test(`${kind}: a new person of the domain becomes a learner of the company, and is the same one next time`, async () => {
    const { connectionId, company, email } = await connect({ kind });
    const who = { email: email(), name: "Sanna Single" };
    const first = await login(connectionId, who);
    expect(first.me).toMatchObject({ ...who, role: "learner", companyId: company.id, status: "active" });
    expect((await login(connectionId, who)).me.id).toBe(first.me.id);
  });

  test(`${kind}: the login of the company confirms who sits there; somebody else's proves nothing and makes nobody`, async () => {
    const { connectionId, company, email, admin } = await connect({ kind });
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
    // A password beside it is a way too, until the company wants its own login alone.
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
    expect((await byOidc("google", { email: "own@gmail.example", sub: "own subject" }, person)).code).toBe(
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

  test(`${kind}: invited people are completed; a password that a stranger set for an unproven address is gone`, async () => {
    const { connectionId, company, email, admin } = await connect({ kind });
    const [invited, taken] = [email(), email()];
    await as(admin)(learners.invite, { body: { companyId: company.id, people: [{ email: invited, name: "Ivo" }] } });
    expect((await login(connectionId, { email: invited })).me).toMatchObject({ email: invited, companyId: company.id });
    const stranger = await make.learner(company.accessCode, "Stranger", taken);
    expect((await login(connectionId, { email: taken })).me.id).toBe(stranger.user.id);
    expect((await as(stranger)(auth.me)).status).toBe(401);
    expect((await as(null)(auth.signIn, { body: { email: taken, password: PASSWORD } })).status).toBe(401);
  });

  test(`${kind}: no admin, nobody of another company, no other domain, nobody suspended, no place left`, async () => {
    const { connectionId, company, email, admin } = await connect({ kind });
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

test("a connection of one company does not sign in people whose domain belongs to another", async () => {
  const [a, b] = [await connect({ kind: "oidc" }), await connect({ kind: "oidc" })];
  expect((await byOidc(a.connectionId, { email: b.email() })).code).toBe("auth.ssoWrongDomain");
});

for (const [kind, login] of [
  ["oidc", byOidc],
  ["saml", bySaml],
] as const) {
  test(`${kind}: an email that is none, or several in one, is refused: letters to it would go to others`, async () => {
    const { connectionId, domain } = await connect({ kind });
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

test("a stored secret goes to the provider it was given for and to no other", async () => {
  const { admin, company, domain } = await connect({ kind: "oidc" });
  const other = await startOidc(RETURN);
  const { clientSecret, ...rest } = base;
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

test("SAML: a provider that does not say when somebody logged in signs in, and proves nothing", async () => {
  const { connectionId, email } = await connect({ kind: "saml" });
  const who = { email: email(), minutes: null };
  const { person } = await bySaml(connectionId, who);
  expect((await bySaml(connectionId, who, person)).code).toBe("auth.reauthStale");
});

test("SAML: what is not signed, not meant for us, not for this request, or over, is refused", async () => {
  const { connectionId, email } = await connect({ kind: "saml" });
  const who = { email: email() };
  const bad: Partial<Answer>[] = [
    { signed: false },
    { keys: { key: OTHER_KEY, certificate: OTHER_CERTIFICATE } },
    { wrong: { audience: "https://somebody.else.example" } },
    { wrong: { recipient: "https://somebody.else.example/acs" } },
    { wrong: { inResponseTo: "_another" } },
    { wrong: { inResponseTo: "" } },
    { wrong: { issuer: "https://somebody.else.example" } },
    { wrong: { until: new Date(Date.now() - 120_000).toISOString() } },
  ];
  for (const one of bad)
    expect([one, (await bySaml(connectionId, { ...who, ...one })).code]).toEqual([one, "auth.ssoFailed"]);
  expect((await bySaml(connectionId, who)).outcome).toBe("signedIn");
});

test("SAML: hostile XML, changed XML, a second use, another browser", async () => {
  const { connectionId, email, domain } = await connect({ kind: "saml" });
  const attempt = async (change: (xml: string) => string) => {
    const { address, cookie } = await begin(connectionId);
    const person = email();
    const { xml, RelayState } = await idp.answer(address, { email: person });
    const { code, me } = await land(
      await send({ SAMLResponse: Buffer.from(change(xml)).toString("base64"), RelayState }),
      cookie,
    );
    return code ?? (me.email === person ? "as signed" : `as ${me.email}`);
  };
  const forged =
    '<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_f" Version="2.0"><saml:Subject><saml:NameID>boss@' +
    domain +
    "</saml:NameID></saml:Subject></saml:Assertion>";
  for (const change of [
    (xml: string) => `<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>${xml}`,
    (xml: string) => xml.replace(/>[^<]+@[^<]+</, `>boss@${domain}<`),
    (xml: string) => xml.replace("<saml:Assertion", `${forged}<saml:Assertion`),
    (xml: string) => xml.replace("</samlp:Response>", `${forged}</samlp:Response>`),
    () => "no XML at all",
    () => "",
  ])
    expect([String(change), await attempt(change)]).toEqual([String(change), "auth.ssoFailed"]);
  // A comment does not break the signature; what must not happen is that the name ends at it.
  expect(await attempt((xml) => xml.replace(/@d/, "<!---->@d"))).toBe("as signed");

  const { address, cookie } = await begin(connectionId);
  const form = await idp.answer(address, { email: email() });
  const back = await send(form);
  expect((await land(back, "lyceum.browser=another")).code).toBe("auth.googleFailed");
  expect((await land(back, cookie)).outcome).toBe("signedIn");
  expect((await land(await send(form), cookie)).outcome).toBeUndefined();
  const later = await begin(connectionId);
  const stale = { ...form, RelayState: new URL(later.address).searchParams.get("RelayState") ?? "" };
  expect((await land(await send(stale), later.cookie)).code).toBe("auth.ssoFailed");
});

test("enforced: no password, no registration, no reset link for people of the domain; admins are not bound", async () => {
  const { connectionId, company, email, admin, domain } = await connect({ kind: "oidc" });
  const known = await make.learner(company.accessCode, "Known", email());
  const { version } = (await as(admin)(sso.get, { params: { id: company.id } })).body.connection ?? { version: 0 };
  await as(admin)(sso.save, {
    params: { id: company.id },
    body: { ...base, domains: [domain], enforced: true, version },
  });
  expect(await as(null)(auth.signIn, { body: { email: known.user.email, password: PASSWORD } })).toMatchObject({
    status: 403,
    code: "auth.ssoRequired",
    body: { details: { connectionId } },
  });
  expect((await as(null)(auth.signIn, { body: { email: known.user.email, password: "wrong" } })).status).toBe(401);
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
  expect((await byOidc(connectionId, { email: known.user.email })).me.id).toBe(known.user.id);
});

test("settings: the secret goes in and never comes out, slips name their field, versions are kept, domains belong to one company", async () => {
  const { admin, company, domain, connectionId } = await connect({ kind: "oidc" });
  const read = async () => (await as(admin)(sso.get, { params: { id: company.id } })).body;
  expect(JSON.stringify(await read())).not.toContain(OIDC_CLIENT.secret);
  expect(JSON.stringify(await db.selectFrom("ssoConnections").selectAll().execute())).not.toContain(OIDC_CLIENT.secret);
  const save = (id: string, body: object) =>
    as(admin)(sso.save, { params: { id }, body: { ...base, domains: [domain], ...body } });
  const { clientSecret: _, ...withoutSecret } = base;
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
        body: { ...saml, domains: ["o.example"], certificate: "nonsense" },
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
  expect((await begin(connectionId)).status).toBe(404);
});
