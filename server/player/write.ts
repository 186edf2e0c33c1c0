import type pg from 'pg'
import type { Next } from '#server/player/commit.ts'
import { isDone, type PartState } from '#server/player/fold.ts'
import type { Live } from '#server/player/live.ts'

/**
 * One statement, one durable transaction, one round trip. `cas` decides: it touches the attempt only at the revision the
 * commit was worked out on, and everything else hangs on its row. Suspend data is written only when it changed, so that
 * its 64,000 characters are not rewritten with every slide.
 */
const text = `
with cas as (
  update attempts set rev = rev + 1, completion = $4, success = $5, progress = $6, score_percent = $7, current_part = $8,
    active_seconds = $9, reported_seconds = $10, last_activity_at = now(),
    completed_at = case when $4 = 'complete' then coalesce(completed_at, now()) end
  where id = $2 and rev = $3 returning id, enrolment_id
), session as (
  update sessions set last_seen_at = now(), ended_at = $11, end_reason = $12, active_ms = $13, reported = $14, commits = commits + 1,
    failed_commits = $15, last_seq = $16
  from cas where sessions.id = $1
), log as (
  insert into session_events (session_id, first_seq, last_seq, events) select $1, $17::int, $16, $18::json from cas where $17::int is not null
), states as (
  insert into part_states as p (attempt_id, sco, cmi, suspend_data, completion, success, score_percent, progress, visits, terminated, reported_seconds)
  select cas.id, s.sco, s.cmi, s.suspend_data, s.completion, s.success, s.score_percent, s.progress, s.visits, s.terminated, s.reported_seconds
  from cas, jsonb_to_recordset($19::jsonb) as s (sco text, cmi jsonb, suspend_data text, completion text, success text, score_percent real,
    progress real, visits int, terminated boolean, reported_seconds real)
  on conflict (attempt_id, sco) do update set cmi = excluded.cmi, suspend_data = coalesce(excluded.suspend_data, p.suspend_data),
    completion = excluded.completion, success = excluded.success, score_percent = excluded.score_percent, progress = excluded.progress,
    visits = excluded.visits, terminated = excluded.terminated, reported_seconds = excluded.reported_seconds, updated_at = now()
), replies as (
  insert into answers as a (attempt_id, sco, n, session_id, t, fields)
  select cas.id, r.sco, r.n, $1, r.t, r.fields from cas, jsonb_to_recordset($20::jsonb) as r (sco text, n int, t bigint, fields jsonb)
  on conflict (attempt_id, sco, n) do update set
    fields = case when $21 then excluded.fields || a.fields else a.fields || excluded.fields end,
    t = case when $21 then a.t else excluded.t end, session_id = case when $21 then a.session_id else excluded.session_id end, updated_at = now()
), enrolment as (
  update enrolments e set
    status = case when e.status in ('withdrawn', 'completed') then e.status when $4 = 'complete' then 'completed' when $5 = 'failed' then 'failed' else 'in_progress' end,
    success = case when e.success = 'passed' or $5 = 'unknown' then e.success else $5 end,
    progress = greatest(e.progress, $6), score_percent = greatest(e.score_percent, $7), current_part = coalesce($8, e.current_part),
    parts_done = greatest(e.parts_done, $22), active_seconds = e.active_seconds + $23, reported_seconds = e.reported_seconds + $24,
    first_started_at = coalesce(e.first_started_at, now()), last_activity_at = now(),
    completed_at = case when $4 = 'complete' then coalesce(e.completed_at, now()) else e.completed_at end
  from cas where e.id = cas.enrolment_id
)
select now() as saved_at from cas`

const asRow = (part: PartState, suspended: boolean) => ({
  sco: part.sco, cmi: part.cmi, suspend_data: suspended ? (part.suspendData ?? '') : null, completion: part.completion, success: part.success,
  score_percent: part.scorePercent, progress: part.progress, visits: part.visits, terminated: part.terminated, reported_seconds: part.reportedSeconds,
})

/** Writes a commit if the attempt is still at `live.rev`. Returns the time it was stored, or null when somebody was first. */
export async function writeCommit(pool: pg.Pool, live: Live, next: Next): Promise<string | null> {
  const { attempt, ...after } = next.live
  const { rows } = await pool.query<{ saved_at: string }>({
    name: 'commit',
    text,
    values: [
      live.sessionId, live.attemptId, live.rev, attempt.completion, attempt.success, attempt.progress, attempt.scorePercent, attempt.currentPart,
      after.activeSeconds, Math.round(attempt.reportedSeconds), after.endedAt, after.endReason, after.activeMs, JSON.stringify(after.reported),
      after.failedCommits, after.lastSeq, next.events[0]?.seq ?? null, next.events.length > 0 ? withoutNul(JSON.stringify(next.events)) : null,
      withoutNul(JSON.stringify([...next.changed.values()].map((part) => asRow(part, next.suspended.has(part.sco))))),
      withoutNul(JSON.stringify(next.answers)), live.newer, partsDone(next), next.activeDelta, next.reportedDelta,
    ],
  })
  return rows[0]?.saved_at ?? null
}

/** PostgreSQL's jsonb cannot hold U+0000; packages that send it get a replacement character instead of an error. */
const withoutNul = (json: string) => (json.includes('\\u0000') ? json.replace(/(?<!\\)((?:\\\\)*)\\u0000/g, '$1\\ufffd') : json)

const partsDone = ({ live }: Next) => live.course.parts.filter((part) => part.href !== null && isDone(part, live.parts.get(part.sco))).length
