import { completions } from "#shared/completions/completions.ts";
import { courses } from "#shared/courses/courses.ts";
import { completionRules } from "#shared/completionRules/ruleChanges.ts";
import { changeEnrolmentRules } from "#test/auditedEnrolmentRules.ts";
import { changePaths } from "#test/auditedPaths.ts";
import { changeRequirements } from "#test/auditedRequirements.ts";
import { createRuleTester } from "#test/ruleChanges.ts";
import type { Person, start } from "#test/start.ts";

/** Every action on completion rules, enrolment rules, paths and requirements that the audit log records. */
export async function changeRules(server: Awaited<ReturnType<typeof start>>, admin: Person) {
  const { as, make } = server;
  const { applyRule, work } = createRuleTester(server);
  const course = await make.course(admin);
  const { id } = await applyRule(admin, course.id, { kind: "opened" }, true);
  await as(admin)(completionRules.undo, { params: { id } });
  await work();
  await decideCompletions(server, admin);
  await changeEnrolmentRules(server, admin);
  await changePaths(server, admin);
  await changeRequirements(server, admin);
}

async function decideCompletions({ as, make }: Awaited<ReturnType<typeof start>>, admin: Person) {
  const { learner } = await make.classroom();
  const { body } = await as(admin)(courses.enrolments, { query: { userId: learner.user.id } });
  const id = body.items[0]?.id as string;
  const input = (attemptNo: number, status: "assigned" | "in_progress" | "completed") => ({
    params: { id },
    body: { reason: "Done on paper", attemptNo, status },
  });
  await as(admin)(completions.set, input(0, "assigned"));
  await as(admin)(completions.reopen, input(1, "completed"));
  const restarted = await as(admin)(completions.restart, input(1, "in_progress"));
  await as(admin)(completions.undo, { params: { id: restarted.body.decisions[0]?.id as string } });
}
