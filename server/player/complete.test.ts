import { expect, test } from "vitest";
import { committer } from "#test/commits.ts";
import type { CompletionRule } from "#shared/courses/completionRules.ts";
import { courses } from "#shared/courses/courses.ts";
import type { SessionEvent } from "#shared/player/player.ts";
import { start } from "#test/start.ts";

// Lyceum.complete: a web page reports that it is completed, and the completion rule decides

const { as, make } = await start();
const send = committer(as);
const complete = (seq: number, value?: string): SessionEvent => ({
  seq,
  t: seq,
  type: "complete",
  sco: "start",
  ...(value !== undefined && { value }),
});
const opened: SessionEvent = { seq: 1, t: 0, type: "nav", sco: "start" };

/** The outcome after an HTML course with this rule was opened, and after each report. */
async function outcomes(completionRule: CompletionRule, reports: (string | undefined)[]) {
  const { admin, company, learner, course } = await make.classroom({ "index.html": "<title>Page</title>" });
  const { status } = await as(admin)(courses.update, {
    params: { id: course.id },
    body: { completionRule, version: course.version },
  });
  expect(status).toBe(200);
  const session = await make.launch(learner, company.id, course.id);
  expect(session.course.rule).toEqual(completionRule);
  const results = [];
  for (const events of [[opened], ...reports.map((report, n) => [complete(n + 2, report)])]) {
    const { attempt } = (await send(session, { events })).body;
    results.push([attempt.completion, attempt.scorePercent]);
  }
  const { items } = (await as(learner)(courses.mine)).body;
  return { results, status: items[0]?.status };
}

test("completes a web page whose rule asks for its report", async () => {
  const { results, status } = await outcomes({ kind: "reported" }, [undefined, "85.5"]);
  expect(results).toEqual([
    ["incomplete", null],
    ["complete", null],
    ["complete", 85.5],
  ]);
  expect(status).toBe("completed");
});

test("completes a web page whose rule asks for a score once it is reached", async () => {
  const { results } = await outcomes({ kind: "score", percent: 80 }, [undefined, "79", "1000", "many", "80"]);
  expect(results.map(([completion]) => completion)).toEqual([...Array(5).fill("incomplete"), "complete"]);
});

test.each(["confirmed", "passed"] as const)("leaves the rule %s to what it needs", async (kind) => {
  const { results, status } = await outcomes({ kind }, ["100"]);
  expect(results).toEqual([
    ["incomplete", null],
    ["incomplete", 100],
  ]);
  expect(status).toBe("in_progress");
});

test("ignores Lyceum.complete in a SCORM package", async () => {
  const { company, learner, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  const events = [
    { ...opened, sco: "i1" },
    { ...complete(2, "100"), sco: "i1" },
  ];
  const { attempt } = (await send(session, { events })).body;
  expect(attempt).toMatchObject({ completion: "incomplete", scorePercent: null });
});
