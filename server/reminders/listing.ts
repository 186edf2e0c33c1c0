import { sql } from "kysely";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import { readCounted, searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { addDays, getPlan, nextSendingDay } from "#server/reminders/plans.ts";
import { selectDueSteps, useCustomPlans } from "#server/reminders/steps.ts";
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

const nameOf = (table: string) =>
  sql<string>`coalesce(nullif(${sql.ref(`${table}.name`)}, ''), ${sql.ref(`${table}.email`)}, '')`;

type PreviewRow = PlannedReminder & { total: number; emails: number; sent: number; held: number };

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
  });
  const read = (tx: Tx, limit: number, offset: number) =>
    sql<PreviewRow>`
      with planned as materialized (${due}),
      counts as (
        select
          count(*)::int as total,
          count(*) filter (where dropped is null)::int as sent,
          count(*) filter (where dropped is not null)::int as held,
          count(distinct (recipient_id, recipient_id = user_id)) filter (where dropped is null)::int as emails
        from planned
      )
      select
        planned.enrolment_id || ' ' || planned.kind || planned.days || planned.audience as id,
        planned.kind, planned.days, planned.audience, planned.dropped,
        planned.user_id, ${nameOf("users")} as name,
        planned.course_id, courses.title as course,
        enrolments.due_date,
        case when recipient.id is not null then ${nameOf("recipient")} end as recipient,
        counts.*
      from planned
      cross join counts
      join users on users.id = planned.user_id
      join enrolments on enrolments.id = planned.enrolment_id
      join courses on courses.id = planned.course_id
      left join users recipient on recipient.id = planned.recipient_id
      order by planned.dropped is not null, lower(${nameOf("users")}), users.id, lower(courses.title), 1
      limit ${limit}
      offset ${offset}`.execute(tx);
  const { items, total } = await inTransaction(ctx.db, async (tx) => {
    await useCustomPlans(tx);
    return readCounted({ page, size }, (limit, offset) => read(tx, limit, offset));
  });
  const { emails = 0, sent = 0, held = 0 } = items[0] ?? {};
  return {
    items: items.map(({ total: _, emails: __, sent: ___, held: ____, ...row }) => row),
    total,
    day,
    emails,
    sent,
    dropped: held,
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
  let rows = db
    .selectFrom("reminders")
    .innerJoin("users", "users.id", "reminders.userId")
    .innerJoin("courses", "courses.id", "reminders.courseId")
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
    .select(["reminders.dropped", "reminders.userId", "reminders.courseId", "courses.title as course"])
    .select(nameOf("users").as("name"))
    .select(sql<string | null>`case when reminders.kind <> 'not_started' then reminders.counted_from end`.as("dueDate"))
    .select(sql<string | null>`case when recipient.id is not null then ${nameOf("recipient")} end`.as("recipient"))
    .select(sql<string>`coalesce(reminders.done_at, reminders.planned_at)`.as("at"))
    .execute();
  return { items, total };
}
