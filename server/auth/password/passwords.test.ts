import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { accounts } from "#shared/auth/account.ts";
import { auth, isWeakPassword } from "#shared/auth/auth.ts";
import { start } from "#test/start.ts";

const { as, make } = await start();

test.each([
  ["short", "aX3$kQ9"],
  ["common", "password1"],
  ["a common word with digits and signs", "Sunshine2024!"],
  ["of few different characters", "ababababababab"],
  ["their name", "Nora Nilsen"],
  ["their name with a year", "nilsen.2024"],
  ["their email address", "n.nilsen@fjord.example"],
])("refuses a new password that is %s", async (_, password) => {
  const { company } = await make.classroom();
  const body = { name: "Nora Nilsen", email: "n.nilsen@fjord.example", password, accessCode: company.accessCode };
  expect(await as(null)(auth.register, { body })).toMatchObject({
    status: 422,
    code: "auth.passwordWeak",
    body: { error: "Password is too weak" },
  });
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
