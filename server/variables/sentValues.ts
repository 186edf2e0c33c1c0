import { sql } from "kysely";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { parsePath } from "#shared/variables/variablePaths.ts";
import type { Part } from "#shared/player/player.ts";
import type { User } from "#shared/core/users.ts";
import type { SentValue } from "#shared/variables/variables.ts";

/** The number of latest attempts that are read. */
const ATTEMPTS = 100;
const SAMPLES = 3;
const MAX_VALUES = 300;

type SentElement = { path: string; question: string; part: string; value: string; attempt: string };

/**
 * What can set a variable without a change to the package of a course: the answers and data model elements that it has
 * sent lately, and the variables of its authoring tool, as its files name them.
 */
export async function listSentValues(ctx: Ctx<User>, courseId: string): Promise<{ items: SentValue[] }> {
  const course = await readPackage(ctx, courseId);
  const shown = (course.packageNames ?? []).map(({ path, title }) => ({
    path,
    question: title,
    part: "",
    samples: [],
    attempts: 0,
  }));
  return { items: [...(await listSent(ctx, courseId, course.parts ?? [])), ...shown] };
}

const readPackage = ({ db }: Ctx<User>, courseId: string) =>
  db
    .selectFrom("courses")
    .leftJoin("courseVersions", "courseVersions.id", "courses.liveVersionId")
    .where("courses.id", "=", courseId)
    .select(["courseVersions.parts", "courseVersions.packageNames"])
    .executeTakeFirstOrThrow(notFound);

async function listSent({ db, user }: Ctx<User>, courseId: string, parts: Part[]): Promise<SentValue[]> {
  const titles = new Map(parts.map((part) => [part.sco, part.title]));
  const attempts = await db
    .selectFrom("attempts")
    .where("courseId", "=", courseId)
    .where(inScope(user, { company: "attempts.companyId", person: "attempts.userId" }))
    .orderBy(sql`attempts.last_activity_at desc nulls last`)
    .limit(ATTEMPTS)
    .select("id")
    .execute();
  const ids = attempts.map(({ id }) => id);
  if (ids.length === 0) return [];
  const answers = await db
    .selectFrom("answers")
    .where(isOneOf("attemptId", ids))
    .orderBy("updatedAt", "desc")
    .limit(5000)
    .select(["attemptId", "sco", "fields"])
    .execute();
  const states = await db
    .selectFrom("partStates")
    .where(isOneOf("attemptId", ids))
    .select(["attemptId", "sco", "cmi"])
    .execute();
  const elements: SentElement[] = [
    ...answers.flatMap(({ attemptId, sco, fields }) =>
      ["learner_response", "student_response", "result"].flatMap((field) => {
        const value = fields[field];
        if (value === undefined || !fields.id) return [];
        const path = `cmi.interactions[${fields.id}].${field}`;
        return { path, question: fields.description ?? "", part: titles.get(sco) ?? sco, value, attempt: attemptId };
      }),
    ),
    ...states.flatMap(({ attemptId, sco, cmi }) =>
      Object.entries(cmi).flatMap(([element, value]) => {
        const objective =
          /^cmi\.objectives\.(\d+)\.(score\.(?:raw|scaled)|success_status|completion_status|status)$/.exec(element);
        const id = objective ? cmi[`cmi.objectives.${objective[1]}.id`] : undefined;
        const path = objective && id !== undefined ? `cmi.objectives[${id}].${objective[2]}` : element;
        return { path, question: "", part: titles.get(sco) ?? sco, value, attempt: attemptId };
      }),
    ),
  ].filter(({ path }) => parsePath(path) !== null);
  const byPath = Map.groupBy(elements, ({ path }) => path);
  return [...byPath.values()].slice(0, MAX_VALUES).map((values): SentValue => {
    const [{ path, question, part }] = values as [SentElement];
    const samples = [...new Set(values.map(({ value }) => value.slice(0, 80)))].slice(0, SAMPLES);
    return { path, question, part, samples, attempts: new Set(values.map(({ attempt }) => attempt)).size };
  });
}
