import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { sso } from "#shared/auth/sso.ts";
import { OIDC_CLIENT } from "#test/oidc.ts";
import { ADMIN } from "#test/process.ts";
import { createIdp, IDP } from "#test/saml.ts";
import { CERTIFICATE } from "#test/samlKeys.ts";
import { as, test, throughPopup } from "./authFixture.ts";
import { expectAccessible } from "./axe.ts";
import { identity, openErasure, signIn } from "./server.ts";

// Single sign-on: set up by an admin, used by people of the company

test("sets up a company login and offers it by email domain", async ({ page, context, browser, app }) => {
  const admin = await browser.newContext();
  const adminPage = await admin.newPage();
  await adminPage.goto(`${app.url}/login`);
  await signIn(adminPage, ADMIN);
  await expect(adminPage).toHaveURL(/dashboard/);
  await adminPage.goto(`${app.url}/companies/${app.company.id}?tab=signIn`);
  await adminPage.getByRole("button", { name: "Set up single sign-on" }).click();
  await adminPage.getByLabel("Require single sign-on").check({ force: true });
  await adminPage.getByRole("button", { name: "Save" }).click();
  for (const words of [
    "Enter the issuer URL of the provider",
    "Enter the client ID",
    "Enter the client secret",
    "Enter at least one domain",
  ])
    await expect(adminPage.getByText(words)).toBeVisible();
  await expect(adminPage.getByLabel("Issuer")).toBeFocused();
  if (process.env.SHOTS) await adminPage.screenshot({ path: `${process.env.SHOTS}/sso-errors.png`, fullPage: true });
  await adminPage.getByLabel("Issuer").fill("https://nobody.invalid");
  await adminPage.getByLabel("Client ID").fill(OIDC_CLIENT.id);
  await adminPage.getByLabel("Client secret").fill(OIDC_CLIENT.secret);
  await adminPage.getByLabel("Email domains").first().fill("single.example");
  await adminPage.keyboard.press("Enter");
  await adminPage.getByRole("button", { name: "Save" }).click();
  await expect(adminPage.getByText("No OpenID provider responds at this URL.")).toBeVisible();
  await adminPage.getByLabel("Issuer").fill(app.issuer);
  await adminPage.getByRole("button", { name: "Save" }).click();
  await expect(adminPage.getByText("Single sign-on saved")).toBeVisible();
  if (process.env.SHOTS) await adminPage.screenshot({ path: `${process.env.SHOTS}/sso.png`, fullPage: true });
  await expectAccessible(adminPage, "company login");
  await admin.close();

  await page.goto(`${app.url}/login`);
  await page.getByLabel("Email", { exact: true }).fill("sanna@single.example");
  await expect(page.getByRole("button", { name: "Continue with Norrvik Energi" })).toBeVisible();
  await expect(page.getByLabel("Password", { exact: true })).toBeHidden();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/login-sso.png` });
  await throughPopup(page, context, "Continue with Norrvik Energi", as("sanna@single.example", "Sanna Single"));
  await expect(page).toHaveURL(`${app.url}/my-courses`);

  await (await openErasure(page, app)).click();
  await expect(identity(page).getByText("cannot be undone")).toBeVisible();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/confirm-sso.png` });
  await throughPopup(page, context, "Confirm with Norrvik Energi", as("sanna@single.example", "Sanna Single"));
  await expect(page.getByRole("dialog", { name: "Your data is deleted" })).toBeVisible();
});

test("SAML: completes the login after a post from the provider's page", async ({ page, context, app }) => {
  const idp = createIdp(`${app.url}/api/auth/external/saml`, `${app.url}/api/auth/saml/metadata`);
  const server = createServer((request, response) => {
    void idp
      .answer(`http://127.0.0.1${request.url}`, { email: "sam@saml.example", name: "Sam Saml" })
      .then(({ SAMLResponse, RelayState }) =>
        response.setHeader("content-type", "text/html").end(
          `<!doctype html>
              <title>Provider</title>
              <form method="post" action="${app.url}/api/auth/external/saml">
                <input type="hidden" name="SAMLResponse" value="${SAMLResponse}">
                <input type="hidden" name="RelayState" value="${RelayState}">
                <button>Continue</button>
              </form>
              <script>document.forms[0].submit()</script>`,
        ),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  app.admin.useToken((await app.admin.call(auth.signIn, { body: ADMIN })).token);
  const company = await app.admin.call(companies.create, { body: { name: "Saml & Sons" } });
  await app.admin.call(sso.save, {
    params: { id: company.id },
    body: {
      kind: "saml",
      issuer: IDP,
      entryPoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sso`,
      certificate: CERTIFICATE,
      domains: ["saml.example"],
      enforced: false,
      enabled: true,
      version: 0,
    },
  });
  await page.goto(`${app.url}/login`);
  await page.getByLabel("Email", { exact: true }).fill("sam@saml.example");
  await throughPopup(page, context, "Continue with Saml & Sons", async () => {});
  await expect(page).toHaveURL(`${app.url}/my-courses`);
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem("user") ?? "{}").companyId)).toBe(company.id);
  server.closeAllConnections();
  server.close();
});
