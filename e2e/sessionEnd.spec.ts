import { accounts } from "#shared/auth/account.ts";
import { auth } from "#shared/auth/auth.ts";
import { learners } from "#shared/learners/learners.ts";
import { createClient } from "#test/client.ts";
import { ADMIN } from "#test/process.ts";
import { inEveryLook, waitForAnimations } from "./layout.ts";
import { addLearner, expect, openAs, type ServerFixture, test } from "./server.ts";

/** Ends every session of a person, and waits until the pages' tokens are refused. */
async function endSessions(app: ServerFixture, who: { email: string; password: string }) {
  const client = createClient(app.url);
  client.useToken((await client.call(auth.signIn, { body: who })).token);
  await client.call(accounts.endOthers);
}

test("asks for the login over the page when the session has ended, and goes on", async ({ browser, app }) => {
  const person = await addLearner(app, "Siri Before");
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  page.setDefaultTimeout(8000);
  // Without the live channel, the page learns of the end when it saves.
  await page.route("**/api/live", (route) => route.abort());
  await page.getByRole("link", { name: "Learners", exact: true }).click();
  await page.getByRole("searchbox").fill(person.email);
  await page.getByRole("button", { name: "Actions for Siri Before" }).click();
  await page.getByRole("menuitem", { name: "Edit name or email" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Siri After");
  await endSessions(app, ADMIN);
  await page.getByRole("button", { name: "Save learner" }).click();

  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await expect(dialog).toContainText(ADMIN.email);
  if (process.env.SHOTS)
    await inEveryLook(page, async (look) => {
      await waitForAnimations(page);
      await page.screenshot({ path: `${process.env.SHOTS}/login-again-${look}.png` });
    });
  await dialog.getByLabel("Password", { exact: true }).fill("wrong password");
  await dialog.getByRole("button", { name: "Login" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByLabel("Password", { exact: true }).fill(ADMIN.password);
  await dialog.getByRole("button", { name: "Login" }).click();

  await expect(page.getByRole("row", { name: "Siri After" })).toBeVisible();
  await expect(dialog).toBeHidden();
  expect(new URL(page.url()).pathname).toBe("/learners");
  const fresh = createClient(app.url);
  fresh.useToken((await fresh.call(auth.signIn, { body: ADMIN })).token);
  expect((await fresh.call(learners.list, { query: { q: person.email } })).items[0]?.name).toBe("Siri After");
  await context.close();
});

test("asks for a login after a logout elsewhere, and leaves if the person declines", async ({ browser, app }) => {
  const person = await addLearner(app, "Tor Leaves");
  const { page, context } = await openAs(browser, person, `${app.url}/login`);
  await expect(page).toHaveURL(/my-courses/);
  await endSessions(app, person);
  await page.getByRole("dialog", { name: "Your session has ended" }).getByRole("button", { name: "Log out" }).click();
  await expect(page).toHaveURL(/\/login/);
  await context.close();
});
