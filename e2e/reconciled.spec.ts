import { auth } from "#shared/auth/auth.ts";
import { conversations } from "#shared/conversations/conversations.ts";
import { player, SESSION_HEADER } from "#shared/player/player.ts";
import { createClient } from "#test/client.ts";
import { ADMIN } from "#test/process.ts";
import { addBot, addDocument } from "./chatFixture.ts";
import { expectNoHorizontalScroll } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, type ServerFixture, test } from "./server.ts";

// Figures of different screens that have to agree

async function clientOf(app: ServerFixture, learner: Awaited<ReturnType<typeof addLearner>>) {
  const client = createClient(app.url);
  const session = await client.call(auth.signIn, { body: learner });
  client.useToken(session.token);
  return { client, user: session.user };
}

test("progress is in parts in the list of courses and in the record", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("1.2", ["one", "two", "three", "four"]));
  const learner = await addLearner(app, "Ida Moen");
  const { client, user } = await clientOf(app, learner);
  const params = { companyId: app.company.id, courseId: course.id };
  const launch = await client.call(player.launch, { params, body: { clientId: "first-window" } });
  const sco = launch.parts[0]?.sco as string;
  const events = [
    { seq: 1, t: 0, type: "nav", sco },
    { seq: 2, t: 1, type: "scorm.init", sco },
    { seq: 3, t: 2, type: "scorm.set", sco, key: "cmi.core.lesson_status", value: "completed" },
  ];
  const reply = await fetch(`${app.url}/api/sessions/${launch.sessionId}/events`, {
    method: "POST",
    headers: { "content-type": "application/json", [SESSION_HEADER]: launch.token },
    body: JSON.stringify({ events }),
  });
  expect(reply.status).toBe(200);

  const { page, context } = await openAs(browser, learner, `${app.url}/login`);
  await expect(page.getByText("1 of 4 parts").first()).toBeVisible();
  await page.goto(`${app.url}/learners/report/${user.id}`);
  const next = page.getByRole("region", { name: "Next" }).getByRole("listitem");
  await expect(next).toContainText("1 of 4 parts");
  await expect(next).not.toContainText("%");
  await context.close();
});

test("the answers by model add up to all answers, on a phone as well", async ({ browser, app }) => {
  const documentIds = [await addDocument(app, "Guide", "# Locks\n\nThe lock keeps people out.")];
  const tutor = await addBot(app, "Tutor", { documentIds });
  const scene = [
    { id: "start", says: "You wanted to see me?", choices: [{ label: "Yes", to: "end" }] },
    { id: "end", says: "Good.", reachesGoal: true },
  ];
  const actor = await addBot(app, "Actor", { pedagogy: "scene", scene });
  const { client } = await clientOf(app, await addLearner(app));
  const ask = async (chatbotId: string, text: string) => {
    const params = { id: crypto.randomUUID() };
    const { turns } = await client.call(conversations.start, { body: { id: params.id, chatbotId } });
    const body = { id: crypto.randomUUID(), text, parentId: turns.at(-1)?.id ?? null };
    await client.call(conversations.send, { params, body });
  };
  await ask(tutor.id, "What does the lock keep out?");
  await ask(actor.id, "Yes");

  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  const models = page.getByRole("region", { name: "By model" });
  await expect(async () => {
    await page.goto(`${app.url}/reports/conversation-analytics`);
    await expect(models.getByRole("row", { name: /Written dialogue, no model/ })).toBeVisible({ timeout: 2000 });
  }).toPass({ timeout: 30_000 });
  const counts = await models
    .getByRole("row")
    .evaluateAll((rows) => rows.slice(1).map((row) => Number(row.querySelectorAll("td")[1]?.textContent)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  await expect(page.getByText(`of ${total} answers`)).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole("columnheader", { name: "Mon" })).toHaveCount(1);
  await expectNoHorizontalScroll(page, "phone");
  await context.close();
});
