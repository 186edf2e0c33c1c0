import { expect, test } from "vitest";
import { accounts } from "#shared/auth/account.ts";
import { auth } from "#shared/auth/auth.ts";
import { type Claims, createAuthenticator } from "#test/authenticator.ts";
import { PASSWORD } from "#test/password.ts";
import { type Person, start } from "#test/start.ts";

// Attacks with stolen, copied or phished passkeys

const { as, make, db } = await start();
const challengeOf = (body: object) => (body as { challenge: string }).challenge;
const nextChallenge = async () => challengeOf((await as(null)(auth.passkeyOptions)).body);

const startAdding = async (who: Person) =>
  challengeOf((await as(who)(accounts.startPasskey, { body: { password: PASSWORD } })).body);
const add = async (who: Person, claims: Partial<Claims> = {}, key = createAuthenticator()) => {
  const challenge = claims.challenge ?? (await startAdding(who));
  const body = { name: "Key", response: key.register({ ...claims, challenge }) };
  return { key, reply: await as(who)(accounts.addPasskey, { body }) };
};
const signIn = async (key: ReturnType<typeof createAuthenticator>, claims: Partial<Claims> = {}) => {
  const response = key.sign({ ...claims, challenge: claims.challenge ?? (await nextChallenge()) });
  return as(null)(auth.passkey, { body: { response } });
};
const failed = { status: 401, code: "auth.passkeyFailed" };

async function personWithKey() {
  const { learner } = await make.classroom();
  const { key, reply } = await add(learner);
  expect(reply.status).toBe(204);
  return { learner, key };
}

test("a signature is good for one challenge, once, of this server", async () => {
  const { key, learner } = await personWithKey();
  const challenge = await nextChallenge();
  expect((await signIn(key, { challenge, counter: 2 })).body.user.id).toBe(learner.user.id);
  expect(await signIn(key, { challenge, counter: 3 })).toMatchObject(failed);
  const forged = Buffer.from("a challenge of the attacker").toString("base64url");
  expect(await signIn(key, { challenge: forged, counter: 4 })).toMatchObject(failed);
  // The challenge with which a person adds a key is refused too.
  expect(await signIn(key, { challenge: await startAdding(learner), counter: 5 })).toMatchObject(failed);
});

test("one challenge used by twenty requests at once lets one in", async () => {
  const { key } = await personWithKey();
  const challenge = await nextChallenge();
  const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => signIn(key, { challenge, counter: n + 2 })));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("an expired challenge is refused", async () => {
  const { key } = await personWithKey();
  const challenge = await nextChallenge();
  await db
    .updateTable("authChallenges")
    .set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
    .execute();
  expect(await signIn(key, { challenge, counter: 2 })).toMatchObject(failed);
});

test.each<[string, Partial<Claims>]>([
  ["on a phishing site", { origin: "http://localhost.evil.example" }],
  ["on the content origin of the same host", { origin: "http://localhost:2" }],
  ["for another relying party", { rpId: "evil.example" }],
  ["that registers a key", { type: "webauthn.create" }],
  ["without fingerprint, face or PIN", { isUserVerified: false }],
])("a signature %s is refused", async (_, claims) => {
  const { key, learner } = await personWithKey();
  expect(await signIn(key, { ...claims, counter: 2 })).toMatchObject(failed);
  const kind = claims.type ? { ...claims, type: "webauthn.get" } : claims;
  expect((await add(learner, kind)).reply.status).toBe(422);
});

test("a copied key whose counter stands still or goes back is refused", async () => {
  const { key } = await personWithKey();
  expect((await signIn(key, { counter: 10 })).status).toBe(200);
  for (const counter of [10, 9, 1, 0])
    expect([counter, await signIn(key, { counter })]).toMatchObject([counter, failed]);
  expect((await signIn(key, { counter: 11 })).status).toBe(200);
});

test("two copies of a key used at once do not turn its counter back", async () => {
  const { key } = await personWithKey();
  await Promise.all([50, 40, 30, 20].map((counter) => signIn(key, { counter })));
  const { counter } = await db
    .selectFrom("authPasskeys")
    .where("credentialId", "=", key.id)
    .select("counter")
    .executeTakeFirstOrThrow();
  expect(Number(counter)).toBe(50);
});

test("the signature of another key under the id of a victim's key is refused", async () => {
  const { key } = await personWithKey();
  const { key: mine } = await personWithKey();
  const response = { ...mine.sign({ challenge: await nextChallenge(), counter: 2 }), id: key.id, rawId: key.id };
  expect(await as(null)(auth.passkey, { body: { response } })).toMatchObject(failed);
});

test("another person's key can neither be added to an account nor confirm its identity", async () => {
  const { key, learner: victim } = await personWithKey();
  const { learner: thief } = await personWithKey();
  // The same credential cannot be registered twice.
  expect((await add(thief, {}, key)).reply.status).toBe(409);
  // The challenge of another person's registration is not accepted.
  expect((await add(thief, { challenge: await startAdding(victim) })).reply.status).toBe(422);
  const response = key.sign({ challenge: await nextChallenge(), counter: 2 });
  expect(await as(thief)(accounts.reauthenticate, { body: { method: "passkey", response } })).toMatchObject({
    status: 403,
    code: "auth.reauthWrongAccount",
  });
});
