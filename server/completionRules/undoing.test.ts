import { expect, test } from "vitest";
import { certificates } from "#shared/certificates/certificates.ts";
import { completionRules } from "#shared/completionRules/ruleChanges.ts";
import { courses } from "#shared/courses/courses.ts";
import { createCertifier } from "#test/certificates.ts";
import { openPart, setValue } from "#test/commits.ts";
import { bodyOf } from "#test/probes.ts";
import { createRuleTester, timeAndScore } from "#test/ruleChanges.ts";
import { type Person, start } from "#test/start.ts";

// What an undo of a completion rule restores, and what stays

const server = await start();
const { as, make, db } = server;
const { send, work, courseWith, statusOf, applyRule, tryRule } = createRuleTester(server);
const { switchOn } = createCertifier(server);

async function undo(admin: Person, id: string) {
  bodyOf(await as(admin)(completionRules.undo, { params: { id } }));
  await work();
  expect(bodyOf(await as(admin)(completionRules.get, { params: { id } })).state).toBe("undone");
}

test("all completed attempts are restored, and what met the earlier rule since counts", async () => {
  const { admin, company, course, learners } = await courseWith([
    { score: null, seconds: 10 },
    { score: 40, seconds: 10 },
  ]);
  await switchOn(admin, course.id);
  const [twice, later] = learners as [Person, Person];
  const again = await make.launch(twice, company.id, course.id, { newAttempt: true, takeOver: true });
  await send(again, { events: [...openPart(), setValue(3, "cmi.core.lesson_status", "completed")] });
  const { id } = await applyRule(admin, course.id, timeAndScore, false);
  expect(await statusOf(course.id, twice)).toBe("in_progress");
  // By the earlier rule this would be a completion.
  const open = await make.launch(later, company.id, course.id, { takeOver: true });
  await send(open, { events: [setValue(1, "cmi.core.lesson_status", "completed")] });
  expect(await statusOf(course.id, later)).toBe("in_progress");

  await undo(admin, id);
  expect(await statusOf(course.id, twice)).toBe("completed");
  expect(await statusOf(course.id, later)).toBe("completed");
  const attempts = await db.selectFrom("attempts").where("userId", "=", twice.user.id).select("completion").execute();
  expect(attempts.map(({ completion }) => completion)).toEqual(["complete", "complete"]);
  const { items } = bodyOf(await as(twice)(certificates.mine));
  expect(items.filter(({ state }) => state === "valid")).toHaveLength(2);
});

test("a completion by another attempt outlives the undo", async () => {
  const { admin, company, course, learners } = await courseWith([{ score: 90, seconds: 100 }]);
  const [learner] = learners as [Person];
  const { id } = await applyRule(admin, course.id, timeAndScore, true);
  const again = await make.launch(learner, company.id, course.id, { newAttempt: true, takeOver: true });
  const events = [
    ...openPart(),
    setValue(3, "cmi.core.score.raw", "75"),
    setValue(4, "cmi.core.lesson_status", "completed"),
  ];
  await db
    .updateTable("sessions")
    .set({ startedAt: new Date(Date.now() - 600_000).toISOString() })
    .where("id", "=", again.sessionId)
    .execute();
  await send(again, { events, activeMs: 120_000 });
  await undo(admin, id);
  expect(await statusOf(course.id, learner)).toBe("completed");
  // A later rule still finds its way.
  const next = await applyRule(admin, course.id, { kind: "score", percent: 70 }, false);
  expect(next).toMatchObject({ state: "applied", ends: 0 });
  expect(await statusOf(course.id, learner)).toBe("completed");
});

test("a rule that was counted beside another one is counted again before it applies", async () => {
  const { admin, course } = await courseWith([{ score: 90, seconds: 100 }]);
  const colleague = await make.admin();
  const { id } = await tryRule(admin, course.id, timeAndScore);
  await applyRule(colleague, course.id, { kind: "opened" }, true);
  const { version } = bodyOf(await as(admin)(courses.get, { params: { id: course.id } }));
  const late = await as(admin)(completionRules.apply, { params: { id }, body: { keeps: true, version } });
  expect([late.status, late.code]).toEqual([409, "completionRules.countAgain"]);
});
