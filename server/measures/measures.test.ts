import { sql } from "kysely";
import { expect, test } from "vitest";
import { audit } from "#shared/audit/audit.ts";
import { companies } from "#shared/companies/companies.ts";
import { learners } from "#shared/learners/learners.ts";
import { CAREFUL, type Choices, DEFAULT_CHOICES, measures } from "#shared/measures/measures.ts";
import { replays } from "#shared/reports/replays.ts";
import { reports } from "#shared/reports/reports.ts";
import { ageOneDay } from "#test/historyRows.ts";
import { readPdfFile } from "#test/pdf.ts";
import { start } from "#test/start.ts";

// What a company measures: versions, who is told, and the PDF. That nothing leaks is in measuresCrawl.test.ts.

const { app, as, db, make } = await start();

async function room() {
  const classroom = await make.classroom();
  const { admin, company, learner } = classroom;
  const params = { id: company.id };
  const choose = (choices: Partial<Choices>, version: number, reason = "") =>
    as(admin)(measures.update, { params, body: { choices: { ...DEFAULT_CHOICES, ...choices }, version, reason } });
  const read = async () => (await as(admin)(measures.get, { params })).body;
  const mine = async () => (await as(learner)(measures.mine)).body;
  const pdf = async (url: string) => {
    const reply = await app.inject({ url, headers: { authorization: `Bearer ${admin.token}` } });
    return readPdfFile(reply.rawPayload);
  };
  return { ...classroom, params, choose, read, mine, pdf, boss: as(admin) };
}

test("each change is a version with its day, author and reason, and is audited", async () => {
  const { boss, params, company, choose, read } = await room();
  expect(await read()).toMatchObject({ version: 0, since: null, by: null, choices: DEFAULT_CHOICES });
  expect((await choose(CAREFUL, 0, "Agreed with the works council")).body).toMatchObject({
    version: 1,
    choices: CAREFUL,
  });
  expect((await choose(CAREFUL, 1)).body.version).toBe(1);
  await choose({ ...CAREFUL, smallestGroup: 12 }, 1);
  const { items, total } = (await boss(measures.versions, { params })).body;
  expect([total, items.map(({ version, reason }) => [version, reason])]).toEqual([
    2,
    [
      [2, ""],
      [1, "Agreed with the works council"],
    ],
  ]);
  const log = (await boss(audit.list, { query: { action: "measures.update", companyId: company.id } })).body.items;
  expect(log[0]?.details).toEqual({ version: 2, smallestGroup: 12 });
  expect(log[1]?.details).toEqual({ version: 1, hidden: ["replay", "activeTime", "lastActivity", "conversations"] });
});

test("of two admins who save at the same time one is told what the other has saved", async () => {
  const { choose } = await room();
  const replies = await Promise.all([choose(CAREFUL, 0), choose({ ...CAREFUL, scores: "nobody" }, 0)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(replies.find(({ status }) => status === 409)?.code).toBe("core.conflict");
});

test("replays need all that they show, and groups have at least ten people", async () => {
  const { choose } = await room();
  expect((await choose({ scores: "nobody" }, 0)).code).toBe("core.invalid");
  expect((await choose({ smallestGroup: 9 }, 0)).code).toBe("core.invalid");
});

test("learners read what their company measures, and are told once of a change", async () => {
  const { learner, company, choose, mine } = await room();
  expect(await mine()).toMatchObject({ version: 0, isNew: false });
  await choose(CAREFUL, 0);
  expect(await mine()).toMatchObject({ version: 1, isNew: true, company: company.name, choices: CAREFUL });
  await as(learner)(measures.markSeen, { body: { version: 1 } });
  expect(await mine()).toMatchObject({ version: 1, isNew: false });
  await choose(DEFAULT_CHOICES, 1);
  expect(await mine()).toMatchObject({ version: 2, isNew: true });
  const later = await make.learner(company.accessCode);
  expect((await as(later)(measures.mine)).body?.isNew).toBe(false);
});

test("the PDF is tagged and has the company, the version and its day", async () => {
  const { company, choose, pdf } = await room();
  await choose(CAREFUL, 0, "Agreed");
  const path = measures.pdf.path.replace(":id", company.id);
  const { pages, isTagged } = await pdf(path);
  const text = pages.join(" ");
  expect(isTagged).toBe(true);
  for (const words of ["What is measured", company.name, "Version 1, since", "Reason: Agreed", "Nobody else"])
    expect(text).toContain(words);
  expect((await pdf(`${path}?version=0`)).pages.join(" ")).toContain("Never changed");
});

test("lists are not sorted by what is hidden, and pages say since when it is", async () => {
  const { boss, company, course, learner, choose } = await room();
  const other = await make.learner(company.accessCode, "Zoe");
  await sql`update users set last_active = now() + interval '1 hour' where id = ${other.user.id}`.execute(db);
  const session = await make.launch(learner, company.id, course.id);
  const order = async (sort: string) =>
    (await boss(learners.list, { query: { companyId: company.id, sort: sort as "lastActive" } })).body.items.map(
      ({ id }) => id,
    );
  expect(await order("-lastActive")).toEqual((await order("lastActive")).toReversed());
  await choose(CAREFUL, 0);
  expect(await order("-lastActive")).toEqual(await order("lastActive"));
  const { body } = await boss(companies.get, { params: { id: company.id } });
  expect([body.hidden.toSorted(), body.lastActivity, body.activeSeconds]).toEqual([
    ["activeTime", "conversations", "lastActivity", "replay"],
    null,
    null,
  ]);
  const replay = await boss(replays.replay, { params: { id: session.sessionId } });
  expect([replay.status, replay.code]).toEqual([409, "measures.notShown"]);
  expect(JSON.stringify(replay.body)).toContain(`${company.name} switched this off on`);
});

test("an issued report keeps its figures, and shows none switched off since", async () => {
  const { boss, company, learner, choose, pdf } = await room();
  await sql`
    update enrolments
    set score_percent = 83.7, active_seconds = 47160
    where user_id = ${learner.user.id}`.execute(db);
  await ageOneDay(db);
  const { body: issued } = await boss(reports.issue, { params: { id: company.id }, body: {} });
  const read = async () => {
    const { body } = await boss(reports.check, { params: { id: issued.id } });
    const mean = body.figures.find(({ path }) => path === "totals.meanScore");
    return [mean?.issued, body.isDigestRight, body.different];
  };
  const file = async () => (await pdf(reports.pdf.path.replace(":id", issued.id))).pages.join(" ");
  const before = await read();
  expect(await file()).toMatch(/84 %|83\.7 %/);
  await choose({ ...CAREFUL, scores: "nobody" }, 0);
  expect(await read()).toEqual([null, true, before[2]]);
  expect(await file()).not.toMatch(/84 %|83\.7 %/);
});
