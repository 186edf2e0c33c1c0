import { closingPackage, plainPackage } from "./packages.ts";
import { addCourse, addLearner, content, expect, openAs, openCourse, saved, test } from "./server.ts";

// The default origins: one site, so that packages have their storage, yet the application does not trust its neighbour

test("packages have their own storage", { tag: "@long" }, async ({ browser, app }) => {
  const course = await addCourse(app, plainPackage());
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  const body = content(page).locator("body");
  await expect(content(page).getByRole("heading", { name: "A plain page" })).toBeVisible();
  await body.evaluate(() => {
    localStorage.setItem("answers", "42");
    sessionStorage.setItem("answers", "43");
  });
  await page.reload();
  await expect(content(page).getByRole("heading", { name: "A plain page" })).toBeVisible();
  expect(await body.evaluate(() => localStorage.getItem("answers"))).toBe("42");
  await context.close();
});

test("a package can neither use nor replace the session of its learner", async ({ browser, app }) => {
  const course = await addCourse(app, plainPackage());
  const who = await addLearner(app);
  const { page, context } = await openAs(browser, who, course.launch);
  await expect(content(page).getByRole("heading", { name: "A plain page" })).toBeVisible();
  const statuses: number[] = [];
  page.on("response", (response) => {
    if (response.frame() !== page.mainFrame() && response.url().includes("/api/auth/"))
      statuses.push(response.status());
  });
  const body = content(page).locator("body");
  const cookies = await body.evaluate(async (_, app) => {
    const send = (path: string) =>
      fetch(`${app}/api/auth/${path}`, { method: "POST", mode: "no-cors", credentials: "include" }).catch(() => {});
    await send("token");
    await send("sign-out");
    return document.cookie;
  }, app.url);
  expect(cookies).toBe("");
  expect(statuses).toEqual([403, 403]);

  const own = (await context.cookies(app.url)).map(({ name }) => name);
  await body.evaluate((_, names) => {
    for (const name of names)
      for (const path of ["/", "/api", "/api/auth", "/api/auth/token"])
        document.cookie = `${name}=forged; path=${path}; max-age=9999`;
  }, own);
  await page.reload();
  await expect(content(page).getByRole("heading", { name: "A plain page" })).toBeVisible();

  // A package can still make the browser drop cookies by setting too many, and then set one of its author's account.
  const other = await addLearner(app, "Mallory Moe");
  await context.clearCookies();
  await context.request.post(`${app.url}/api/auth/sign-in`, { data: { email: other.email, password: other.password } });
  await page.goto(`${app.url}/my-courses`);
  await expect(page.getByRole("button", { name: "Login" })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("user"))).toBeNull();
  await context.close();
});

test("a package cannot leave events for another session", async ({ browser, app }) => {
  const who = await addLearner(app);
  const [target, hostile] = [await addCourse(app, closingPackage()), await addCourse(app, closingPackage())];
  const { page, context } = await openAs(browser, who, target.launch);
  await expect(content(page).locator("#entry")).not.toHaveText("");
  await saved(page);
  const [session] = await app.query<{ id: string; attempt_id: string; last_seq: number }>(
    `select sessions.id, sessions.attempt_id, sessions.last_seq
     from sessions
     join attempts on attempts.id = sessions.attempt_id
     where attempts.course_id = $1`,
    [target.id],
  );
  await openCourse(page, hostile.launch);
  await expect(content(page).locator("#entry")).not.toHaveText("");
  await content(page)
    .locator("body")
    .evaluate((_, given) => {
      for (let seq = 1; seq < 50; seq++) {
        const event = { seq, t: seq, type: "scorm.set", sco: "one", key: "cmi.location", value: "forged" };
        localStorage.setItem(
          `lyceum-tail ${given?.attempt_id} ${given?.id} ${seq}`,
          `${"0".repeat(64)} ${JSON.stringify(event)}`,
        );
      }
    }, session);
  await openCourse(page, target.launch);
  await expect(content(page).locator("#entry")).not.toHaveText("");
  await expect(content(page).locator("#place")).toHaveText("");
  expect(await app.query("select 1 from session_events where events::text like '%forged%'")).toEqual([]);
  expect(
    await content(page)
      .locator("body")
      .evaluate(() => Object.values(localStorage).filter((value) => String(value).includes("forged")).length),
  ).toBe(0);
  await context.close();
});

test("a package that hangs does not stop the player", async ({ browser, app }) => {
  const course = await addCourse(app, closingPackage());
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await expect(content(page).locator("#entry")).not.toHaveText("");
  await saved(page);
  await content(page)
    .locator("body")
    .evaluate(() => {
      setTimeout(() => {
        for (;;);
      }, 0);
    });
  await page.getByRole("button", { name: "Exit" }).click();
  await expect(page).toHaveURL(/my-courses/);
  await context.close();
});
