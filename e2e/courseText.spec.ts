import { buildZip, xmlns12 } from "#test/packages.ts";
import { ADMIN } from "#test/process.ts";
import { documents } from "#shared/documents/documents.ts";
import { addBot, ask } from "./chatFixture.ts";
import { expectAccessible } from "./axe.ts";
import { head } from "./packages.ts";
import { addCourse, addLearner, content, expect, openAs, saved, test } from "./server.ts";

// The text of a course as a source of chatbots

const parts = [
  { id: "gates", title: "Gates", text: "The north gate closes at eight in the evening." },
  { id: "ladders", title: "Ladders", text: "Ladders are used up to three metres." },
];
const list = (line: (part: (typeof parts)[number]) => string) => parts.map(line).join("");
const manifest = `<?xml version="1.0"?><manifest identifier="M" ${xmlns12}>
  <metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>
  <organizations default="O"><organization identifier="O"><title>Site safety</title>
  ${list(({ id, title }) => `<item identifier="${id}" identifierref="R-${id}"><title>${title}</title></item>`)}
  </organization></organizations><resources>
  ${list(({ id }) => `<resource identifier="R-${id}" type="webcontent" adlcp:scormtype="sco" href="${id}.html"/>`)}
  </resources></manifest>`;
const bytes = buildZip([
  { name: "imsmanifest.xml", data: manifest },
  ...parts.map(({ id, text }) => ({ name: `${id}.html`, data: head(`<p>${text}</p>`) })),
]);

test("an answer from the text of a course opens the part that it cites", async ({ browser, app }) => {
  const course = await addCourse(app, { name: "site-safety.zip", bytes });
  const admin = await openAs(browser, ADMIN, `${app.url}/admin/documents`);
  await admin.page.getByRole("button", { name: "Add other text" }).click();
  await admin.page.getByRole("menuitem", { name: "Add course text" }).click();
  const dialog = admin.page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Course" }).click();
  await admin.page.getByRole("option", { name: "Site safety" }).click();
  await expectAccessible(admin.page, "course text");
  await dialog.getByRole("button", { name: "Add course text" }).click();
  await expect(admin.page.getByText("Course text added.", { exact: false })).toBeVisible();
  const row = admin.page.getByRole("row", { name: /Site safety/ });
  await expect(row.getByText("Ready")).toBeVisible({ timeout: 20_000 });
  await admin.context.close();
  const { items } = await app.admin.call(documents.list, { query: { q: "Site safety" } });
  const documentIds = items.map(({ id }) => id);
  await addBot(app, "Mira", { access: "course", courseIds: [course.id], documentIds });

  const learner = await addLearner(app);
  const { page, context } = await openAs(browser, learner, course.launch);
  await expect(content(page).getByText("The north gate")).toBeVisible();
  await saved(page);
  await page.keyboard.press("Alt+m");
  await ask(page, "Mira", "Up to how many metres are ladders used?");
  await page.getByRole("button", { name: "Site safety, Ladders" }).click();
  const panel = page.getByRole("dialog", { name: "Sources" });
  await expect(panel.getByText("Part 2: Ladders")).toBeVisible();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/course-source.png` });
  await panel.getByRole("button", { name: "Open this part" }).click();
  await expect(panel).toBeHidden();
  await expect(content(page).getByText("Ladders are used")).toBeVisible();

  // From the chatbot's own page, the course is launched at the part.
  await page.getByRole("button", { name: "Exit" }).click();
  await page.goto(`${course.launch}?part=gates`);
  await expect(content(page).getByText("The north gate")).toBeVisible();
  await expect(page).toHaveURL(course.launch);
  await context.close();
});
