import { courses } from "#shared/courses/courses.ts";
import { completions } from "#shared/completions/completions.ts";
import { pastCompletions } from "#shared/completions/pastCompletions.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  async fill({ server: { as, db }, admin, learner, company, course, tag }) {
    const { items } = bodyOf(
      await as(admin)(courses.enrolments, { query: { userId: learner.user.id, courseId: course.id } }),
    );
    const { id = "", status = "assigned" } = items[0] ?? {};
    const reason = `Done on paper ${tag}`;
    const input = { reason, attemptNo: 1 };
    const set = await as(admin)(completions.set, { params: { id }, body: { ...input, status } });
    const reopened = await as(admin)(completions.reopen, {
      params: { id },
      body: { ...input, status: bodyOf(set).status },
    });
    const body = { ...input, status: bodyOf(reopened).status };
    const elsewhere = `Elsewhere ${tag}`;
    await db
      .insertInto("externalCompletions")
      .values({
        companyId: company.id,
        personId: learner.user.id,
        title: elsewhere,
        completedOn: "2024-03-29",
        fileName: `history-${tag}.csv`,
        rowNumber: 1,
      })
      .execute();
    const past = { courseId: null, title: elsewhere, completedOn: "2024-03-30" };
    const params = { id: learner.user.id };
    const { id: pastId } = bodyOf(await as(admin)(pastCompletions.add, { params, body: past }));
    return {
      marks: [elsewhere, pastId],
      writes: {
        "completions.set": { id, body },
        "completions.reopen": { id, body },
        "completions.restart": { id, body },
        "pastCompletions.add": { id: learner.user.id, body: { ...past, title: `Other ${tag}` } },
        "pastCompletions.remove": { id: pastId },
        "completions.undo": { id: bodyOf(reopened).decisions[0]?.id ?? "" },
      },
    };
  },
};
