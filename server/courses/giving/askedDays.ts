import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";

// The due date of a course for which rules and paths ask for different days

/**
 * The earliest day asked for by rules and paths counts, unless the course was also given by other means, or an admin
 * has set another day.
 */
export const takeEarlierDay = (tx: Tx, enrolmentIds: string[], newReasonIds: string[]) =>
  sql`
    update enrolments
    set due_date = asked.due_date
    from (
      select enrolment_id, min(due_date) as due_date, bool_and(kind in ('rule', 'path', 'self')) as only_rules,
        min(due_date) filter (where id <> all(${newReasonIds}::bigint[])) as due_before
      from enrolment_reasons
      where ${isOneOf("enrolment_id", enrolmentIds)}
        and until is null
      group by enrolment_id
    ) asked
    where enrolments.id = asked.enrolment_id
      and enrolments.status in ('assigned', 'in_progress', 'failed')
      and asked.only_rules
      and asked.due_date < coalesce(enrolments.due_date, 'infinity')
      and enrolments.due_date is not distinct from asked.due_before`.execute(tx);

/**
 * Follows the day that rules and paths ask for, which was `before`, unless the course was also given by other means, or
 * an admin has set another day.
 */
export const followAskedDays = (tx: Tx, before: { enrolmentId: string; dueBefore: string | null }[]) =>
  sql`
    update enrolments
    set due_date = asked.due_date
    from (
      select changed.enrolment_id, changed.due_before, min(reasons.due_date) as due_date
      from unnest(
        ${before.map(({ enrolmentId }) => enrolmentId)}::uuid[],
        ${before.map(({ dueBefore }) => dueBefore)}::date[]
      ) changed (enrolment_id, due_before)
      join enrolment_reasons reasons
        on reasons.enrolment_id = changed.enrolment_id
        and reasons.until is null
      group by changed.enrolment_id, changed.due_before
      having bool_and(reasons.kind in ('rule', 'path', 'self'))
    ) asked
    where enrolments.id = asked.enrolment_id
      and enrolments.status in ('assigned', 'in_progress', 'failed')
      and enrolments.due_date is not distinct from asked.due_before
      and enrolments.due_date is distinct from asked.due_date`.execute(tx);
