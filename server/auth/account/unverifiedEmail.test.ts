import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { createOneTimeToken } from "#server/auth/oneTimeTokens.ts";
import { accounts } from "#shared/auth/account.ts";
import { auth, type ExternalResult } from "#shared/auth/auth.ts";
import { sso } from "#shared/auth/sso.ts";
import { follow, OIDC_CLIENT, type Persona, startOidc } from "#test/oidc.ts";
import { type Person, start } from "#test/start.ts";
import { PASSWORD } from "#test/password.ts";

// A stranger registers with another person's address first, adds sign-in methods, and waits for the owner

const RETURN = "http://localhost:1/api/auth/external/return";
const provider = await startOidc(RETURN);
const { app, as, make, db } = await start({
  GOOGLE_ISSUER: provider.issuer,
  GOOGLE_CLIENT_ID: OIDC_CLIENT.id,
  GOOGLE_CLIENT_SECRET: OIDC_CLIENT.secret,
});
afterAll(() => provider.close());

const cookiesOf = (set: unknown) =>
  [set]
    .flat()
    .filter(Boolean)
    .map((line) => String(line).split(";")[0])
    .join("; ");
const startSignIn = async (input: object, by?: Person) => {
  const reply = await app.inject({
    method: "POST",
    url: auth.external.path,
    payload: input,
    headers: by ? { authorization: `Bearer ${by.token}` } : {},
  });
  return {
    cookie: cookiesOf(reply.headers["set-cookie"]),
    status: reply.statusCode,
    ...(reply.json() as { address: string }),
  };
};
const finishSignIn = async (
  { address, cookie }: { address: string; cookie: string },
  who: Persona,
): Promise<ExternalResult> => {
  provider.next(who);
  const { pathname, search } = new URL(await follow(address, RETURN));
  const page = await app.inject({ url: pathname + search, headers: { cookie } });
  return JSON.parse(/id="result">(.*?)<\/script>/.exec(page.body)?.[1] ?? "{}") as ExternalResult;
};
const by = async (who: Persona, input: object = { provider: "google" }) => finishSignIn(await startSignIn(input), who);

/** A stranger's account for `email`, with the stranger's Google account and passkey. */
async function createStrangerAccount(accessCode: string, email: string) {
  const stranger = await make.learner(accessCode, "Stranger", email);
  const strangerIdentity = { email: `strangerIdentity-${randomUUID()}@example.com` };
  expect(
    (
      await finishSignIn(
        await startSignIn({ provider: "google", purpose: "link", password: PASSWORD }, stranger),
        strangerIdentity,
      )
    ).outcome,
  ).toBe("linked");
  const userId = stranger.user.id;
  await db
    .insertInto("authPasskeys")
    .values({
      userId,
      credentialId: randomUUID(),
      publicKey: Buffer.from("k"),
      counter: 0,
      transports: [],
      name: "Of the stranger",
    })
    .execute();
  return { stranger, strangerIdentity };
}
const readAccountOf = async (who: Person) => (await as(who)(accounts.get)).body;

test("removes a stranger's sign-in methods when the owner sets a password", async () => {
  const { company } = await make.classroom();
  const email = `victim-${randomUUID()}@example.com`;
  const { stranger, strangerIdentity } = await createStrangerAccount(company.accessCode, email);
  const token = await createOneTimeToken(db, "passwordReset", stranger.user.id, 3600);
  expect(
    (await as(null)(auth.setPassword, { params: { token }, body: { password: "a password of the owner" } })).status,
  ).toBe(200);
  expect((await by(strangerIdentity)).problem?.code).toBe("auth.accessDenied");
  expect(await readAccountOf(await make.signIn(email, "a password of the owner"))).toMatchObject({
    hasGoogle: false,
    passkeys: [],
  });
});

test("keeps other sign-in methods on a reset of a verified account", async () => {
  const { company } = await make.classroom();
  const email = `owner-${randomUUID()}@example.com`;
  const { stranger: owner } = await createStrangerAccount(company.accessCode, email);
  await db.updateTable("users").set({ emailVerified: true }).where("id", "=", owner.user.id).execute();
  const token = await createOneTimeToken(db, "passwordReset", owner.user.id, 3600);
  await as(null)(auth.setPassword, { params: { token }, body: { password: "marble window tunnel" } });
  expect(await db.selectFrom("authPasskeys").where("userId", "=", owner.user.id).select("id").execute()).toHaveLength(
    1,
  );
  expect(
    await db
      .selectFrom("authAccounts")
      .where("userId", "=", owner.user.id)
      .where("providerId", "=", "google")
      .select("id")
      .execute(),
  ).toHaveLength(1);
});

test("removes a stranger's passkeys and factors at single sign-on", async () => {
  const { admin, company } = await make.classroom();
  const domain = `d${randomUUID().slice(0, 8)}.example`;
  const email = `victim@${domain}`;
  const { stranger } = await createStrangerAccount(company.accessCode, email);
  await as(admin)(sso.save, {
    params: { id: company.id },
    body: {
      kind: "oidc",
      issuer: provider.issuer,
      clientId: OIDC_CLIENT.id,
      clientSecret: OIDC_CLIENT.secret,
      enforced: false,
      enabled: true,
      version: 0,
      domains: [domain],
    },
  });
  const connectionId = (await as(null)(auth.sso, { body: { email } })).body?.connectionId;
  expect((await by({ email }, { provider: connectionId })).outcome).toBe("signedIn");
  expect(await db.selectFrom("authPasskeys").where("userId", "=", stranger.user.id).select("id").execute()).toEqual([]);
  expect(
    (await db.selectFrom("authAccounts").where("userId", "=", stranger.user.id).select("providerId").execute()).map(
      ({ providerId }) => providerId,
    ),
  ).toEqual([`sso:${connectionId}`]);
});

test("cancels a pending link with Google when a new password is set", async () => {
  const { company } = await make.classroom();
  const email = `owner-${randomUUID()}@example.com`;
  const owner = await make.learner(company.accessCode, "Owner", email);
  await db.updateTable("users").set({ emailVerified: true }).where("id", "=", owner.user.id).execute();
  const begun = await startSignIn({ provider: "google", purpose: "link", password: PASSWORD }, owner);
  const token = await createOneTimeToken(db, "passwordReset", owner.user.id, 3600);
  expect(
    (await as(null)(auth.setPassword, { params: { token }, body: { password: "marble window tunnel" } })).status,
  ).toBe(200);
  expect((await finishSignIn(begun, { email: `thief-${randomUUID()}@example.com` })).outcome).toBeUndefined();
});

test("requires the password to link Google", async () => {
  const { learner } = await make.classroom();
  expect((await startSignIn({ provider: "google", purpose: "link" }, learner)).status).toBe(422);
  expect((await startSignIn({ provider: "google", purpose: "link", password: "wrong" }, learner)).status).toBe(422);
  expect((await startSignIn({ provider: "google", purpose: "link", password: PASSWORD }, learner)).status).toBe(200);
});
