import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createOneTimeToken } from "#server/auth/oneTimeTokens.ts";
import { findWeakness } from "#server/auth/password/weakness.ts";
import { createRandom } from "#server/demo/random.ts";
import { accounts } from "#shared/auth/account.ts";
import { auth, isWeakPassword } from "#shared/auth/auth.ts";
import { learners } from "#shared/learners/learners.ts";
import { PASSWORD } from "#test/password.ts";
import { start } from "#test/start.ts";

const { as, make, db } = await start();

test.each([
  ["short", "aX3$kQ9"],
  ["common", "password1"],
  ["a common word with digits and signs", "Sunshine2024!"],
  ["of few different characters", "ababababababab"],
  ["their name", "Nora Nilsen"],
  ["their name with a year", "nilsen.2024"],
  ["their email address", "n.nilsen@fjord.example"],
  ["a row of keys, German", "qwertzuiop"],
  ["a row of keys, French, backwards", "poiuytreza"],
  ["a row of keys, Dvorak", "aoeuidhtns"],
  ["two rows of keys in turn", "q1w2e3r4t5z6"],
  ["the alphabet", "abcdefghijkl"],
  ["the alphabet backwards", "ZYXWVUTSRQPO"],
  ["digits in order", "9876543210987"],
  ["a repeated block", "kx7kx7kx7kx7"],
  ["the product with a year", "lyceum2026"],
  ["the product with digits for letters", "Lyc3um!2026"],
  ["their company with a year", "Norrvik2026!"],
  ["a part of their company, backwards", "igrene-2027"],
  ["a famous passphrase", "correct horse battery staple"],
  ["a famous passphrase without spaces", "CorrectHorseBatteryStaple1"],
  ["a famous quotation", "may-the-force-be-with-you"],
  ["a date", "19.04.1987"],
  ["one word and a year", "ventana2026"],
  ["spaces", " ".repeat(20)],
])("refuses a new password that is %s", async (_, password) => {
  const { admin } = await make.classroom();
  const company = await make.company(admin, { name: `Norrvik Energi ${randomUUID().slice(0, 4)}` });
  const body = { name: "Nora Nilsen", email: "n.nilsen@fjord.example", password, accessCode: company.accessCode };
  expect(await as(null)(auth.register, { body })).toMatchObject({
    status: 422,
    code: "auth.passwordWeak",
    body: { error: "Password is too weak", details: { weakness: expect.any(String) as string } },
  });
});

test("says why a new password is refused", async () => {
  const { learner } = await make.classroom();
  const reason = async (password: string) => {
    const reply = await as(learner)(accounts.changePassword, { body: { current: learner.password, password } });
    return (reply.body as unknown as { details: { weakness: string } }).details.weakness;
  };
  for (const [weakness, password] of [
    ["short", "aX3$kQ9"],
    ["own", "Lea-Learner-1"],
    ["place", "lyceum2026"],
    ["common", "sunshine2024!"],
    ["word", "tschechisch"],
    ["phrase", "to be or not to be"],
    ["keyboard", "qwertzuiop"],
    ["sequence", "abcdefghijkl"],
    ["repeat", "kx7kx7kx7kx7"],
    ["date", "19.04.1987"],
  ] as const)
    expect([password, await reason(password)]).toEqual([password, weakness]);
});

test("refuses the name of the company and the academy wherever a password is set", async () => {
  const { admin } = await make.classroom();
  const company = await make.company(admin, { name: "Steinbeisser Werke" });
  const weak = "steinbeisser-2026";
  const refused = { status: 422, body: { details: { weakness: "place" } } };
  const email = `${randomUUID()}@example.com`;
  const body = { name: "Nora", email, password: weak };
  expect(await as(null)(auth.register, { body: { ...body, accessCode: company.accessCode } })).toMatchObject(refused);
  await as(admin)(learners.invite, { body: { companyId: company.id, people: [{ email, name: "Nora" }] } });
  expect(await as(null)(auth.register, { body })).toMatchObject(refused);
  const { body: mail } = await db
    .selectFrom("mails")
    .where("recipient", "=", email)
    .select("body")
    .executeTakeFirstOrThrow();
  const token = /invitation=([\w-]+)/.exec(mail)?.[1] as string;
  const invitation = { params: { token }, body: { name: "Nora", password: weak } };
  expect(await as(null)(auth.acceptInvitation, invitation)).toMatchObject(refused);
  const good = { ...invitation, body: { name: "Nora", password: PASSWORD } };
  expect((await as(null)(auth.acceptInvitation, good)).status).toBe(200);
  const learner = await make.signIn(email);
  const reset = await createOneTimeToken(db, "passwordReset", learner.user.id, 3600);
  const request = { params: { token: reset }, body: { password: weak } };
  expect(await as(null)(auth.setPassword, request)).toMatchObject(refused);
  const change = { body: { current: PASSWORD, password: weak } };
  expect(await as(learner)(accounts.changePassword, change)).toMatchObject(refused);
});

/** Random characters as of a password manager, and random words of a list, from a fixed seed. */
const random = createRandom(7);
const choose = (from: string | string[], count: number, between = "") =>
  Array.from({ length: count }, () => from[Math.floor(random() * from.length)]).join(between);
const SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&*+-=?@_";

test("accepts the kinds of passwords that people are told to use", async () => {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const words = dictionary["diceware-common"];
  const context = { name: "Nora Nilsen", email: "n.nilsen@fjord.example", places: ["Norrvik Energi"] };
  const good = [
    ...Array.from({ length: 300 }, () => [choose(words, 4, " "), choose(words, 4), choose(SIGNS, 12)]).flat(),
    "Der Hund schläft heute lang",
    "El perro duerme en la cocina",
    "Regen fällt aufs Dach",
    "zwölf blaue Regenschirme",
    "Mi abuela vive cerca del mar",
    "Nora likes long walks",
    "собака спит на кухне",
    "犬は台所で静かに眠っている",
  ];
  const refused = [];
  for (const password of good) if (await findWeakness(password, context)) refused.push(password);
  expect(refused).toEqual([]);
});

test("refuses a common password and the own name when the password is changed", async () => {
  const { learner, company } = await make.classroom();
  for (const password of ["iloveyou123", "LeaLearner99"])
    expect(await as(learner)(accounts.changePassword, { body: { current: learner.password, password } })).toMatchObject(
      { status: 422, body: { issues: [{ path: "password", code: "auth.passwordWeak" }] } },
    );
  for (const password of ["vintage-radio-cloud", "x7Kq9!zzLm", "Nora likes long walks"])
    expect(
      (
        await as(null)(auth.register, {
          body: { name: "Nora", email: `${randomUUID()}@example.com`, password, accessCode: company.accessCode },
        })
      ).status,
    ).toBe(200);
});

test("tells the browser what it can check by itself", () => {
  const owner = { name: "Åsa Berg", email: "asa.berg@skog.example" };
  expect(["asaberg1", "BERG-åsa-2024", "skog12345", "kort"].filter((text) => !isWeakPassword(text, owner))).toEqual([]);
  expect(["bergen is rainy", "password1"].filter((text) => isWeakPassword(text, owner))).toEqual([]);
});
