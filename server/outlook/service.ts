import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { listDates } from "#server/outlook/dates.ts";
import { composeEmails } from "#server/outlook/emails.ts";
import { listLeaving } from "#server/outlook/leaving.ts";
import { getMember, getPerson, type Person } from "#server/outlook/person.ts";
import { listStepsAhead } from "#server/reminders/ahead.ts";
import { readPlan } from "#server/reminders/plans.ts";
import { addDays } from "#shared/core/dates.ts";
import { isAdmin, type User } from "#shared/core/users.ts";
import { MAX_EVENTS, type Outlook, type OutlookEvent } from "#shared/outlook/outlook.ts";

/** What will reach a learner in the scope of the user. */
export async function readOutlook(ctx: Ctx<User>, id: string, days: number) {
  return lookAhead(ctx, await getPerson(ctx, id), days);
}

/** What will reach one of the manager's people. */
export async function readMemberOutlook(ctx: Ctx<User>, id: string, days: number) {
  return lookAhead(ctx, await getMember(ctx, id), days);
}

async function lookAhead(ctx: Ctx<User>, person: Person, days: number): Promise<Outlook> {
  const { name, companyId, company, today, zone } = person;
  const until = addDays(today, days);
  const plan = await readPlan(ctx, companyId);
  const reminders = remindersOf(person, plan.isOn);
  const events = await inTransaction(ctx.db, async (tx): Promise<OutlookEvent[]> => {
    const { dates, openings } = await listDates(tx, person, until);
    const leaving = await listLeaving(tx, person, until);
    const steps = plan.isOn ? await listStepsAhead(tx, { person, plan, openings, until }) : [];
    return [...dates, ...leaving, ...composeEmails(person.id, steps)];
  });
  const shown = events
    .flatMap((event) => (isAdmin(ctx.user) ? [event] : showToPeople(event)))
    .toSorted((a, b) => a.day.localeCompare(b.day) || ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  return {
    name,
    companyId,
    company,
    today,
    until,
    zone,
    reminders,
    hour: plan.hour,
    hasMailServer: plan.hasMailServer,
    items: shown.slice(0, MAX_EVENTS),
    isCut: shown.length > MAX_EVENTS,
  };
}

const ORDER: OutlookEvent["kind"][] = ["opens", "leaves", "email", "held", "due", "expires"];

function remindersOf({ status, companyStatus }: Person, isOn: boolean): Outlook["reminders"] {
  if (companyStatus !== "active") return "closed";
  if (status === "suspended") return "suspended";
  return isOn ? "on" : "off";
}

/** Learners and managers read neither names of rules nor why an email is not sent. */
function showToPeople(event: OutlookEvent): OutlookEvent[] {
  if (event.kind === "held") return [];
  if (event.kind === "leaves") return event.isWithdrawn ? [{ ...event, rule: null }] : [];
  return [event];
}
