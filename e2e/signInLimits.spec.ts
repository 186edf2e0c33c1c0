import { auth } from "#shared/auth/auth.ts";
import { addLearner, expect, PASSWORD, test } from "./server.ts";

// Limits of logins as people see them, and the rules for new passwords

const TOO_MANY = "Too many unsuccessful login attempts. Please try again later or reset your password.";

test("many failed logins lock out no new device; beyond all limits, offers a reset", async ({ page, app }) => {
  const { email } = await addLearner(app);
  const guess = () => app.admin.call(auth.signIn, { body: { email, password: "wrong" } }).catch(() => {});
  for (let n = 0; n < 6; n++) await guess();
  await page.goto(`${app.url}/login`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await expect(page).toHaveURL(`${app.url}/my-courses`);

  // This browser is known now, and has five attempts of its own.
  await page.getByRole("link", { name: "Logout" }).first().click();
  await expect(page).toHaveURL(`${app.url}/login`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("wrong");
  for (let n = 0; n < 6; n++) {
    const answered = page.waitForResponse("**/api/auth/sign-in");
    await page.getByRole("button", { name: "Login", exact: true }).click();
    await answered;
  }
  await expect(page.getByRole("alert")).toHaveText(TOO_MANY);
  await page.getByRole("link", { name: "Reset your password by email" }).click();
  await expect(page).toHaveURL(`${app.url}/forgot-password`);
  await expect(page.getByLabel("Email")).toHaveValue(email);
});

test("says the rules for a password beside its field", { tag: "@long" }, async ({ page, app }) => {
  await page.goto(`${app.url}/register?code=${app.company.accessCode}`);
  const password = page.getByLabel("Password", { exact: true });
  await expect(password).toHaveAccessibleDescription(
    /At least 8 characters.*Passwords that are easy to guess are refused/,
  );
  await page.getByLabel("Name").fill("Nora Nilsen");
  await page.getByLabel("Email").fill("nora.nilsen@example.com");
  for (const [weak, reason] of [
    ["NoraNilsen1", "It contains little besides your name or email address."],
    ["Sunshine2024!", "It is a common password, or common words with little added."],
    ["qwertzuiop", "Keys next to each other are guessed first."],
    ["norrvik-energi", "It contains little besides the name of your company or of the academy."],
  ] as const) {
    await password.fill(weak);
    await page.getByRole("button", { name: "Create an Account" }).click();
    await expect(page.getByText(`Password is too weak. ${reason}`)).toBeVisible();
  }
  await password.fill("vintage-radio-cloud");
  await page.getByRole("button", { name: "Create an Account" }).click();
  await expect(page).toHaveURL(`${app.url}/login?registered=true`);
});
