import { expect, test } from "vitest";
import { completionRules } from "#shared/completionRules/ruleChanges.ts";
import { toCondition } from "#shared/courses/completion.ts";
import type { CompletionRule, CompletionTest } from "#shared/courses/completionRules.ts";
import { courses } from "#shared/courses/courses.ts";
import { openPart, setValue } from "#test/commits.ts";
import { manifest12 } from "#test/samplePackage.ts";
import { bodyOf } from "#test/probes.ts";
import { createRuleTester, timeAndScore } from "#test/ruleChanges.ts";
import { start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

// What a completion rule can ask for, and when it is met

const server = await start();
const { as, make } = server;
const { send, beginEarlier, statusOf, tryRule, applyRule } = createRuleTester(server);
const { define } = createValueMaker(server);

test("a combination completes at the commit that meets the last of its conditions", async () => {
  const { admin, learner, company, course } = await make.classroom();
  const { version } = bodyOf(await as(admin)(courses.get, { params: { id: course.id } }));
  const rule: CompletionRule = {
    match: "any",
    tests: [{ kind: "confirmed" }, { match: "all", tests: toCondition(timeAndScore).tests as CompletionTest[] }],
  };
  const saved = await as(admin)(courses.update, {
    params: { id: course.id },
    body: { completionRule: rule, version },
  });
  expect(saved.body.completionRule).toEqual(rule);
  const session = await make.launch(learner, company.id, course.id);
  expect(session.course.confirm).toBe(true);
  await beginEarlier(session.sessionId, 600_000);
  await send(session, { events: [...openPart(), setValue(3, "cmi.core.score.raw", "75")], activeMs: 59_000 });
  expect(await statusOf(course.id, learner)).toBe("in_progress");
  const receipt = bodyOf(await send(session, { activeMs: 60_000 }));
  expect(receipt.attempt.completion).toBe("complete");
  expect(await statusOf(course.id, learner)).toBe("completed");

  const other = await make.learner(company.accessCode);
  const confirming = await make.launch(other, company.id, course.id);
  await send(confirming, { events: openPart() });
  await send(confirming, { events: [{ seq: 3, t: 3, type: "confirm" }] });
  expect(await statusOf(course.id, other)).toBe("completed");
});

test("what the learner confirmed stays confirmed until the other conditions are met", async () => {
  const { admin, learner, company, course } = await make.classroom();
  await applyRule(
    admin,
    course.id,
    { match: "all", tests: [{ kind: "confirmed" }, { kind: "score", percent: 50 }] },
    true,
  );
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: [...openPart(), { seq: 3, t: 3, type: "confirm" }] });
  expect(await statusOf(course.id, learner)).toBe("in_progress");
  const other = await make.launch(learner, company.id, course.id, { takeOver: true });
  await send(other, { events: [...openPart(), setValue(3, "cmi.core.score.raw", "50")] });
  expect(await statusOf(course.id, learner)).toBe("completed");
});

test("a variable completes whichever way the content sets it, and in a recount", async () => {
  const { admin, learner, company, course } = await make.classroom();
  await define(admin, { key: "trust", courses: [{ courseId: course.id, access: "both" }] });
  await define(admin, {
    key: "points",
    courses: [{ courseId: course.id, access: "both", path: "cmi.core.score.raw" }],
  });
  const rule: CompletionRule = {
    match: "all",
    tests: [
      { kind: "variable", key: "trust", is: "atLeast", value: 4 },
      { kind: "variable", key: "points", is: "more", value: 10 },
    ],
  };
  const before = await make.launch(learner, company.id, course.id);
  const trust = (seq: number, value: number) => ({
    seq,
    t: seq,
    type: "variable.set" as const,
    key: "trust",
    value: `${value}`,
  });
  await send(before, { events: [...openPart(), trust(3, 5), setValue(4, "cmi.core.score.raw", "11")] });
  expect(await statusOf(course.id, learner)).toBe("in_progress");
  expect(await tryRule(admin, course.id, rule)).toMatchObject({ becomes: 1, ends: 0, met: [1, 1] });
  await applyRule(admin, course.id, rule, true);
  expect(await statusOf(course.id, learner)).toBe("completed");

  const next = await make.learner(company.accessCode);
  const session = await make.launch(next, company.id, course.id);
  await send(session, { events: [...openPart(), trust(3, 4)] });
  expect(await statusOf(course.id, next)).toBe("in_progress");
  await send(session, { events: [setValue(4, "cmi.core.score.raw", "12")] });
  expect(await statusOf(course.id, next)).toBe("completed");
});

test("a value from another course counts at the next commit, also in an open session", async () => {
  const { admin, learner, company, course } = await make.classroom();
  const other = await make.course(admin);
  await as(admin)(courses.assign, { params: { id: other.id }, body: { companyIds: [company.id] } });
  const used = [course.id, other.id].map((courseId) => ({ courseId, access: "both" as const }));
  await define(admin, { key: "trust", courses: used });
  await applyRule(admin, course.id, { kind: "variable", key: "trust", is: "atLeast", value: 4 }, true);
  const session = await make.launch(learner, company.id, course.id);
  await send(session, { events: openPart() });
  const elsewhere = await make.launch(learner, company.id, other.id);
  await send(elsewhere, { events: [{ seq: 1, t: 1, type: "variable.set", key: "trust", value: "4" }] });
  expect(await statusOf(course.id, learner)).toBe("in_progress");
  await send(session, { activeMs: 10 });
  expect(await statusOf(course.id, learner)).toBe("completed");
});

test("a sensitive variable cannot decide about a completion", async () => {
  const { admin, course } = await make.classroom();
  await define(admin, { key: "health", privacy: "sensitive", courses: [{ courseId: course.id, access: "both" }] });
  const rule = { kind: "variable" as const, key: "health", is: "set" as const };
  const { status } = await as(admin)(completionRules.create, { params: { id: course.id }, body: { rule } });
  expect(status).toBe(422);
  const choices = bodyOf(await as(admin)(completionRules.choices, { params: { id: course.id } }));
  expect(choices.variables).toEqual([]);
});

test("a rule names what is wrong, and no version goes live that lacks its part", async () => {
  const { admin, course } = await make.classroom();
  const attempt = (rule: CompletionRule) =>
    as(admin)(completionRules.create, { params: { id: course.id }, body: { rule } });
  const unknownPart = await attempt({ kind: "part", sco: "gone", title: "Gone", is: "done" });
  expect([unknownPart.status, unknownPart.body]).toMatchObject([
    422,
    { issues: [{ path: "rule", message: "The course has no part “Gone”." }] },
  ]);
  const unknownKey = await attempt({ kind: "variable", key: "mood", is: "set" });
  expect(unknownKey.body).toMatchObject({
    issues: [{ message: expect.stringContaining("“mood”") }],
  });
  const named = await tryRule(admin, course.id, { kind: "part", sco: "i1", title: "forged", is: "done" });
  expect(named.rule).toEqual({ kind: "part", sco: "i1", title: "Part one", is: "done" });

  await applyRule(admin, course.id, { kind: "part", sco: "i1", title: "", is: "done" }, true);
  const replaced = await make.version(admin, course.id, {
    "imsmanifest.xml": manifest12('<item identifier="other" identifierref="r1"><title>Another</title></item>'),
    "index.html": "<p>Another</p>",
  });
  expect([replaced.status, replaced.code]).toEqual([409, "courses.ruleNeedsParts"]);
  expect(JSON.stringify(replaced.body)).toContain("Part one");
  const bridge: CompletionRule = {
    match: "any",
    tests: [
      { kind: "part", sco: "i1", title: "", is: "done" },
      { kind: "part", sco: "other", title: "", is: "done" },
    ],
  };
  expect((await applyRule(admin, course.id, bridge, true)).state).toBe("applied");
  const { versions, version } = bodyOf(await as(admin)(courses.get, { params: { id: course.id } }));
  const newest = versions.toSorted((a, b) => b.number - a.number)[0]?.id as string;
  const live = await as(admin)(courses.setLive, { params: { id: course.id }, body: { versionId: newest, version } });
  expect(live.status).toBe(200);
});
