import { type RawBuilder, sql } from "kysely";
import { type Db, inTransaction } from "#server/core/database/db.ts";

// What reports read is stored where it changes: active times, and a history of outcomes. Both are compared here with
// what they follow from

export type LearningDifference = { what: string; id: string; stored: string; recounted: string };

/** Differences of one kind that are returned. */
const MAX_LISTED = 1000;

/**
 * One thing that is stored: `differing` selects `id`, `stored` and `recounted` of what differs, `repair` follows from
 * those rows as `d`.
 */
type Check = { what: string; differing: RawBuilder<unknown>; repair: RawBuilder<unknown> };

const attemptSeconds: Check = {
  what: "active seconds of attempt",
  differing: sql`select a.id, a.rev, a.active_seconds as stored, sum(s.active_ms / 1000)::int as recounted
    from attempts a join sessions s on s.attempt_id = a.id where a.user_id is not null
    group by a.id having a.active_seconds <> sum(s.active_ms / 1000)`,
  // With a new revision, a session in memory is read again before its next commit.
  repair: sql`update attempts a set active_seconds = d.recounted, rev = a.rev + 1 from d where a.id = d.id and a.rev = d.rev`,
};
const enrolmentSeconds: Check = {
  what: "active seconds of enrolment",
  differing: sql`select e.id, e.active_seconds as stored, sum(a.active_seconds)::int as recounted
    from enrolments e join attempts a on a.enrolment_id = e.id and not a.preview where e.user_id is not null
    group by e.id having e.active_seconds <> sum(a.active_seconds)`,
  repair: sql`update enrolments e set active_seconds = d.recounted from d where e.id = d.id and e.active_seconds = d.stored`,
};

const outcomeOf = (row: string) =>
  sql.raw(`concat_ws(', ', ${row}.status, ${row}.success, ${row}.score_percent, ${row}.due_date)`);
const history: Check = {
  what: "last outcome in the history of enrolment",
  differing: sql`select e.id, ${outcomeOf("h")} as stored, ${outcomeOf("e")} as recounted, h.attempt_no, h.version_id
    from enrolments e left join lateral (select * from enrolment_history where enrolment_id = e.id order by id desc limit 1) h on true
    where e.user_id is not null and (h.id is null or ${outcomeOf("h")} <> ${outcomeOf("e")})`,
  // What was issued stays as it was: the correction counts from now on.
  repair: sql`insert into enrolment_history (enrolment_id, person_id, company_id, course_id, cycle, source, change, status, success, score_percent,
      due_date, attempt_no, version_id, assigned_at, first_started_at, completed_at, happened_at, recorded_at)
    select e.id, e.user_id, e.company_id, e.course_id, e.cycle, e.source, 'result', e.status, e.success, e.score_percent,
      e.due_date, d.attempt_no, d.version_id, e.assigned_at, e.first_started_at, e.completed_at, now(), clock_timestamp()
    from d join enrolments e on e.id = d.id`,
};
const parts: Check = {
  what: "last state of a part in the history of enrolment",
  differing: sql`select a.enrolment_id as id, a.no, p.place, s.score_percent,
      concat_ws(' ', a.no || '/' || p.place || ':', h.state) as stored,
      concat_ws(' ', a.no || '/' || p.place || ':', part_outcome(p.is_sco, s.completion, s.success)) as recounted,
      part_outcome(p.is_sco, s.completion, s.success) as state
    from attempts a join part_states s on s.attempt_id = a.id join lateral parts_in_order(a.version_id) p on p.sco = s.sco
    left join lateral (select state from part_history where enrolment_id = a.enrolment_id and attempt_no = a.no and position = p.place
      order by id desc limit 1) h on true
    where a.user_id is not null and a.enrolment_id is not null and not a.preview
      and h.state is distinct from part_outcome(p.is_sco, s.completion, s.success)`,
  repair: sql`insert into part_history (enrolment_id, attempt_no, position, state, score_percent, recorded_at)
    select d.id, d.no, d.place, d.state, d.score_percent, clock_timestamp() from d`,
};

/**
 * Compares active times with the sessions, and the last rows of the history with enrolments and parts, and repairs what
 * differs. Returns the differences, at most 1000 of a kind; there are none unless somebody has changed the database by
 * hand or the product has an error.
 */
export async function recountLearning(db: Db): Promise<LearningDifference[]> {
  const differences: LearningDifference[] = [];
  // Attempts come first: the time of an enrolment is that of its attempts.
  for (const { what, differing, repair } of [attemptSeconds, enrolmentSeconds, history, parts]) {
    const found = await inTransaction(db, async (tx) => {
      const { rows } = await sql<
        Omit<LearningDifference, "what">
      >`with d as materialized (${differing}), repaired as (${repair})
        select id, stored::text, recounted::text from d order by id limit ${MAX_LISTED}`.execute(tx);
      return rows;
    });
    differences.push(
      ...found.map((one) => ({ what, ...one, stored: one.stored ?? "", recounted: one.recounted ?? "" })),
    );
  }
  return differences;
}
