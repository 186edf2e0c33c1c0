import { sql } from "kysely";
import { expect, test } from "vitest";
import { mailReminders } from "#server/courses/reminders/reminderMails.ts";
import { committer, openPart, setValue } from "#test/commits.ts";
import conditionTexts from "#shared/locales/en/conditions.json" with { type: "json" };
import texts from "#shared/locales/en/courses.json" with { type: "json" };
import { comparisons } from "#shared/conditions/conditions.ts";
import type { CompletionRule, CompletionTest, CourseKind } from "#shared/courses/completionRules.ts";
import { courses } from "#shared/courses/courses.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { start } from "#test/start.ts";

// What counted as complete, what was completed, and who was reminded: append-only (docs/decisions/0020-history.md)

const { as, make, db, services } = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const send = committer(as);
const completionsOf = (personId: string) =>
  db.selectFrom("completionHistory").where("personId", "=", personId).orderBy("id").selectAll().execute();
const rulesOf = (courseId: string) =>
  db.selectFrom("completionRuleHistory").where("courseId", "=", courseId).orderBy("id").selectAll().execute();

test("a completion keeps version, session, score, times and the text of its rule", async () => {
  const { admin, learner, company, course } = await make.classroom();
  const before = (await as(admin)(courses.get, { params: { id: course.id } })).body;
  const rule: CompletionRule = { kind: "score", percent: 80 };
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: openPart(), activeMs: 1000 });
  const changed = await as(admin)(courses.update, {
    params: { id: course.id },
    body: { title: before.title, code: before.code, completionRule: rule, version: before.version },
  });
  expect(changed.status).toBe(200);
  // This session was cached with the earlier rule, which a status alone would have met.
  await send(session, { events: [setValue(3, "cmi.core.lesson_status", "completed")], activeMs: 2000 });
  expect(await completionsOf(learner.user.id)).toEqual([]);
  await send(session, { events: [setValue(4, "cmi.core.score.raw", "90")], activeMs: 4000 });
  const [completion, ...others] = await completionsOf(learner.user.id);
  expect(others).toEqual([]);
  expect(completion).toMatchObject({
    attemptId: session.attemptId,
    attemptNo: 1,
    companyId: company.id,
    courseId: course.id,
    versionId: before.versions[0]?.id,
    sessionId: session.sessionId,
    rule,
    ruleText: "Score of 80 % or more",
    scorePercent: 90,
    activeSeconds: 4,
    actorId: learner.user.id,
    reason: "player.commit",
    backfilled: false,
  });
  expect(completion && completion.happenedAt <= completion.recordedAt).toBe(true);

  await as(admin)(courses.update, {
    params: { id: course.id },
    body: { title: "Renamed", code: before.code, completionRule: { kind: "opened" }, version: changed.body.version },
  });
  expect((await rulesOf(course.id)).map(({ rule, reason }) => [rule, reason])).toEqual([
    [{ kind: "reported" }, null],
    [{ kind: "score", percent: 80 }, "courses.update"],
    [{ kind: "opened" }, "courses.update"],
  ]);
  expect((await completionsOf(learner.user.id))[0]).toMatchObject({ rule, ruleText: "Score of 80 % or more" });
});

test("the stored text of a rule is the one that people read", async () => {
  const textOf = async (rule: CompletionRule, kind: CourseKind) => {
    const { rows } = await sql<{ text: string }>`
      select completion_rule_text(${JSON.stringify(rule)}::jsonb, ${kind}) as text`.execute(db);
    return rows[0]?.text;
  };
  const {
    rule,
    rule: { clause },
  } = texts;
  for (const kind of ["reported", "passed", "opened"] as const) {
    expect(await textOf({ kind }, "scorm12")).toBe(rule[kind].text);
    expect(await textOf({ kind }, "mixed")).toBe(rule.ofLessons[kind].text);
  }
  expect(await textOf({ kind: "confirmed" }, "html")).toBe(rule.confirmed.text);
  expect(await textOf({ kind: "score", percent: 75 }, "html")).toBe(rule.scoreOf.replace("{{percent}}", "75"));
  const quiz = { sco: "q", title: "Final quiz" };
  const listed: [CompletionTest, string][] = [
    [{ kind: "reported" }, clause.reported],
    [{ kind: "passed" }, clause.passed],
    [{ kind: "score", percent: 70 }, clause.score.replace("{{percent}}", "70")],
    [{ kind: "opened" }, clause.opened],
    [{ kind: "confirmed" }, clause.confirmed],
    [{ kind: "part", ...quiz, is: "done" }, clause.done.replace("{{title}}", quiz.title)],
    [{ kind: "part", ...quiz, is: "passed" }, clause.partPassed.replace("{{title}}", quiz.title)],
    [
      { kind: "partScore", ...quiz, percent: 60 },
      clause.partScore.replace("{{title}}", quiz.title).replace("{{percent}}", "60"),
    ],
    [{ kind: "time", minutes: 25 }, clause.time.replace("{{minutes}}", "25")],
    ...comparisons.map((is): [CompletionTest, string] => [
      { kind: "variable", key: "trust", is, value: 4 },
      conditionTexts.field[is].replace("{{name}}", "trust").replace("{{value}}", "4"),
    ]),
    [{ kind: "variable", key: "trust", is: "set" }, conditionTexts.field.set.replace("{{name}}", "trust")],
  ];
  const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
  const words = listed.map(([, text]) => text);
  const tests = listed.map(([test]) => test);
  expect(await textOf({ match: "all", tests }, "scorm2004")).toBe(capital(words.join(conditionTexts.and)));
  const nested: CompletionRule = { match: "any", tests: [tests[8] as CompletionTest, { match: "all", tests }] };
  expect(await textOf(nested, "scorm2004")).toBe(
    capital(`${words[8]}${conditionTexts.or}(${words.join(conditionTexts.and)})`),
  );
  const ofLessons = (["reported", "passed", "opened"] as const).map((kind) => ({ kind }));
  expect(await textOf({ match: "any", tests: ofLessons }, "lessons")).toBe(
    capital(ofLessons.map(({ kind }) => clause.ofLessons[kind]).join(conditionTexts.or)),
  );
});

test("a reminder is logged with its mail, step and who had it sent, once", async () => {
  const { admin, company, course, learner } = await make.classroom();
  const params = { id: course.id };
  await as(admin)(courses.setDue, { params, body: { userIds: [learner.user.id], dueDate: "2020-02-01" } });
  await as(admin)(courses.remind, { body: { courseId: course.id, companyId: company.id } });
  const { remindedAt: at } = await db
    .selectFrom("enrolments")
    .where("userId", "=", learner.user.id)
    .select("remindedAt")
    .executeTakeFirstOrThrow();
  const input = { courseId: course.id, companyId: company.id, at: at as string, actorId: admin.user.id };
  for (let n = 0; n < 2; n++) await mailReminders.run(services, input);
  const logged = await db.selectFrom("reminderLog").where("personId", "=", learner.user.id).selectAll().execute();
  const mail = await db
    .selectFrom("mails")
    .where("userId", "=", learner.user.id)
    .where("reason", "=", "courses.reminded")
    .select("id")
    .executeTakeFirstOrThrow();
  expect(logged).toMatchObject([
    {
      courseId: course.id,
      step: "overdue",
      dueDate: "2020-02-01",
      mailId: mail.id,
      wasQueued: true,
      actorId: admin.user.id,
    },
  ]);
});

test("no entry can be changed or deleted, and an erasure leaves only a number", async () => {
  const { learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: [...openPart(), setValue(3, "cmi.core.lesson_status", "completed")], end: "exit" });
  const [completion] = await completionsOf(learner.user.id);
  for (const table of ["completion_history", "completion_rule_history", "reminder_log"])
    for (const statement of [`delete from ${table}`, `update ${table} set recorded_at = now()`, `truncate ${table}`])
      await expect(services.pool.query(statement)).rejects.toThrow(/append-only/);
  expect((await as(learner)(privacy.erase, { body: {} })).status).toBe(200);
  expect(await completionsOf(learner.user.id)).toEqual([]);
  const kept = await db
    .selectFrom("completionHistory")
    .where("attemptId", "=", session.attemptId)
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(kept).toMatchObject({ ruleText: completion?.ruleText, enrolmentId: completion?.enrolmentId });
  expect(kept.actorId).toBe(kept.personId);
  expect(new Date(kept.happenedAt).getUTCMinutes() % 15).toBe(0);
});
