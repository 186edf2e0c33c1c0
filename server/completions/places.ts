import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { readElement } from "#server/player/dataModelElements.ts";
import { isLessonEvent } from "#server/player/lessonFold.ts";
import { SERVER_SEQ } from "#shared/player/playerTiming.ts";
import type { ConditionState } from "#shared/completions/completions.ts";
import { variablesOfRule } from "#shared/courses/completion.ts";
import type { CompletionRule, CompletionTest } from "#shared/courses/completionRules.ts";
import type { SessionEvent } from "#shared/player/player.ts";

type Place = NonNullable<ConditionState["replay"]>;
/** The latest batches of events that are read. */
const MAX_BATCHES = 500;

/** Where in the sessions of an attempt the value of each test of a rule was last set. */
export async function readPlaces(db: Db, rule: CompletionRule, attempt: { id: string; courseId: string }) {
  const batches = await db
    .selectFrom("sessionEvents")
    .innerJoin("sessions", "sessions.id", "sessionEvents.sessionId")
    .where("sessions.attemptId", "=", attempt.id)
    .orderBy("receivedAt", "desc")
    .orderBy("firstSeq", "desc")
    .limit(MAX_BATCHES)
    .select(["sessions.id as sessionId", "events"])
    .execute();
  const last = new Map<string, Place>();
  const note = (name: string, place: Place) => {
    if (!last.has(name)) last.set(name, place);
  };
  for (const { sessionId, events } of batches)
    for (const event of events.toReversed()) {
      const place = { sessionId, t: Math.max(0, Math.round(event.t)) };
      for (const what of setBy(event)) {
        note(what, place);
        if (event.sco !== undefined) note(`${what} ${event.sco}`, place);
      }
    }
  for (const [key, place] of await readVariablePlaces(db, attempt, variablesOfRule(rule)))
    last.set(`variable ${key}`, place);
  return (test: CompletionTest): Place | null => last.get(nameOf(test)) ?? null;
}

/** What an event sets. */
function setBy(event: SessionEvent): string[] {
  if (event.type === "confirm") return ["confirmed"];
  if (event.type === "nav") return ["opened"];
  if (event.type === "complete") return event.value ? ["status", "score"] : ["status"];
  if (isLessonEvent(event)) return event.type === "variable.set" ? [] : ["status", "score"];
  if (event.type !== "scorm.set" || event.key === undefined) return [];
  const { kind } = readElement(event.key);
  if (kind === "score") return ["score"];
  return kind === "status" || kind === "success" ? ["status"] : [];
}

function nameOf(test: CompletionTest): string {
  if (test.kind === "reported" || test.kind === "passed") return "status";
  if (test.kind === "part") return `status ${test.sco}`;
  if (test.kind === "partScore") return `score ${test.sco}`;
  return test.kind === "variable" ? `variable ${test.key}` : test.kind;
}

async function readVariablePlaces(db: Db, { id, courseId }: { id: string; courseId: string }, keys: string[]) {
  if (keys.length === 0) return [];
  const { rows } = await sql<{ key: string; sessionId: string; t: number }>`
    select distinct on (used.key)
      used.key,
      sessions.id as session_id,
      greatest(0, extract(epoch from variable_values.happened_at - sessions.started_at) * 1000)::int as t
    from variable_courses used
    join variable_values on variable_values.variable_id = used.variable_id
    join sessions on sessions.id = variable_values.session_id
    where used.course_id = ${courseId}
      and used.key in (${sql.join(keys)})
      and variable_values.attempt_id = ${id}
      and variable_values.refusal is null
    order by used.key, variable_values.id desc`.execute(db);
  return rows.map(({ key, ...place }) => [key, place] as const);
}

/** The steps of an attempt that its sessions have acknowledged, and how many of them are stored; null without any. */
export async function readSaving(db: Db, attemptId: string) {
  const { rows } = await sql<{ sent: number; stored: number }>`
    select
      (
        select coalesce(sum(last_seq), 0)::int
        from sessions
        where attempt_id = ${attemptId}
      ) as sent,
      (
        select count(*)::int
        from sessions
        join session_events on session_events.session_id = sessions.id
        cross join lateral json_array_elements(session_events.events) as event
        where sessions.attempt_id = ${attemptId}
          and (event ->> 'seq')::bigint <= ${SERVER_SEQ}
      ) as stored`.execute(db);
  const saving = rows[0] ?? { sent: 0, stored: 0 };
  return saving.sent > 0 ? saving : null;
}
