import type { Db } from "#server/core/db.ts";
import type { SessionEvent } from "#shared/player.ts";
import { MASKED_VALUE } from "#shared/variables.ts";

/** The events of a session of a course without the values of sensitive variables. */
export async function maskEvents(db: Db, courseId: string, events: SessionEvent[]): Promise<SessionEvent[]> {
  if (!events.some(({ type }) => type === "variable.set")) return events;
  const rows = await db
    .selectFrom("variableCourses")
    .innerJoin("variables", "variables.id", "variableCourses.variableId")
    .where("courseId", "=", courseId)
    .where("variables.privacy", "=", "sensitive")
    .select("variableCourses.key")
    .execute();
  const sensitive = new Set(rows.map(({ key }) => key));
  return events.map((event) =>
    event.type === "variable.set" && sensitive.has(event.key ?? "") ? { ...event, value: MASKED_VALUE } : event,
  );
}
