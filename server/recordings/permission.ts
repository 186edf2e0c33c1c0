import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { hasAccessTo } from "#server/courses/attemptAccess.ts";
import { RECORDING_SERVICE } from "#shared/consent/consent.ts";

/**
 * SQL condition: the person consents to analytical services now. The decision is valid, and was made on the current
 * version of the cookie texts, which names recordings: people are asked again about any other. A decision made before
 * another one can be recorded after it, so both the last that was made and the last that was recorded count.
 */
export const hasConsented = (userId: string) => `(
  select coalesce(bool_and((d.preferences->>'analytical')::boolean and d.expires_at > now()
    and d.text_shown and texts.version = (select max(version) from consent_texts where kind = 'cookies')
    and strpos(texts.body, '"id":"${RECORDING_SERVICE}"') > 0), false)
  from (
    (select * from consent_records where user_id = ${userId} order by recorded_at desc limit 1)
    union all (select * from consent_records where user_id = ${userId} order by decided_at desc limit 1)
  ) d join consent_texts texts on texts.id = d.text_id)`;

/**
 * SQL condition: the company records, the learner consents, and no variable of the course is sensitive: the page could
 * show its values. The parameters are SQL expressions.
 */
export const mayRecord = (userId: string, companyId: string, courseId: string) => `(
  exists (select from companies where id = ${companyId} and record_pages and status = 'active')
  and not exists (select from variable_courses c join variables on variables.id = c.variable_id
    where c.course_id = ${courseId} and variables.privacy = 'sensitive')
  and ${hasConsented(userId)})`;

/** How long after the end of a session its last chunk is accepted. */
const AFTER_END = "1 minute";

/** SQL condition on a recording `r` and its session `s`: it may be added to now. */
export const isOpen = `(r.session_id = s.id and (s.ended_at is null or s.ended_at > now() - interval '${AFTER_END}')
  and exists (select from attempts where id = s.attempt_id and ${hasAccessTo("attempts")}
    and ${mayRecord("s.user_id", "s.company_id", "attempts.course_id")}))`;

/** True if the recording of a session may be added to now. */
export async function isRecordingOpen(db: Db, sessionId: string) {
  const { rows } = await sql<{ open: boolean }>`
    select exists (select from recordings r join sessions s on s.id = r.session_id
      where s.id = ${sessionId} and ${sql.raw(isOpen)}) as open`.execute(db);
  return rows[0]?.open === true;
}
