import { sql } from "kysely";
import { courses } from "#shared/courses/courses.ts";
import { exemptions } from "#shared/requirements/exemptions.ts";
import { requirements } from "#shared/requirements/requirements.ts";
import { bodyOf, type Probes } from "#test/probes.ts";
import { createRequirementTester, yearly } from "#test/requirements.ts";

export const probes: Probes = {
  async fill({ server, admin, learner, company }) {
    const { call, complete, demand, work, enrolmentOf } = createRequirementTester(server, admin);
    const [course, other] = [await server.make.course(admin), await server.make.course(admin)];
    const { id, version } = await demand(company.id, course.id);
    bodyOf(await call(courses.assign, { params: { id: course.id }, body: { userIds: [learner.user.id] } }));
    await complete(learner, company.id, course.id);
    const enrolmentId = (await enrolmentOf(learner, course.id))?.id ?? "";
    bodyOf(await call(requirements.open, { params: { id: enrolmentId } }));
    await work();
    const exemption = { from: "2031-01-01", until: "2031-02-01", due: "2031-02-15", ground: "absence" } as const;
    const exempt = { params: { id: enrolmentId }, body: { ...exemption, note: `note of ${company.name}` } };
    bodyOf(await call(exemptions.create, exempt));
    const list = bodyOf(await call(exemptions.list, { params: { id: enrolmentId } }));
    const exemptionId = list.items[0]?.id ?? "";
    const body = { courseId: other.id, terms: yearly };
    return {
      marks: [id, enrolmentId, exemptionId],
      writes: {
        "requirements.create": { id: company.id, body },
        "requirements.preview": { id: company.id, body },
        "requirements.update": { id, body: { terms: yearly, version } },
        "requirements.remove": { id },
        "requirements.open": { id: enrolmentId },
        "requirements.close": { id: enrolmentId },
        "exemptions.create": { id: enrolmentId, body: exemption },
        "exemptions.end": { id: exemptionId },
      },
    };
  },
  companyRows: {
    enrolment_cycles: (companyId) => sql<boolean>`t.enrolment_id in (
      select id
      from enrolments
      where company_id = ${companyId}
    )`,
  },
  boundedPages: [],
};
