import { expect, type Page } from "@playwright/test";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { createClient } from "#test/client.ts";
import { sampled } from "#test/long.ts";
import { ADMIN } from "#test/process.ts";
import { addEvent } from "./eventsFixture.ts";
import { plainPackage } from "./packages.ts";
import { addCourse, addLearner, serverPerFile, signIn, startServer } from "./server.ts";

// Dates at critical hours: browser, server and database agree on what is displayed, due and in the calendar at any time
// of day (UTC) and on both daylight-saving nights. `npm run test:long` has all nine moments, `npm test` three of them.

const DAYS = { "an ordinary day": "2027-02-10", "clocks go forward": "2027-03-28", "clocks go back": "2027-10-31" };
const TIMES = ["00:30", "10:59", "23:30"];
/** UTC+14, a zone with daylight saving time, and UTC-11: at any moment, at least two of them have different dates. */
const ZONES = ["Pacific/Kiritimati", "Europe/Berlin", "Pacific/Pago_Pago"];
/** The zones at the ends, where rendered pages differ most from the ones of the server. */
const OUTER_ZONES = ["Pacific/Kiritimati", "Pacific/Pago_Pago"];

const test = serverPerFile(() => startServer({ shiftableClock: true }));

const dayIn = (moment: Date, zone: string) => new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(moment);
const shiftDay = (day: string, by: number) =>
  new Date(Date.parse(`${day}T12:00Z`) + by * 86_400_000).toISOString().slice(0, 10);

/** Collects errors and warnings of React, the page and its scripts. */
function complaintsOf(page: Page) {
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}

for (const [name, day] of Object.entries(DAYS))
  test(`pages, due dates and calendars are right on ${name}`, async ({ browser, app }) => {
    for (const time of sampled(name, TIMES, 1)) {
      const moment = new Date(`${day}T${time}:00Z`);
      await app.setClock(moment);
      const token = async () => (await app.admin.call(auth.signIn, { body: ADMIN })).token;
      app.admin.useToken(await token());
      const starts = dayIn(moment, "Europe/Berlin");
      const event = await addEvent(app, {
        title: `Night shift ${day} ${time}`,
        timezone: "Europe/Berlin",
        startsLocal: `${shiftDay(starts, 1)}T00:30`,
        endsLocal: `${shiftDay(starts, 1)}T04:30`,
      });
      for (const timezoneId of ZONES) {
        const context = await browser.newContext({ timezoneId });
        await context.clock.install({ time: moment });
        const page = await context.newPage();
        const complaints = complaintsOf(page);
        const paths = ["/privacy-policy", "/events", `/events/${event.slug}`];
        for (const path of OUTER_ZONES.includes(timezoneId) ? paths : []) {
          await page.goto(app.url + path);
          await expect(page.locator("#root")).not.toHaveAttribute("data-rendered");
        }
        expect(complaints, `${timezoneId} at ${moment.toISOString()}`).toEqual([]);

        await page.goto(`${app.url}/events?view=month&month=${shiftDay(dayIn(moment, timezoneId), 1).slice(0, 7)}`);
        const link = page.getByRole("link", { name: event.title });
        const cells = page.getByRole("cell").filter({ has: link });
        const first = dayIn(new Date(event.startsAt), timezoneId);
        await expect(cells.first().locator("time").first()).toHaveAttribute("datetime", first);
        const last = dayIn(new Date(Date.parse(event.endsAt) - 1), timezoneId);
        await expect(cells.last().locator("time").first()).toHaveAttribute("datetime", last);
        await page.goto(`${app.url}/events?view=month`);
        const today = page.locator("[data-today] time").first();
        await expect(today).toHaveAttribute("datetime", dayIn(moment, timezoneId));
        await context.close();
      }
    }
  });

test("a course is due until the end of the day in the company's time zone", async ({ browser, app }) => {
  const course = await addCourse(app, plainPackage());
  const who = await addLearner(app, "Nora Natt");
  for (const [day, time] of Object.values(DAYS).flatMap((one) => TIMES.map((at) => [one, at] as const))) {
    const moment = new Date(`${day}T${time}:00Z`);
    await app.setClock(moment);
    app.admin.useToken((await app.admin.call(auth.signIn, { body: ADMIN })).token);
    const learner = createClient(app.url);
    learner.useToken((await learner.call(auth.signIn, { body: who })).token);
    const { items } = await app.admin.call(courses.enrolments, { query: { courseId: course.id, q: who.email } });
    const userIds = items.map(({ userId }) => userId);
    for (const timezone of ZONES) {
      const { version } = await app.admin.call(companies.get, { params: { id: app.company.id } });
      await app.admin.call(companies.update, { params: { id: app.company.id }, body: { version, timezone } });
      const today = dayIn(moment, timezone);
      const mine = async (dueDate: string) => {
        await app.admin.call(courses.setDue, { params: { id: course.id }, body: { userIds, dueDate } });
        return (await learner.call(courses.mine, {})).items[0];
      };
      expect(await mine(shiftDay(today, -1)), `${timezone} at ${moment.toISOString()}`).toMatchObject({
        overdue: true,
      });
      expect(await mine(today), `${timezone} at ${moment.toISOString()}`).toMatchObject({ overdue: false });
      if (timezone !== "Europe/Berlin") continue;
      const context = await browser.newContext({ timezoneId: timezone });
      await context.clock.install({ time: moment });
      const page = await context.newPage();
      await page.goto(`${app.url}/my-courses`);
      await signIn(page, who);
      await expect(page.getByText("Due today").first()).toBeVisible();
      await context.close();
    }
  }
});
