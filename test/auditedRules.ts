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
  await changeEnrolmentRules(server, admin);
  await changePaths(server, admin);
  await changeRequirements(server, admin);
}
