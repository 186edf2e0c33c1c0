import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { courses } from "#shared/courses/courses.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  withoutCompany: ["player.commit", "player.launchActivity"],
  companyRows: {
    quiz_allowances: (companyId) => sql`t.enrolment_id in (select id from enrolments where company_id = ${companyId})`,
  },
  async fill({ server: { as }, admin, company, learner }) {
    const enrolment = bodyOf(await as(admin)(courses.enrolments, { query: { userId: learner.user.id } })).items[0];
    return {
      writes: {
        "player.launch": { id: company.id, body: { clientId: randomUUID() } },
        "quizzes.allow": { id: enrolment?.id ?? "", body: { sco: "lesson-quiz", attempts: 1, minutes: 5 } },
      },
    };
  },
};
