import { runTurns } from "#server/completionRules/worker.ts";
import { completionRules } from "#shared/completionRules/ruleChanges.ts";
import { courses } from "#shared/courses/courses.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  withoutCompany: ["create", "apply", "undo"].map((name) => `completionRules.${name}`),
  async fill({ server: { as, services }, admin, course }) {
    const params = { id: course.id };
    const { version, completionRule: rule } = bodyOf(await as(admin)(courses.get, { params }));
    const { id } = bodyOf(await as(admin)(completionRules.create, { params, body: { rule } }));
    await runTurns(services);
    bodyOf(await as(admin)(completionRules.apply, { params: { id }, body: { keeps: true, version } }));
    await runTurns(services);
    return {};
  },
};
