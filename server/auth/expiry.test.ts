import { sql } from "kysely";
import { expect, test } from "vitest";
import { sendPasswordReset } from "#server/auth/password/passwordResets.ts";
import { auth } from "#shared/auth/auth.ts";
import { start } from "#test/start.ts";
import { PASSWORD } from "#test/password.ts";

const { app, as, make, db, services } = await start();

test("ends a session 30 days after the sign-in, even if it is in use", async () => {
  const { learner } = await make.classroom();
  const reply = await app.inject({
    method: "POST",
    url: auth.signIn.path,
    payload: { email: learner.user.email, password: PASSWORD },
  });
  const cookie = [reply.headers["set-cookie"]]
    .flat()
    .map((line) => String(line).split(";")[0])
    .join("; ");
  const signedIn = { ...learner, token: reply.json().token as string };
  const refresh = async () =>
    (await app.inject({ method: "POST", url: auth.token.path, headers: { cookie } })).statusCode;
  const moveEnd = (days: number) =>
    db
      .updateTable("authSessions")
      .set({ endsAt: sql`ends_at - make_interval(days => ${days})` })
      .where("userId", "=", learner.user.id)
      .execute();
  await moveEnd(29);
  expect([(await as(signedIn)(auth.me)).status, await refresh()]).toEqual([200, 200]);
  await moveEnd(1);
  expect([(await as(signedIn)(auth.me)).status, await refresh()]).toEqual([401, 401]);
});

test("accepts only the newest password reset link", async () => {
  const { learner } = await make.classroom();
  const { email } = learner.user;
  const requestLink = async () => {
    await sendPasswordReset.work(services, { email });
    const mails = await db
      .selectFrom("mails")
      .where("recipient", "=", email)
      .select("body")
      .orderBy("createdAt")
      .execute();
    return /token=([\w-]+)/.exec(mails.at(-1)?.body ?? "")?.[1] as string;
  };
  const [older, newer] = [await requestLink(), await requestLink()];
  const setPassword = async (token: string) =>
    (await as(null)(auth.setPassword, { params: { token }, body: { password: "another long password" } })).status;
  expect((await as(null)(auth.reset, { params: { token: older } })).status).toBe(404);
  expect([await setPassword(older), await setPassword(newer)]).toEqual([404, 200]);
});
