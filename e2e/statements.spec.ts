import { RECORD_STORE_PATH, statements } from "#shared/statements/statements.ts";
import { ADMIN } from "#test/process.ts";
import { statementOf } from "#test/statementOf.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, sizesFor } from "./layout.ts";
import { expect, openAs, type ServerFixture, test } from "./server.ts";

// The statements of the record store, as an admin sees them

/** A key of the company of the server, and statements sent with it. */
async function addTool({ admin, company, url }: ServerFixture, name: string) {
  const body = { name, companyId: company.id, scopes: ["statements/write" as const] };
  const { userName, secret } = await admin.call(statements.createClient, { body });
  const authorization = `Basic ${Buffer.from(`${userName}:${secret}`).toString("base64")}`;
  const say = async (verb: string, object: string, result?: object) => {
    const reply = await fetch(`${url}${RECORD_STORE_PATH}/statements`, {
      method: "POST",
      headers: { authorization, "x-experience-api-version": "1.0.3", "content-type": "application/json" },
      body: JSON.stringify(
        statementOf({
          actor: { name: "Liv Aune", mbox: "mailto:liv.aune@example.com" },
          verb: { id: `http://adlnet.gov/expapi/verbs/${verb}`, display: { en: verb } },
          object: { id: `https://example.com/${encodeURIComponent(object)}`, definition: { name: { en: object } } },
          ...(result && { result }),
        }),
      ),
    });
    expect(reply.status).toBe(200);
  };
  return { say };
}

for (const [size, viewport] of sizesFor("statements"))
  test(`an admin finds a statement, reads it as it was stored, and voids it (${size})`, async ({ browser, app }) => {
    const { say } = await addTool(app, `Simulator ${size}`);
    await say("initialized", `Blind lift ${size}`);
    await say("passed", `Blind lift ${size}`, { success: true, score: { scaled: 0.88 }, duration: "PT5M" });
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/admin/learner-data`, { viewport });
    await page.getByRole("link", { name: "Statements" }).click();
    await expect(page.getByRole("heading", { name: "Statements" })).toBeVisible();
    await expect(page.getByText(`Blind lift ${size}`).first()).toBeVisible();
    await expectAccessible(page, "statements");
    await expectNoHorizontalScroll(page, "statements");

    await page.getByRole("button", { name: "Liv Aune" }).first().click();
    const panel = page.getByRole("dialog", { name: `Liv Aune passed Blind lift ${size}` });
    await expect(panel.getByText("Passed, 88 %, 5 min")).toBeVisible();
    await expect(panel.getByText('"scaled": 0.88')).toBeVisible();
    await expectAccessible(page, "a statement");
    await panel.getByRole("button", { name: "Void" }).click();
    const dialog = page.getByRole("dialog", { name: "Void this statement?" });
    await dialog.getByRole("button", { name: "Void" }).click();
    await expect(dialog.getByText("Enter at least 3 characters.")).toBeVisible();
    await dialog.getByLabel("Reason").fill("Sent by a test device");
    await dialog.getByRole("button", { name: "Void" }).click();
    await expect(panel.getByText("Sent by a test device")).toBeVisible();
    await expect(panel.getByRole("button", { name: "Void" })).toHaveCount(0);
    await panel.getByRole("link", { name: "All about this activity" }).click();
    await expect(page).toHaveURL(/activity=/);
    await context.close();
  });

test("with “Live”, statements appear while they are sent", { tag: "@long" }, async ({ browser, app }) => {
  const { say } = await addTool(app, "Live simulator");
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/admin/learner-data/statements`);
  await page.getByRole("switch", { name: "Live" }).check();
  await say("completed", "Wind from the north");
  await expect(page.getByText("Wind from the north")).toBeVisible();
  await context.close();
});
