import { type BrowserContext, type Page, test as base } from "@playwright/test";
import { auth } from "#shared/auth/auth.ts";
import { companies, type Company } from "#shared/companies/companies.ts";
import { learners } from "#shared/learners/learners.ts";
import { createClient } from "#test/client.ts";
import { startMailbox } from "#test/mailbox.ts";
import { OIDC_CLIENT, startOidc } from "#test/oidc.ts";
import { ADMIN, createProcess, type Process } from "#test/process.ts";

// A server with an OpenID provider in place of Google and a mail server, all on loopback

export type AuthFixture = {
  url: string;
  issuer: string;
  isolate: (isolated: boolean) => void;
  query: Process["query"];
  company: Company;
  mailbox: Awaited<ReturnType<typeof startMailbox>>;
  admin: ReturnType<typeof createClient>;
};
export const test = base.extend<object, { app: AuthFixture }>({
  app: [
    async ({}, use) => {
      let url = "";
      const google = await startOidc(() => `${url}/api/auth/external/return`);
      const mailbox = await startMailbox();
      const server = await createProcess(
        {
          GOOGLE_ISSUER: google.issuer,
          GOOGLE_CLIENT_ID: OIDC_CLIENT.id,
          GOOGLE_CLIENT_SECRET: OIDC_CLIENT.secret,
          SMTP_URL: mailbox.url,
        },
        { fromTemplate: true },
      );
      url = server.url;
      await server.start();
      const admin = createClient(url);
      admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
      const company = await admin.call(companies.create, { body: { name: "Norrvik Energi", color: "#c80f2e" } });
      await use({ url, issuer: google.issuer, isolate: google.isolate, query: server.query, company, mailbox, admin });
      await server.remove();
      await Promise.all([google.close(), mailbox.close()]);
    },
    { scope: "worker", timeout: 90_000 },
  ],
});

export const address = () => `p${Math.random().toString(36).slice(2, 10)}@norrvik.example`;
export const invite = async ({ admin, company }: AuthFixture, email = address()) => {
  admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
  await admin.call(learners.invite, { body: { companyId: company.id, people: [{ email, name: "Ivo Invited" }] } });
  return email;
};
/** Clicks a button that opens a popup, completes the popup, and waits until it closes. */
export async function throughPopup(
  page: Pick<Page, "getByRole">,
  context: BrowserContext,
  button: string,
  answer: (popup: Page) => Promise<unknown>,
) {
  const [popup] = await Promise.all([context.waitForEvent("page"), page.getByRole("button", { name: button }).click()]);
  await answer(popup);
  if (!popup.isClosed()) await popup.waitForEvent("close", { timeout: 10_000 });
}
export const as =
  (email: string, name = "Gro Google") =>
  async (popup: Page) => {
    await popup.getByLabel("Address").fill(email);
    await popup.getByLabel("Called").fill(name);
    await popup.getByRole("button", { name: "Continue" }).click();
  };
export const alert = (page: Page) => page.getByRole("alert");
export const GOOGLE_LOGIN = "Continue with Google";
export const GOOGLE_REGISTRATION = "Register with Google";
