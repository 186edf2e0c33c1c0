import { sql } from "kysely";
import { expect, test } from "vitest";
import { sendViewMails } from "#server/reports/views/mails.ts";
import { mails } from "#shared/mails/mails.ts";
import { reports } from "#shared/reports/reports.ts";
import { views } from "#shared/reports/views.ts";
import { start } from "#test/start.ts";

// Saved views of lists and reports, and the emails with their figures

const { as, make, db, services } = await start();
const zone = "Europe/Berlin";
const LEARNERS = { path: "/learners" };
const namesOf = async (admin: Awaited<ReturnType<typeof make.admin>>, path: string) =>
  (await as(admin)(views.list, { query: { path } })).body.items.map(({ name }) => name);

test("a view keeps what a page shows, without the number of a page of its list", async () => {
  const ada = await make.admin();
  const body = { name: "Late starters", ...LEARNERS, query: "status=invited&page=3&rows.page=2&sort=name" };
  const saved = await as(ada)(views.create, { body });
  expect(saved.body).toMatchObject({ query: "sort=name&status=invited", isMine: true, isShared: false, rhythm: null });
  expect(await namesOf(ada, "/learners")).toEqual(["Late starters"]);
  expect(await namesOf(ada, "/variables")).toEqual([]);
  const again = await as(ada)(views.create, { body: { ...body, name: "late STARTERS" } });
  expect(again.body).toMatchObject({ issues: [{ path: "name", code: "views.nameTaken" }] });
});

test("views exist only for pages that show a list or a report", async () => {
  const ada = await make.admin();
  for (const path of ["/nope", "/learners/x", "https://example.org/learners", "/reports/company/1", "//learners"])
    expect((await as(ada)(views.create, { body: { name: "x", path, query: "" } })).status).toBe(422);
  const { learner } = await make.classroom();
  expect((await as(learner)(views.list, { query: LEARNERS })).status).toBe(403);
});

test("others see only shared views, and change none of them", async () => {
  const [ada, eve] = [await make.admin(), await make.admin()];
  const { body: own } = await as(ada)(views.create, { body: { name: "Mine", ...LEARNERS, query: "" } });
  const { body: shared } = await as(ada)(views.create, {
    body: { name: "Ours", ...LEARNERS, query: "q=a", isShared: true },
  });
  expect(await namesOf(eve, "/learners")).not.toContain("Mine");
  expect(await namesOf(eve, "/learners")).toContain("Ours");
  for (const { id, version } of [own, shared]) {
    expect((await as(eve)(views.update, { params: { id }, body: { version, name: "x" } })).status).toBe(404);
    expect((await as(eve)(views.remove, { params: { id } })).status).toBe(404);
  }
  const changed = await as(ada)(views.update, {
    params: { id: own.id },
    body: { version: own.version, name: "New name", query: "q=b" },
  });
  expect(changed.body).toMatchObject({ name: "New name", query: "q=b", version: own.version + 1 });
  const late = { params: { id: own.id }, body: { version: own.version, name: "Too late" } };
  expect((await as(ada)(views.update, late)).code).toBe("core.conflict");
  await as(ada)(views.remove, { params: { id: own.id } });
  expect(await namesOf(ada, "/learners")).not.toContain("New name");
});

/** A shared view of the report of a company with one assignment, and the emails with its figures to one person. */
async function createReportView() {
  const { admin, company } = await make.classroom();
  const path = `/reports/company/${company.id}`;
  const body = { name: `Weekly ${company.id}`, path, query: "days=30", isShared: true };
  const { body: view } = await as(admin)(views.create, { body });
  const choose = (person = admin, rhythm: "weekly" | "monthly" | null = "weekly") =>
    as(person)(views.mail, { params: { id: view.id }, body: { rhythm, zone } });
  const send = async () => {
    await db
      .updateTable("viewMails")
      .set({ nextAt: sql`now() - interval '1 hour'` })
      .where("viewId", "=", view.id)
      .execute();
    await Promise.all([sendViewMails.work(services, {}), sendViewMails.work(services, {})]);
  };
  const sentTo = async (person = admin) =>
    (await as(admin)(mails.list, { query: { q: person.user.email } })).body.items.filter(({ subject }) =>
      subject.includes(company.id),
    );
  return { admin, company, path, view, choose, send, sentTo };
}

test("sends the figures of a report once a week, with a link and without names", async () => {
  const { admin, path, view, choose, send, sentTo } = await createReportView();
  const { body } = await choose();
  const next = new Date(body.nextAt as string);
  expect(next.getTime()).toBeGreaterThan(Date.now());
  expect(new Intl.DateTimeFormat("en-GB", { timeZone: zone, weekday: "long", hour: "2-digit" }).format(next)).toMatch(
    /Monday.*07/,
  );
  await send();
  const [mail, ...others] = await sentTo();
  expect(others).toEqual([]);
  expect(mail?.subject).toBe(`${view.name}: 0 of 1 completed, 0 overdue`);
  expect(mail?.body).toContain(`${path}?days=30`);
  expect(mail?.body).toContain("Assigned in the period: 1, before: 0");
  expect(mail?.body).not.toContain("Lea");
  await sendViewMails.work(services, {});
  expect(await sentTo()).toHaveLength(1);
  expect((await choose(admin, null)).body.rhythm).toBeNull();
  await send();
  expect(await sentTo()).toHaveLength(1);
});

test("emails of a view end once its period has become too long", async () => {
  const { view, choose, send, sentTo } = await createReportView();
  await choose();
  await db.updateTable("savedViews").set({ query: "from=2019-01-01" }).where("id", "=", view.id).execute();
  await send();
  expect(await sentTo()).toEqual([]);
  expect(await db.selectFrom("viewMails").where("viewId", "=", view.id).selectAll().execute()).toEqual([]);
});

test("counts the days of the company, as the page does, wherever the reader is", async () => {
  const { admin, company, view, send, sentTo } = await createReportView();
  const zones = { company: "Pacific/Kiritimati", reader: "Pacific/Pago_Pago" };
  await db.updateTable("companies").set({ timezone: zones.company }).where("id", "=", company.id).execute();
  const choose = (zone: string) => as(admin)(views.mail, { params: { id: view.id }, body: { rhythm: "weekly", zone } });
  expect((await choose("+02:00")).body).toMatchObject({ issues: [{ path: "zone" }] });
  await choose(zones.reader);
  const { filters } = (await as(admin)(reports.figures, { params: { id: company.id }, query: { days: 30 } })).body;
  await send();
  const lastDay = new Date(filters.to).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
  expect((await sentTo())[0]?.body).toContain(` to ${lastDay}`);
});

test("a report that cannot be read delays no other email", async () => {
  const [broken, sound] = [await createReportView(), await createReportView()];
  await broken.choose();
  await sound.choose();
  const setZone = (timezone: string) =>
    db.updateTable("companies").set({ timezone }).where("id", "=", broken.company.id).execute();
  await setZone("Nowhere/Known");
  await broken.send();
  await sound.send();
  expect([await broken.sentTo(), await sound.sentTo()]).toMatchObject([[], [{}]]);
  await setZone(zone);
  await broken.send();
  expect(await broken.sentTo()).toHaveLength(1);
});

test("sends nothing to those who may not see the view any more", async () => {
  const { view, choose, send, sentTo, admin } = await createReportView();
  const [eve, max] = [await make.admin(), await make.admin()];
  for (const person of [eve, max]) expect((await choose(person, "monthly")).status).toBe(200);
  await db.updateTable("users").set({ status: "suspended" }).where("id", "=", eve.user.id).execute();
  await as(admin)(views.update, { params: { id: view.id }, body: { version: view.version, isShared: false } });
  await send();
  for (const person of [eve, max]) expect(await sentTo(person)).toEqual([]);
  expect(await db.selectFrom("viewMails").where("viewId", "=", view.id).selectAll().execute()).toEqual([]);
});

test("only figures are sent by email, and none of a report that is gone", async () => {
  const ada = await make.admin();
  const { body: list } = await as(ada)(views.create, { body: { name: "People", ...LEARNERS, query: "" } });
  const refused = await as(ada)(views.mail, { params: { id: list.id }, body: { rhythm: "weekly", zone } });
  expect(refused.body).toMatchObject({ issues: [{ path: "rhythm", code: "views.noFigures" }] });
  const { course } = await make.classroom();
  const body = { name: "Gone", path: `/reports/course/${course.id}`, query: "days=99999" };
  const { body: gone } = await as(ada)(views.create, { body });
  await as(ada)(views.mail, { params: { id: gone.id }, body: { rhythm: "monthly", zone } });
  await db
    .updateTable("viewMails")
    .set({ nextAt: sql`now()` })
    .where("viewId", "=", gone.id)
    .execute();
  await sendViewMails.work(services, {});
  expect(await db.selectFrom("viewMails").where("viewId", "=", gone.id).selectAll().execute()).toEqual([]);
});
