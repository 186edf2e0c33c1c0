import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { reserve } from "#server/core/limits/throttle.ts";
import { auth } from "#shared/auth/auth.ts";
import { challengeIn, solve } from "#test/proofOfWork.ts";
import { start } from "#test/start.ts";
import { PASSWORD } from "#test/password.ts";

// Limits slow down guessing, and must not allow anyone to lock other people out

const { app, as, make, db } = await start();
type Sent = { password?: string; proofOfWork?: string };
const signIn = (email: string, from: string, { password = "wrong", ...rest }: Sent = {}, headers = {}) =>
  as(null, { "x-forwarded-for": from, ...headers })(auth.signIn, { body: { email, password, ...rest } });

/** The cookie of a browser in which the person has signed in. */
async function readDeviceCookie(email: string, from: string) {
  const reply = await app.inject({
    method: "POST",
    url: auth.signIn.path,
    payload: { email, password: PASSWORD },
    headers: { "x-forwarded-for": from },
  });
  const lines = [reply.headers["set-cookie"]].flat().map((line) => String(line).split(";")[0] ?? "");
  return { cookie: lines.filter((line) => line.startsWith("lyceum.known=")).join() };
}

test("lets a known device sign in after 600 failures for any email in its network", async () => {
  const { learner } = await make.classroom();
  const { email } = learner.user;
  const device = await readDeviceCookie(email, "203.0.113.7");
  const statuses = [];
  for (let n = 0; n < 605; n++) statuses.push((await signIn("guess@example.com", "203.0.113.66")).status);
  expect(statuses.at(-1)).toBe(429);
  expect((await signIn(email, "203.0.113.7", { password: PASSWORD }, device)).status).toBe(200);
  const refresh = await app.inject({
    method: "POST",
    url: auth.token.path,
    headers: { "x-forwarded-for": "203.0.113.7", ...device },
  });
  expect(refresh.statusCode).toBe(204);
});

test("a new device can sign in with proof of work after 200 failures in its network", async () => {
  const { learner } = await make.classroom();
  const { email } = learner.user;
  for (let n = 0; n < 205; n++) await signIn("guess@example.com", "203.0.112.66");
  const onNewDevice = await signIn(email, "203.0.112.7", { password: PASSWORD });
  expect(onNewDevice).toMatchObject({ status: 429, code: "auth.tooManyAttempts" });
  expect(
    (await signIn(email, "203.0.112.7", { password: PASSWORD, proofOfWork: solve(challengeIn(onNewDevice)) })).status,
  ).toBe(200);
});

test("lets a new device sign in with proof of work after 50 guesses from many networks", async () => {
  const { learner } = await make.classroom();
  const { email } = learner.user;
  for (let n = 0; n < 50; n++) await signIn(email, `10.${n}.0.1`);
  const refused = await signIn(email, "198.51.100.9", { password: PASSWORD });
  expect(refused).toMatchObject({ status: 429, code: "auth.tooManyAttempts" });
  const proofOfWork = solve(challengeIn(refused));
  // A solution is valid for one email, and once.
  const other = (await make.classroom()).learner.user.email;
  for (let n = 0; n < 50; n++) await signIn(other, `10.${n}.0.2`);
  expect((await signIn(other, "198.51.100.9", { password: PASSWORD, proofOfWork })).status).toBe(429);
  expect((await signIn(email, "198.51.100.9", { proofOfWork })).status).toBe(401);
  const again = await signIn(email, "198.51.100.9", { password: PASSWORD, proofOfWork });
  expect(again.status).toBe(429);
  expect(
    (await signIn(email, "198.51.100.9", { password: PASSWORD, proofOfWork: solve(challengeIn(again)) })).status,
  ).toBe(200);
});

test("answers the same for addresses with and without an account", async () => {
  const { learner } = await make.classroom();
  const bodies = [];
  for (const email of [learner.user.email, `nobody-${randomUUID()}@example.com`]) {
    for (let n = 0; n < 5; n++) await signIn(email, "192.0.2.8");
    const { status, body } = await signIn(email, "192.0.2.8");
    bodies.push([status, Object.keys(body), Object.keys(challengeIn({ body }))]);
  }
  expect(bodies[0]).toEqual(bodies[1]);
});

test("bounds the attempts of a network with proof of work, whatever the email", async () => {
  const useUp = (key: string, attempts: number) =>
    Promise.all(Array.from({ length: attempts }, () => reserve(db, [key, "203.0.111"], attempts, 900)));
  await useUp("sign-in from", 200);
  await useUp("sign-in proved from", 999);
  const tryOnce = async (email: string) => {
    const refused = await signIn(email, "203.0.111.7");
    return signIn(email, "203.0.111.7", { proofOfWork: solve(challengeIn(refused)) });
  };
  expect((await tryOnce("one@example.com")).status).toBe(401);
  expect(await tryOnce("two@example.com")).toMatchObject({ status: 429, code: "auth.tooManyAttempts" });
});
