import { runTurns } from "#server/completionRules/worker.ts";
import { completionRules } from "#shared/completionRules/ruleChanges.ts";
import type { CompletionRule } from "#shared/courses/completionRules.ts";
import { courses } from "#shared/courses/courses.ts";
import { committer, openPart, setValue } from "#test/commits.ts";
import { bodyOf } from "#test/probes.ts";
import type { Person, start } from "#test/start.ts";

export const timeAndScore: CompletionRule = {
  match: "all",
  tests: [
    { kind: "score", percent: 70 },
    { kind: "time", minutes: 1 },
  ],
};

/** Courses whose completion rule is tried, applied and undone. */
export function createRuleTester({ as, make, db, services }: Awaited<ReturnType<typeof start>>) {
  const send = committer(as);
  /** Takes turns until nothing is left to do. */
  const work = async () => {
    for (let isMore = true; isMore;) isMore = await runTurns(services);
  };
  /** Makes a session begin earlier, so that time can have passed in it. */
  const beginEarlier = (sessionId: string, ms: number) =>
    db
      .updateTable("sessions")
      .set({ startedAt: new Date(Date.now() - ms).toISOString() })
      .where("id", "=", sessionId)
      .execute();
  /** A course with learners of whom each has a score and an active time; a score of null has reported “completed”. */
  async function courseWith(outcomes: { score: number | null; seconds: number }[]) {
    const { admin, company, course } = await make.classroom();
    const learners: Person[] = [];
    for (const { score, seconds } of outcomes) {
      const learner = await make.learner(company.accessCode);
      const session = await make.launch(learner, company.id, course.id);
      await beginEarlier(session.sessionId, 3_600_000);
      const events = [
        ...openPart(),
        score === null
          ? setValue(3, "cmi.core.lesson_status", "completed")
          : setValue(3, "cmi.core.score.raw", `${score}`),
      ];
      await send(session, { events, activeMs: seconds * 1000 });
      learners.push(learner);
    }
    return { admin, company, course, learners };
  }

  const statusOf = async (courseId: string, { user }: Person) => {
    const { status } = await db
      .selectFrom("enrolments")
      .where("courseId", "=", courseId)
      .where("userId", "=", user.id)
      .select("status")
      .executeTakeFirstOrThrow();
    return status;
  };

  async function tryRule(admin: Person, courseId: string, rule: CompletionRule) {
    const { id } = bodyOf(await as(admin)(completionRules.create, { params: { id: courseId }, body: { rule } }));
    await work();
    return bodyOf(await as(admin)(completionRules.get, { params: { id } }));
  }

  async function applyRule(admin: Person, courseId: string, rule: CompletionRule, keeps: boolean) {
    const { id } = await tryRule(admin, courseId, rule);
    const { version } = bodyOf(await as(admin)(courses.get, { params: { id: courseId } }));
    const applied = await as(admin)(completionRules.apply, { params: { id }, body: { keeps, version } });
    bodyOf(applied);
    await work();
    return bodyOf(await as(admin)(completionRules.get, { params: { id } }));
  }

  return { send, work, beginEarlier, courseWith, statusOf, tryRule, applyRule };
}
