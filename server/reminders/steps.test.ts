import { expect, test } from "vitest";
import { nextSendingDay } from "#server/reminders/plans.ts";
import { CATCH_UP_DAYS, reminderKind, type ReminderStep, type ReminderTerms } from "#shared/reminders/reminders.ts";
import { addDays } from "#shared/core/dates.ts";
import { type OutlookEvent, outlooks } from "#shared/outlook/outlook.ts";
import { numbers } from "#test/randomTalks.ts";
import { bodyOf } from "#test/probes.ts";
import { createReminderTester } from "#test/reminders.ts";
import { type Person, start } from "#test/start.ts";

// A slow second program walks from day to day, remembers what it has sent, and must send what the previews say

const server = await start();
const { make, db } = server;
const admin = await make.admin();
const { call, room, previewOf, planOf } = createReminderTester(server, admin);

const SEED = 20261129;
const ZONES = ["Pacific/Pago_Pago", "UTC", "Asia/Kathmandu", "Pacific/Kiritimati", "America/New_York"];
/** Days that are compared. */
const DAYS = 24;

type Assignment = { name: string; assignedAt: Date; due: string | null; isStarted: boolean };

const dayIn = (at: Date, zone: string) => new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(at);

/** `name kind days audience` of every step that is sent on each sending day from `first` on. */
function walk(people: Assignment[], zone: string, { steps, skipsWeekends }: ReminderTerms, today: string) {
  const first = nextSendingDay(today, skipsWeekends);
  const told = new Set<string>();
  const sent = new Map<string, string[]>();
  for (let day = first; day <= addDays(first, DAYS);) {
    const ofDay: string[] = [];
    for (const { name, assignedAt, due, isStarted } of people)
      for (const audience of ["learner", "manager"] as const) {
        const assigned = dayIn(assignedAt, zone);
        const reached = steps.flatMap((step) => {
          if (!(audience === "learner" ? step.toLearner : step.toManager)) return [];
          const from = step.kind === "not_started" ? assigned : due;
          if (from === null || (step.kind === "not_started" && isStarted)) return [];
          const stepDay = addDays(from, step.kind === "due_soon" ? -step.days : step.days);
          const sendDay = nextSendingDay(stepDay, skipsWeekends, step.kind === "due_soon" ? -1 : 1);
          const isMissed = stepDay <= assigned || stepDay < addDays(first, -CATCH_UP_DAYS);
          const isPast = due !== null && due < day && step.kind !== "overdue";
          const key = `${name} ${step.kind} ${step.days} ${audience}`;
          return isMissed || isPast || sendDay > day || told.has(key) ? [] : [{ key, stepDay, kind: step.kind }];
        });
        const rank = ({ stepDay, kind }: (typeof reached)[number]) => `${stepDay} ${kind === "not_started" ? 0 : 1}`;
        const [latest] = reached.toSorted((a, b) => rank(b).localeCompare(rank(a)));
        for (const { key } of reached) told.add(key);
        if (latest) ofDay.push(latest.key);
      }
    sent.set(day, ofDay.toSorted());
    day = nextSendingDay(addDays(day, 1), skipsWeekends);
  }
  return sent;
}

const spread = (walked: Map<string, string[]>) =>
  [...walked].flatMap(([day, keys]) => keys.map((key) => `${day} ${key}`)).toSorted();

const audienceOf = (event: Extract<OutlookEvent, { kind: "email" | "held" }>) => {
  if (event.kind === "held") return event.audience;
  return event.toManager ? "manager" : "learner";
};

/** What each of these people is told to expect, as a walk says it. */
async function lookAhead(people: Person[], last: string) {
  const lines: string[] = [];
  for (const { user } of people) {
    const { items } = bodyOf(await call(outlooks.get, { params: { id: user.id }, query: { days: DAYS + 3 } }));
    for (const event of items) {
      if (event.kind !== "email" && event.kind !== "held") continue;
      for (const { kind, days } of event.kind === "email" ? event.steps : [event.step])
        if (event.day <= last) lines.push(`${event.day} ${user.name} ${kind} ${days} ${audienceOf(event)}`);
    }
  }
  return lines.toSorted();
}

test.each(ZONES)("the previews of %s are what a day-by-day walk sends (seed 20261129)", async (zone) => {
  const random = numbers(SEED + ZONES.indexOf(zone));
  const under = (limit: number) => Math.floor(random() * limit);
  const names = Array.from({ length: 30 }, (_, at) => `P${at}`);
  const { company, course, people } = await room(names, zone);
  const { today } = await planOf(company.id);
  const assignments: Assignment[] = [];
  for (const [at, name] of names.entries()) {
    const one = {
      name,
      assignedAt: new Date(Date.now() - under(20 * 86_400_000)),
      due: under(5) === 0 ? null : addDays(today, under(50) - 15),
      isStarted: under(2) === 0,
    };
    assignments.push(one);
    await db
      .updateTable("enrolments")
      .set({
        assignedAt: one.assignedAt.toISOString(),
        dueDate: one.due,
        ...(one.isStarted && { status: "in_progress", firstStartedAt: one.assignedAt.toISOString() }),
      })
      .where("userId", "=", people[at]?.user.id as string)
      .where("courseId", "=", course.id)
      .execute();
  }
  for (const skipsWeekends of [true, false]) {
    const steps = new Map<string, ReminderStep>();
    for (let made = 0; made < 7; made++) {
      const kind = reminderKind.options[under(3)] as ReminderStep["kind"];
      const days = 1 + under(14);
      const toLearner = under(3) > 0;
      steps.set(`${kind} ${days}`, { kind, days, toLearner, toManager: !toLearner || under(2) === 0 });
    }
    const terms = { isOn: true, hour: 0, skipsWeekends, steps: [...steps.values()] };
    await db
      .insertInto("reminderPlans")
      .values({ companyId: company.id, ...terms, steps: JSON.stringify(terms.steps), startsOn: addDays(today, -90) })
      .onConflict((on) => on.column("companyId").doUpdateSet({ skipsWeekends, steps: JSON.stringify(terms.steps) }))
      .execute();
    const walked = walk(assignments, zone, terms, today);
    expect(await lookAhead(people, [...walked.keys()].at(-1) ?? today)).toEqual(spread(walked));
    for (const [day, expected] of walked) {
      const { items, day: shown } = await previewOf(company.id, terms, day);
      const sent = items.filter(({ dropped }) => dropped !== "merged");
      expect(shown).toBe(day);
      const keys = sent.map(({ name, kind, days, audience }) => `${name} ${kind} ${days} ${audience}`);
      expect([day, keys.toSorted()]).toEqual([day, expected]);
    }
  }
});
