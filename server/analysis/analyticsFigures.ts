import { type RawBuilder, sql } from "kysely";
import { selectFiltered } from "#server/analysis/filtering.ts";
import type { Ctx } from "#server/core/http.ts";
import type { AnalyticsFilter, ConversationFigures, FigureRow } from "#shared/analysis.ts";
import type { User } from "#shared/users.ts";

/**
 * What the filter selects, as a common table expression `c`; with the stored figures of each conversation (conversation_figures), as `f`.
 * They are planned for many conversations, whatever the number that PostgreSQL expects.
 */
export const selectedBy = (ctx: Ctx<User>, filter: AnalyticsFilter) =>
  sql`with c as materialized (${selectFiltered(ctx, filter).select([
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
  ])})`;
export const figuresOf = (ctx: Ctx<User>, filter: AnalyticsFilter) => sql`${selectedBy(ctx, filter)},
  f as materialized (select c.chatbot_id, c.company_id, c.course_id, c.user_id, c.person, c.questions as begun, c.ended_at, c.outcome, c.started_at, s.*
    from c left join conversation_figures s on s.conversation_id = c.id)`;

/** SQL condition: an answer to a question of the course is stored, in any attempt. */
export const isAnswered = (
  course: RawBuilder<unknown>,
) => sql<boolean>`exists (select from answered_courses known where known.course_id = ${course}
    and exists (select from course_versions v join attempts a on a.version_id = v.id join answers n on n.attempt_id = a.id
      where v.course_id = known.course_id and not a.preview))`;
/**
 * SQL condition: the learner had answered no question of the course at a time, in any attempt. An answer is as old as its session says;
 * without a session, as its last change.
 */
export const isBeforeAnswers = (conversation: RawBuilder<unknown>, at: RawBuilder<unknown>) => sql<boolean>`not exists (
  select from attempts a join answers n on n.attempt_id = a.id left join sessions s on s.id = n.session_id
  where a.user_id = ${conversation}.user_id and a.course_id = ${conversation}.course_id and not a.preview
    and coalesce(s.started_at + n.t * interval '1 millisecond', n.updated_at) < ${at})`;

/** Full solutions for learners in courses that report answers, by conversation: all, and those before any answer. */
const solutions = sql`tracked as materialized (select of_f.course_id from (select distinct course_id from f
      where user_id is not null and course_id is not null and cardinality(solved_at) > 0) of_f where ${isAnswered(sql`of_f.course_id`)}),
  e as materialized (select f.conversation_id, count(*) as tried, count(*) filter (where ${isBeforeAnswers(sql`f`, sql`solved.at`)}) as early
    from f cross join lateral unnest(f.solved_at) solved(at)
    where f.user_id is not null and f.course_id in (select course_id from tracked) group by 1)`;

const share = (part: RawBuilder<unknown>, whole: RawBuilder<unknown>) => sql`${part}::float8 / nullif(${whole}, 0)`;
/** The figures, over all or by group. Answers of scenes are answers. */
const figures = sql`
  count(*)::int as conversations, count(distinct f.person)::int as people,
  coalesce(sum(f.questions), 0)::int as questions, count(f.outcome)::int as ended,
  ${share(sql`count(*) filter (where f.outcome = 'goal')`, sql`count(f.outcome)`)} as goal,
  coalesce(sum(f.ratings), 0)::int as ratings, ${share(sql`sum(f.thumbs_up)`, sql`sum(f.ratings)`)} as thumbs_up,
  coalesce(sum(f.answers), 0)::int as answers, ${share(sql`sum(f.refused)`, sql`sum(f.answers)`)} as no_answer,
  ${share(sql`sum(f.solutions)`, sql`sum(f.guided)`)} as full_solutions,
  ${share(sql`sum(f.partial)`, sql`sum(f.guided)`)} as partial_solutions,
  ${share(sql`sum(e.early)`, sql`sum(e.tried)`)} as early_solutions,
  coalesce(sum(f.tokens), 0)::float8 as tokens, coalesce(sum(f.cost_micros), 0)::float8 as cost_micros, coalesce(sum(f.unpriced), 0)::int as unpriced,
  avg(f.begun)::float8 as mean_questions`;
const waited = sql`w as materialized (select f.chatbot_id, f.company_id, f.course_id, waited.* from f
  cross join lateral unnest(f.first_ms, f.total_ms) waited(first_ms, total_ms))`;
const waits = sql`percentile_cont(array[0.5, 0.95]) within group (order by first_ms) as first_word,
  percentile_cont(array[0.5, 0.95]) within group (order by total_ms) as total`;
const shownWaits = sql`q.first_word[1] as first_word_ms, q.first_word[2] as slow_first_word_ms, q.total[1] as total_ms, q.total[2] as slow_total_ms`;

export async function readFigures(ctx: Ctx<User>, filter: AnalyticsFilter): Promise<ConversationFigures> {
  const { rows } = await sql<ConversationFigures>`${figuresOf(ctx, filter)}, ${solutions}, ${waited}
    select n.*, ${shownWaits} from (select ${figures} from f left join e using (conversation_id)) n, (select ${waits} from w) q`.execute(
    ctx.db,
  );
  return rows[0] as ConversationFigures;
}

/** Rows of a table at most. */
const MOST_ROWS = 500;
const tables = ["chatbots", "companies", "courses"] as const;
export type FigureTables = Record<(typeof tables)[number], FigureRow[]>;
/**
 * The figures of each chatbot, company and course, that with most conversations first. Conversations without one are a row of their own.
 * `kind` is a bit for each column that a row is not grouped by.
 */
export async function readGroups(ctx: Ctx<User>, filter: AnalyticsFilter): Promise<FigureTables> {
  const sets = sql`grouping sets ((chatbot_id), (company_id), (course_id))`;
  const key = sql`grouping(chatbot_id, company_id, course_id) as kind, coalesce(chatbot_id, company_id, course_id) as id`;
  const { rows } = await sql<
    FigureRow & { table: keyof FigureTables }
  >`${figuresOf(ctx, filter)}, ${solutions}, ${waited},
    n as (select ${key}, ${figures} from f left join e using (conversation_id) group by ${sets}),
    q as (select ${key}, ${waits} from w group by ${sets}),
    named as (select n.*, ${shownWaits}, coalesce(b.name, o.name, r.title, '') as name,
        case n.kind when 3 then 'chatbots' when 5 then 'companies' else 'courses' end as table
      from n left join q on q.kind = n.kind and q.id is not distinct from n.id
      left join chatbots b on n.kind = 3 and b.id = n.id left join companies o on n.kind = 5 and o.id = n.id
      left join courses r on n.kind = 6 and r.id = n.id)
    select * from (select *, row_number() over (partition by kind order by id is null, conversations desc, lower(name), id) as place from named) placed
    where place <= ${MOST_ROWS} order by kind, place`.execute(ctx.db);
  const of = (name: keyof FigureTables) =>
    rows.filter(({ table }) => table === name).map(({ table: _table, ...row }) => row as FigureRow);
  return { chatbots: of("chatbots"), companies: of("companies"), courses: of("courses") };
}
