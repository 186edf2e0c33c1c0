import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { accounts } from "#shared/auth/account.ts";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { OBJECTS_PATH } from "#shared/files/files.ts";
import { type Person, start } from "#test/start.ts";
import { PASSWORD } from "#test/password.ts";

const { app, as, make, db } = await start();
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
const setUpApp = async (who: Person) => {
  const { secret } = (await as(who)(accounts.startApp, { body: { password: PASSWORD } })).body;
  const { codes } = (await as(who)(accounts.confirmApp, { body: { code: codeOf(secret, -1) } })).body;
  return { secret, codes };
};
/** The first step of a sign-in, with the cookie for the second. */
const startSignIn = async (email: string) => {
  const reply = await app.inject({ method: "POST", url: auth.signIn.path, payload: { email, password: PASSWORD } });
  return {
    status: reply.statusCode,
    body: reply.json(),
    cookie: [reply.headers["set-cookie"]]
      .flat()
      .filter(Boolean)
      .map((line) => String(line).split(";")[0])
      .join("; "),
  };
};
const enterCode = (cookie: string, code: string, method: "app" | "recovery" = "app") =>
  as(null, { cookie })(auth.secondStep, { body: { method, code } });

test("asks for an app code at every login and accepts each code once", async () => {
  const { learner } = await make.classroom();
  expect((await as(learner)(accounts.startApp, { body: { password: "wrong" } })).code).toBe("core.invalid");
  const { secret, codes } = await setUpApp(learner);
  expect(new Set(codes).size).toBe(10);
  const stored = JSON.stringify([
    await db.selectFrom("authFactors").selectAll().execute(),
    await db.selectFrom("authRecoveryCodes").selectAll().execute(),
  ]);
  for (const text of [secret, ...codes]) expect(stored).not.toContain(text.replace("-", ""));
  const firstStep = await startSignIn(learner.user.email);
  expect(firstStep).toMatchObject({
    status: 401,
    body: { code: "auth.secondFactorRequired", details: { methods: ["app", "recovery"] } },
  });
  expect(firstStep.cookie).not.toContain("session");
  expect(await enterCode(firstStep.cookie, codeOf(secret, -1))).toMatchObject({
    status: 422,
    body: { issues: [{ path: "code", code: "auth.wrongCode" }] },
  });
  const code = codeOf(secret);
  const replies = await Promise.all([enterCode(firstStep.cookie, code), enterCode(firstStep.cookie, code)]);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await enterCode((await startSignIn(learner.user.email)).cookie, code)).status).toBe(422);
  expect((await enterCode("", codeOf(secret, 1))).code).toBe("auth.secondFactorExpired");
});

test("accepts a recovery code once and replaces all codes on renewal", async () => {
  const { learner } = await make.classroom();
  const { codes } = await setUpApp(learner);
  const [one, two] = codes as [string, string];
  expect(
    (await enterCode((await startSignIn(learner.user.email)).cookie, one.toLowerCase().replace("-", " "), "recovery"))
      .status,
  ).toBe(200);
  expect((await enterCode((await startSignIn(learner.user.email)).cookie, one, "recovery")).status).toBe(422);
  expect((await as(learner)(accounts.get)).body).toMatchObject({ hasApp: true, recoveryCodes: 9 });
  expect((await as(learner)(accounts.recoveryCodes, { body: { password: PASSWORD } })).body.codes).not.toContain(two);
  expect((await enterCode((await startSignIn(learner.user.email)).cookie, two, "recovery")).status).toBe(422);
});

test("checks only five of forty concurrent wrong codes", async () => {
  const { learner } = await make.classroom();
  const { secret } = await setUpApp(learner);
  const { cookie } = await startSignIn(learner.user.email);
  const attempts = await Promise.all(Array.from({ length: 40 }, () => enterCode(cookie, "000000")));
  expect(attempts.filter(({ status }) => status === 422)).toHaveLength(5);
  expect((await enterCode(cookie, codeOf(secret))).status).toBe(429);
});

test("lets another admin remove a second factor and notifies the person", async () => {
  const { admin, learner } = await make.classroom();
  await setUpApp(learner);
  expect((await as(learner)(accounts.resetFactors, { params: { id: learner.user.id } })).status).toBe(403);
  expect((await as(admin)(accounts.resetFactors, { params: { id: admin.user.id } })).code).toBe(
    "auth.cannotResetOwnFactor",
  );
  expect((await as(admin)(accounts.resetFactors, { params: { id: learner.user.id } })).status).toBe(204);
  expect((await as(learner)(auth.me)).status).toBe(401);
  expect((await startSignIn(learner.user.email)).status).toBe(200);
  expect(
    await db
      .selectFrom("mails")
      .where("recipient", "=", learner.user.email)
      .where("reason", "=", "auth.factorReset")
      .select("id")
      .execute(),
  ).toHaveLength(1);
});

test("requires removing the old app, with the password, before a new one", async () => {
  const { learner } = await make.classroom();
  await setUpApp(learner);
  expect((await as(learner)(accounts.removeApp, { body: {} })).status).toBe(422);
  expect((await as(learner)(accounts.startApp, { body: { password: PASSWORD } })).code).toBe("auth.appExists");
  expect((await as(learner)(accounts.removeApp, { body: { password: PASSWORD } })).status).toBe(204);
  expect((await startSignIn(learner.user.email)).status).toBe(200);
});

test("limits admins without a required second factor to their account", async () => {
  const strict = await start({ REQUIRE_ADMIN_2FA: "on" });
  const admin = await strict.make.admin();
  expect(admin.user.needsFactor).toBe(true);
  expect(await strict.as(admin)(companies.list)).toMatchObject({ status: 403, code: "auth.factorSetupRequired" });
  const upload = await strict.app.inject({
    method: "POST",
    url: `${OBJECTS_PATH}?name=x`,
    headers: { authorization: `Bearer ${admin.token}` },
  });
  expect(upload.statusCode).toBe(403);
  const { secret } = (await strict.as(admin)(accounts.startApp, { body: { password: PASSWORD } })).body;
  await strict.as(admin)(accounts.confirmApp, { body: { code: codeOf(secret) } });
  expect((await strict.as(admin)(companies.list)).status).toBe(200);
});

test("refuses a forged passkey", async () => {
  const response = { id: "made-up", rawId: "made-up", type: "public-key", response: {}, clientExtensionResults: {} };
  expect(await as(null)(auth.passkey, { body: { response } })).toMatchObject({
    status: 401,
    code: "auth.passkeyUnknown",
  });
  expect((await as(null)(auth.passkeyOptions)).body).toMatchObject({ rpId: "localhost", userVerification: "required" });
});
