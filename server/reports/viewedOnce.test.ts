import { expect, test } from "vitest";
import { audit } from "#shared/audit/audit.ts";
import { courses } from "#shared/courses/courses.ts";
import { replays } from "#shared/reports/replays.ts";
import { reports } from "#shared/reports/reports.ts";
import { committer, openPart } from "#test/commits.ts";
import { start } from "#test/start.ts";

// A page that sends several requests at the same time is one visit, in the audit log and for the learner

const { as, make } = await start();

test("a visit to a report, whose requests arrive together, is recorded once", async () => {
  const { admin, learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  await committer(as)(session, { events: openPart(1, session.parts[0]?.sco), activeMs: 1000 });
  const boss = as(admin);
  const params = { id: learner.user.id };
  const { items } = (await boss(courses.enrolments, { query: { courseId: course.id } })).body;
  const one = { params: { id: session.sessionId } };
  const read = async () => {
    await Promise.all([
      boss(reports.figures, { params, query: {} }),
      boss(reports.learner, { params, query: {} }),
      boss(reports.rows, { params, query: { size: 100, sort: "-lastActivityAt" } }),
      boss(reports.changes, { params, query: { since: "2026-01-01" } }),
      boss(reports.answers, { params: { id: items[0]?.id as string }, query: {} }),
    ]);
    await Promise.all([
      boss(reports.session, one),
      boss(replays.replay, one),
      boss(replays.replayEvents, { ...one, query: {} }),
      boss(replays.replayStage, { ...one, query: {} }),
    ]);
  };
  await read();
  await read();
  const list = async () =>
    (await boss(audit.list, { query: { personId: learner.user.id, actorId: admin.user.id } })).body.items
      .map(({ action }) => action)
      .toSorted();
  expect(await list()).toEqual(["reports.open", "reports.session"]);
  const mine = (await as(learner)(audit.mine, { query: { kind: "administration" } })).body.items;
  expect(mine.map(({ action }) => action).toSorted()).toEqual(["reports.open", "reports.session"]);
});

test("two admins who open a report at the same time are both recorded", async () => {
  const { admin, learner } = await make.classroom();
  const another = await make.admin();
  const params = { id: learner.user.id };
  await Promise.all([admin, another].map((one) => as(one)(reports.figures, { params, query: {} })));
  const { items } = (await as(admin)(audit.list, { query: { personId: learner.user.id, action: "reports.open" } }))
    .body;
  expect(items.map(({ actorId }) => actorId).toSorted()).toEqual([admin.user.id, another.user.id].toSorted());
});
