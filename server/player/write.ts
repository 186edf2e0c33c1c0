import type pg from "pg";
import { type Answer, isDone } from "#server/player/fold.ts";
import type { Live } from "#server/player/live.ts";
import type { SessionEvent } from "#shared/player.ts";

/**
 * Commits of many learners in one statement, one durable transaction, one round trip. `cas` decides for each: it touches
 * an attempt only at the revision its commit was worked out on, and everything else hangs on the rows it returns. Suspend
 * data is written only when it changed, so that its 64,000 characters are not rewritten with every slide.
 */
export const commitText = `
with input as materialized (
  select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::text[], $6::real[], $7::real[], $8::text[], $9::int[], $10::int[],
    $11::timestamptz[], $12::text[], $13::bigint[], $14::text[], $15::int[], $16::int[], $17::int[], $18::text[], $19::bool[], $20::int[], $21::int[], $22::int[])
  as i (session_id, attempt_id, rev, completion, success, progress, score_percent, current_part, active_seconds, reported_seconds,
    ended_at, end_reason, active_ms, reported, failed_commits, last_seq, first_seq, events, late, parts_done, active_delta, reported_delta)
), cas as (
  update attempts a set rev = a.rev + 1, completion = i.completion, success = i.success, progress = i.progress, score_percent = i.score_percent,
    current_part = i.current_part, active_seconds = i.active_seconds, reported_seconds = i.reported_seconds, last_activity_at = now(),
    completed_at = case when i.completion = 'complete' then coalesce(a.completed_at, now()) end
  from input i where a.id = i.attempt_id and a.rev = i.rev returning a.id, a.enrolment_id, i.*
), session as (
  update sessions s set last_seen_at = now(), ended_at = cas.ended_at, end_reason = cas.end_reason, active_ms = cas.active_ms,
    reported = cas.reported::jsonb, commits = s.commits + 1, failed_commits = cas.failed_commits, last_seq = cas.last_seq
  from cas where s.id = cas.session_id
), log as (
  insert into session_events (session_id, first_seq, last_seq, events)
  select session_id, first_seq, last_seq, events::json from cas where first_seq is not null
), states as (
  insert into part_states as p (attempt_id, sco, cmi, suspend_data, completion, success, score_percent, progress, visits, terminated, reported_seconds)
  select cas.id, s.sco, s.cmi::jsonb, s.suspend_data, s.completion, s.success, s.score_percent, s.progress, s.visits, s.terminated, s.reported_seconds
  from unnest($23::uuid[], $24::text[], $25::text[], $26::text[], $27::text[], $28::text[], $29::real[], $30::real[], $31::int[], $32::bool[], $33::real[])
    as s (attempt_id, sco, cmi, suspend_data, completion, success, score_percent, progress, visits, terminated, reported_seconds)
    join cas on cas.id = s.attempt_id
  on conflict (attempt_id, sco) do update set cmi = excluded.cmi, suspend_data = coalesce(excluded.suspend_data, p.suspend_data),
    completion = excluded.completion, success = excluded.success, score_percent = excluded.score_percent, progress = excluded.progress,
    visits = excluded.visits, terminated = excluded.terminated, reported_seconds = excluded.reported_seconds, updated_at = now()
), replies as (
  insert into answers as a (attempt_id, sco, n, session_id, t, fields)
  select cas.id, r.sco, r.n, cas.session_id, r.t, r.fields::jsonb
  from unnest($34::uuid[], $35::text[], $36::int[], $37::bigint[], $38::text[]) as r (attempt_id, sco, n, t, fields) join cas on cas.id = r.attempt_id
  on conflict (attempt_id, sco, n) do update set
    fields = case when a.fields->>'id' is distinct from coalesce(excluded.fields->>'id', a.fields->>'id') then excluded.fields else a.fields || excluded.fields end,
    t = excluded.t, session_id = excluded.session_id, updated_at = now()
), older as (
  insert into answers as a (attempt_id, sco, n, session_id, t, fields)
  select cas.id, r.sco, r.n, cas.session_id, r.t, r.fields::jsonb
  from unnest($39::uuid[], $40::text[], $41::int[], $42::bigint[], $43::text[]) as r (attempt_id, sco, n, t, fields) join cas on cas.id = r.attempt_id
  on conflict (attempt_id, sco, n) do update set fields = excluded.fields || a.fields
    where a.fields->>'id' is not distinct from coalesce(excluded.fields->>'id', a.fields->>'id')
), enrolment as (
  update enrolments e set
    status = case when e.status in ('withdrawn', 'completed') then e.status when cas.completion = 'complete' then 'completed'
      when cas.success = 'failed' then 'failed' else 'in_progress' end,
    success = case when e.success = 'passed' or cas.success = 'unknown' or (e.status = 'completed' and cas.success = 'failed') then e.success else cas.success end,
    progress = greatest(e.progress, cas.progress), score_percent = greatest(e.score_percent, cas.score_percent),
    current_part = coalesce(cas.current_part, e.current_part), parts_done = greatest(e.parts_done, cas.parts_done),
    active_seconds = e.active_seconds + cas.active_delta, reported_seconds = e.reported_seconds + cas.reported_delta,
    first_started_at = coalesce(e.first_started_at, now()), last_activity_at = now(),
    completed_at = case when cas.completion = 'complete' then coalesce(e.completed_at, now()) else e.completed_at end
  from cas where e.id = cas.enrolment_id
)
select id, now() as saved_at from cas`;

/** What a commit makes of a session: the session as it will be, and what changed. */
export type Next = {
  live: Live;
  events: SessionEvent[];
  changed: Live["parts"];
  /** Parts whose suspend data changed in this commit. */
  suspended: Set<string>;
  answers: Answer[];
  activeDelta: number;
  reportedDelta: number;
};
export type Write = { live: Live; next: Next };

/** The 43 parameters of the statement: one array a column, one element a row. */
export function parametersOf(writes: Write[]): unknown[] {
  const rows = writes.map(({ live, next }) => {
    const { attempt, ...after } = next.live;
    return [
      live.sessionId,
      live.attemptId,
      live.rev,
      attempt.completion,
      attempt.success,
      attempt.progress,
      attempt.scorePercent,
      attempt.currentPart,
      after.activeSeconds,
      Math.round(attempt.reportedSeconds),
      after.endedAt,
      after.endReason,
      after.activeMs,
      JSON.stringify(after.reported),
      after.failedCommits,
      after.lastSeq,
      next.events[0]?.seq ?? null,
      next.events.length > 0 ? JSON.stringify(next.events) : null,
      live.overtaken,
      partsDone(next),
      next.activeDelta,
      next.reportedDelta,
    ];
  });
  const parts = writes.flatMap(({ live, next }) =>
    [...next.changed.values()].map((part) => [
      live.attemptId,
      part.sco,
      JSON.stringify(part.cmi),
      next.suspended.has(part.sco) ? (part.suspendData ?? "") : null,
      part.completion,
      part.success,
      part.scorePercent,
      part.progress,
      part.visits,
      part.terminated,
      part.reportedSeconds,
    ]),
  );
  const answers = (late: boolean) =>
    writes
      .filter(({ live }) => live.overtaken === late)
      .flatMap(({ live, next }) =>
        next.answers.map((answer) => [live.attemptId, answer.sco, answer.n, answer.t, JSON.stringify(answer.fields)]),
      );
  return [...columns(rows, 22), ...columns(parts, 11), ...columns(answers(false), 5), ...columns(answers(true), 5)];
}

const columns = (rows: unknown[][], width: number) =>
  Array.from({ length: width }, (_, at) => rows.map((row) => row[at]));
const partsDone = ({ live }: Next) =>
  live.course.parts.filter((part) => part.href !== null && isDone(part, live.parts.get(part.sco))).length;

/** Commits in one statement at most, and statements under way at once. */
const MOST = 64;
const LANES = 3;

type Waiting = Write & { done: (savedAt: string | null) => void; fail: (error: unknown) => void };

/**
 * Group commit: while statements are under way, further commits gather, and the next statement takes them all. Alone, a
 * commit goes at once. An attempt is in one statement at a time. Resolves with the time it was stored, or null when the
 * attempt had moved on. If a shared statement fails, each commit is tried by itself, so that one bad row harms nobody else.
 */
export function createWriter(pool: pg.Pool) {
  let waiting: Waiting[] = [];
  const busy = new Set<string>();
  let lanes = 0;

  const run = async (writes: Waiting[]): Promise<void> => {
    try {
      const { rows } = await pool.query<{ id: string; saved_at: string }>({
        name: "commits",
        text: commitText,
        values: parametersOf(writes),
      });
      const saved = new Map(rows.map((row) => [row.id, row.saved_at]));
      for (const write of writes) write.done(saved.get(write.live.attemptId) ?? null);
    } catch (error) {
      if (writes.length === 1) writes[0]?.fail(error);
      else for (const write of writes) await run([write]);
    }
  };
  const pump = () => {
    while (lanes < LANES && waiting.length > 0) {
      const batch: Waiting[] = [];
      const rest: Waiting[] = [];
      for (const write of waiting) {
        if (batch.length < MOST && !busy.has(write.live.attemptId)) {
          busy.add(write.live.attemptId);
          batch.push(write);
        } else rest.push(write);
      }
      if (batch.length === 0) return;
      waiting = rest;
      lanes++;
      void run(batch).finally(() => {
        lanes--;
        for (const { live } of batch) busy.delete(live.attemptId);
        pump();
      });
    }
  };
  return (live: Live, next: Next) =>
    new Promise<string | null>((done, fail) => {
      waiting.push({ live, next, done, fail });
      if (waiting.length === 1) queueMicrotask(pump);
      else pump();
    });
}
