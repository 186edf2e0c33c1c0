import { writeLocalModel } from "#test/providers/localModel.ts";
import { ADMIN } from "#test/process.ts";
import { expect, openAs, test } from "./server.ts";

// Connections: an admin chooses an embedding model whose files are on the server

test("an admin reads where to put a model, and chooses it once it is there", async ({ browser, app }) => {
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await page.getByRole("link", { name: "Connections" }).click();
  const open = async () => {
    await page.getByRole("button", { name: "Add connection" }).click();
    await page.getByRole("dialog").getByRole("combobox", { name: "Provider" }).click();
    await page.getByRole("option", { name: "Model on this server" }).click();
  };
  await open();
  const form = page.getByRole("dialog");
  await expect(form.getByText("There is no model on this server yet.")).toBeVisible();
  for (const text of ["DATA_DIR/models/NAME", "config.json", "tokenizer.json", "model.safetensors"])
    await expect(form.getByText(text, { exact: true })).toBeVisible();
  await expect(form.getByLabel("API key")).toBeHidden();
  await form.getByRole("button", { name: "Add connection" }).click();
  await expect(form.getByText("Choose one model on this server.")).toBeVisible();
  await form.getByRole("button", { name: "Cancel" }).click();

  writeLocalModel(app.dataDir, "concepts");
  writeLocalModel(app.dataDir, "damaged", { "model.safetensors": Buffer.from("no table") });
  await open();
  await expect(form.getByRole("radio", { name: "damaged" })).toBeDisabled();
  await expect(form.getByText("model.safetensors of the model cannot be read.")).toBeVisible();
  await expect(form.getByText("24 numbers per text")).toBeVisible();
  await form.getByRole("radio", { name: "concepts" }).check();
  await form.getByRole("button", { name: "Add connection" }).click();
  const added = page.getByRole("rowgroup").filter({ hasText: "On this server" });
  await expect(added).toContainText("Working: embeddings.");
  await expect(added).toContainText("concepts");
  await expect(added).toContainText("free");
  await expect(page.getByText("No language model is connected")).toBeVisible();
  await context.close();
});
