import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { Completion } from "#server/core/domains/domain.ts";

// Completions that no commit of the learner brings about. As in a commit, the attempt is changed before its enrolment,
// which follows only attempts of its present cycle.

type AttemptAt = { attemptId: string; rev: number };

/**
 * Completes an attempt at revision `rev` as of `at` (ISO 8601), and its enrolment. An attempt that is complete already
 * completes its enrolment only. False if its revision has changed.
 */
export async function completeAttempt(tx: Tx, { attemptId, rev, at }: AttemptAt & { at: string }): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with before as (
      select enrolment_id, no, success, completed_at
      from attempts
      where id = ${attemptId}
        and rev = ${rev}
        and completed_at is not null
    ), now_complete as (
      update attempts
      set rev = rev + 1,
        completion = 'complete',
        progress = 100,
        completed_at = least(${at}::timestamptz, now())
      where id = ${attemptId}
        and rev = ${rev}
        and completed_at is null
      returning enrolment_id, no, success, completed_at
    ), done as (
      select * from before
      union all
      select * from now_complete
    ), of_cycle as (
      update enrolments
      set status = case when status = 'withdrawn' then status else 'completed' end,
        success = case when enrolments.success = 'passed' then enrolments.success else done.success end,
        progress = 100,
        happened_at = done.completed_at,
        first_started_at = coalesce(first_started_at, done.completed_at),
        completed_at = coalesce(enrolments.completed_at, done.completed_at)
      from done
      where enrolments.id = done.enrolment_id
        and enrolments.first_attempt <= done.no
    )
    select enrolment_id as id
    from done`.execute(tx);
  return rows.length > 0;
}

/** `completeAttempt` of a completion that was taken back: it keeps the rule by which the attempt was completed. */
export async function restoreCompletion(tx: Tx, at: AttemptAt & { at: string }): Promise<boolean> {
  await sql`select set_config('lyceum.restores', 'completion', true)`.execute(tx);
  const isDone = await completeAttempt(tx, at);
  await sql`select set_config('lyceum.restores', '', true)`.execute(tx);
  return isDone;
}

/** The most that an attempt which is not complete shows (completionRule.ts). */
export const MAX_PROGRESS = 99;

/**
 * Takes the completion of an attempt back; what was done in it stays. The enrolment stays complete by another attempt.
 * Null if the attempt is not complete, or if its revision has changed.
 */
export async function reopenAttempt(tx: Tx, { attemptId, rev }: AttemptAt): Promise<Completion | null> {
  const completion = await tx
    .selectFrom("completionHistory")
    .innerJoin("attempts", "attempts.id", "completionHistory.attemptId")
    .where("attempts.id", "=", attemptId)
    .where("attempts.rev", "=", rev)
    .where("attempts.completedAt", "is not", null)
    .whereRef("completionHistory.completionNo", "=", "attempts.completionNo")
    .selectAll("completionHistory")
    .executeTakeFirst();
  const { rows } = await sql<{ id: string }>`
    with open as (
      update attempts
      set rev = rev + 1,
        completion = 'incomplete',
        completion_no = completion_no + 1,
        progress = least(progress, ${MAX_PROGRESS}),
        completed_at = null
      where id = ${attemptId}
        and rev = ${rev}
        and completed_at is not null
      returning enrolment_id, no, success
    ), of_cycle as (
      update enrolments
      set status = case
          when enrolments.status <> 'completed' or other.completed_at is not null then enrolments.status
          when open.success = 'failed' then 'failed'
          else 'in_progress'
        end,
        progress = case
          when other.completed_at is null then least(enrolments.progress, ${MAX_PROGRESS})
          else enrolments.progress
        end,
        happened_at = now(),
        completed_at = other.completed_at
      from open
      join enrolments present on present.id = open.enrolment_id and present.first_attempt <= open.no
      cross join lateral (
        select min(completed_at) as completed_at
        from attempts
        where attempts.enrolment_id = open.enrolment_id
          and attempts.id <> ${attemptId}
          and attempts.no >= present.first_attempt
          and not attempts.preview
      ) other
      where enrolments.id = present.id
    )
    select enrolment_id as id
    from open`.execute(tx);
  return rows.length > 0 ? (completion ?? null) : null;
}
