import { catalogue } from "#shared/catalogue/catalogue.ts";
import { offerTerms } from "#shared/catalogue/terms.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, setColorScheme, sizesFor, viewports } from "./layout.ts";
import { titledPackage } from "./packages.ts";
import { addLearner, expect, openAs, type ServerFixture, test } from "./server.ts";

// An admin offers courses; learners find, take and ask for them; a manager answers

/** A published course that nobody has. */
async function publish(app: ServerFixture, title: string) {
  const file = titledPackage(title);
  const { body } = await app.admin.upload(file.name, file.bytes);
  const params = { id: body.id };
  await app.admin.call(courses.setStatus, { params, body: { status: "published", version: body.version } });
  return body.id;
}
async function offer(app: ServerFixture, title: string, terms: object) {
  const courseId = await publish(app, title);
  const params = { id: app.company.id };
  return app.admin.call(catalogue.create, { params, body: { courseId, terms: offerTerms.parse(terms) } });
}
const idOf = async (app: ServerFixture, email: string) =>
  (await app.admin.call(learners.list, { query: { q: email } })).items[0]?.id as string;

for (const [size, viewport] of sizesFor("catalogue")) {
  test(`a learner finds a course despite a typing error, and takes it (${size})`, async ({ browser, app }) => {
    test.setTimeout(120_000);
    const title = `Power lines ${size}`;
    await offer(app, title, { way: "self", languages: ["en"], priceMinor: 12_000, currency: "EUR" });
    const ada = await addLearner(app, `Ada Taker ${size}`);
    const { page, context } = await openAs(browser, ada, `${app.url}/catalogue`, { viewport });
    await expect(page.getByRole("heading", { name: "Catalogue" })).toBeVisible();
    await expectAccessible(page, `the catalogue, ${size}`);
    await expectNoHorizontalScroll(page, `the catalogue, ${size}`);
    await page.getByRole("searchbox", { name: "Search the catalogue" }).fill("pwoer");
    await expect(page.getByText("Nothing found for “pwoer”. These titles are the closest.")).toBeVisible();
    await page.getByRole("link", { name: title }).click();
    await expect(page.getByRole("definition").filter({ hasText: "€120.00" })).toBeVisible();
    await expectAccessible(page, `a course of the catalogue, ${size}`);
    await expectNoHorizontalScroll(page, `a course of the catalogue, ${size}`);
    await setColorScheme(page, "dark");
    await expectAccessible(page, `a course of the catalogue, dark, ${size}`, ["color-contrast"]);
    await setColorScheme(page, "light");
    await page.getByRole("button", { name: "Enrol", exact: true }).click();
    await expect(page.getByText(`You are enrolled in “${title}”`)).toBeVisible();
    await expect(page.getByRole("link", { name: "Open course" })).toBeVisible();
    await page.getByRole("button", { name: "Leave course" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave course" }).click();
    await expect(page.getByRole("button", { name: "Enrol", exact: true })).toBeVisible();
    await context.close();
  });
}

test("a learner asks, the manager approves on a phone, and the waiting list moves up", async ({ browser, app }) => {
  test.setTimeout(180_000);
  const title = "Crane signals <b>at 5 m";
  const { id } = await offer(app, title, { way: "request", places: 1 });
  const [mona, ada, ben] = [
    await addLearner(app, "Mona Answers"),
    await addLearner(app, "Ada Asks"),
    await addLearner(app, "Ben Waits"),
  ];
  const led = [await idOf(app, ada.email), await idOf(app, ben.email)];
  await app.admin.call(learners.setManager, { body: { ids: led, managerId: await idOf(app, mona.email) } });

  const asking = await openAs(browser, ada, `${app.url}/catalogue/${id}`);
  await asking.page.getByRole("button", { name: "Ask for this course" }).click();
  const dialog = asking.page.getByRole("dialog", { name: `Ask for “${title}”` });
  await dialog.getByLabel(/Why you would like to take it/).fill("I work with the new crane.");
  await expectAccessible(asking.page, "asking for a course");
  await dialog.getByRole("button", { name: "Ask for this course" }).click();
  await expect(asking.page.getByText("Your manager has not answered yet.")).toBeVisible();

  const waiting = await openAs(browser, ben, `${app.url}/catalogue/${id}`);
  await waiting.page.getByRole("button", { name: "Join waiting list" }).click();
  await waiting.page.getByRole("dialog").getByRole("button", { name: "Join waiting list" }).click();
  await expect(waiting.page.getByText("You are next on the waiting list.")).toBeVisible();

  const { page, context } = await openAs(browser, mona, `${app.url}/team`, { viewport: viewports.phone });
  const requests = page.getByRole("region", { name: "Requests for courses" });
  await expect(requests).toContainText(`Ada Asks asks for ${title}`);
  await expect(requests).toContainText("I work with the new crane.");
  await expectAccessible(page, "requests of a team on a phone");
  await expectNoHorizontalScroll(page, "requests of a team on a phone");
  await requests.getByRole("button", { name: "Approve the request of Ada Asks" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Request approved")).toBeVisible();
  await expect(requests).toBeHidden();

  await asking.page.reload();
  await asking.page.getByRole("button", { name: "Leave course" }).click();
  await asking.page.getByRole("dialog").getByRole("button", { name: "Leave course" }).click();
  await expect(asking.page.getByRole("button", { name: "Join waiting list" })).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(requests).toContainText("Ben Waits", { timeout: 2000 });
  }).toPass({ timeout: 20_000 });
  await requests.getByRole("button", { name: "Decline the request of Ben Waits" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
  await expect(page.getByRole("dialog").getByText("Enter a reason. The learner reads it.")).toBeVisible();
  await page.getByRole("dialog").getByLabel("Reason").fill("Next year");
  await page.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
  await waiting.page.reload();
  await expect(waiting.page.getByText("Your request was declined: Next year")).toBeVisible();
  for (const one of [asking.context, waiting.context, context]) await one.close();
});

test(
  "an admin offers a course, and two admins at once see both versions",
  { tag: "@long" },
  async ({ browser, app }) => {
    test.setTimeout(120_000);
    const title = "Forklift basics";
    await publish(app, title);
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/companies/${app.company.id}`);
    await page.getByRole("link", { name: "Catalogue" }).click();
    await page.getByRole("button", { name: "Offer course" }).click();
    const dialog = page.getByRole("dialog", { name: "Offer a course" });
    await dialog.getByRole("combobox", { name: "Course", exact: true }).fill("forkl");
    await page.getByRole("option", { name: title }).click();
    await dialog.getByRole("radio", { name: /People ask/ }).check();
    await dialog.getByLabel(/^Price/).fill("99.50");
    await expectAccessible(page, "offering a course");
    await dialog.getByRole("button", { name: "Offer course" }).click();
    await expect(dialog.getByText("Enter the currency of the price.")).toBeVisible();
    await dialog.getByLabel("Currency").fill("eur");
    await dialog.getByRole("button", { name: "Offer course" }).click();
    await expect(page.getByText("Offer saved")).toBeVisible();
    await expect(page.getByRole("row", { name: new RegExp(title) })).toContainText("On request");
    await expectAccessible(page, "the catalogue of a company");
    await page.setViewportSize(viewports.phone);
    await expectNoHorizontalScroll(page, "the catalogue of a company on a phone");
    await expectAccessible(page, "the catalogue of a company on a phone");
    await page.getByRole("tab", { name: "Requests and waiting lists" }).click();
    await expect(page.getByRole("searchbox", { name: "Search person or course" })).toBeVisible();
    await expectAccessible(page, "requests on a phone");
    await page.getByRole("tab", { name: "Offered courses" }).click();
    await page.setViewportSize(viewports.desktop);

    await page
      .getByRole("row", { name: new RegExp(title) })
      .getByRole("button", { name: title, exact: true })
      .click();
    const edit = page.getByRole("dialog", { name: `Offer: ${title}` });
    await edit.getByLabel(/^Places/).fill("5");
    const params = { id: app.company.id };
    const [stored] = (await app.admin.call(catalogue.offers, { params, query: { q: title } })).items;
    const terms = offerTerms.parse({ way: "request", places: 7 });
    await app.admin.call(catalogue.update, {
      params: { id: stored?.id as string },
      body: { terms, version: stored?.version as number },
    });
    await edit.getByRole("button", { name: "Save" }).click();
    const conflict = page.getByRole("dialog").last();
    await expect(conflict).toContainText("7");
    await conflict.getByRole("button", { name: /mine/i }).click();
    await expect(page.getByText("Offer saved").last()).toBeVisible();
    await expect(page.getByRole("row", { name: new RegExp(title) })).toContainText("0 of 5");
    await context.close();
  },
);
