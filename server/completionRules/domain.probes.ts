import { runTurns } from "#server/completionRules/worker.ts";
import { completionRules } from "#shared/completionRules/ruleChanges.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  withoutCompany: ["create", "apply", "undo"].map((name) => `completionRules.${name}`),
  async fill({ server: { as, services }, admin, course }) {
    const rule = { kind: "score" as const, percent: 90 };
    bodyOf(await as(admin)(completionRules.create, { params: { id: course.id }, body: { rule } }));
    await runTurns(services);
    return {};
  },
};
