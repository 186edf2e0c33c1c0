import { afterAll, expect, test } from "vitest";
import { audit } from "#shared/audit/audit.ts";
import { completionRules } from "#shared/completionRules/ruleChanges.ts";
import { completions } from "#shared/completions/completions.ts";
import { courses } from "#shared/courses/courses.ts";
import { imports } from "#shared/imports/imports.ts";
import { createCertifier } from "#test/certificates.ts";
import { createHistoryImporter } from "#test/pastCompletions.ts";
import { bodyOf } from "#test/probes.ts";
import { createRequirementTester } from "#test/requirements.ts";
import { createRuleTester, timeAndScore } from "#test/ruleChanges.ts";
import { start } from "#test/start.ts";

// What happens to past completions after their import: by learners, admins, rules, and a company that moves

const server = await start();
const { as, make, db } = server;
const jobs = await server.runJobs();
afterAll(() => jobs.stop());
const admin = await make.admin();
const { importer, upload, school, enrolmentOf, transcriptOf } = createHistoryImporter(server, admin);
const { tryRule } = createRuleTester(server);
const { switchOn } = createCertifier(server);
const { demand } = createRequirementTester(server, admin);

test("what happened to a course since the import stays, and is listed", async () => {
  const { company, course, ada, bo } = await school();
  const { course: other } = await school();
  const file = await upload(company.id, [
    `${ada.user.email};;${course.title};2024-05-01;;`,
    `${bo.user.email};;${course.title};2024-05-01;;`,
    `${bo.user.email};;${other.title};2024-05-01;;`,
  ]);
  await importer.apply(file.id);
  await make.launch(bo, company.id, other.id);
  await make.launch(ada, company.id, course.id);
  const { id = "" } = (await enrolmentOf(bo, course.id)) ?? {};
  const found = bodyOf(await as(admin)(completions.get, { params: { id } }));
  expect(found).toMatchObject({ completedBy: "Completed elsewhere", isSetByAdmin: false, attemptNo: 1 });
  const body = { reason: "Another person of this name", attemptNo: 1, status: "completed" as const };
  bodyOf(await as(admin)(completions.reopen, { params: { id }, body }));
  expect(await importer.undo(file.id)).toMatchObject({ state: "undone", stayed: 2 });
  const { items } = bodyOf(await as(admin)(imports.stayed, { params: { id: file.id }, query: {} }));
  expect(items.map(({ name, why }) => [name, why])).toEqual([
    ["Ada", "acted"],
    ["Bo", "acted"],
  ]);
  const { items: entries } = bodyOf(await as(admin)(audit.list, { query: { companyId: company.id, size: 100 } }));
  expect(entries.filter(({ action }) => action === "imports.removeCompletions")).toEqual([]);
  expect(await enrolmentOf(ada, course.id)).toMatchObject({ status: "completed" });
});

test("another completion rule, and its recount, leave a completion from elsewhere", async () => {
  const { company, course, ada } = await school();
  const file = await upload(company.id, [`${ada.user.email};;${course.title};2024-05-01;;`]);
  await importer.apply(file.id);
  const { id } = await tryRule(admin, course.id, timeAndScore);
  const read = async () => bodyOf(await as(admin)(completionRules.get, { params: { id } }));
  await expect.poll(read).toMatchObject({ state: "counted", total: 1, completeBefore: 1, ends: 0 });
});

test("a reopening that is undone leaves the completion from elsewhere as it was", async () => {
  const { company, course, ada } = await school();
  await switchOn(admin, course.id);
  const file = await upload(company.id, [`${ada.user.email};;${course.title};2024-05-01;;Card 7`]);
  await importer.apply(file.id);
  const { id = "" } = (await enrolmentOf(ada, course.id)) ?? {};
  const body = { reason: "A mistake", attemptNo: 1, status: "completed" as const };
  const { decisions } = bodyOf(await as(admin)(completions.reopen, { params: { id }, body }));
  bodyOf(await as(admin)(completions.undo, { params: { id: decisions[0]?.id ?? "" } }));
  const { facts } = await transcriptOf(ada);
  expect(facts.entries).toMatchObject([{ completedOn: "2024-05-01", elsewhere: "Card 7", certificate: null }]);
});

test("a day from elsewhere stays, whichever zone the company moves to", async () => {
  const { company, course, ada } = await school();
  const move = (timezone: string) =>
    db.updateTable("companies").set({ timezone }).where("id", "=", company.id).execute();
  await move("Pacific/Auckland");
  await as(admin)(courses.assign, { params: { id: course.id }, body: { userIds: [ada.user.id] } });
  await demand(company.id, course.id, { months: 24 });
  const rows = [`${ada.user.email};;${course.title};2026-05-01;;`];
  await importer.apply((await upload(company.id, rows)).id);
  await move("America/Los_Angeles");
  expect((await upload(company.id, rows)).counts).toMatchObject({ create: 0, same: 1 });
  const { facts } = await transcriptOf(ada);
  expect(facts.entries.map(({ completedOn }) => completedOn)).toEqual(["2026-05-01"]);
});

test("a title that was kept is known once the course is here", async () => {
  const { company, course, ada } = await school();
  const rows = [`${ada.user.email};;${course.title};2024-05-01;;`];
  const rename = (title: string) => db.updateTable("courses").set({ title }).where("id", "=", course.id).execute();
  await rename("Another title");
  const file = await upload(company.id, rows);
  bodyOf(
    await as(admin)(imports.map, { params: { id: file.id }, body: { mapping: file.mapping, keepsUnknown: true } }),
  );
  await importer.waitFor(file.id);
  await importer.apply(file.id);
  await rename(course.title);
  expect((await upload(company.id, rows)).counts).toMatchObject({ create: 0, same: 1 });
});

test("an import and launches at the same time wait for each other", async () => {
  const { company, course, ada } = await school();
  await as(admin)(courses.assign, { params: { id: course.id }, body: { userIds: [ada.user.id] } });
  const days = Array.from({ length: 28 }, (_, n) => `2024-02-${String(n + 1).padStart(2, "0")}`);
  const file = await upload(
    company.id,
    days.map((day) => `${ada.user.email};;${course.title};${day};;`),
  );
  const launches = async () => {
    for (let n = 0; n < 8; n++) await make.launch(ada, company.id, course.id, { takeOver: true });
  };
  const [applied] = await Promise.all([importer.apply(file.id), launches()]);
  expect(applied).toMatchObject({ state: "applied", code: null, counts: { applied: days.length } });
});
