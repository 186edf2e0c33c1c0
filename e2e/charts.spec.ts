import type { Locator, Page } from "@playwright/test";
import { variables } from "#shared/variables/variables.ts";
import { ADMIN } from "#test/process.ts";
import { addBot } from "./chatFixture.ts";
import { expectNoHorizontalScroll, sizesFor, viewports } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addCourse, expect, openAs, type ServerFixture, test } from "./server.ts";

// The bars of charts: their lengths, and the numbers next to them

/** The number of people per bar: two of nearly the same length, and an outlier of one. */
const COUNTS = [173, 196, 20, 1];
/** Tolerated difference of a length in px: edges are rounded, and the smallest bar stays visible. */
const TOLERANCE = 2;

const addPeople = async ({ query, company }: ServerFixture, count: number) =>
  (
    await query<{ id: string }>(`
    insert into users (email, name, role, status, company_id)
    select gen_random_uuid() || '@norrvik.example', 'Learner ' || n, 'learner', 'active', '${company.id}'
    from generate_series(1, ${count}) n
    returning id`)
  ).map(({ id }) => `'${id}'`);

/** Adds completions in past weeks, with scores in different ranges of ten. */
async function addCompletions(app: ServerFixture, courseId: string) {
  for (const [n, count] of COUNTS.entries())
    await app.query(`
      insert into enrolments (
        user_id, company_id, course_id, source, status, success, score_percent,
        assigned_at, first_started_at, completed_at, last_activity_at
      )
      select
        users.id, company_id, '${courseId}', 'manual', 'completed', 'passed', ${95 - n * 20},
        now() - interval '60 days', ended, ended, ended
      from users,
        lateral (select date_trunc('week', now()) - interval '${n + 1} weeks' + interval '1 day') times (ended)
      where users.id in (${await addPeople(app, count)})`);
}

/** Adds only the counts of a variable's values: the page reads no more, so the people need not exist. */
async function addValues({ query, company }: ServerFixture, variableId: string, counts: Record<string, number>) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const rows = Object.entries(counts).map(
    ([label, count]) => `('${variableId}', '${company.id}', '${label}', ${Number(label) || "null"}, ${count})`,
  );
  await query(`insert into variable_tallies (variable_id, company_id, label, number, count) values ${rows.join()}`);
  await query(`
    insert into variable_totals (variable_id, company_id, subjects, learners, accepted)
    values ('${variableId}', '${company.id}', ${total}, ${total}, ${total})`);
}

const addConversations = async ({ query, company }: ServerFixture, chatbotId: string) => {
  for (const [n, count] of COUNTS.entries())
    await query(`
      insert into conversations (chatbot_id, company_id, visitor, questions, started_at, last_at, title)
      select
        '${chatbotId}', '${company.id}', md5(n::text), ${n + 1},
        now() - interval '1 day', now() - interval '1 day', ''
      from generate_series(1, ${count}) n`);
};

type Bar = { value: number; size: number };
/** The bars of a chart: elements that name their value, with their height or width. */
const readBars = (chart: Locator, side: "height" | "width"): Promise<Bar[]> =>
  chart.locator("[data-value]").evaluateAll(
    (bars, along) =>
      bars.map((bar) => ({
        value: Number(bar.getAttribute("data-value")),
        size: bar.getBoundingClientRect()[along],
      })),
    side,
  );

async function expectProportional(chart: Locator, side: "height" | "width", values: number[] = COUNTS) {
  await expect(chart).toBeVisible();
  const bars = await readBars(chart, side);
  expect(bars.map(({ value }) => value).filter((value) => value > 0)).toEqual(expect.arrayContaining(values));
  const highest = bars.toSorted((a, b) => b.value - a.value)[0] as Bar;
  for (const { value, size } of bars) {
    const expected = (value / Math.max(1, highest.value)) * highest.size;
    expect(Math.abs(size - expected), `${value} of ${highest.value} is ${size} px long`).toBeLessThanOrEqual(TOLERANCE);
    if (value > 0) expect(size, `${value} is visible`).toBeGreaterThan(0);
  }
}

/** Asserts that no texts of a chart overlap and none is cut off. */
async function expectReadable(page: Page, chart: Locator, name: string) {
  const overlaps = await chart.evaluate((element) => {
    const texts = [...element.querySelectorAll("[data-text], text")].filter((text) => text.textContent?.trim());
    const boxes = texts.map((text) => {
      const range = document.createRange();
      range.selectNodeContents(text);
      return { text: text.textContent, ...range.getBoundingClientRect().toJSON() } as DOMRect & { text: string };
    });
    const touching = boxes.flatMap((one, n) =>
      boxes.slice(n + 1).flatMap((other) => {
        const inline = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const block = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        return inline > 1 && block > 4 ? [`${one.text} on ${other.text}`] : [];
      }),
    );
    const outside = boxes.filter(({ left, right }) => left < 0 || right > document.documentElement.clientWidth);
    return [...touching, ...outside.map(({ text }) => `${text} is cut off`)];
  });
  expect(overlaps, name).toEqual([]);
  await expectNoHorizontalScroll(page, name);
}

test("the bars of a report are proportional to their counts", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("2004", ["one", "two"]));
  await addCompletions(app, course.id);
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  for (const days of [7, 90, 371, 1096])
    for (const [size, viewport] of sizesFor(`charts of ${days} days`)) {
      await page.setViewportSize(viewport);
      await page.goto(`${app.url}/reports/course/${course.id}?days=${days}`);
      const weeks = page.getByRole("list", { name: "Completions per week" });
      const scores = page.getByRole("list", { name: "Scores" });
      await expectProportional(weeks, "height", days > 7 ? COUNTS : []);
      await expectProportional(scores, "height");
      await expectReadable(page, weeks, `${days} days by week, ${size}`);
      await expectReadable(page, scores, `scores, ${size}`);
    }
  await page.setViewportSize(viewports.desktop);
  await expectProportional(page.getByRole("region", { name: "Where learners stop" }), "width", []);
  await context.close();
});

test("the bars of variables are proportional to their counts", { tag: "@long" }, async ({ browser, app }) => {
  const create = (
    label: string,
    type: "number" | "choice",
    constraints: { options?: string[]; min?: number; max?: number },
  ) =>
    app.admin.call(variables.create, {
      body: { key: label.toLowerCase().replaceAll(" ", "_"), label, type, scope: "learner", constraints },
    });
  const scale = await create("Readiness", "number", { min: 1, max: 10 });
  await addValues(app, scale.id, { 3: 173, 7: 196, 9: 20, 10: 1 });
  const amount = await create("Amount", "number", {});
  await addValues(app, amount.id, { 1: 999_999, 400_000: 1, 700_000: 812_345, 1_000_000: 20_000 });
  const way = await create("Way of working", "choice", { options: ["alone", "together", "sometimes", "never"] });
  await addValues(app, way.id, { alone: 173, together: 196, sometimes: 20, never: 1 });

  const { page, context } = await openAs(browser, ADMIN, `${app.url}/variables`);
  await expectProportional(page.getByRole("row", { name: /Readiness/ }), "height");
  await expectProportional(page.getByRole("row", { name: /Way of working/ }), "height");
  const chart = page.getByRole("figure", { name: "Distribution" });
  for (const size of ["desktop", "phone"] as const) {
    await page.setViewportSize(viewports[size]);
    await page.goto(`${app.url}/variables/${scale.id}`);
    await expectProportional(chart, "height");
    await expectReadable(page, chart, `scale, ${size}`);
    await page.goto(`${app.url}/variables/${amount.id}`);
    await expectProportional(chart, "height", [999_999, 1, 812_345, 20_000]);
    await expectReadable(page, chart, `amount, ${size}`);
    await page.goto(`${app.url}/variables/${way.id}`);
    await expectProportional(chart, "width");
  }
  await context.close();
});

test("the bars of conversations are proportional to their counts", { tag: "@long" }, async ({ browser, app }) => {
  const bot = await addBot(app, "Holiday desk", { access: "signedIn" });
  await addConversations(app, bot.id);
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  for (const days of [1, 7, 53, 366]) {
    const dayOf = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    for (const [size, viewport] of sizesFor(`charts of ${days} days`)) {
      await page.setViewportSize(viewport);
      await page.goto(`${app.url}/reports/conversation-analytics?from=${dayOf(days)}&to=${dayOf(1)}`);
      const left = page.getByRole("region", { name: "Questions asked before people left" });
      await expectProportional(left, "width");
      const perDay = page.getByRole("figure", { name: /conversations in this period/ });
      await expect(perDay.locator("svg.recharts-surface")).toBeVisible();
      await expectReadable(page, perDay, `${days} days, ${size}`);
    }
  }
  await context.close();
});

test("incomplete periods are marked, and time per week is drawn to scale", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("2004", ["one", "two"]));
  const [person = ""] = await addPeople(app, 1);
  const minutes = [7, 173, 196, 20];
  await app.query(`
    with enrolled as (
      insert into enrolments (user_id, company_id, course_id, source, status, first_started_at, completed_at)
      values (${person}, '${app.company.id}', '${course.id}', 'manual', 'completed', now(), now())
      returning *
    ), attempted as (
      insert into attempts (enrolment_id, user_id, company_id, course_id, version_id, no)
      select enrolled.id, user_id, company_id, course_id, live_version_id, 1
      from enrolled
      join courses on courses.id = course_id
      returning *
    )
    insert into sessions (attempt_id, user_id, company_id, token_hash, client_id, started_at, ended_at, active_ms)
    select id, user_id, company_id, 'hash' || week, 'client', at, at, minutes * 60000
    from attempted
    cross join unnest(array[${minutes.join()}]) with ordinality weeks (minutes, week)
    cross join lateral (select now() - make_interval(weeks => week::int - 1) as at) times`);
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  const weeks = page.getByRole("region", { name: "Courses per week" });
  await expect(weeks.getByText("Incomplete week")).toBeVisible();
  await expect(weeks.locator(".recharts-area-curve[stroke-dasharray='4 4']")).toHaveCount(2);
  await weeks.getByText("Show as a table").click();
  await expect(weeks.getByRole("rowheader", { name: /\(incomplete\)$/ })).toHaveCount(1);

  await page.goto(`${app.url}/learners/report/${person.replaceAll("'", "")}`);
  const time = page.getByRole("figure", { name: /26 weeks/ });
  await expect(time.getByText("Incomplete week")).toBeVisible();
  const columns = time.locator(".recharts-bar-rectangle path");
  await expect(columns).toHaveCount(minutes.length);
  const heights = await columns.evaluateAll((paths) => paths.map((path) => path.getBoundingClientRect().height));
  const sorted = heights.toSorted((a, b) => a - b);
  const highest = sorted.at(-1) as number;
  for (const [n, value] of minutes.toSorted((a, b) => a - b).entries())
    expect(Math.abs((sorted[n] as number) - (value / 196) * highest)).toBeLessThanOrEqual(TOLERANCE);
  await expect(time.locator("path[fill^='url(#']")).toHaveCount(1);

  const bars = page.getByRole("list", { name: "Completions per week" });
  await expect(bars.locator("[data-partial]").last()).toHaveAttribute("data-value", "1");
  await expect(bars.getByRole("link").last()).toHaveAccessibleName(/\(incomplete\): 1 completion/);
  await page.goto(`${app.url}/learners/report/${person.replaceAll("'", "")}?to=2020-01-05&from=2019-12-30`);
  await expect(bars.locator("[data-partial]")).toHaveCount(0);
  await context.close();
});
