import { courses } from "#shared/courses/courses.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  withoutCompany: [
    ...["importPackage", "update", "setStatus", "setLive"].map((name) => `courses.${name}`),
    "packageChecks.again",
  ],
  async fill({ server: { as }, admin, learner, company, course, own }) {
    const enrolment = bodyOf(await as(admin)(courses.enrolments, { query: { userId: learner.user.id } })).items[0];
    if (!enrolment) throw new Error("The learner has no course");
    bodyOf(
      await as(admin)(courses.assign, { params: { id: course.id }, body: { companyIds: [company.id], userIds: [] } }),
    );
    const { undoId } = bodyOf(
      await as(admin)(courses.setDue, { params: { id: course.id }, body: { filter: {}, dueDate: "2031-01-01" } }),
    );
    const userIds = [learner.user.id];
    return {
      marks: [enrolment.id, undoId],
      writes: {
        "courses.assign": { id: own.course.id, body: { companyIds: [company.id], userIds } },
        "courses.assignMany": { body: { courseIds: [own.course.id], userIds } },
        "courses.previewAssignmentMail": { body: { courseIds: [own.course.id], userIds } },
        "courses.restore": { id: course.id, body: { userIds } },
        "courses.undo": { id: undoId },
        "courses.withdraw": { id: course.id, body: { userIds } },
        "courses.setDue": { id: course.id, body: { userIds, dueDate: "2030-01-01" } },
        "courses.remindPreview": { body: { companyId: company.id } },
        "courses.remind": { body: { companyId: company.id } },
      },
    };
  },
  boundedPages: ["", "?sort=dueDate", "?sort=-dueDate"].map((query) => courses.enrolments.path + query),
};
