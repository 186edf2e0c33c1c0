import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { followPaths } from "#server/paths/follow.ts";
import { paths } from "#shared/paths/paths.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

/** Rows of a table with `enrolment_id` that belong to people of a company. */
const ofPeople = (companyId: string) => sql<boolean>`t.enrolment_id in (
  select id
  from path_enrolments
  where company_id = ${companyId}
)`;

export const probes: Probes = {
  async fill({ server: { as, services }, admin, learner, company, course, tag }) {
    const call = as(admin);
    const steps = [{ id: randomUUID(), courseIds: [course.id], dueDays: 30 }];
    const { id, version } = bodyOf(await call(paths.create, { body: { title: `Path ${tag}`, steps } }));
    bodyOf(await call(paths.publish, { params: { id }, body: { people: "keep", version } }));
    bodyOf(await call(paths.assign, { params: { id }, body: { companyIds: [company.id] } }));
    await followPaths.run(services, {});
    return {
      writes: {
        "paths.withdraw": { id, body: { userIds: [learner.user.id] } },
        "paths.assign": { id, body: { companyIds: [company.id] } },
        "paths.previewAssign": { id, body: { companyIds: [company.id] } },
      },
    };
  },
  withoutCompany: ["paths.create", "paths.update", "paths.setArchived", "paths.previewPublish", "paths.publish"],
  companyRows: { path_steps: ofPeople, path_changes: ofPeople },
  boundedPages: [],
};
