import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { accounts } from "#shared/auth/account.ts";
import { auth, type ExternalResult } from "#shared/auth/auth.ts";
import { learners } from "#shared/learners/learners.ts";
import { follow, OIDC_CLIENT, type Persona, startOidc } from "#test/oidc.ts";
import { start, type Person } from "#test/start.ts";
import { PASSWORD } from "#test/password.ts";

const RETURN = "http://localhost:1/api/auth/external/return";
const google = await startOidc(RETURN);
const { app, as, make, db } = await start({
  GOOGLE_ISSUER: google.issuer,
  GOOGLE_CLIENT_ID: OIDC_CLIENT.id,
  GOOGLE_CLIENT_SECRET: OIDC_CLIENT.secret,
});
afterAll(() => google.close());

const address = () => `g-${randomUUID()}@example.com`;
const cookiesOf = (set: unknown) =>
  [set]
    .flat()
    .filter(Boolean)
    .map((line) => String(line).split(";")[0])
    .join("; ");
type Start = { purpose?: "signIn" | "register" | "link"; accessCode?: string; password?: string; by?: Person };

const startSignIn = async ({ by, ...body }: Start = {}) => {
  const reply = await app.inject({
    method: "POST",
    url: auth.external.path,
    payload: { provider: "google", ...body },
    headers: by ? { authorization: `Bearer ${by.token}` } : {},
  });
  return {
    status: reply.statusCode,
    cookie: cookiesOf(reply.headers["set-cookie"]),
    ...(reply.json() as { address: string; flow: string; error: string }),
  };
};
const finishSignIn = async (url: string, cookie: string) => {
  const { pathname, search } = new URL(url);
  const page = await app.inject({ url: pathname + search, headers: { cookie } });
  const result = JSON.parse(/id="result">(.*?)<\/script>/.exec(page.body)?.[1] ?? "{}") as ExternalResult;
  return { result, page, set: cookiesOf(page.headers["set-cookie"]) };
};
/** The complete flow: start, provider, return. */
const signInAtGoogle = async (who: Persona | "cancel", options: Start = {}) => {
  google.next(who);
  const started = await startSignIn(options);
  return finishSignIn(await follow(started.address, RETURN), started.cookie);
};
const invite = async (email = address()) => {
  const admin = await make.admin();
  const company = await make.company(admin);
  await as(admin)(learners.invite, { body: { companyId: company.id, people: [{ email, name: "Ivo Invited" }] } });
  return { admin, company, email };
};
const userOf = async (cookie: string) =>
  (await app.inject({ method: "POST", url: auth.token.path, headers: { cookie } })).json().user;

test("denies an unknown email with the specified message", async () => {
  const { result } = await signInAtGoogle({ email: address() });
  expect(result.problem).toEqual({
    code: "auth.accessDenied",
    error: "Access denied. Please contact your administrator or use an access code to register.",
  });
});

test("activates an invited account at the first login with Google", async () => {
  const { company, email } = await invite();
  const { result, set, page } = await signInAtGoogle({ email: email.toUpperCase(), name: "Ivo Himself" });
  expect(result.outcome).toBe("signedIn");
  expect(await userOf(set)).toMatchObject({
    email,
    name: "Ivo Himself",
    role: "learner",
    status: "active",
    companyId: company.id,
  });
  expect(page.body).not.toMatch(/eyJ|lyceum\.session/);
  expect(page.headers["cross-origin-opener-policy"]).toBeUndefined();
});

test("reports a refusal at Google as a cancelled login", async () => {
  expect((await signInAtGoogle("cancel")).result.problem?.error).toBe("Login was cancelled. Please try again.");
  google.next({ email: address() });
  const started = await startSignIn();
  const returnUrl = await follow(started.address, RETURN);
  expect(
    (await finishSignIn(returnUrl.replace(/code=[^&]+/, "code=forged"), started.cookie)).result.problem?.error,
  ).toBe("Google login failed. Please try again.");
});

test("links Google only to accounts with a verified email", async () => {
  const { company } = await make.classroom();
  const email = address();
  await make.learner(company.accessCode, "Lea", email);
  const refused = await signInAtGoogle({ email });
  expect(refused.result.problem?.error).toBe(
    "An account already exists with the same email address but different sign-in credentials. " +
      "Try signing in with a different method.",
  );
  await db.updateTable("users").set({ emailVerified: true }).where("email", "=", email).execute();
  expect((await signInAtGoogle({ email, verified: false })).result.problem?.code).toBe("auth.accountExists");
  expect((await signInAtGoogle({ email })).result.outcome).toBe("signedIn");
  expect((await signInAtGoogle({ email: address(), sub: "another" })).result.problem?.code).toBe("auth.accessDenied");
  expect((await signInAtGoogle({ email, sub: "the-address-was-given-to-somebody-else" })).result.problem?.code).toBe(
    "auth.accountExists",
  );
});

test("does not activate an account if Google has not verified the email", async () => {
  const { email } = await invite();
  expect((await signInAtGoogle({ email, verified: false })).result.problem?.code).toBe("auth.accountExists");
  expect((await signInAtGoogle({ email, verified: false }, { purpose: "register" })).result.problem?.error).toBe(
    "Registration with Google failed",
  );
  expect(await db.selectFrom("users").where("email", "=", email).select("status").executeTakeFirst()).toEqual({
    status: "invited",
  });
});

test("registers with Google under the rules of registration", async () => {
  const { company } = await make.classroom();
  const email = address();
  expect((await signInAtGoogle({ email }, { purpose: "register" })).result.problem?.error).toBe(
    "Access code is required for new users",
  );
  expect(
    (await signInAtGoogle({ email }, { purpose: "register", accessCode: "ZZZZ ZZZZ" })).result.problem?.error,
  ).toBe("Invalid access code");
  const done = await signInAtGoogle(
    { email, name: "Nora New" },
    { purpose: "register", accessCode: company.accessCode },
  );
  expect([done.result.outcome, done.set]).toEqual(["registered", ""]);
  expect(
    (await signInAtGoogle({ email }, { purpose: "register", accessCode: company.accessCode })).result.problem?.error,
  ).toBe("Email address is already in use");
  const { set } = await signInAtGoogle({ email });
  expect(await userOf(set)).toMatchObject({ name: "Nora New", companyId: company.id, role: "learner" });
  expect(
    (await signInAtGoogle({ email }, { purpose: "register", accessCode: company.accessCode })).result.problem?.error,
  ).toBe("User already exists and is active");
  const invited = await invite();
  expect((await signInAtGoogle({ email: invited.email }, { purpose: "register" })).result.outcome).toBe("registered");
});

test("creates one account for three concurrent registrations", async () => {
  const { company } = await make.classroom();
  const email = address();
  google.next({ email });
  const started = await Promise.all(
    [1, 2, 3].map(() => startSignIn({ purpose: "register", accessCode: company.accessCode })),
  );
  const returnUrls = [];
  for (const one of started) returnUrls.push(await follow(one.address, RETURN));
  const results = await Promise.all(
    returnUrls.map((returnUrl, n) => finishSignIn(returnUrl, started[n]?.cookie ?? "")),
  );
  expect(results.filter(({ result }) => result.outcome === "registered")).toHaveLength(1);
  expect(await db.selectFrom("users").where("email", "=", email).select("id").execute()).toHaveLength(1);
});

test("keeps the access code on the server and accepts a state only once", async () => {
  const { company } = await make.classroom();
  google.next({ email: address() });
  const started = await startSignIn({ purpose: "register", accessCode: company.accessCode });
  const returnUrl = await follow(started.address, RETURN);
  expect([started.address, returnUrl].join()).not.toContain(company.accessCode);
  expect((await finishSignIn(returnUrl, "")).result.problem?.code).toBe("auth.googleFailed");
  expect((await finishSignIn(returnUrl, "lyceum.browser=somebody-elses")).result.problem?.code).toBe(
    "auth.googleFailed",
  );
  expect((await finishSignIn(returnUrl, started.cookie)).result.outcome).toBe("registered");
  expect((await finishSignIn(returnUrl, started.cookie)).result.problem?.code).toBe("auth.googleFailed");
});

test("refuses a suspended person", async () => {
  const { admin, email } = await invite();
  const { set } = await signInAtGoogle({ email });
  const { id } = await userOf(set);
  await as(admin)(learners.suspend, { body: { ids: [id], reason: "" } });
  expect((await app.inject({ method: "POST", url: auth.token.path, headers: { cookie: set } })).statusCode).toBe(401);
  expect((await signInAtGoogle({ email })).result.problem?.error).toBe(
    "This account has been disabled. Please contact support.",
  );
});

test("links a Google account to one signed-in person and keeps the last method", async () => {
  const { company, learner } = await make.classroom();
  expect((await startSignIn({ purpose: "link" })).status).toBe(401);
  const sub = randomUUID();
  expect(
    (await signInAtGoogle({ email: learner.user.email, sub }, { purpose: "link", password: PASSWORD, by: learner }))
      .result.outcome,
  ).toBe("linked");
  expect((await as(learner)(accounts.get)).body).toMatchObject({ hasGoogle: true, hasPassword: true });
  const other = await make.learner(company.accessCode);
  expect(
    (await signInAtGoogle({ email: other.user.email, sub }, { purpose: "link", password: PASSWORD, by: other })).result
      .problem?.code,
  ).toBe("auth.googleAlreadyLinked");
  expect((await as(learner)(accounts.unlinkGoogle, { body: { password: "wrong" } })).status).toBe(422);
  expect((await as(learner)(accounts.unlinkGoogle, { body: { password: PASSWORD } })).status).toBe(204);
  const { email } = await invite();
  const only = await signInAtGoogle({ email });
  const { token } = (await app.inject({ method: "POST", url: auth.token.path, headers: { cookie: only.set } })).json();
  expect((await as({ user: learner.user, password: "", token })(accounts.unlinkGoogle, { body: {} })).code).toBe(
    "auth.lastSignInMethod",
  );
});

test("recovers from an unavailable provider", async () => {
  const later = await startOidc(RETURN);
  const { issuer } = later;
  await later.close();
  const second = await start({
    GOOGLE_ISSUER: issuer,
    GOOGLE_CLIENT_ID: OIDC_CLIENT.id,
    GOOGLE_CLIENT_SECRET: OIDC_CLIENT.secret,
  });
  const startSignInAgain = () =>
    second.app.inject({ method: "POST", url: auth.external.path, payload: { provider: "google" } });
  expect((await startSignInAgain()).json()).toMatchObject({
    code: "auth.googleFailed",
    error: "Google login failed. Please try again.",
  });
  const again = await startOidc(RETURN, Number(new URL(issuer).port));
  expect((await startSignInAgain()).statusCode).toBe(200);
  await again.close();
  const none = await start();
  expect((await none.as(null)(auth.signInMethods)).body).toEqual({ google: false });
  expect((await none.as(null)(auth.external, { body: { provider: "google" } })).status).toBe(404);
});
