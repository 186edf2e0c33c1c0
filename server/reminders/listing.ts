import { sql } from "kysely";
import { inTransaction } from "#server/core/database/db.ts";
import { searchFor } from "#server/core/database/listing.ts";
import { nameOf } from "#server/core/database/personName.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { getPlan, momentOf, nextSendingDay } from "#server/reminders/plans.ts";
import { selectDueSteps, useCustomPlans } from "#server/reminders/steps.ts";
import { addDays } from "#shared/core/dates.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import {
  type PastReminder,
  type PlannedReminder,
  type ReminderStatus,
  PREVIEW_DAYS,
  type ReminderPreview,
  type reminders,
} from "#shared/reminders/reminders.ts";

type Counts = Pick<ReminderPreview, "total" | "sent" | "dropped" | "emails">;

/** The steps that these terms would send on a day, as things are now, and those left out, with the reason. */
export async function previewSteps(
  ctx: Ctx<User>,
  companyId: string,
  { terms, day: asked, page, size }: BodyOf<typeof reminders.preview>,
): Promise<ReminderPreview> {
  const plan = await getPlan(ctx, companyId);
  const { skipsWeekends, steps } = terms;
  // Today is over for a plan that has sent its emails.
  const first = nextSendingDay(plan.openDay, skipsWeekends);
  const last = addDays(first, PREVIEW_DAYS);
  const within = [first, asked ?? first, last].toSorted()[1] as string;
  const day = nextSendingDay(within, skipsWeekends);
  const before = nextSendingDay(addDays(day, -1), skipsWeekends, -1);
  const after = nextSendingDay(addDays(day, 1), skipsWeekends);
  const due = selectDueSteps({
    company: { id: companyId, zone: plan.zone },
    plan: { startsOn: plan.startsOn, skipsWeekends, steps },
    day,
    nextDay: first,
    at: momentOf(sql`due.sent_on`, { zone: plan.zone, hour: terms.hour }),
  });
  const { counts, items } = await inTransaction(ctx.db, async (tx) => {
    await useCustomPlans(tx);
    const { rows } = await sql<{ counts: Counts; items: PlannedReminder[] }>`
      with planned as materialized (${due}),
      named as (
        select
          planned.enrolment_id || ' ' || planned.kind || planned.days || planned.audience as id,
          planned.kind, planned.days, planned.audience, planned.dropped, planned.recipient_id,
          planned.user_id, ${nameOf()} as name,
          planned.course_id, courses.title as course,
          enrolments.due_date,
          row_number() over (
            order by planned.dropped is not null, lower(${nameOf()}), users.id, lower(courses.title), planned.kind
          ) as place
        from planned
        join users on users.id = planned.user_id
        join enrolments on enrolments.id = planned.enrolment_id
        join courses on courses.id = planned.course_id
        order by place
        limit ${size}
        offset ${(page - 1) * size}
      )
      select
        (
          select jsonb_build_object(
            'total', count(*),
            'sent', count(*) filter (where dropped is null),
            'dropped', count(*) filter (where dropped is not null),
            'emails', count(distinct (recipient_id, recipient_id = user_id)) filter (where dropped is null)
          )
          from planned
        ) as counts,
        (
          select coalesce(jsonb_agg(jsonb_build_object(
            'id', named.id, 'kind', named.kind, 'days', named.days, 'audience', named.audience,
            'dropped', named.dropped, 'userId', named.user_id, 'name', named.name, 'courseId', named.course_id,
            'course', named.course, 'dueDate', named.due_date,
            'recipient', nullif(${nameOf("recipient")}, '')
          ) order by named.place), '[]')
          from named
          left join users recipient on recipient.id = named.recipient_id
        ) as items`.execute(tx);
    return rows[0] as (typeof rows)[number];
  });
  return {
    items,
    ...counts,
    day,
    previousDay: before >= first ? before : null,
    nextDay: after <= last ? after : null,
  };
}

/** SQL: the status of a reminder, with that of an email that has not left. */
const statusOf = sql<ReminderStatus>`case
  when reminders.status = 'sent' and mails.status in ('kept', 'failed') then mails.status
  else reminders.status
end`;

/** What was sent, is about to be, or was dropped for a reason; the latest first. */
export async function listReminders(
  ctx: Ctx<User>,
  companyId: string,
  query: QueryOf<typeof reminders.list>,
): Promise<{ items: PastReminder[]; total: number }> {
  const { db, user } = ctx;
  await getPlan(ctx, companyId);
  // Left joins, which PostgreSQL leaves out where it only counts.
  let rows = db
    .selectFrom("reminders")
    .leftJoin("users", "users.id", "reminders.userId")
    .leftJoin("courses", "courses.id", "reminders.courseId")
    .leftJoin("users as recipient", "recipient.id", "reminders.recipientId")
    .leftJoin("mails", "mails.id", "reminders.mailId")
    .where("reminders.companyId", "=", companyId)
    .where(inScope(user, { company: "reminders.companyId" }));
  if (query.status) rows = rows.where(statusOf, "=", query.status);
  if (query.userId) rows = rows.where("reminders.userId", "=", query.userId);
  if (query.q) rows = rows.where(searchFor(query.q, ["users.name", "users.email", "courses.title"]));
  const { total } = await rows.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const items = await rows
    .orderBy("reminders.id", "desc")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .select(sql<string>`reminders.id::text`.as("id"))
    .select(["reminders.kind", "reminders.days", "reminders.audience", statusOf.as("status")])
    .select(["reminders.dropped", "reminders.userId", "reminders.courseId"])
    .select(sql<string>`coalesce(courses.title, '')`.as("course"))
    .select(nameOf().as("name"))
    .select(sql<string | null>`case when reminders.kind <> 'not_started' then reminders.counted_from end`.as("dueDate"))
    .select(sql<string | null>`nullif(${nameOf("recipient")}, '')`.as("recipient"))
    .select(sql<string>`coalesce(reminders.done_at, reminders.planned_at)`.as("at"))
    .execute();
  return { items, total };
}
