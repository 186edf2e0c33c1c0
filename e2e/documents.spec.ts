import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makePdf } from "#test/documentFiles.ts";
import { ADMIN } from "#test/process.ts";
import { expect, openAs, test } from "./server.ts";

// The document library: upload, ask, and open what an answer rests on

const handbook = readFileSync(join(import.meta.dirname, "../demo/handbook/working-safely.md"));

test("an admin uploads a handbook, asks it and opens the citation", async ({ browser, app }) => {
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/admin/documents`);
  await page.getByRole("button", { name: "Upload documents" }).first().click();
  await expect(page.getByRole("dialog").getByPlaceholder("All companies")).toBeVisible();
  await page
    .getByRole("dialog")
    .getByLabel("Drop files or folders here")
    .setInputFiles([
      { name: "Working safely.md", mimeType: "text/markdown", buffer: handbook },
      {
        name: "Old site map.pdf",
        mimeType: "application/pdf",
        buffer: makePdf([{ heading: "", paragraphs: [] }], { scanned: true }),
      },
    ]);
  await expect(page.getByText("2 documents added")).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByText("There is no text in this file, only images.", { exact: false })).toBeVisible();
  const row = page.getByRole("row", { name: /Working safely/ });
  await expect(row.getByText("Ready")).toBeVisible();
  await row.getByRole("link", { name: "Working safely.md" }).click();
  await page.getByLabel("Ask a question").fill("How many minutes do I wait after switching off a converter?");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  const passage = page.getByRole("listitem").filter({ hasText: "Stored energy" }).first();
  await expect(passage.getByText("Wait five minutes", { exact: false })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Why these passages" })).toBeVisible();
  await page.getByRole("button", { name: "Save as test question" }).click();
  await expect(page.getByRole("tab", { name: /Test questions 1/ })).toBeVisible();
  await passage.getByRole("link").click();
  await expect(page.locator("mark")).toContainText("Wait five minutes");
  await expect(page.locator("mark")).toBeInViewport();
  await context.close();
});
