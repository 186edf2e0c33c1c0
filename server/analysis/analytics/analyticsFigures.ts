import { type RawBuilder, sql } from "kysely";
import { isBegunIn, selectFiltered } from "#server/analysis/filter.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { AnalyticsFilter } from "#shared/analysis/conversationAnalytics.ts";
import type { User } from "#shared/core/users.ts";

/**
 * SQL condition: an answer to a question of the course is stored, in any attempt. Thanks to its limit, the subquery
 * ends at the first one.
 */
export const isAnswered = (course: RawBuilder<unknown>) => sql<boolean>`exists (
    select
    from answered_courses answered
    where answered.course_id = ${course}
      and (
        select true
        from course_versions
        join attempts on attempts.version_id = course_versions.id
        join answers on answers.attempt_id = attempts.id
        where course_versions.course_id = answered.course_id
          and not attempts.preview
        limit 1
      )
  )`;
/**
 * SQL condition: the learner had answered no question of the course before a time, in any attempt. The time of an
 * answer is that in its session or, without a session, its last change.
 */
export const isBeforeAnswers = (conversation: RawBuilder<unknown>, at: RawBuilder<unknown>) => sql<boolean>`not exists (
    select
    from attempts
    join answers on answers.attempt_id = attempts.id
    left join sessions on sessions.id = answers.session_id
    where attempts.user_id = ${conversation}.user_id
      and attempts.course_id = ${conversation}.course_id
      and not attempts.preview
      and coalesce(sessions.started_at + answers.t * interval '1 millisecond', answers.updated_at) < ${at}
  )`;

/**
 * The CTEs over the conversations of a filter from which everything on the page is counted, so that nothing is read
 * twice: `figures` has their stored figures, `now` those from `nowFrom` on, `solved` the full solutions for learners in
 * courses that report answers (all, and those before any answer), `answer_times` how long answers took, and `calls` the
 * answers of now by model and prompt.
 */
export const storedFigures = (ctx: Ctx<User>, filter: AnalyticsFilter, nowFrom: string) => sql`
  filtered as materialized (${selectFiltered(ctx, filter).select([
    "conversations.id",
    "chatbotId",
    "companyId",
    "courseId",
    "userId",
    sql`coalesce(conversations.user_id, md5(conversations.visitor)::uuid)`.as("person"),
    "questions",
    "endedAt",
    "outcome",
    "startedAt",
    sql`conversations.started_at >= (${nowFrom}::date::timestamp at time zone ${filter.zone})`.as("is_now"),
  ])}),
  figures as materialized (
    select
      filtered.id as conversation,
      filtered.chatbot_id, filtered.company_id, filtered.course_id, filtered.user_id, filtered.person,
      filtered.questions as begun,
      filtered.ended_at, filtered.outcome, filtered.started_at, filtered.is_now,
      stored.*
    from filtered
    left join conversation_figures stored
      on stored.conversation_id = filtered.id
      and ${isBegunIn("stored.started_at", filter)}
  ),
  now as (
    select *
    from figures
    where is_now
  ),
  tracked as materialized (
    select solved.course_id
    from (
      select distinct course_id
      from figures
      where user_id is not null
        and course_id is not null
        and solved_at <> '{}'
    ) solved
    where ${isAnswered(sql`solved.course_id`)}
  ),
  solved as materialized (
    select
      figures.conversation,
      count(*) as tried,
      count(*) filter (where ${isBeforeAnswers(sql`figures`, sql`solution.at`)}) as early
    from figures
    cross join lateral unnest(figures.solved_at) solution(at)
    where figures.user_id is not null
      and figures.solved_at <> '{}'
      and figures.course_id in (select course_id from tracked)
    group by figures.conversation
  ),
  answer_times as materialized (
    select figures.chatbot_id, figures.company_id, figures.course_id, figures.is_now, answer.*
    from figures
    cross join lateral unnest(figures.first_ms, figures.total_ms) answer(first_ms, total_ms)
  ),
  calls as materialized (
    select conversation_calls.*
    from filtered
    join conversation_calls on conversation_calls.conversation_id = filtered.id
    where filtered.is_now
  )`;

const share = (part: RawBuilder<unknown>, whole: RawBuilder<unknown>) => sql`${part}::float8 / nullif(${whole}, 0)`;
/** The figures over all, or by group. Answers of scenes are answers. */
const figures = sql`
        count(*)::int as conversations,
        count(distinct figures.person)::int as people,
        coalesce(sum(figures.questions), 0)::int as questions,
        count(figures.outcome)::int as ended,
        ${share(sql`count(*) filter (where figures.outcome = 'goal')`, sql`count(figures.outcome)`)} as goal,
        coalesce(sum(figures.ratings), 0)::int as ratings,
        ${share(sql`sum(figures.thumbs_up)`, sql`sum(figures.ratings)`)} as "thumbsUp",
        coalesce(sum(figures.answers), 0)::int as answers,
        ${share(sql`sum(figures.refused)`, sql`sum(figures.answers)`)} as "noAnswer",
        ${share(sql`sum(figures.solutions)`, sql`sum(figures.guided)`)} as "fullSolutions",
        ${share(sql`sum(figures.partial)`, sql`sum(figures.guided)`)} as "partialSolutions",
        ${share(sql`sum(solved.early)`, sql`sum(solved.tried)`)} as "earlySolutions",
        coalesce(sum(figures.tokens), 0)::float8 as tokens,
        coalesce(sum(figures.cost_micros), 0)::float8 as "costMicros",
        coalesce(sum(figures.unpriced), 0)::int as unpriced,
        avg(figures.begun)::float8 as "meanQuestions"`;
const waits = sql`
        percentile_cont(array[0.5, 0.95]) within group (order by first_ms) as first_word,
        percentile_cont(array[0.5, 0.95]) within group (order by total_ms) as total`;
const shownWaits = sql`
        waits.first_word[1] as "firstWordMs",
        waits.first_word[2] as "slowFirstWordMs",
        waits.total[1] as "totalMs",
        waits.total[2] as "slowTotalMs"`;

/** The figures of now, or else of the time before. */
export const figuresOf = (isNow: boolean) => {
  const period = sql.lit(isNow);
  return sql`
    select counted.*, ${shownWaits}
    from (
      select ${figures}
      from figures
      left join solved using (conversation)
      where is_now = ${period}
    ) counted,
    (
      select ${waits}
      from answer_times
      where is_now = ${period}
    ) waits`;
};

/** The most rows of a table. */
export const MOST_ROWS = 500;
/**
 * The figures of each chatbot, company and course, that with most conversations first. Conversations without one are a
 * row of their own. The grouping has a bit for each column that a row is not grouped by.
 */
export const groupedFigures = () => {
  const sets = sql`grouping sets ((chatbot_id), (company_id), (course_id))`;
  const key = sql`
        grouping(chatbot_id, company_id, course_id) as kind,
        coalesce(chatbot_id, company_id, course_id) as id`;
  const name = sql`coalesce(chatbots.name, companies.name, courses.title)`;
  return sql`
    with counted as (
      select ${key}, ${figures}
      from now figures
      left join solved using (conversation)
      group by ${sets}
    ),
    waits as (
      select ${key}, ${waits}
      from answer_times
      where is_now
      group by ${sets}
    ),
    placed as (
      select
        counted.*, ${shownWaits},
        coalesce(${name}, '') as name,
        case counted.kind when 3 then 'chatbots' when 5 then 'companies' else 'courses' end as "table",
        row_number() over (
          partition by counted.kind
          order by counted.id is null, counted.conversations desc, lower(${name}), counted.id
        ) as place
      from counted
      left join waits on waits.kind = counted.kind and waits.id is not distinct from counted.id
      left join chatbots on counted.kind = 3 and chatbots.id = counted.id
      left join companies on counted.kind = 5 and companies.id = counted.id
      left join courses on counted.kind = 6 and courses.id = counted.id
    )
    select *
    from placed
    where place <= ${MOST_ROWS}
    order by kind, place`;
};
