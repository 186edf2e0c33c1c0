import type { Page } from "@playwright/test";
import { auth } from "#shared/auth/auth.ts";
import { fields } from "#shared/fields/fields.ts";
import { provisioning } from "#shared/provisioning/provisioning.ts";
import { ENTERPRISE, PATCH, USER } from "#shared/provisioning/schemas.ts";
import { createClient } from "#test/client.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, sizesFor } from "./layout.ts";
import { expect, openAs, type ServerFixture, test } from "./server.ts";

// A directory maintains the people of a company: from the key to a decision about suspensions

const of = { schemas: [USER, ENTERPRISE], [ENTERPRISE]: { department: "Pilots" } };
const off = {
  schemas: [PATCH],
  Operations: [{ op: "Replace", path: "active", value: "False" }],
};

async function openTab(page: Page, { url, company }: ServerFixture) {
  await page.goto(`${url}/companies/${company.id}?tab=provisioning`);
  await expect(page.getByRole("tab", { name: "Provisioning", selected: true })).toBeVisible();
}

for (const [size, viewport] of sizesFor("provisioning"))
  test(`an admin connects a directory and decides about suspensions (${size})`, async ({ browser, app }) => {
    test.setTimeout(120_000);
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`, { viewport });
    await expect(page).not.toHaveURL(/login/);
    await openTab(page, app);
    const name = `Entra ${size}`;
    await page.getByRole("button", { name: "Create key" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel("Name")).toBeFocused();
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    await expect(dialog.getByText("It is shown only once.")).toBeVisible();
    const key = await dialog.getByText(/^lys_/).innerText();
    await dialog.getByRole("button", { name: "I have copied it" }).click();
    await expect(page.getByText("Not used yet").first()).toBeVisible();

    const call = async (method: string, path: string, body: object) => {
      const reply = await fetch(`${app.url}/scim/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/scim+json" },
        body: JSON.stringify(body),
      });
      return { status: reply.status, body: (await reply.json()) as { id: string } };
    };
    const admin = createClient(app.url);
    admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
    const { id: companyId } = app.company;
    const body = { companyId, key: `dept_${size}`, name: `Department ${size}`, kind: "text" as const };
    await admin.call(fields.create, { body });
    await openTab(page, app);
    await page.getByRole("combobox", { name: "Department" }).click();
    await page.getByRole("option", { name: `Department ${size}` }).click();
    await page.getByRole("button", { name: "Save rules" }).click();
    await expect(page.getByText("Rules saved")).toBeVisible();
    const ids: string[] = [];
    for (const one of ["Ada", "Ben", "Cleo", "Dan", "Eve"])
      ids.push((await call("POST", "/Users", { ...of, userName: `${one}-${size}` })).body.id);
    const { items } = await admin.call(fields.ofPerson, { params: { id: String(ids[0]) } });
    expect(items.find(({ name: field }) => field === `Department ${size}`)?.text).toBe("Pilots");
    const statuses = [];
    for (const id of ids) statuses.push((await call("PATCH", `/Users/${id}`, off)).status);
    const waiting = statuses.filter((status) => status === 503).length;
    expect(waiting).toBeGreaterThan(0);

    await openTab(page, app);
    await expect(page.getByRole("heading", { name: new RegExp(`^${waiting} suspensions? wait`) })).toBeVisible();
    await expect(page.getByText(`Eve-${size}`).first()).toBeVisible();
    await expect(page.getByText("503: Waits for a decision").first()).toBeVisible();
    await expectAccessible(page, "provisioning of a company");
    await expectNoHorizontalScroll(page, "provisioning");
    await page.getByRole("button", { name: "Suspend all" }).click();
    const confirm = dialog.getByRole("button", { name: "Suspend all" });
    await expect(confirm).toBeDisabled();
    await dialog.getByRole("textbox").fill(String(waiting));
    await confirm.click();
    await expect(page.getByText(/(people|person) suspended$/)).toBeVisible();
    await expect(page.getByRole("heading", { name: /suspensions? wait/ })).toHaveCount(0);

    const title = page.getByRole("combobox", { name: "Title" });
    await title.click();
    await page.getByRole("option", { name: `Department ${size}` }).click();
    await page.getByRole("button", { name: "Save rules" }).click();
    await expect(page.getByText("A field can store only one attribute.")).toBeInViewport();
    await expect(title).toBeFocused();
    await title.press("Escape");
    await page.getByRole("tab", { name: "Fields" }).click();
    await page.getByRole("button", { name: "Leave" }).click();
    await openTab(page, app);
    await page.getByRole("radio", { name: "Keep access, end only the link" }).check();
    // Another admin is faster.
    const params = { id: companyId };
    const { version, mapping } = await admin.call(provisioning.get, { params });
    await admin.call(provisioning.update, { params, body: { invites: true, mapping, version } });
    await page.getByRole("button", { name: "Save rules" }).click();
    await dialog.getByRole("button", { name: "Keep mine" }).click();
    await expect(page.getByText("Rules saved")).toBeVisible();
    await page.reload();
    await expect(page.getByRole("radio", { name: "Keep access, end only the link" })).toBeChecked();
    await page.getByRole("radio", { name: "Suspend the person" }).check();
    await page.getByRole("button", { name: "Save rules" }).click();
    await expect(page.getByText("Rules saved")).toBeVisible();

    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await expect(page.getByText(`Key “${name}” revoked`)).toBeVisible();
    expect((await call("PATCH", `/Users/${ids[0]}`, off)).status).toBe(401);
    await context.close();
  });
