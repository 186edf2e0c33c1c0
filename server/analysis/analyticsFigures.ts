import { type RawBuilder, sql } from "kysely";
import { selectFiltered } from "#server/analysis/filtering.ts";
import type { Ctx } from "#server/core/http.ts";
import type { AnalyticsFilter, ConversationFigures, FigureRow } from "#shared/analysis.ts";
import type { User } from "#shared/users.ts";

/** What the filter selects, as a common table expression `c`, and its courses whose content has reported answers, as `tracked`. */
export const selectedBy = (ctx: Ctx<User>, filter: AnalyticsFilter) => sql`with c as (${selectFiltered(
  ctx,
  filter,
).select([
  "conversations.id",
  "chatbotId",
  "companyId",
  "courseId",
  "userId",
  "visitor",
  "questions",
  "endedAt",
  "outcome",
  "startedAt",
])}), tracked as (select of_c.course_id from (select distinct course_id from c where course_id is not null) of_c
  where exists (select from course_versions v join attempts a on a.version_id = v.id join answers n on n.attempt_id = a.id
    where v.course_id = of_c.course_id and not a.preview))`;

/** SQL conditions on `turns`. A refusal is an answer without one. */
export const isAnswer = sql<boolean>`turns.role = 'assistant' and turns.state in ('done', 'refused', 'stopped', 'cut') and turns.parent_id is not null`;
const isGuided = sql`turns.give_away is not null and turns.state in ('done', 'stopped', 'cut')`;
export const givesAway = (what: "partial" | "full") =>
  sql<boolean>`(${isGuided} and turns.give_away = ${sql.lit(what)})`;
export const isGuidedAnswer = sql<boolean>`(${isGuided})`;
/**
 * Whether the learner had answered no question of the course yet, in any attempt. An answer is as old as its session says; without a
 * session, as its last change.
 */
export const isBeforeAnswers = (conversation: RawBuilder<unknown>) => sql<boolean>`not exists (
  select from attempts a join answers n on n.attempt_id = a.id left join sessions s on s.id = n.session_id
  where a.user_id = ${conversation}.user_id and a.course_id = ${conversation}.course_id and not a.preview
    and coalesce(s.started_at + n.t * interval '1 millisecond', n.updated_at) < turns.created_at)`;
/** A full solution for a learner in a course that reports answers. */
const isTried = sql`${givesAway("full")} and c.user_id is not null and c.course_id in (select course_id from tracked)`;

const share = (part: RawBuilder<unknown>, whole: RawBuilder<unknown>) => sql`${part}::float8 / nullif(${whole}, 0)`;
const ended = sql`count(distinct c.id) filter (where c.outcome is not null)`;
/** The figures, over all or by group. Answers of scenes are answers. */
const figures = sql`
  count(distinct c.id)::int as conversations, count(distinct coalesce(c.user_id::text, c.visitor))::int as people,
  coalesce(sum(t.questions), 0)::int as questions, ${ended}::int as ended,
  ${share(sql`count(distinct c.id) filter (where c.outcome = 'goal')`, ended)} as goal,
  coalesce(sum(t.ratings), 0)::int as ratings, ${share(sql`sum(t.up)`, sql`sum(t.ratings)`)} as thumbs_up,
  coalesce(sum(t.answers), 0)::int as answers, ${share(sql`sum(t.refused)`, sql`sum(t.answers)`)} as no_answer,
  ${share(sql`sum(t.solutions)`, sql`sum(t.guided)`)} as full_solutions,
  ${share(sql`sum(t.partial)`, sql`sum(t.guided)`)} as partial_solutions,
  ${share(sql`sum(t.early)`, sql`sum(t.tried)`)} as early_solutions,
  coalesce(sum(t.tokens), 0)::float8 as tokens, coalesce(sum(t.cost), 0)::float8 as cost_micros, coalesce(sum(t.unpriced), 0)::int as unpriced,
  avg(c.questions)::float8 as mean_questions`;
const turnsByConversation = sql`left join lateral (select
    count(*) filter (where role = 'user') as questions,
    count(*) filter (where ${isAnswer}) as answers,
    count(*) filter (where state = 'refused') as refused,
    count(*) filter (where ${isGuidedAnswer}) as guided,
    count(*) filter (where ${givesAway("full")}) as solutions,
    count(*) filter (where ${givesAway("partial")}) as partial,
    count(*) filter (where ${isTried}) as tried,
    count(*) filter (where case when ${isTried} then ${isBeforeAnswers(sql`c`)} else false end) as early,
    count(*) filter (where rating is not null) as ratings, count(*) filter (where rating = 'up') as up,
    sum(coalesce(tokens_in, 0) + coalesce(tokens_out, 0)) as tokens, sum(cost_micros) as cost,
    count(*) filter (where usage_id is not null and cost_micros is null) as unpriced
  from turns where turns.conversation_id = c.id) t on true`;
const waits = sql`
  percentile_cont(0.5) within group (order by first_ms) as first_word_ms,
  percentile_cont(0.95) within group (order by first_ms) as slow_first_word_ms,
  percentile_cont(0.5) within group (order by total_ms) as total_ms,
  percentile_cont(0.95) within group (order by total_ms) as slow_total_ms`;
/** SQL condition on `turns`: the time of the answer is measured. */
export const isTimed = sql<boolean>`turns.role = 'assistant' and turns.usage_id is not null and turns.first_at is not null`;
const waitsOf = sql`select c.chatbot_id, c.company_id, c.course_id,
    extract(epoch from turns.first_at - turns.created_at) * 1000 as first_ms,
    extract(epoch from turns.finished_at - turns.created_at) * 1000 as total_ms
  from c join turns on turns.conversation_id = c.id where ${isTimed}`;

export async function readFigures(ctx: Ctx<User>, filter: AnalyticsFilter): Promise<ConversationFigures> {
  const { rows } = await sql<ConversationFigures>`${selectedBy(ctx, filter)}, w as (${waitsOf})
    select f.*, q.* from (select ${figures} from c ${turnsByConversation}) f, (select ${waits} from w) q`.execute(
    ctx.db,
  );
  return rows[0] as ConversationFigures;
}

/** Rows of a table at most. */
const MOST_ROWS = 500;
const groups = {
  chatbots: { column: sql.ref("chatbotId"), name: sql`g.name` },
  companies: { column: sql.ref("companyId"), name: sql`g.name` },
  courses: { column: sql.ref("courseId"), name: sql`g.title` },
};
/** The figures of each chatbot, company or course, that with most conversations first. Conversations without one are a row of their own. */
export async function readGroups(ctx: Ctx<User>, filter: AnalyticsFilter, table: keyof typeof groups) {
  const { column, name } = groups[table];
  const { rows } = await sql<FigureRow>`${selectedBy(ctx, filter)}, w as (${waitsOf})
    select f.*, q.first_word_ms, q.slow_first_word_ms, q.total_ms, q.slow_total_ms, coalesce(${name}, '') as name
    from (select c.${column} as id, ${figures} from c ${turnsByConversation} group by c.${column}) f
    left join ${sql.table(table)} g on g.id = f.id
    left join (select ${column} as id, ${waits} from w group by 1) q on q.id is not distinct from f.id
    order by f.id is null, f.conversations desc, lower(${name}), f.id limit ${MOST_ROWS}`.execute(ctx.db);
  return rows;
}
