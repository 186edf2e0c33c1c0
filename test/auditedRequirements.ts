import { exemptions } from "#shared/requirements/exemptions.ts";
import { requirements } from "#shared/requirements/requirements.ts";
import { bodyOf } from "#test/probes.ts";
import { createReminderTester, everyDay, step } from "#test/reminders.ts";
import { createRequirementTester, dayIn } from "#test/requirements.ts";
import type { Person, start } from "#test/start.ts";

/** Every action on requirements and reminders that the audit log records. */
export async function changeRequirements(server: Awaited<ReturnType<typeof start>>, admin: Person) {
  const { call, room, demand, change, complete, cellOf } = createRequirementTester(server, admin);
  const { company, course, learners } = await room();
  const [ada] = learners as [Person];
  const { id } = await demand(company.id, course.id);
  await complete(ada, company.id, course.id);
  const cell = await cellOf(company.id, ada, course.id);
  const params = { id: cell?.enrolmentId ?? "" };
  bodyOf(await call(requirements.open, { params }));
  bodyOf(await call(requirements.close, { params }));
  const away = { from: dayIn(0), until: dayIn(10), due: dayIn(20), ground: "absence" } as const;
  bodyOf(await call(exemptions.create, { params, body: away }));
  const { items } = bodyOf(await call(exemptions.list, { params }));
  bodyOf(await call(exemptions.end, { params: { id: items[0]?.id ?? "" } }));
  await change(company.id, id, { months: 24 });
  await call(requirements.remove, { params: { id } });
  const { savePlan } = createReminderTester(server, admin);
  const terms = everyDay(step("overdue", 1));
  for (const isOn of [true, true, false]) await savePlan(company.id, { ...terms, isOn });
}
