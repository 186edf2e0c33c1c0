import { enrolmentRules } from "#shared/enrolmentRules/enrolmentRules.ts";
import { runTurns } from "#server/enrolmentRules/runs.ts";
import { bodyOf } from "#test/probes.ts";
import type { Person, start } from "#test/start.ts";

/** Every action on enrolment rules that the audit log records. */
export async function changeEnrolmentRules({ as, make, services }: Awaited<ReturnType<typeof start>>, admin: Person) {
  const boss = as(admin);
  const company = await make.company(admin);
  await make.learner(company.accessCode);
  const course = await make.course(admin);
  const body = { companyId: company.id, name: "A secret rule", courseIds: [course.id] };
  const { id, version } = bodyOf(await boss(enrolmentRules.create, { body }));
  const params = { id };
  const named = bodyOf(await boss(enrolmentRules.update, { params, body: { name: "Another secret", version } }));
  const on = { state: "active" as const, version: named.version };
  const active = bodyOf(await boss(enrolmentRules.setState, { params, body: on }));
  await runTurns(services);
  const off = { state: "paused" as const, version: active.version };
  bodyOf(await boss(enrolmentRules.setState, { params, body: off }));
  bodyOf(await boss(enrolmentRules.undo, { params }));
  await runTurns(services);
  await boss(enrolmentRules.remove, { params });
}
