import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { badField, conflict } from "#server/core/http/problem.ts";
import { canBeMet, missingParts, toCondition } from "#shared/courses/completion.ts";
import type { CompletionRule, CompletionTest } from "#shared/courses/completionRules.ts";

export type NamedPart = { sco: string; title: string; isLive: boolean };

/** The parts of all versions of a course that can be opened, those of the live one first; latest titles. */
export async function readParts(db: Db, courseId: string): Promise<NamedPart[]> {
  const { rows } = await sql<NamedPart>`
    select sco, title, "isLive"
    from (
      select distinct on (part ->> 'sco')
        part ->> 'sco' as sco,
        part ->> 'title' as title,
        course_versions.id = courses.live_version_id as "isLive",
        course_versions.number,
        at
      from courses
      join course_versions on course_versions.course_id = courses.id
      cross join jsonb_array_elements(course_versions.parts) with ordinality as listed (part, at)
      where courses.id = ${courseId}
        and part ->> 'href' is not null
      order by part ->> 'sco', course_versions.id = courses.live_version_id desc nulls last, course_versions.number desc
    ) parts
    order by "isLive" desc, number desc, at`.execute(db);
  return rows;
}

/**
 * A rule with the titles of its parts as they are now. 422 if it asks for a part or a variable that the course does not
 * have, or if nobody could complete its live version by it.
 */
export async function checkRule(db: Db, courseId: string, rule: CompletionRule): Promise<CompletionRule> {
  const { tests, match } = toCondition(rule);
  const parts = await readParts(db, courseId);
  const titles = new Map(parts.map(({ sco, title }) => [sco, title]));
  const keys = await readVariableKeys(db, courseId);
  const check = (test: CompletionTest): CompletionTest => {
    if (test.kind === "variable" && !keys.has(test.key))
      throw badField("rule", "courses.ruleVariableUnknown", { key: test.key });
    if (!("sco" in test)) return test;
    const title = titles.get(test.sco);
    if (title === undefined) throw badField("rule", "courses.rulePartUnknown", { part: test.title || test.sco });
    return { ...test, title };
  };
  const checked = tests.map((test) => ("tests" in test ? { ...test, tests: test.tests.map(check) } : check(test)));
  const named: CompletionRule = "tests" in rule ? { match, tests: checked } : (checked[0] as CompletionTest);
  const live = new Set(parts.filter(({ isLive }) => isLive).map(({ sco }) => sco));
  if (live.size > 0 && !canBeMet(named, live))
    throw badField("rule", "courses.ruleNeedsParts", { parts: missingParts(named, live).join(", ") });
  return named;
}

/**
 * Keys of the variables that a rule may ask for: not sensitive ones, because completions are seen by many, nor those of
 * a whole company, which say nothing about a learner.
 */
async function readVariableKeys(db: Db, courseId: string) {
  const rows = await db
    .selectFrom("variableCourses")
    .innerJoin("variables", "variables.id", "variableCourses.variableId")
    .where("courseId", "=", courseId)
    .where("variables.privacy", "!=", "sensitive")
    .where("variables.scope", "!=", "company")
    .select("variableCourses.key")
    .execute();
  return new Set(rows.map(({ key }) => key));
}

/** 409 if nobody could complete a version by the rule of its course, because it lacks parts that the rule asks for. */
export async function checkVersion(db: Db, courseId: string, versionId: string) {
  const found = await db
    .selectFrom("courses")
    .innerJoin("courseVersions", "courseVersions.courseId", "courses.id")
    .where("courses.id", "=", courseId)
    .where("courseVersions.id", "=", versionId)
    .select(["courses.completionRule as rule", "courseVersions.parts"])
    .executeTakeFirst();
  if (!found) return;
  const scos = new Set(found.parts.flatMap(({ sco, href }) => (href === null ? [] : [sco])));
  if (!canBeMet(found.rule, scos))
    throw conflict("courses.ruleNeedsParts", undefined, { parts: missingParts(found.rule, scos).join(", ") });
}
