import type { Db } from "#server/core/database/db.ts";
import type { CourseVariable } from "#server/variables/content/courseVariables.ts";
import type { SessionEvent } from "#shared/player/player.ts";
import { type DataModelPath, parseDataModelPath, parseIndexed } from "#shared/variables/variablePaths.ts";

/** The attempt that a batch of events belongs to, before the batch. */
export type CaptureContext = {
  courseId: string;
  attemptId: string;
  /** The data model values of each part before the batch. */
  parts: Map<string, { cmi: Record<string, string> }>;
};

type MappedEvent = { event: SessionEvent; variable: CourseVariable };

/**
 * The events that set a variable which is mapped to an element of the SCORM data model. Unchanged values are left out,
 * because many packages repeat all of theirs with every save.
 */
export async function findMappedEvents(
  db: Db,
  context: CaptureContext,
  variables: Iterable<CourseVariable>,
  events: SessionEvent[],
): Promise<MappedEvent[]> {
  const mapped = [...variables].flatMap((variable) => {
    const path = variable.path === null ? null : parseDataModelPath(variable.path);
    return path ? [{ variable, path }] : [];
  });
  if (mapped.length === 0) return [];
  const sets = events.filter(({ type, key }) => type === "scorm.set" && key !== undefined);
  const identify = await createIdentifier(db, context, sets);
  return sets.flatMap((event) => {
    const { sco = "", key = "", value } = event;
    if (context.parts.get(sco)?.cmi[key] === value) return [];
    return mapped.filter(({ path }) => isAt(path, event, identify)).map(({ variable }) => ({ event, variable }));
  });
}

type Identify = (sco: string, kind: string, index: number) => string | undefined;

function isAt(path: DataModelPath, { sco = "", key = "" }: SessionEvent, identify: Identify) {
  if (path.kind === "element") return path.element === key;
  const indexed = parseIndexed(key);
  if (!indexed || indexed.kind !== path.kind || indexed.field !== path.field) return false;
  return identify(sco, indexed.kind, indexed.index) === path.id;
}

/** Finds the identifier of an interaction or objective in the batch, the state of the part or the stored answers. */
async function createIdentifier(db: Db, { attemptId, parts }: CaptureContext, sets: SessionEvent[]): Promise<Identify> {
  const ids = new Map<string, string>();
  const keyOf = (sco: string, kind: string, index: number) => `${sco}\n${kind}\n${index}`;
  let needsAnswers = false;
  for (const { sco = "", key = "", value = "" } of sets) {
    const indexed = parseIndexed(key);
    if (!indexed) continue;
    const { kind, index, field } = indexed;
    if (field === "id") ids.set(keyOf(sco, kind, index), value);
    else if (!ids.has(keyOf(sco, kind, index))) {
      const stored = parts.get(sco)?.cmi[`cmi.${kind}.${index}.id`];
      if (stored !== undefined) ids.set(keyOf(sco, kind, index), stored);
      else needsAnswers ||= kind === "interactions";
    }
  }
  if (needsAnswers) {
    const rows = await db
      .selectFrom("answers")
      .where("attemptId", "=", attemptId)
      .orderBy("n")
      .select(["sco", "n", "fields"])
      .execute();
    for (const { sco, n, fields } of rows) {
      const key = keyOf(sco, "interactions", n % INDEXES_PER_LEARNER_ATTEMPT);
      if (fields.id !== undefined && !ids.has(key)) ids.set(key, fields.id);
    }
  }
  return (sco, kind, index) => ids.get(keyOf(sco, kind, index));
}
/** The stored numbers of answers in later learner attempts start at multiples of this (ANSWERS_PER_ATTEMPT, player). */
const INDEXES_PER_LEARNER_ATTEMPT = 100_000;
