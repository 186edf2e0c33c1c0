import { expect, test } from "vitest";
import { certificates } from "#shared/certificates/certificates.ts";
import { completionRules } from "#shared/completionRules/ruleChanges.ts";
import { courses } from "#shared/courses/courses.ts";
import { createRuleTester, timeAndScore } from "#test/ruleChanges.ts";
import { createCertifier } from "#test/certificates.ts";
import { openPart, setValue } from "#test/commits.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, make, db } = server;
const { send, work, courseWith, statusOf, tryRule, applyRule } = createRuleTester(server);
const { switchOn } = createCertifier(server);

test("a rule is counted over stored events before it changes anything", async () => {
  const { admin, course, learners } = await courseWith([
    { score: 90, seconds: 120 },
    { score: 90, seconds: 30 },
    { score: 50, seconds: 600 },
    { score: null, seconds: 300 },
  ]);
  const counted = await tryRule(admin, course.id, timeAndScore);
  expect(counted).toMatchObject({
    state: "counted",
    // The learner of the classroom has not started.
    total: 5,
    counted: 5,
    events: 12,
    completeBefore: 1,
    becomes: 1,
    ends: 1,
    uncounted: 0,
    met: [2, 3],
  });
  const { items } = bodyOf(await as(admin)(completionRules.rows, { params: { id: counted.id } }));
  const [first, , , reported] = learners as [Person, Person, Person, Person];
  expect(items).toMatchObject([
    {
      userId: first.user.id,
      change: "becomes",
      tests: [
        { isMet: true, value: 90 },
        { isMet: true, value: 120 },
      ],
    },
    {
      userId: reported.user.id,
      change: "ends",
      tests: [
        { isMet: false, value: null },
        { isMet: true, value: 300 },
      ],
    },
  ]);
  // Of its events the last is 3 s after the start, an hour ago.
  const metAt = Date.parse(items[0]?.happenedAt as string);
  expect(Math.abs(metAt - (Date.now() - 3_600_000))).toBeLessThan(60_000);
  expect(await statusOf(course.id, first)).toBe("in_progress");
  const { completionRule } = bodyOf(await as(admin)(courses.get, { params: { id: course.id } }));
  expect(completionRule).toEqual({ kind: "reported" });
});

test("an applied rule completes with date and certificate, and ends no completion", async () => {
  const { admin, course, learners } = await courseWith([
    { score: 90, seconds: 120 },
    { score: null, seconds: 300 },
  ]);
  await switchOn(admin, course.id);
  const [first, reported] = learners as [Person, Person];
  const applied = await applyRule(admin, course.id, timeAndScore, true);
  expect(applied).toMatchObject({ state: "applied", becomes: 1, ends: 1, completeBefore: 1, canUndo: true });
  expect(await statusOf(course.id, first)).toBe("completed");
  expect(await statusOf(course.id, reported)).toBe("completed");
  const [completion] = await db
    .selectFrom("completionHistory")
    .where("personId", "=", first.user.id)
    .selectAll()
    .execute();
  expect(completion).toMatchObject({
    actorId: admin.user.id,
    reason: "completionRules.apply",
    rule: timeAndScore,
    ruleText: "The score is 70 % or more and active time is 1 min or more",
  });
  expect(Date.parse(completion?.happenedAt as string)).toBeLessThan(Date.now() - 3_000_000);
  const mine = bodyOf(await as(first)(certificates.mine));
  expect(mine.items).toMatchObject([{ state: "valid" }]);
});

test("a completion that ends revokes its certificate, and can be earned again", async () => {
  const { admin, company, course, learners } = await courseWith([
    { score: 90, seconds: 120 },
    { score: null, seconds: 300 },
  ]);
  const [first, reported] = learners as [Person, Person];
  await switchOn(admin, course.id);
  const second = await make.launch(reported, company.id, course.id, { takeOver: true });
  expect(second.attemptNo).toBe(1);
  const applied = await applyRule(admin, course.id, timeAndScore, false);
  expect(applied).toMatchObject({ state: "applied", becomes: 1, ends: 1 });
  expect(await statusOf(course.id, reported)).toBe("in_progress");
  expect(await statusOf(course.id, first)).toBe("completed");
  const mails = await db
    .selectFrom("mails")
    .where("reason", "=", "completionRules.reopened")
    .where("userId", "=", reported.user.id)
    .selectAll()
    .execute();
  expect(mails).toHaveLength(1);

  // Saving continues in the session that was open, and a better score completes the same attempt again.
  const saved = bodyOf(await send(second, { events: [setValue(1, "cmi.core.score.raw", "80")], activeMs: 1000 }));
  expect(saved.attempt.completion).toBe("complete");
  const completions = await db
    .selectFrom("completionHistory")
    .where("personId", "=", reported.user.id)
    .orderBy("id")
    .select(["id", "completionNo"])
    .execute();
  expect(completions.map(({ completionNo }) => completionNo)).toEqual([1, 2]);
  const withdrawn = await db.selectFrom("completionWithdrawals").selectAll().execute();
  expect(withdrawn).toMatchObject([
    { completionId: completions[0]?.id, actorId: admin.user.id, reason: "completionRules.apply" },
  ]);

  const undone = await as(admin)(completionRules.undo, { params: { id: applied.id } });
  expect(undone.status).toBe(200);
  await work();
  expect(bodyOf(await as(admin)(completionRules.get, { params: { id: applied.id } })).state).toBe("undone");
  expect(await statusOf(course.id, first)).toBe("in_progress");
  expect(await statusOf(course.id, reported)).toBe("completed");
  const states = bodyOf(await as(first)(certificates.mine)).items.map(({ state }) => state);
  expect(states).toEqual(["revoked"]);
  const { completionRule } = bodyOf(await as(admin)(courses.get, { params: { id: course.id } }));
  expect(completionRule).toEqual({ kind: "reported" });
  expect((await as(admin)(completionRules.undo, { params: { id: applied.id } })).code).toBe(
    "completionRules.cannotUndo",
  );
});

test("several completed attempts end together, and another window keeps its rule", async () => {
  const { admin, company, course, learners } = await courseWith([{ score: null, seconds: 10 }]);
  const [learner] = learners as [Person];
  const again = await make.launch(learner, company.id, course.id, { newAttempt: true, takeOver: true });
  expect(again.attemptNo).toBe(2);
  await send(again, { events: [...openPart(), setValue(3, "cmi.core.lesson_status", "completed")] });
  const first = await tryRule(admin, course.id, { kind: "score", percent: 80 });
  await applyRule(admin, course.id, timeAndScore, false);
  expect(await statusOf(course.id, learner)).toBe("in_progress");
  const attempts = await db
    .selectFrom("attempts")
    .where("userId", "=", learner.user.id)
    .select(["completion", "completedAt"])
    .execute();
  expect(attempts).toEqual([1, 2].map(() => ({ completion: "incomplete", completedAt: null })));
  expect(bodyOf(await as(admin)(completionRules.get, { params: { id: first.id } })).state).toBe("counted");
});

test("a turn that was interrupted is repeated without effect", async () => {
  const { admin, course, learners } = await courseWith([
    { score: 90, seconds: 120 },
    { score: 80, seconds: 120 },
  ]);
  const { id } = await tryRule(admin, course.id, timeAndScore);
  const { version } = bodyOf(await as(admin)(courses.get, { params: { id: course.id } }));
  await as(admin)(completionRules.apply, { params: { id }, body: { keeps: true, version } });
  // As if the server had been killed after the learners were completed, and before its progress was stored.
  await work();
  await db
    .updateTable("ruleChanges")
    .set({ state: "applying", cursor: null, counted: 0, events: 0, completeBefore: 0, becomes: 0, met: [] })
    .where("id", "=", id)
    .execute();
  await work();
  const again = bodyOf(await as(admin)(completionRules.get, { params: { id } }));
  expect(again).toMatchObject({ state: "applied", becomes: 2, completeBefore: 0, counted: 3 });
  for (const { user } of learners) {
    const rows = await db.selectFrom("completionHistory").where("personId", "=", user.id).selectAll().execute();
    expect(rows).toHaveLength(1);
  }
});

test("a learner without all events stays as they are, and is counted as such", async () => {
  const { admin, course, learners } = await courseWith([
    { score: null, seconds: 10 },
    { score: 95, seconds: 90 },
  ]);
  for (const { user } of learners) {
    const sessions = db.selectFrom("sessions").where("userId", "=", user.id).select("id");
    await db.deleteFrom("sessionEvents").where("sessionId", "in", sessions).execute();
  }
  const applied = await applyRule(admin, course.id, timeAndScore, false);
  expect(applied).toMatchObject({ uncounted: 2, becomes: 0, ends: 0 });
  expect(await statusOf(course.id, learners[0] as Person)).toBe("completed");
  expect(await statusOf(course.id, learners[1] as Person)).toBe("in_progress");
});

test("a rule is applied as it was counted, and undone only while it is the last one", async () => {
  const { admin, course } = await courseWith([{ score: 90, seconds: 120 }]);
  const { id } = bodyOf(
    await as(admin)(completionRules.create, { params: { id: course.id }, body: { rule: timeAndScore } }),
  );
  const { version } = bodyOf(await as(admin)(courses.get, { params: { id: course.id } }));
  const apply = (at: number) =>
    as(admin)(completionRules.apply, { params: { id }, body: { keeps: true, version: at } });
  expect((await apply(version)).code).toBe("completionRules.notCounted");
  await work();
  await as(admin)(courses.update, { params: { id: course.id }, body: { title: "Renamed", version } });
  expect((await apply(version)).code).toBe("core.conflict");
  expect((await apply(version + 1)).status).toBe(200);
  await work();
  const now = bodyOf(await as(admin)(courses.get, { params: { id: course.id } }));
  await as(admin)(courses.update, {
    params: { id: course.id },
    body: { completionRule: { kind: "opened" }, version: now.version },
  });
  expect((await as(admin)(completionRules.undo, { params: { id } })).code).toBe("completionRules.changedSince");
  const { rules, applied } = bodyOf(await as(admin)(completionRules.choices, { params: { id: course.id } }));
  expect(rules.map(({ text }) => text)).toEqual([
    "The learner has opened every part at least once. For packages that report nothing.",
    "The score is 70 % or more and active time is 1 min or more",
    "The package reports every part as completed or passed. A package with sequencing rules decides by its rules.",
  ]);
  expect(rules[0]?.by).toBe("Ada Admin");
  expect(applied?.id).toBe(id);
});
