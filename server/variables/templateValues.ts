import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { notFound } from "#server/core/http/problem.ts";
import { readSettings } from "#server/settings/service.ts";
import { currentKey, readCurrentValuesOf } from "#server/variables/currentValues.ts";
import { type Origin, subjectOf } from "#server/variables/subjects.ts";
import { readValuesAt } from "#server/variables/valuesAt.ts";
import type { Transform } from "#shared/flows/flows.ts";
import { isBuiltIn, type BuiltInKey, keysOfTemplate, type TemplateValue } from "#shared/variables/templates.ts";
import { variableScopes } from "#shared/variables/variableTypes.ts";

// The values of placeholders. The number of statements does not depend on the number of learners.

/**
 * Who reads the text. A language model gets only variables with `usableInPrompts`, a learner only visible ones, an
 * admin no sensitive ones. A flow passes the text on to others and gets only what both learners and admins may see.
 */
export type TemplateReader = "model" | "learner" | "admin" | "flow";
/**
 * `hidesLearner`: name and address of the learner count as missing. `asOf` (ISO 8601): the time of the values of
 * variables; placeholders without a variable always have their current values.
 */
export type TemplateOrigin = Origin & { reader: TemplateReader; hidesLearner?: boolean; asOf?: string | undefined };
export type TemplateValues = Map<string, TemplateValue>;
type Request = { templates: string[]; origin: TemplateOrigin | null };
type KeyRequest = { keys: string[]; origin: TemplateOrigin | null };

/**
 * The values of the placeholders of `templates` for one learner. Of several variables with the same key, those of the
 * course come first; then the narrowest scope with a value: attempt, course, learner, company; then a default value. A
 * key without a value that the reader may see is missing from the map. Without a learner (`origin` null), only the
 * academy and the day (in its time zone) have values.
 */
export async function readTemplateValues(
  db: Db,
  templates: string[],
  origin: TemplateOrigin | null,
): Promise<TemplateValues> {
  const [values] = await readTemplateValuesOf(db, [{ templates, origin }]);
  return values as TemplateValues;
}

/** The values for the texts of flows, besides those that pass, in the order of the requests. */
export const readFlowValuesOf = (
  db: Db,
  requests: (Origin & { transform: Transform; hidesLearner: boolean })[],
): Promise<TemplateValues[]> =>
  readTemplateValuesOf(
    db,
    requests.map(({ transform, userId, companyId, courseId, attemptId, hidesLearner }) => ({
      templates: transform.kind === "template" ? [transform.text] : [],
      origin: { userId, companyId, courseId, attemptId, hidesLearner, reader: "flow" },
    })),
  );

async function readTemplateValuesOf(db: Db, sent: Request[]): Promise<TemplateValues[]> {
  const keysOf = new Map<string, string[]>();
  for (const template of new Set(sent.flatMap(({ templates }) => templates)))
    keysOf.set(template, keysOfTemplate(template));
  const requests = sent.map(({ templates, origin }) => ({
    keys: [...new Set(templates.flatMap((template) => keysOf.get(template) ?? []))].filter(
      // In a flow, this key means the value that passes, even if a variable has it.
      (key) => !(origin?.reader === "flow" && key === "value"),
    ),
    origin,
  }));
  const values = requests.map((): TemplateValues => new Map());
  await addBuiltIns(db, requests, values);
  await addVariables(db, requests, values);
  return values;
}

/** Adds the values of variables to the results of the requests. */
async function addVariables(db: Db, requests: KeyRequest[], results: TemplateValues[]) {
  const keys = [...new Set(requests.flatMap((one) => (one.origin ? one.keys : [])))].filter((key) => !isBuiltIn(key));
  if (keys.length === 0) return;
  const courseIds = uniqueOf(requests, ({ courseId }) => courseId);
  const variables = await readVariables(db, keys, courseIds);
  const candidates = requests.map(({ keys, origin }) => (origin ? chooseCandidates(variables, keys, origin) : []));
  const subjects = candidates.map((list, index) =>
    list.flatMap((candidate) => {
      const origin = requests[index]?.origin;
      const subject = origin ? subjectOf(candidate.scope, origin) : null;
      return subject === null ? [] : [{ candidate, subject }];
    }),
  );
  const current = await readCurrentValuesOf(
    db,
    subjects
      .filter((_, index) => !requests[index]?.origin?.asOf)
      .flat()
      .map(({ candidate, subject }): [string, string] => [candidate.id, subject]),
  );
  for (const [index, values] of results.entries()) {
    const past = await readPastValues(db, requests[index]?.origin ?? null, candidates[index] ?? []);
    for (const { candidate, subject } of subjects[index] ?? []) {
      const { id, key, type, unit } = candidate;
      const value = (past ? past.get(id) : current.get(currentKey(id, subject))?.current) ?? null;
      if (value !== null && !values.has(key)) values.set(key, { value, type, unit });
    }
    for (const { key, type, unit, defaultValue } of candidates[index] ?? [])
      if (defaultValue !== null && !values.has(key)) values.set(key, { value: defaultValue, type, unit });
  }
}

/** The values of an earlier time, by variable; null if the current ones are requested. */
async function readPastValues(db: Db, origin: TemplateOrigin | null, candidates: { id: string }[]) {
  if (!origin?.asOf) return null;
  return readValuesAt(
    db,
    origin,
    candidates.map(({ id }) => id),
    origin.asOf,
  );
}

/** The active variables that these keys can mean, oldest first, and their keys in the courses. */
async function readVariables(db: Db, keys: string[], courseIds: string[]) {
  const uses =
    courseIds.length === 0
      ? []
      : await db
          .selectFrom("variableCourses")
          .where(isOneOf("courseId", courseIds))
          .where((e) =>
            e.or([
              e("key", "in", keys),
              e("variableId", "in", e.selectFrom("variables").where("variables.key", "in", keys).select("id")),
            ]),
          )
          .select(["courseId", "variableId", "key"])
          .execute();
  const used = [...new Set(uses.map(({ variableId }) => variableId))];
  const rows = await db
    .selectFrom("variables")
    .where("status", "=", "active")
    .where((e) => e.or([e("key", "in", keys), ...(used.length > 0 ? [e("id", "in", used)] : [])]))
    .select(["id", "key", "scope", "type", "unit", "defaultValue"])
    .select(["usableInPrompts", "learnerVisible", "privacy"])
    .select(
      sql<number>`(
        select count(*)::int
        from variable_courses
        where variable_courses.variable_id = variables.id
      )`.as("courses"),
    )
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  return { rows, keyInCourse: new Map(uses.map((use) => [`${use.courseId} ${use.variableId}`, use.key])) };
}
type Variables = Awaited<ReturnType<typeof readVariables>>;

/** The variables that the keys can mean for a reader, most specific first. */
function chooseCandidates({ rows, keyInCourse }: Variables, keys: string[], { courseId, reader }: TemplateOrigin) {
  const mayRead = (row: Variables["rows"][number]) => {
    if (reader === "model") return row.usableInPrompts;
    if (reader === "learner") return row.learnerVisible;
    return row.privacy !== "sensitive" && (reader === "admin" || row.learnerVisible);
  };
  return rows
    .filter(mayRead)
    .flatMap((row) => {
      const keyOfCourse = courseId === null ? undefined : keyInCourse.get(`${courseId} ${row.id}`);
      // A variable of a single other course is left out: there, the key means something else.
      if (keyOfCourse === undefined && courseId !== null && row.courses === 1) return [];
      const key = keyOfCourse ?? row.key;
      return keys.includes(key) ? [{ ...row, key, isOfCourse: keyOfCourse !== undefined }] : [];
    })
    .toSorted(
      (a, b) =>
        Number(b.isOfCourse) - Number(a.isOfCourse) ||
        variableScopes.indexOf(a.scope) - variableScopes.indexOf(b.scope),
    );
}

const dayIn = (timeZone: string) => new Intl.DateTimeFormat("sv-SE", { timeZone }).format(new Date());
const uniqueOf = (requests: KeyRequest[], idOf: (origin: TemplateOrigin) => string | null) => [
  ...new Set(requests.flatMap(({ origin }) => (origin && idOf(origin)) ?? [])),
];

/** Adds the values of placeholders without a variable to the results of the requests. */
async function addBuiltIns(db: Db, requests: KeyRequest[], results: TemplateValues[]) {
  const needed = requests.map(({ keys, origin }) =>
    keys.filter(isBuiltIn).filter((key) => !(origin?.hidesLearner && key.startsWith("learner."))),
  );
  const withBuiltIns = requests.filter((_, index) => needed[index]?.length);
  if (withBuiltIns.length === 0) return;
  const { academyName, timeZone } = await readSettings(db);
  const idsOf = (idOf: (origin: TemplateOrigin) => string | null) => uniqueOf(withBuiltIns, idOf);
  const [companyIds, userIds, courseIds] = [
    idsOf(({ companyId }) => companyId),
    idsOf(({ userId }) => userId),
    idsOf(({ courseId }) => courseId),
  ];
  const companies = byId(
    companyIds.length === 0
      ? []
      : await db.selectFrom("companies").where(isOneOf("id", companyIds)).select(["id", "name", "timezone"]).execute(),
  );
  const people = byId(
    userIds.length === 0
      ? []
      : await db.selectFrom("users").where(isOneOf("id", userIds)).select(["id", "name", "email"]).execute(),
  );
  const courses = byId(
    courseIds.length === 0
      ? []
      : await db.selectFrom("courses").where(isOneOf("id", courseIds)).select(["id", "title"]).execute(),
  );
  const textsOf = (origin: TemplateOrigin | null): Partial<Record<BuiltInKey, string>> => {
    if (!origin) return { "academy.name": academyName, today: dayIn(timeZone ?? "UTC") };
    const company = companies.get(origin.companyId);
    if (!company) throw notFound();
    const person = people.get(origin.userId ?? "");
    return {
      "learner.name": person?.name ?? "",
      "learner.first_name": person?.name.trim().split(/\s+/)[0] ?? "",
      "learner.email": person?.email ?? "",
      "company.name": company.name,
      "course.title": courses.get(origin.courseId ?? "")?.title ?? "",
      "academy.name": academyName,
      today: dayIn(company.timezone),
    };
  };
  for (const [index, keys] of needed.entries()) {
    if (keys.length === 0) continue;
    const texts = textsOf(requests[index]?.origin ?? null);
    for (const key of keys) {
      const value = texts[key];
      if (value) results[index]?.set(key, { value, type: key === "today" ? "date" : "text", unit: "" });
    }
  }
}
const byId = <T extends { id: string }>(rows: T[]) => new Map(rows.map((row) => [row.id, row]));
