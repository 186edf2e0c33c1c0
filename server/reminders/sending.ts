import { sql } from "kysely";
import { z } from "zod";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { nameOf } from "#server/core/database/personName.ts";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import { job } from "#server/core/jobs.ts";
import type { Services } from "#server/core/services.ts";
import { enqueueMail } from "#server/mails/service.ts";
import { MAX_LINES, ownReminderMail, type RemindedCourse, teamReminderMail } from "#server/reminders/mails.ts";
import { planSteps } from "#server/reminders/planning.ts";
import { droppedFor, isOpen } from "#server/reminders/steps.ts";
import { type DropReason, REMINDER_DAYS } from "#shared/reminders/reminders.ts";

// Plans the steps of the day and writes their emails, one for each recipient

const KEY = "reminders:send";
/** Only one job sends at a time. */
const QUEUE = "reminders";
/** Recipients of one transaction, and steps after which no further recipient is added. */
const RECIPIENTS = 20;
const STEPS = 1000;
/** How long a job works before other jobs have their turn, in ms. */
const JOB_MS = 4000;

export const sendReminders = job(
  KEY,
  z.object({}),
  async (services) => {
    const until = performance.now() + JOB_MS;
    while ((await mailRecipients(services)) || (await planSteps(services)))
      if (performance.now() > until) {
        await sendReminders.enqueue(services.db, {}, { key: KEY });
        return;
      }
  },
  "*/5 * * * *",
  QUEUE,
);

type Planned = RemindedCourse & {
  id: string;
  enrolmentId: string;
  userId: string;
  audience: "learner" | "manager";
  recipientId: string | null;
  email: string | null;
  recipientName: string;
  companyId: string;
  company: string;
  color: string | null;
  /** Midnight in the zone of the company. */
  endOfDay: string;
  dropped: DropReason | null;
};

/**
 * SQL condition: planned steps of a company whose day is planned to its end, so that each recipient gets one email.
 * Those that are left from another day are planned again (planning.ts). Steps that are no longer sent end at any time.
 */
const isReady = sql<boolean>`(
  reminders.status = 'planned'
  and exists (
    select from companies
    left join reminder_plans plan on plan.company_id = companies.id
    where companies.id = reminders.company_id
      and (
        companies.status <> 'active'
        or not coalesce(plan.is_on, false)
        or plan.planned_on = (now() at time zone companies.timezone)::date
      )
  )
)`;

/** Writes the emails of the next recipients. False if there are none. */
const mailRecipients = (services: Services) =>
  inTransaction(services.db, async (tx) => {
    const { rows: next } = await sql<{ id: string | null; count: number }>`
      select recipient_id as id, count(*)::int as count
      from reminders
      where ${isReady}
      group by recipient_id
      order by recipient_id
      limit ${RECIPIENTS}`.execute(tx);
    if (next.length === 0) return false;
    let steps = 0;
    const chosen = next.filter(({ count }) => (steps += count) === count || steps <= STEPS);
    const planned = await lockPlanned(
      tx,
      chosen.flatMap(({ id }) => id ?? []),
    );
    const byReason = Map.groupBy(planned, ({ dropped }) => dropped);
    for (const [dropped, rows] of byReason) if (dropped !== null) await drop(tx, rows, dropped);
    const groups = Map.groupBy(byReason.get(null) ?? [], (row) => `${row.recipientId} ${row.companyId}`);
    for (const rows of groups.values()) await mailRecipient(services, tx, rows);
    return true;
  });

/** The planned steps of these recipients with what holds of them now; those without a recipient any more, too. */
async function lockPlanned(tx: Tx, recipientIds: string[]) {
  const isTheirs = sql`${isReady} and (
    reminders.recipient_id is null
    or ${isOneOf("reminders.recipient_id", recipientIds)}
  )`;
  // Completions and changes of due dates that are being stored come first, of what an email names.
  await sql`
    select id
    from enrolments
    where id in (
      select enrolment_id
      from (
        select enrolment_id, row_number() over (partition by recipient_id order by id) as line
        from reminders
        where ${isTheirs}
      ) lines
      where line <= ${MAX_LINES}
    )
    order by id
    for no key update`.execute(tx);
  const { rows } = await sql<Planned>`
    with present_managers as materialized (
      select id
      from unnest(${recipientIds}::uuid[]) ids (id)
      where exists (select from managers_in_place_of(id))
    )
    select
      reminders.id, reminders.enrolment_id, reminders.user_id, reminders.kind, reminders.audience,
      recipient.id as recipient_id, recipient.email, recipient.name as recipient_name,
      companies.id as company_id, companies.name as company, companies.color,
      ((now() at time zone companies.timezone)::date + 1)::timestamp at time zone companies.timezone as end_of_day,
      ${nameOf()} as person, ${personnelNumber} as number,
      users.email is null as has_no_email,
      courses.title, enrolments.due_date,
      (enrolments.assigned_at at time zone companies.timezone)::date as assigned_on,
      case
        when enrolments.status = 'completed' then 'completed'
        when enrolments.status = 'withdrawn' then 'withdrawn'
        when not coalesce(plan.is_on, false) then 'switchedOff'
        when not ${isUnchanged} then 'changed'
        when recipient.id <> users.id and not ${isStillManager} then 'otherManager'
        else ${droppedFor(sql`reminders.audience`, sql`recipient.id`, sql`now()`)}
      end as dropped
    from reminders
    join enrolments on enrolments.id = reminders.enrolment_id
    join users on users.id = reminders.user_id
    join companies on companies.id = reminders.company_id
    join courses on courses.id = reminders.course_id
    left join managers on managers.user_id = users.id
    left join reminder_plans plan on plan.company_id = reminders.company_id
    left join users recipient
      on recipient.id = reminders.recipient_id
      and recipient.email is not null
      and recipient.status <> 'suspended'
    where ${isTheirs}
    order by reminders.id
    for update of reminders`.execute(tx);
  return rows;
}

/** SQL: the recipient gets the emails about this person; most often their direct manager, which takes no search. */
const isStillManager = sql<boolean>`(
  managers.manager_id = recipient.id and recipient.id in (select id from present_managers)
  or recipient.id = mail_manager_of(users.id)
)`;

/** SQL: the course is as it was when the step was planned. */
const isUnchanged = sql<boolean>`(
  ${isOpen}
  and case reminders.kind
    when 'not_started' then enrolments.status = 'assigned'
      and (enrolments.assigned_at at time zone companies.timezone)::date = reminders.counted_from
    else coalesce(enrolments.due_date = reminders.counted_from, false)
  end
  and (reminders.kind <> 'due_soon' or enrolments.due_date >= (now() at time zone companies.timezone)::date)
)`;

const idsOf = (rows: { id: string }[]) => sql`reminders.id = any(${rows.map(({ id }) => id)}::bigint[])`;

const drop = (tx: Tx, rows: Planned[], dropped: DropReason) =>
  sql`
    update reminders
    set status = 'dropped',
      dropped = ${dropped},
      done_at = now()
    where ${idsOf(rows)}`.execute(tx);

/** One email about a person's own courses, and one about those of the people whom they lead. */
async function mailRecipient(services: Services, tx: Tx, rows: Planned[]) {
  const own = rows.filter(({ userId, recipientId }) => userId === recipientId);
  const team = rows.filter(({ userId, recipientId }) => userId !== recipientId);
  for (const [part, render, path] of [
    [own, ownReminderMail, "/my-courses"],
    [team, teamReminderMail, "/team"],
  ] as const) {
    const [first] = part;
    if (!first) continue;
    const { email, recipientId, recipientName, companyId, company, color, endOfDay } = first;
    const mail = await enqueueMail(services, tx, {
      recipient: email as string,
      userId: recipientId,
      companyId,
      reason: "reminders.sent",
      notAfter: endOfDay,
      ...render({ name: recipientName, company, color, courses: part, link: services.config.publicUrl + path }),
    });
    await sql`
      update reminders
      set status = 'sent',
        mail_id = ${mail.id},
        done_at = now()
      where ${idsOf(part)}`.execute(tx);
  }
  // An admin who reminds by hand sees it, and leaves them out for a while.
  const reminded = rows.filter(({ audience, kind }) => audience === "learner" && kind === "overdue");
  if (reminded.length > 0)
    await tx
      .updateTable("enrolments")
      .set({ remindedAt: sql`now()` })
      .where(
        isOneOf(
          "id",
          reminded.map(({ enrolmentId }) => enrolmentId),
        ),
      )
      .execute();
}

/** Old rows that are deleted in one statement. */
const OLD_BATCH = 5000;

export const deleteOldReminders = job(
  "reminders:deleteOld",
  z.object({}),
  async ({ db }) => {
    while ((await deleteOld(db)) === OLD_BATCH);
  },
  "50 3 * * *",
);

async function deleteOld(db: Db) {
  const { numAffectedRows = 0n } = await sql`
    delete from reminders
    where id = any(array(
      select id
      from reminders
      where planned_at < now() - make_interval(days => ${REMINDER_DAYS})
      limit ${OLD_BATCH}
    ))`.execute(db);
  return Number(numAffectedRows);
}
