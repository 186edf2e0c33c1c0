import { LRUCache } from "lru-cache";
import type { Db } from "#server/core/database/db.ts";
import { addNewKeys, type CourseVariable, readCourseVariables } from "#server/variables/content/courseVariables.ts";
import { type CaptureContext, findMappedEvents } from "#server/variables/content/mappedValues.ts";
import type { SessionEvent } from "#shared/player/player.ts";
import { KEY_PATTERN, MAX_JSON_CHARS, type Refusal, type VariableValue } from "#shared/variables/variableTypes.ts";
import { parseVariableValue } from "#shared/variables/valueRules.ts";
import { parseToolPath } from "#shared/variables/variablePaths.ts";

/** A value that an event of a session has set. With a `refusal` it is stored, but does not count. */
export type CapturedValue = {
  variableId: string;
  seq: number;
  sco: string | null;
  source: "content" | "mapping" | "package";
  value: VariableValue;
  refusal: Refusal | null;
  /** Milliseconds since the session began. */
  t: number;
};

/** Definitions are read again after this time. */
const CACHED_MS = 5000;
const CACHED_COURSES = 1000;

/**
 * Reads which values a batch of events sets. Definitions are cached; unknown keys get one with status `new`. Everything
 * is checked again here: what the browser has checked cannot be trusted.
 */
export function createCapture(db: Db) {
  const cache = new LRUCache<string, Map<string, CourseVariable>>({ max: CACHED_COURSES, ttl: CACHED_MS });

  const readVariables = async (courseId: string) => {
    const variables = await readCourseVariables(db, courseId);
    cache.set(courseId, variables);
    return variables;
  };
  const variablesOf = async (courseId: string) => cache.get(courseId) ?? readVariables(courseId);

  const readMapped = async (context: CaptureContext, events: SessionEvent[]): Promise<CapturedValue[]> => {
    if (!events.some(({ type }) => type === "scorm.set")) return [];
    const variables = await variablesOf(context.courseId);
    const mapped = await findMappedEvents(db, context, variables.values(), events);
    return mapped.map(({ event: { seq, sco = null, t, value = "" }, variable }) => ({
      variableId: variable.id,
      seq,
      sco,
      source: "mapping",
      t,
      ...judge({ ...variable, access: "write" }, value),
    }));
  };
  /** Values that the player has read from the package itself, of the paths that an admin has chosen for a variable. */
  const readShown = async (courseId: string, events: SessionEvent[]): Promise<CapturedValue[]> => {
    const shown = events.filter(({ type, value = "" }) => type === "package.set" && value.length <= MAX_JSON_CHARS);
    if (shown.length === 0) return [];
    let variables = [...(await variablesOf(courseId)).values()];
    // Values of other paths are lost, so a path that was chosen a moment ago must not be missed.
    if (shown.some(({ key }) => !variables.some(({ path }) => path === key)))
      variables = [...(await readVariables(courseId)).values()];
    return shown.flatMap(({ seq, sco = null, t, key = "", value = "" }) =>
      variables
        .filter(({ path, access }) => path === key && access !== "read" && parseToolPath(key) !== null)
        .map((variable) => ({
          variableId: variable.id,
          seq,
          sco,
          source: "package" as const,
          t,
          ...judge({ ...variable, access: "write" }, parseJson(value)),
        })),
    );
  };
  const readSet = async (courseId: string, events: SessionEvent[]): Promise<CapturedValue[]> => {
    const sets = events.flatMap(readSetEvent);
    if (sets.length === 0) return [];
    let variables = await variablesOf(courseId);
    if (sets.some(({ key }) => !variables.has(key))) {
      variables = await readVariables(courseId);
      const unknown = new Map(sets.filter(({ key }) => !variables.has(key)).map(({ key, value }) => [key, value]));
      if (unknown.size > 0) {
        await addNewKeys(db, courseId, unknown);
        variables = await readVariables(courseId);
      }
    }
    return sets.flatMap(({ key, ...set }) => {
      const variable = variables.get(key);
      // Beyond the limit of undefined keys, the value is only in the events of the session.
      if (!variable) return [];
      return { variableId: variable.id, ...set, ...judge(variable, set.value) };
    });
  };
  /** The values that a batch sets, in the order of its events. */
  const read = async (context: CaptureContext, events: SessionEvent[]) => {
    const values = [
      ...(await readSet(context.courseId, events)),
      ...(await readMapped(context, events)),
      ...(await readShown(context.courseId, events)),
    ];
    return values.toSorted((a, b) => a.seq - b.seq);
  };
  return { read, forget: (courseId: string) => cache.delete(courseId) };
}

type SetInput = Pick<CapturedValue, "seq" | "sco" | "source" | "t" | "value"> & { key: string };

/** The key and value of a `variable.set` event, whose value is JSON. */
function readSetEvent({ type, key = "", value = "", seq, t, sco }: SessionEvent): SetInput[] {
  if (type !== "variable.set" || !KEY_PATTERN.test(key) || value.length > MAX_JSON_CHARS) return [];
  return [{ key, seq, t, sco: sco ?? null, source: "content", value: parseJson(value) }];
}

function parseJson(text: string): VariableValue {
  try {
    return JSON.parse(text) as VariableValue;
  } catch {
    return text;
  }
}

/** The value to store, and the reason if it does not count. */
function judge(variable: CourseVariable, value: VariableValue): { value: VariableValue; refusal: Refusal | null } {
  if (variable.access === "read") return { value, refusal: "readOnly" };
  if (variable.status === "archived") return { value, refusal: "archived" };
  // Without a definition every value counts; it is converted to the type that an admin chooses later.
  if (variable.status !== "active") return { value, refusal: null };
  const parsed = parseVariableValue(variable, value);
  return parsed.refusal ? { value, refusal: parsed.refusal } : { value: parsed.value, refusal: null };
}
