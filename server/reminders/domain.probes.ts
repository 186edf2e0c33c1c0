import type { Probes } from "#test/probes.ts";
import { createReminderTester, everyDay, step } from "#test/reminders.ts";

export const probes: Probes = {
  async fill({ server, admin, learner, company, course }) {
    const { work, setDue, savePlan } = createReminderTester(server, admin);
    await setDue(learner, course.id, 5);
    await server.db
      .updateTable("enrolments")
      .set({ assignedAt: new Date(Date.now() - 40 * 86_400_000).toISOString() })
      .where("userId", "=", learner.user.id)
      .execute();
    const terms = everyDay(step("due_soon", 5));
    const { version } = await savePlan(company.id, terms);
    await work();
    return {
      writes: {
        "reminders.save": { id: company.id, body: { terms, version } },
        "reminders.preview": { id: company.id, body: { terms } },
      },
    };
  },
};
