import { sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { assignmentsAsOf } from "#server/reports/figures/assignments.ts";
import { countCourse } from "#server/reports/questions/questions.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { LessonDocument } from "#shared/lessons/lessonDocument.ts";
import { MAX_BLOCKS } from "#shared/lessons/lessonDocument.ts";
import { stepByKey } from "#shared/lessons/scenarios.ts";
import type { ScenarioFigures } from "#shared/reports/questionFigures.ts";
import type { reports } from "#shared/reports/reports.ts";
import { TRIES_PER_QUESTION } from "#server/player/trackingState.ts";
import type { User } from "#shared/core/users.ts";

/**
 * How many learners came by the steps and choices of a scenario: who chose at the start, and whom a choice led to a
 * step as the live version has it. Learners of the scope of the user, as reports count them.
 */
export async function countScenario(
  ctx: Ctx<User>,
  courseId: string,
  { lesson: lessonId, block: blockId }: QueryOf<typeof reports.scenario>,
): Promise<ScenarioFigures> {
  const counted = await countCourse(ctx, courseId, {});
  const none = { learners: 0, steps: {}, choices: {} };
  const published = await ctx.db
    .selectFrom("lessonContents")
    .innerJoin("courses", "courses.liveVersionId", "lessonContents.versionId")
    .where("courses.id", "=", courseId)
    .where("lessonContents.sco", "=", lessonId)
    .select("lessonContents.document")
    .executeTakeFirst();
  const { blocks } = (published?.document as LessonDocument | undefined) ?? { blocks: [] };
  const block = blocks.find(({ id }) => id === blockId);
  if (block?.kind !== "scenario") return none;
  const ways = block.steps.flatMap((step) =>
    step.choices.map(({ id, to }) => ({ step: step.id, choice: id, to: stepByKey(block, to)?.id ?? null })),
  );
  const { rows } = await sql<{ kind: "step" | "choice"; id: string; learners: number }>`
    with
    ${assignmentsAsOf(counted, "none")},
    ways as (
      select *
      from unnest(
        ${ways.map(({ step }) => step)}::text[],
        ${ways.map(({ choice }) => choice)}::text[],
        ${ways.map(({ to }) => to)}::text[]
      ) as ways(step, choice, target)
    ),
    chosen as (
      select distinct assignments.person_id, ways.step, ways.choice, ways.target
      from assignments
      join attempts
        on attempts.enrolment_id = assignments.enrolment_id
        and not attempts.preview
      join answers
        on answers.attempt_id = attempts.id
        and answers.sco = ${lessonId}
        and answers.n >= ${MAX_BLOCKS * TRIES_PER_QUESTION}
      join ways
        on ways.step = answers.fields->>'id'
        and ways.choice = answers.fields->>'learner_response'
    )
    select 'choice' as kind, choice as id, count(distinct person_id)::int as learners
    from chosen
    group by choice
    union all
    select 'step', id, count(distinct person_id)::int
    from (
      select person_id, step as id
      from chosen
      union all
      select person_id, target
      from chosen
      where target is not null
    ) as reached
    group by id`.execute(ctx.db);
  const of = (kind: string) =>
    Object.fromEntries(rows.filter((row) => row.kind === kind).map(({ id, learners }) => [id, learners]));
  const steps = of("step");
  return { learners: steps[block.steps[0]?.id ?? ""] ?? 0, steps, choices: of("choice") };
}
