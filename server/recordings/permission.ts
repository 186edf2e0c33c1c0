import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { hasAccessTo } from "#server/courses/attemptAccess.ts";
import { RECORDING_SERVICE } from "#shared/consent/consentServices.ts";

const latestDecision = (userId: string, time: "recorded_at" | "decided_at") => `(
      select *
      from consent_records
      where user_id = ${userId}
      order by ${time} desc
      limit 1
    )`;
/**
 * SQL condition: the person currently consents to analytical services. The decision has not expired, and was made on
 * the current version of the cookie texts, which must mention recordings; after a change, people are asked again. An
 * earlier decision can be recorded after a later one, so both the last one made and the last one recorded count.
 */
export const hasConsented = (userId: string) => `(
    select coalesce(bool_and(
      (decision.preferences->>'analytical')::boolean
      and decision.expires_at > now()
      and decision.text_shown
      and texts.version = (select max(version) from consent_texts where kind = 'cookies')
      and strpos(texts.body, '"id":"${RECORDING_SERVICE}"') > 0
    ), false)
    from (
      ${latestDecision(userId, "recorded_at")}
      union all
      ${latestDecision(userId, "decided_at")}
    ) decision
    join consent_texts texts on texts.id = decision.text_id
  )`;

/**
 * SQL condition: the company records, the learner consents, and the course has no sensitive variable, whose values the
 * page could show. The parameters are SQL expressions.
 */
export const mayRecord = (userId: string, companyId: string, courseId: string) => `(
    exists (
      select
      from companies
      where id = ${companyId}
        and record_pages
        and status = 'active'
    )
    and not exists (
      select
      from variable_courses
      join variables on variables.id = variable_courses.variable_id
      where variable_courses.course_id = ${courseId}
        and variables.privacy = 'sensitive'
    )
    and ${hasConsented(userId)}
  )`;

/** The time after the end of a session in which its last chunk is accepted. */
const AFTER_END = "1 minute";

/** SQL condition on `recordings` and its `sessions`: the recording may grow now. */
export const isOpen = `(
    recordings.session_id = sessions.id
    and (sessions.ended_at is null or sessions.ended_at > now() - interval '${AFTER_END}')
    and exists (
      select
      from attempts
      where attempts.id = sessions.attempt_id
        and ${hasAccessTo("attempts")}
        and ${mayRecord("sessions.user_id", "sessions.company_id", "attempts.course_id")}
    )
  )`;

/** Whether the recording of a session may grow now. */
export async function isRecordingOpen(db: Db, sessionId: string) {
  const { rows } = await sql<{ open: boolean }>`
    select exists (
      select
      from recordings
      join sessions on sessions.id = recordings.session_id
      where sessions.id = ${sessionId}
        and ${sql.raw(isOpen)}
    ) as open`.execute(db);
  return rows[0]?.open === true;
}
