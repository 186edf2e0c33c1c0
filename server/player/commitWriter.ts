import { CompiledQuery } from "kysely";
import type pg from "pg";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { hasAccessTo } from "#server/courses/attemptAccess.ts";
import type { CompletionReactions } from "#server/player/completionReactions.ts";
import { countPartsDone } from "#server/player/completionRule.ts";
import { changedTree } from "#server/player/sequencing/fold.ts";
import type { Answer, PartState, RefusedEvent } from "#server/player/trackingState.ts";
import type { SessionState } from "#server/player/sessionState.ts";
import type { CapturedValue } from "#server/variables/content/capture.ts";
import type { SessionEvent } from "#shared/player/player.ts";

/**
 * Stores the commits of many learners in one statement: one durable transaction, one round trip. The `cas` step
 * (compare and swap) updates an attempt only at the revision that its commit was computed from, and only while its
 * person has access; all other steps use the rows it returns. Its parameters are subqueries, so that PostgreSQL does
 * not plan it for every number of rows: planning costs about as much as running it. Suspend data and activity trees are
 * written only when they changed, because they are long. Of an attempt that is over only the time counts.
 */
export const COMMIT_SQL = `
with input as materialized (
  select * from unnest((select $1::uuid[]), (select $2::uuid[]), (select $3::bigint[]), (select $4::text[]),
    (select $5::text[]), (select $6::real[]), (select $7::real[]), (select $8::text[]), (select $9::int[]),
    (select $10::int[]), (select $11::timestamptz[]), (select $12::text[]), (select $13::bigint[]),
    (select $14::text[]), (select $15::int[]), (select $16::int[]), (select $17::int[]), (select $18::text[]),
    (select $19::bool[]), (select $20::int[]), (select $21::int[]), (select $22::int[]), (select $46::timestamptz[]),
    (select $56::bool[]), (select $57::bool[]), (select $58::bool[]), (select $59::text[]))
  as i (session_id, attempt_id, rev, completion, success, progress, score_percent, current_part, active_seconds,
    reported_seconds, ended_at, end_reason, active_ms, reported, failed_commits, last_seq, first_seq, events, late,
    parts_done, active_delta, reported_delta, happened_at, is_present, confirmed, is_over, sequencing)
), cas as (
  update attempts a set rev = a.rev + 1, completion = i.completion, success = i.success, progress = i.progress,
    score_percent = i.score_percent, current_part = i.current_part, active_seconds = i.active_seconds,
    reported_seconds = i.reported_seconds, confirmed = i.confirmed,
    sequencing = coalesce(i.sequencing::jsonb, a.sequencing),
    last_activity_at = case when i.is_present then now() else a.last_activity_at end,
    completed_at = case when i.completion = 'complete' then coalesce(a.completed_at, least(i.happened_at, now())) end
  from input i where a.id = i.attempt_id and a.rev = i.rev and ${hasAccessTo("a")}
  returning a.id, case when i.is_over then 0 else a.no end as attempt_no, a.enrolment_id, a.user_id, a.company_id,
    a.course_id, a.version_id, a.preview, i.*
), session as (
  update sessions s set last_seen_at = case when cas.is_present then now() else s.last_seen_at end,
    ended_at = cas.ended_at, end_reason = cas.end_reason, active_ms = cas.active_ms, reported = cas.reported::jsonb,
    commits = s.commits + cas.is_present::int, failed_commits = cas.failed_commits, last_seq = cas.last_seq
  from cas where s.id = cas.session_id
), log as (
  insert into session_events (session_id, first_seq, last_seq, events, received_at)
  select session_id, first_seq, first_seq + json_array_length(events::json) - 1, events::json, clock_timestamp()
  from cas where first_seq is not null
), states as (
  insert into part_states as p (attempt_id, sco, cmi, suspend_data, completion, success, score_percent, progress,
    visits, terminated, reported_seconds, learner_attempt, seconds_before, lesson)
  select cas.id, s.sco, s.cmi::jsonb, s.suspend_data, s.completion, s.success, s.score_percent, s.progress, s.visits,
    s.terminated, s.reported_seconds, s.learner_attempt, s.seconds_before, s.lesson::jsonb
  from unnest((select $23::uuid[]), (select $24::text[]), (select $25::text[]), (select $26::text[]),
    (select $27::text[]), (select $28::text[]), (select $29::real[]), (select $30::real[]), (select $31::int[]),
    (select $32::bool[]), (select $33::real[]), (select $34::int[]), (select $35::real[]), (select $55::text[]))
    as s (attempt_id, sco, cmi, suspend_data, completion, success, score_percent, progress, visits, terminated,
      reported_seconds, learner_attempt, seconds_before, lesson)
    join cas on cas.id = s.attempt_id
  on conflict (attempt_id, sco) do update set cmi = excluded.cmi,
    suspend_data = coalesce(excluded.suspend_data, p.suspend_data), completion = excluded.completion,
    success = excluded.success, score_percent = excluded.score_percent, progress = excluded.progress,
    visits = excluded.visits, terminated = excluded.terminated, reported_seconds = excluded.reported_seconds,
    learner_attempt = excluded.learner_attempt, seconds_before = excluded.seconds_before,
    lesson = coalesce(excluded.lesson, p.lesson), updated_at = now()
), replies as (
  insert into answers as a (attempt_id, sco, n, session_id, t, fields)
  select cas.id, r.sco, r.n, cas.session_id, r.t, r.fields::jsonb
  from unnest((select $36::uuid[]), (select $37::text[]), (select $38::int[]), (select $39::bigint[]),
    (select $40::text[])) as r (attempt_id, sco, n, t, fields) join cas on cas.id = r.attempt_id
  on conflict (attempt_id, sco, n) do update set
    fields = case when a.fields->>'id' is distinct from coalesce(excluded.fields->>'id', a.fields->>'id')
      then excluded.fields else a.fields || excluded.fields end,
    t = excluded.t, session_id = excluded.session_id, updated_at = now()
), older as (
  insert into answers as a (attempt_id, sco, n, session_id, t, fields)
  select cas.id, r.sco, r.n, cas.session_id, r.t, r.fields::jsonb
  from unnest((select $41::uuid[]), (select $42::text[]), (select $43::int[]), (select $44::bigint[]),
    (select $45::text[])) as r (attempt_id, sco, n, t, fields) join cas on cas.id = r.attempt_id
  on conflict (attempt_id, sco, n) do update set fields = excluded.fields || a.fields
    where a.fields->>'id' is not distinct from coalesce(excluded.fields->>'id', a.fields->>'id')
), captured as (
  insert into variable_values (variable_id, user_id, company_id, course_id, version_id, attempt_id, session_id, seq,
    sco, source, value, refusal, preview, happened_at)
  select v.variable_id, cas.user_id, cas.company_id, cas.course_id, cas.version_id, cas.id, cas.session_id, v.seq,
    v.sco, v.source, v.value::jsonb, v.refusal, cas.preview, v.happened_at
  from unnest((select $47::uuid[]), (select $48::uuid[]), (select $49::int[]), (select $50::text[]),
    (select $51::text[]), (select $52::text[]), (select $53::text[]), (select $54::timestamptz[]))
    as v (attempt_id, variable_id, seq, sco, source, value, refusal, happened_at) join cas on cas.id = v.attempt_id
), enrolment as (
  update enrolments e set status = case when e.status in ('withdrawn', 'completed') or cas.attempt_no < e.first_attempt
      then e.status when cas.completion = 'complete' then 'completed'
      when cas.success = 'failed' then 'failed' else 'in_progress' end,
    success = case when e.success = 'passed' or cas.success = 'unknown' or cas.attempt_no < e.first_attempt
      or (e.status = 'completed' and cas.success = 'failed') then e.success else cas.success end,
    progress = greatest(e.progress, case when cas.attempt_no >= e.first_attempt then cas.progress end),
    score_percent = greatest(e.score_percent, case when cas.attempt_no >= e.first_attempt then cas.score_percent end),
    current_part = coalesce(case when cas.attempt_no >= e.first_attempt then cas.current_part end, e.current_part),
    parts_done = greatest(e.parts_done, case when cas.attempt_no >= e.first_attempt then cas.parts_done end),
    active_seconds = e.active_seconds + cas.active_delta, reported_seconds = e.reported_seconds + cas.reported_delta,
    first_started_at = case when cas.attempt_no < e.first_attempt then e.first_started_at
      else coalesce(e.first_started_at, least(cas.happened_at, now())) end,
    last_activity_at = case when cas.is_present then now() else e.last_activity_at end,
    happened_at = coalesce(least(cas.happened_at, now()), e.happened_at),
    completed_at = case when cas.completion = 'complete' and cas.attempt_no >= e.first_attempt
      then coalesce(e.completed_at, least(cas.happened_at, now())) else e.completed_at end
  from cas where e.id = cas.enrolment_id
)
select id, now() as saved_at from cas`;

/** Result of applying a commit: the session afterwards, and what changed. */
export type AppliedCommit = {
  session: SessionState;
  events: SessionEvent[];
  changed: SessionState["parts"];
  /** Events of lessons that change nothing. */
  refused: RefusedEvent[];
  /** Parts whose suspend data changed in this commit. */
  suspendDataChanged: Set<string>;
  answers: Answer[];
  /** Values of variables that the events have set. */
  values: CapturedValue[];
  activeDelta: number;
  reportedDelta: number;
  /** When the learner did what changed the outcome (outcomeTime.ts); null without events. */
  happenedAt: string | null;
  /** False if the server has changed the attempt by itself, which is no activity of the learner. */
  isPresent: boolean;
};
/** A session as it was read, and the commit applied to it. */
export type Write = { session: SessionState; applied: AppliedCommit };

/** The 59 parameters of the statement: one array per column, one element per row. */
export function statementParameters(writes: Write[]): unknown[] {
  const rows = writes.map(({ session, applied }) => {
    const { attempt, ...after } = applied.session;
    return [
      session.sessionId,
      session.attemptId,
      session.rev,
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
      applied.events[0]?.seq ?? null,
      applied.events.length > 0 ? JSON.stringify(applied.events) : null,
      session.newerSessionHasWritten,
      countPartsDone(applied.session),
      applied.activeDelta,
      applied.reportedDelta,
    ];
  });
  const parts = writes.flatMap(({ session, applied }) =>
    [...applied.changed.values()].map((part) => [
      session.attemptId,
      part.sco,
      JSON.stringify(part.cmi),
      applied.suspendDataChanged.has(part.sco) ? (part.suspendData ?? "") : null,
      part.completion,
      part.success,
      part.scorePercent,
      part.progress,
      part.visits,
      part.terminated,
      part.reportedSeconds,
      part.learnerAttempt,
      part.secondsBefore,
    ]),
  );
  // Answers of a superseded session only fill in what the newer session has not stored.
  const answers = (addOnly: boolean) =>
    writes
      .filter(({ session }) => session.newerSessionHasWritten === addOnly)
      .flatMap(({ session, applied }) =>
        applied.answers.map(({ sco, n, t, fields }) => [session.attemptId, sco, n, t, JSON.stringify(fields)]),
      );
  const values = writes.flatMap(({ session, applied }) =>
    applied.values.map(({ variableId, seq, sco, source, value, refusal, t }) => [
      session.attemptId,
      variableId,
      seq,
      sco,
      source,
      JSON.stringify(value),
      refusal,
      new Date(Date.parse(session.startedAt) + t).toISOString(),
    ]),
  );
  return [
    ...toColumns(rows, 22),
    ...toColumns(parts, 13),
    ...toColumns(answers(false), 5),
    ...toColumns(answers(true), 5),
    writes.map(({ applied }) => applied.happenedAt),
    ...toColumns(values, 8),
    writes.flatMap(({ applied }) => [...applied.changed.values()].map(lessonText)),
    writes.map(({ applied }) => applied.isPresent),
    writes.map(({ applied }) => applied.session.attempt.confirmed),
    writes.map(({ session }) => session.course.isOver === true),
    writes.map(({ session, applied }) => changedTree(session.attempt, applied.session.attempt)),
  ];
}

const lessonText = ({ lesson }: PartState) => lesson && JSON.stringify(lesson);
const toColumns = (rows: unknown[][], width: number) =>
  Array.from({ length: width }, (_, column) => rows.map((row) => row[column]));

const MAX_COMMITS_PER_STATEMENT = 64;
const MAX_CONCURRENT_STATEMENTS = 3;

/** The commit completes the attempt. */
export const isCompletion = (session: SessionState, applied: Pick<AppliedCommit, "session">) =>
  session.attempt.completion !== "complete" && applied.session.attempt.completion === "complete";

type PendingWrite = Write & { resolve: (savedAt: string | null) => void; reject: (error: unknown) => void };

/**
 * Group commit: while statements are running, further commits queue up, and the next statement takes them all. A single
 * commit is written immediately. An attempt is in at most one running statement. Resolves with the time of storage, or
 * null if the revision of the attempt had changed. If a statement fails, its commits are retried one by one, so that
 * one invalid row does not affect the others. Commits that complete an attempt get a transaction of their own if
 * domains do something in it.
 */
export function createCommitWriter(pool: pg.Pool, db: Db, runWithin: CompletionReactions["runWithin"]) {
  let queue: PendingWrite[] = [];
  const busyAttempts = new Set<string>();
  let running = 0;

  /** The time of storage by the id of the attempt. */
  const store = async (writes: PendingWrite[]) => {
    const { rows } = await pool.query<{ id: string; saved_at: string }>({
      name: "commits",
      text: COMMIT_SQL,
      values: statementParameters(writes),
    });
    return new Map(rows.map((row) => [row.id, row.saved_at]));
  };
  /** If the reactions break the transaction, as by waiting too long, the commits are stored without them. */
  const storeCompletions = async (writes: PendingWrite[], react: NonNullable<typeof runWithin>) => {
    const stored = inTransaction(db, async (tx) => {
      const statement = CompiledQuery.raw(COMMIT_SQL, statementParameters(writes));
      const { rows } = await tx.executeQuery<{ id: string; savedAt: string }>(statement);
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await react(tx, ids);
      return new Map(rows.map((row) => [row.id, row.savedAt]));
    });
    return stored.catch(() => store(writes));
  };
  const execute = async (writes: PendingWrite[]): Promise<void> => {
    const completions = runWithin ? writes.filter(({ session, applied }) => isCompletion(session, applied)) : [];
    const others = writes.filter((write) => !completions.includes(write));
    if (others.length > 0) await settle(others, store);
    if (runWithin && completions.length > 0) await settle(completions, (some) => storeCompletions(some, runWithin));
  };
  const settle = async (writes: PendingWrite[], work: typeof store): Promise<void> => {
    try {
      const savedAt = await work(writes);
      for (const write of writes) write.resolve(savedAt.get(write.session.attemptId) ?? null);
    } catch (error) {
      if (writes.length === 1) writes[0]?.reject(error);
      else for (const write of writes) await settle([write], work);
    }
  };
  const startStatements = () => {
    while (running < MAX_CONCURRENT_STATEMENTS && queue.length > 0) {
      const batch: PendingWrite[] = [];
      const rest: PendingWrite[] = [];
      for (const write of queue) {
        if (batch.length < MAX_COMMITS_PER_STATEMENT && !busyAttempts.has(write.session.attemptId)) {
          busyAttempts.add(write.session.attemptId);
          batch.push(write);
        } else rest.push(write);
      }
      if (batch.length === 0) return;
      queue = rest;
      running++;
      void execute(batch).finally(() => {
        running--;
        for (const { session } of batch) busyAttempts.delete(session.attemptId);
        startStatements();
      });
    }
  };
  return (session: SessionState, applied: AppliedCommit) =>
    new Promise<string | null>((resolve, reject) => {
      queue.push({ session, applied, resolve, reject });
      if (queue.length === 1) queueMicrotask(startStatements);
      else startStatements();
    });
}
