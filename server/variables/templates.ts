import { sql } from "kysely";
import type { Db } from "#server/core/db.ts";
import { readCourseVariables } from "#server/variables/courseVariables.ts";
import { readCurrentValues } from "#server/variables/currentValues.ts";
import { type Origin, subjectOf } from "#server/variables/subjects.ts";
import { readSettings } from "#server/settings/service.ts";
import { notFound } from "#server/core/problem.ts";
import {
  isBuiltIn,
  type BuiltInKey,
  keysOfTemplate,
  renderTemplate,
  type TemplateTarget,
  type TemplateValue,
} from "#shared/templates.ts";
import type { Transform } from "#shared/flows.ts";
import type { BodyOf } from "#shared/route.ts";
import type { User } from "#shared/users.ts";
import type { variables } from "#shared/variables.ts";
import { inScope } from "#server/core/scope.ts";
import type { Ctx } from "#server/core/http.ts";
import { type VariableScope, variableScopes } from "#shared/variableValues.ts";

/**
 * Who reads the text: a language model gets only what `usableInPrompts` allows, a learner only what learners may see, an admin nothing
 * sensitive. A flow passes the text on to others: it gets only what both of them may see.
 */
export type TemplateReader = "model" | "learner" | "admin" | "flow";
/** `hidesLearner`: name and address of the learner count as missing. */
export type TemplateOrigin = Origin & { reader: TemplateReader; hidesLearner?: boolean };

type Candidate = {
  key: string;
  id: string;
  scope: VariableScope;
  type: TemplateValue["type"];
  unit: string;
  defaultValue: TemplateValue["value"];
  isOfCourse: boolean;
};

/** What stands for a missing value and for yes and no, until texts in other languages exist. */
export const TEMPLATE_WORDS = { notAvailable: "not available", booleans: ["yes", "no"] } as const;

/** A template with the values of one learner in it, or with those that hold for everybody. */
export async function resolveTemplate(db: Db, template: string, origin: TemplateOrigin | null, target: TemplateTarget) {
  const values = await readTemplateValues(db, [template], origin);
  return renderTemplate(template, values, { ...TEMPLATE_WORDS, target });
}

/** The text of a template for a learner whom an admin has chosen. Values that the admin may not see count as missing. */
export async function previewTemplate(
  ctx: Ctx<User>,
  { text, userId, courseId, target }: BodyOf<typeof variables.preview>,
) {
  const learner = await ctx.db
    .selectFrom("users")
    .where("id", "=", userId)
    .where("companyId", "is not", null)
    .where(inScope(ctx.user, { company: "companyId", person: "id" }))
    .select(["id", "companyId"])
    .executeTakeFirst();
  if (!learner?.companyId) throw notFound();
  const origin = { userId, companyId: learner.companyId, courseId, attemptId: null, reader: "admin" as const };
  return resolveTemplate(ctx.db, text, origin, target);
}

/**
 * The values of the placeholders of `templates` for one learner. Of several variables with the same key, those of the course come
 * first; then the narrowest scope that has a value decides: attempt, course, learner, company; then a default value. A key
 * without any of them is missing from the map. What the reader may not see counts as missing. Without a learner (`origin` null), only
 * the academy and the day (UTC) are known.
 */
export async function readTemplateValues(
  db: Db,
  templates: string[],
  origin: TemplateOrigin | null,
): Promise<Map<string, TemplateValue>> {
  const keys = [...new Set(templates.flatMap(keysOfTemplate))];
  const found = new Map<string, TemplateValue>();
  const builtIn = keys.filter((key) => isBuiltIn(key) && !(origin?.hidesLearner && key.startsWith("learner.")));
  if (builtIn.length > 0)
    for (const [key, text] of await readBuiltIns(db, origin))
      if (builtIn.includes(key) && text)
        found.set(key, { value: text, type: key === "today" ? "date" : "text", unit: "" });
  if (!origin) return found;
  const candidates = await readCandidates(
    db,
    keys.filter((key) => !isBuiltIn(key)),
    origin,
  );
  const subjects = candidates.flatMap(({ id, scope }): [string, string][] => {
    const subject = subjectOf(scope, origin);
    return subject === null ? [] : [[id, subject]];
  });
  const values = await readCurrentValues(db, new Map(subjects));
  for (const { id, key, type, unit } of candidates) {
    const value = values.get(id)?.current ?? null;
    if (value !== null && !found.has(key)) found.set(key, { value, type, unit });
  }
  for (const { key, type, unit, defaultValue } of candidates)
    if (defaultValue !== null && !found.has(key)) found.set(key, { value: defaultValue, type, unit });
  return found;
}

/** The values that the text of a flow needs besides the one that passes. */
export async function readFlowValues(
  db: Db,
  transform: Transform,
  { userId, companyId, courseId, attemptId, hidesLearner }: Origin & { hidesLearner: boolean },
): Promise<Map<string, TemplateValue>> {
  if (transform.kind !== "template" || keysOfTemplate(transform.text).every((key) => key === "value")) return new Map();
  const origin = { userId, companyId, courseId, attemptId, hidesLearner, reader: "flow" as const };
  return readTemplateValues(db, [transform.text], origin);
}

/** The variables that the keys can mean, the most specific ones first. */
async function readCandidates(db: Db, keys: string[], { courseId, reader }: TemplateOrigin): Promise<Candidate[]> {
  if (keys.length === 0) return [];
  const ofCourse = courseId === null ? [] : [...(await readCourseVariables(db, courseId)).values()];
  const keyInCourse = new Map(ofCourse.map(({ id, key }) => [id, key]));
  let rows = db
    .selectFrom("variables")
    .where("status", "=", "active")
    .where((e) => {
      const isOfCourse = keyInCourse.size > 0 ? [e("id", "in", [...keyInCourse.keys()])] : [];
      // In a course, the variables of one other course stay out: the same key means something else there.
      const isShared = courseId === null ? sql<boolean>`true` : sql<boolean>`${coursesOf} <> 1`;
      return e.or([e.and([e("key", "in", keys), isShared]), ...isOfCourse]);
    });
  if (reader === "model") rows = rows.where("usableInPrompts", "=", true);
  if (reader === "learner" || reader === "flow") rows = rows.where("learnerVisible", "=", true);
  if (reader === "admin" || reader === "flow") rows = rows.where("privacy", "!=", "sensitive");
  const found = await rows
    .select(["id", "key", "scope", "type", "unit", "defaultValue", "createdAt"])
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  return found
    .map((row): Candidate => ({ ...row, key: keyInCourse.get(row.id) ?? row.key, isOfCourse: keyInCourse.has(row.id) }))
    .filter(({ key }) => keys.includes(key))
    .toSorted(
      (a, b) =>
        Number(b.isOfCourse) - Number(a.isOfCourse) ||
        variableScopes.indexOf(a.scope) - variableScopes.indexOf(b.scope),
    );
}

const coursesOf = sql`(select count(*) from variable_courses c where c.variable_id = variables.id)`;

const dayIn = (timeZone: string) => new Intl.DateTimeFormat("sv-SE", { timeZone }).format(new Date());

async function readBuiltIns(db: Db, origin: TemplateOrigin | null): Promise<Map<BuiltInKey, string>> {
  const { academyName } = await readSettings(db);
  if (!origin)
    return new Map([
      ["academy.name", academyName],
      ["today", dayIn("UTC")],
    ]);
  const { userId, companyId, courseId } = origin;
  const company = await db
    .selectFrom("companies")
    .where("id", "=", companyId)
    .select(["name", "timezone"])
    .executeTakeFirst();
  if (!company) throw notFound();
  const person = userId
    ? await db.selectFrom("users").where("id", "=", userId).select(["name", "email"]).executeTakeFirst()
    : undefined;
  const course = courseId
    ? await db.selectFrom("courses").where("id", "=", courseId).select("title").executeTakeFirst()
    : undefined;
  return new Map<BuiltInKey, string>([
    ["learner.name", person?.name ?? ""],
    ["learner.first_name", person?.name.trim().split(/\s+/)[0] ?? ""],
    ["learner.email", person?.email ?? ""],
    ["company.name", company.name],
    ["course.title", course?.title ?? ""],
    ["academy.name", academyName],
    ["today", dayIn(company.timezone)],
  ]);
}
