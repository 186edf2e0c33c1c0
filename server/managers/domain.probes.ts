import { managers } from "#shared/managers/managers.ts";
import { learners } from "#shared/learners/learners.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  async fill({ server: { as, make }, admin, learner, company, tag }) {
    const boss = await make.learner(company.accessCode, `Boss ${tag}`);
    const deputy = await make.learner(company.accessCode, `Dora ${tag}`);
    const to = { body: { ids: [learner.user.id], managerId: boss.user.id } };
    bodyOf(await as(admin)(learners.setManager, to));
    const days = { fromDay: "2026-01-01", untilDay: "2027-01-01" };
    const { id } = bodyOf(
      await as(admin)(managers.addDeputy, {
        params: { id: boss.user.id },
        body: { deputyId: deputy.user.id, ...days },
      }),
    );
    await as(admin)(managers.give, { params: { id: boss.user.id }, body: { endsOn: null } });
    return {
      marks: [boss.user.id, deputy.user.id, id],
      writes: {
        "managers.allow": { id: company.id, body: { seePeople: false } },
        "managers.addDeputy": { id: boss.user.id, body: { deputyId: deputy.user.id, ...days } },
        "managers.removeDeputy": { id },
        "managers.give": { id: boss.user.id, body: { endsOn: null } },
        "managers.take": { id: boss.user.id },
        "learners.setManager": { body: { ids: [learner.user.id], managerId: null } },
      },
    };
  },
};
