import { type RawBuilder, sql } from "kysely";
import { shareReading } from "#server/core/database/sharedReading.ts";
import { isOneOf, readCounted } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { shown } from "#server/core/database/measured.ts";
import { recordView } from "#server/audit/service.ts";
import { assignmentsAsOf, type Counted } from "#server/reports/figures/assignments.ts";
import { findSubject, resolveQuery } from "#server/reports/figures/report.ts";
import { erasedNumber } from "#server/reports/figures/rows.ts";
import { listMaskedFields } from "#server/variables/mask.ts";
import { describeResponse } from "#shared/courses/questions.ts";
import type { QueryOf } from "#shared/core/route.ts";
import { scopeOf, type User } from "#shared/core/users.ts";
import { type AnswerGroup, MAX_SHOWN_RESPONSE } from "#shared/reports/questionFigures.ts";
import type { reports } from "#shared/reports/reports.ts";
import { MASKED_VALUE } from "#shared/variables/variables.ts";

type Query = QueryOf<typeof reports.questions>;
type PeopleQuery = QueryOf<typeof reports.questionPeople>;

/** What a report on the course counts, by default now, in the scope of the user; 404 for what is not a course. */
export async function countCourse(
  ctx: Ctx<User>,
  id: string,
  { companyId, groupId, asOf, zone }: Partial<QueryOf<typeof reports.lessonBlocks>>,
) {
  const subject = await findSubject(ctx, id);
  if (subject.kind !== "course") throw notFound();
  return (await resolveQuery(ctx, subject, { companyId, groupId, asOf, zone })).counted;
}

/**
 * The CTE `judged`: every answer of the assignments that count, with its outcome (SCORM 1.2 says `wrong`, 2004
 * `incorrect`) and its place among the answers of the assignment to the same question, from either end. Questions whose
 * result is sensitive are left out.
 */
const judgedAnswers = (counted: Counted, { unjudged }: MaskedQuestions) => {
  const isSame = sql`assignments.enrolment_id, answers.sco, answers.fields->>'id'`;
  return sql`
  ${assignmentsAsOf(counted, "none")},
  judged as (
    select
      assignments.enrolment_id, assignments.person_id, assignments.company_id,
      ${erasedNumber} as person,
      attempts.version_id,
      answers.sco,
      answers.fields->>'id' as key,
      answers.session_id, answers.t, answers.updated_at,
      answers.fields->>'type' as type,
      coalesce(answers.fields->>'learner_response', answers.fields->>'student_response', '') as response,
      answers.fields->>'description' as description,
      case
        when answers.fields->>'result' = 'correct' then 'right'
        when answers.fields->>'result' in ('wrong', 'incorrect') then 'wrong'
      end as outcome,
      row_number() over (partition by ${isSame} order by attempts.no, answers.n) as from_first,
      row_number() over (partition by ${isSame} order by attempts.no desc, answers.n desc) as from_last
    from assignments
    join attempts
      on attempts.enrolment_id = assignments.enrolment_id
      and not attempts.preview
    join answers on answers.attempt_id = attempts.id
    where answers.fields->>'id' <> ''
      and not (answers.fields->>'id' = any(${unjudged}::text[]))
  )`;
};

/** Questions with a sensitive response, and those with a sensitive result, by their identifiers. */
type MaskedQuestions = { unshown: Set<string>; unjudged: string[] };
async function readMasked({ db }: Ctx<User>, courseId: string): Promise<MaskedQuestions> {
  const fields = await listMaskedFields(db, courseId);
  const idsOf = (...names: string[]) => fields.filter(({ field }) => names.includes(field)).map(({ id }) => id);
  return { unshown: new Set(idsOf("learner_response", "student_response")), unjudged: idsOf("result") };
}

/** Which of the `judged` answers a group counts, one of each assignment. */
const groupConditions: Record<AnswerGroup, RawBuilder<unknown>> = {
  right: sql`judged.from_first = 1 and judged.outcome = 'right'`,
  wrong: sql`judged.from_first = 1 and judged.outcome = 'wrong'`,
  stillWrong: sql`judged.from_last = 1 and judged.outcome = 'wrong'`,
};

/** One page of the questions of a course, the hardest first: those with the smallest share of right first answers. */
export async function listQuestions(ctx: Ctx<User>, id: string, query: Query) {
  const counted = await countCourse(ctx, id, query);
  const key = ["questions", scopeOf(ctx.user), id, query];
  return shareReading(ctx, key, () => readQuestions(ctx, counted, id, query));
}

type FoundQuestion = {
  sco: string;
  key: string;
  versionId: string;
  type: string | null;
  description: string | null;
  answered: number;
  right: number;
  wrong: number;
  stillWrong: number;
  response: string | null;
  times: number | null;
  rightResponse: string | null;
  total: number;
};

async function readQuestions(ctx: Ctx<User>, counted: Counted, courseId: string, query: Query) {
  const masked = await readMasked(ctx, courseId);
  const { items, total } = await readCounted(query, (limit, offset) =>
    sql<FoundQuestion>`
      with ${judgedAnswers(counted, masked)},
      questions as (
        select
          sco, key,
          (array_agg(version_id order by updated_at desc))[1] as version_id,
          (array_agg(type order by updated_at desc))[1] as type,
          (array_agg(description order by updated_at desc) filter (where description <> ''))[1] as description,
          count(*) filter (where from_first = 1)::int as answered,
          count(*) filter (where ${groupConditions.right})::int as right,
          count(*) filter (where ${groupConditions.wrong})::int as wrong,
          count(*) filter (where ${groupConditions.stillWrong})::int as still_wrong,
          mode() within group (order by response)
            filter (where ${groupConditions.wrong} and response <> '') as response,
          mode() within group (order by response)
            filter (where outcome = 'right' and response <> '') as right_response
        from judged
        group by sco, key
      ),
      page as (
        select questions.*, count(*) over ()::int as total
        from questions
        order by questions.right::float8 / nullif(questions.right + questions.wrong, 0), answered desc, sco, key
        limit ${limit}
        offset ${offset}
      )
      select page.*, (
        select count(*)::int
        from judged
        where judged.sco = page.sco
          and judged.key = page.key
          and judged.response = page.response
          and ${groupConditions.wrong}
      ) as times
      from page
      order by page.right::float8 / nullif(page.right + page.wrong, 0), answered desc, sco, key`.execute(ctx.db),
  );
  const versions = await readVersions(ctx, [...new Set(items.map(({ versionId }) => versionId))]);
  return {
    items: items.map(({ versionId, type, description, response, times, rightResponse, total: _, ...row }) => {
      const version = versions.get(versionId);
      const words = version?.questions[row.key];
      const isShown = !masked.unshown.has(row.key);
      const describe = (given: string) => describeResponse(given, type ?? "", words).slice(0, MAX_SHOWN_RESPONSE);
      return {
        ...row,
        part: version?.parts.find((part) => part.sco === row.sco)?.title ?? row.sco,
        question: words?.text ?? description ?? row.key,
        frequentWrong: response !== null && isShown ? { response: describe(response), n: times ?? 0 } : null,
        rightAnswer: rightResponse !== null && isShown ? describe(rightResponse) : null,
      };
    }),
    total,
  };
}

async function readVersions({ db }: Ctx<User>, ids: string[]) {
  const rows = await db
    .selectFrom("courseVersions")
    .where(isOneOf("courseVersions.id", ids))
    .select(["id", "parts", "questions"])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

type FoundPerson = {
  id: string;
  userId: string | null;
  person: string;
  name: string | null;
  email: string | null;
  company: string | null;
  versionId: string;
  type: string | null;
  response: string;
  sessionId: string | null;
  t: number | null;
  answeredAt: string;
  total: number;
};

/** One page of the people whom a figure of a question counts, each with the answer for which they are counted. */
export async function listQuestionPeople(ctx: Ctx<User>, id: string, query: PeopleQuery) {
  const counted = await countCourse(ctx, id, query);
  const masked = await readMasked(ctx, id);
  /** What leads to a replay. */
  const seen = (value: RawBuilder<unknown>) => shown(ctx.user, "replay", "judged.companyId", value);
  const { items, total } = await readCounted(query, (limit, offset) =>
    sql<FoundPerson>`
      with ${judgedAnswers(counted, masked)}
      select
        judged.enrolment_id as id,
        users.id as user_id, judged.person, users.name, users.email,
        companies.name as company,
        judged.version_id, judged.type, judged.response,
        ${seen(sql`judged.session_id`)} as session_id,
        ${seen(sql`judged.t::int`)} as t,
        judged.updated_at as answered_at,
        count(*) over ()::int as total
      from judged
      left join users on users.id = judged.person_id
      left join companies on companies.id = judged.company_id
      where judged.sco = ${query.sco}
        and judged.key = ${query.key}
        and ${groupConditions[query.group]}
      order by judged.updated_at desc, judged.enrolment_id
      limit ${limit}
      offset ${offset}`.execute(ctx.db),
  );
  const versions = await readVersions(ctx, [...new Set(items.map(({ versionId }) => versionId))]);
  for (const { userId } of items) if (userId) await recordView(ctx, "reports.answers", userId, { courseId: id });
  return {
    items: items.map(({ versionId, type, response, total: _, ...row }) => {
      const words = versions.get(versionId)?.questions[query.key];
      const shown = describeResponse(response, type ?? "", words).slice(0, MAX_SHOWN_RESPONSE);
      return {
        ...row,
        name: row.userId ? row.name : null,
        response: masked.unshown.has(query.key) ? MASKED_VALUE : shown,
      };
    }),
    total,
  };
}
