import { strToU8, zipSync } from "fflate";
import { findDeviations, readVisits, visitsFiles } from "#test/adlCalls.ts";
import { addCourse, addLearner, content, expect, openAs, saved, test } from "./server.ts";

// ADL's calls over visits in the real player: navigation requests are followed, and after suspendAll the learner comes
// back

type Api = Record<string, (...args: string[]) => string>;

test("answers ADL's 235 calls over visits in one browser", async ({ browser, app }) => {
  const files = Object.entries(visitsFiles()).map(([name, text]) => [name, strToU8(text)] as const);
  const course = await addCourse(app, { name: "visits.zip", bytes: zipSync(Object.fromEntries(files)) });
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  const deviations: string[] = [];
  const visits = readVisits();
  for (const visit of visits) {
    const body = content(page).locator(`body[data-sco="${visit.sco}"]:not([data-done])`);
    await expect(body).toBeVisible();
    const outcomes = await body.evaluate((element, calls) => {
      const { api } = window as never as { api: Api };
      const results = calls.map(({ name, args }): [string, string] => [
        String(api[name]?.(...args)),
        String(api.GetLastError?.()),
      ]);
      element.dataset.done = "";
      api.Terminate?.("");
      return results;
    }, visit.calls);
    deviations.push(...findDeviations(visit, outcomes));
    if (visit.after === "suspendAll") {
      await saved(page);
      await page.reload();
    } else if (visit.after === "" && visit !== visits.at(-1))
      await page.getByRole("button", { name: "Open again" }).click();
  }
  expect(deviations).toEqual([]);
  await context.close();
});
