import { sql } from "kysely";
import { runTurns } from "#server/enrolmentRules/runs.ts";
import { enrolmentRules } from "#shared/enrolmentRules/enrolmentRules.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

/** Rows of a table with `rule_id` that belong to rules of a company. */
const ofRule = (companyId: string) => sql<boolean>`t.rule_id in (
  select id
  from enrolment_rules
  where company_id = ${companyId}
)`;

export const probes: Probes = {
  async fill({ server: { as, services }, admin, company, course, tag }) {
    const body = {
      companyId: company.id,
      name: `Rule ${tag}`,
      explanation: `Reason ${tag}`,
      condition: {
        match: "all" as const,
        tests: [{ kind: "status" as const, is: "is" as const, status: "active" as const }],
      },
      courseIds: [course.id],
      people: "future" as const,
    };
    const made = bodyOf(await as(admin)(enrolmentRules.create, { body }));
    const { id } = made;
    const { version } = bodyOf(
      await as(admin)(enrolmentRules.setState, { params: { id }, body: { state: "active", version: made.version } }),
    );
    await runTurns(services);
    const draft = { ...body, id };
    return {
      marks: [id, body.name, body.explanation],
      writes: {
        "enrolmentRules.create": { body },
        "enrolmentRules.preview": { body: draft },
        "enrolmentRules.previewPeople": { body: { ...draft, part: "meet" } },
        "enrolmentRules.past": { body: draft },
        "enrolmentRules.update": { id, body: { name: "Taken over", version } },
        "enrolmentRules.setState": { id, body: { state: "paused", version } },
        "enrolmentRules.undo": { id },
        "enrolmentRules.remove": { id },
      },
    };
  },
  companyRows: {
    enrolment_rule_courses: ofRule,
    enrolment_rule_uses: ofRule,
    enrolment_rule_exceptions: ofRule,
    enrolment_rule_runs: ofRule,
    enrolment_rule_run_rows: (companyId) => sql<boolean>`t.run_id in (
      select enrolment_rule_runs.id
      from enrolment_rule_runs
      join enrolment_rules on enrolment_rules.id = enrolment_rule_runs.rule_id
      where enrolment_rules.company_id = ${companyId}
    )`,
  },
};
