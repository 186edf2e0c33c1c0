import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { SessionEvent } from "#shared/player/player.ts";
import { type DataModelPath, parseDataModelPath, parseIndexed } from "#shared/variables/variablePaths.ts";
import { MASKED_VALUE } from "#shared/variables/variables.ts";

/** The types of events that can set a variable. */
const SETS = new Set<SessionEvent["type"]>(["variable.set", "package.set", "scorm.set"]);

/**
 * The events of a session without deleted values and those of sensitive variables, whether content set them or they are
 * mapped to an element of the data model.
 */
export async function maskEvents(
  db: Db,
  { sessionId, courseId }: { sessionId: string; courseId: string },
  events: SessionEvent[],
): Promise<SessionEvent[]> {
  const [first, last] = [events[0], events.at(-1)];
  if (!first || !last || !events.some(({ type }) => SETS.has(type) || type === "block.choose")) return events;
  const [rows, stored] = await Promise.all([
    db
      .selectFrom("variableCourses")
      .innerJoin("variables", "variables.id", "variableCourses.variableId")
      .where("courseId", "=", courseId)
      .where("variables.privacy", "=", "sensitive")
      .select(["variableCourses.key", "variableCourses.path"])
      .execute(),
    db
      .selectFrom("variableValues")
      .innerJoin("variables", "variables.id", "variableValues.variableId")
      .where("sessionId", "=", sessionId)
      .where("seq", ">=", first.seq)
      // A choice in a scenario sets its variable by the event after it.
      .where("seq", "<=", last.seq + 1)
      .where((e) => e.or([e("variables.privacy", "=", "sensitive"), e("variableValues.deletionId", "is not", null)]))
      .select("seq")
      .execute(),
  ]);
  const keys = new Set(rows.map(({ key }) => key));
  const paths = new Set(rows.map(({ path }) => path));
  const elements = rows.flatMap(({ path }) => (path === null ? [] : (parseDataModelPath(path) ?? [])));
  const numbers = new Set(stored.map(({ seq }) => seq));
  const isMasked = ({ seq, type, key = "" }: SessionEvent) =>
    numbers.has(seq) ||
    (type === "variable.set" && keys.has(key)) ||
    (type === "package.set" && paths.has(key)) ||
    (type === "scorm.set" && elements.some((element) => isOfElement(key, element)));
  const setsMasked = (index: number) => {
    const [event, next] = [events[index], events[index + 1]];
    if (event?.type !== "block.choose") return false;
    return numbers.has(event.seq + 1) || (next?.type === "variable.set" && isMasked(next));
  };
  return events.map((event, index) =>
    isMasked(event) || setsMasked(index) ? { ...event, value: MASKED_VALUE } : event,
  );
}

/** The fields of answers that set a sensitive variable, each with the identifier of its question. */
export async function listMaskedFields(db: Db, courseId: string) {
  const rows = await db
    .selectFrom("variableCourses")
    .innerJoin("variables", "variables.id", "variableCourses.variableId")
    .where("courseId", "=", courseId)
    .where("variables.privacy", "=", "sensitive")
    .select((e) => ["path", e.fn.coalesce("variableCourses.key", "variables.key").as("key")])
    .execute();
  const mapped = rows.flatMap(({ path }) => {
    const parsed = path === null ? null : parseDataModelPath(path);
    return parsed?.kind === "interactions" ? [{ id: parsed.id, field: parsed.field }] : [];
  });
  const steps = await listStepsOf(
    db,
    courseId,
    rows.map(({ key }) => key),
  );
  return [...mapped, ...steps.map((id) => ({ id, field: "learner_response" }))];
}

/** The steps of scenarios in any version of a course where a choice sets one of these variables. */
async function listStepsOf(db: Db, courseId: string, keys: string[]) {
  if (keys.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select distinct step ->> 'id' as id
    from course_versions
    join lesson_contents on lesson_contents.version_id = course_versions.id
    cross join lateral jsonb_path_query(lesson_contents.document, '$.blocks[*].steps[*]') step
    where course_versions.course_id = ${courseId}
      and step ->> 'variable' = any(${keys})`.execute(db);
  return rows.map(({ id }) => id);
}

/** A function that masks the fields of an answer which set a sensitive variable, such as its learner_response. */
export async function createAnswerMask(db: Db, courseId: string) {
  const masked = new Set((await listMaskedFields(db, courseId)).map(({ id, field }) => `${id} ${field}`));
  return (fields: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, masked.has(`${fields.id} ${name}`) ? MASKED_VALUE : value]),
    );
}

/**
 * Whether a data model element may be the mapped one. Repeated values are not recorded again, so the element decides.
 * Any interaction or objective with the field counts, because its identifier may have been set in an earlier session.
 */
function isOfElement(key: string, path: DataModelPath) {
  if (path.kind === "element") return path.element === key;
  const indexed = parseIndexed(key);
  return indexed !== null && indexed.kind === path.kind && indexed.field === path.field;
}
