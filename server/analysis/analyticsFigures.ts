import { type RawBuilder, sql } from "kysely";
import { isBegunIn, selectFiltered } from "#server/analysis/filtering.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { AnalyticsFilter } from "#shared/analysis/conversationAnalytics.ts";
import type { User } from "#shared/core/users.ts";

/**
 * SQL condition: an answer to a question of the course is stored, in any attempt. Subqueries with a limit end at the
 * first one.
 */
export const isAnswered = (
  course: RawBuilder<unknown>,
) => sql<boolean>`exists (select from answered_courses known where known.course_id = ${course}
    and (select true from course_versions v join attempts a on a.version_id = v.id join answers n on n.attempt_id = a.id
      where v.course_id = known.course_id and not a.preview limit 1))`;
/**
 * SQL condition: the learner had answered no question of the course at a time, in any attempt. An answer is as old as
 * its session says; without a session, as its last change.
 */
export const isBeforeAnswers = (conversation: RawBuilder<unknown>, at: RawBuilder<unknown>) => sql<boolean>`not exists (
  select from attempts a join answers n on n.attempt_id = a.id left join sessions s on s.id = n.session_id
  where a.user_id = ${conversation}.user_id and a.course_id = ${conversation}.course_id and not a.preview
    and coalesce(s.started_at + n.t * interval '1 millisecond', n.updated_at) < ${at})`;

/**
 * Common table expressions over the conversations of a filter, of which those from `nowFrom` on are now: `f` has their
 * stored figures, `now` those of now, `e` full solutions for learners in courses that report answers, all and those
 * before any answer, `w` the times of answers, and `k` the answers of now by what wrote them. Everything that the page
 * shows is counted from them, so that nothing is read twice.
 */
export const storedFigures = (ctx: Ctx<User>, filter: AnalyticsFilter, nowFrom: string) => sql`
  c as materialized (${selectFiltered(ctx, filter).select([
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
  f as materialized (select c.id as conversation, c.chatbot_id, c.company_id, c.course_id, c.user_id, c.person, c.questions as begun, c.ended_at,
    c.outcome, c.started_at, c.is_now, s.* from c left join conversation_figures s on s.conversation_id = c.id and ${isBegunIn("s.started_at", filter)}),
  now as (select * from f where is_now),
  tracked as materialized (select of_f.course_id from (select distinct course_id from f
      where user_id is not null and course_id is not null and solved_at <> '{}') of_f where ${isAnswered(sql`of_f.course_id`)}),
  e as materialized (select f.conversation, count(*) as tried, count(*) filter (where ${isBeforeAnswers(sql`f`, sql`solved.at`)}) as early
    from f cross join lateral unnest(f.solved_at) solved(at)
    where f.user_id is not null and f.solved_at <> '{}' and f.course_id in (select course_id from tracked) group by 1),
  w as materialized (select f.chatbot_id, f.company_id, f.course_id, f.is_now, waited.* from f
    cross join lateral unnest(f.first_ms, f.total_ms) waited(first_ms, total_ms)),
  k as materialized (select calls.* from c join conversation_calls calls on calls.conversation_id = c.id where c.is_now)`;

const share = (part: RawBuilder<unknown>, whole: RawBuilder<unknown>) => sql`${part}::float8 / nullif(${whole}, 0)`;
/** The figures over all, or by group. Answers of scenes are answers. */
const figures = sql`
  count(*)::int as conversations, count(distinct f.person)::int as people,
  coalesce(sum(f.questions), 0)::int as questions, count(f.outcome)::int as ended,
  ${share(sql`count(*) filter (where f.outcome = 'goal')`, sql`count(f.outcome)`)} as goal,
  coalesce(sum(f.ratings), 0)::int as ratings, ${share(sql`sum(f.thumbs_up)`, sql`sum(f.ratings)`)} as "thumbsUp",
  coalesce(sum(f.answers), 0)::int as answers, ${share(sql`sum(f.refused)`, sql`sum(f.answers)`)} as "noAnswer",
  ${share(sql`sum(f.solutions)`, sql`sum(f.guided)`)} as "fullSolutions",
  ${share(sql`sum(f.partial)`, sql`sum(f.guided)`)} as "partialSolutions",
  ${share(sql`sum(e.early)`, sql`sum(e.tried)`)} as "earlySolutions",
  coalesce(sum(f.tokens), 0)::float8 as tokens, coalesce(sum(f.cost_micros), 0)::float8 as "costMicros", coalesce(sum(f.unpriced), 0)::int as unpriced,
  avg(f.begun)::float8 as "meanQuestions"`;
const waits = sql`percentile_cont(array[0.5, 0.95]) within group (order by first_ms) as first_word,
  percentile_cont(array[0.5, 0.95]) within group (order by total_ms) as total`;
const shownWaits = sql`q.first_word[1] as "firstWordMs", q.first_word[2] as "slowFirstWordMs", q.total[1] as "totalMs", q.total[2] as "slowTotalMs"`;

/** The figures of now (or else of the time before). */
export const figuresOf = (isNow: boolean) => {
  const which = sql.lit(isNow);
  return sql`select n.*, ${shownWaits} from (select ${figures} from f left join e using (conversation) where is_now = ${which}) n,
    (select ${waits} from w where is_now = ${which}) q`;
};

/** Rows of a table at most. */
export const MOST_ROWS = 500;
/**
 * The figures of each chatbot, company and course, that with most conversations first. Conversations without one are a
 * row of their own. The grouping has a bit for each column that a row is not grouped by.
 */
export const groupedFigures = () => {
  const sets = sql`grouping sets ((chatbot_id), (company_id), (course_id))`;
  const key = sql`grouping(chatbot_id, company_id, course_id) as kind, coalesce(chatbot_id, company_id, course_id) as id`;
  return sql`select * from (select n.*, ${shownWaits}, coalesce(b.name, o.name, r.title, '') as name,
      case n.kind when 3 then 'chatbots' when 5 then 'companies' else 'courses' end as "table",
      row_number() over (partition by n.kind order by n.id is null, n.conversations desc, lower(coalesce(b.name, o.name, r.title)), n.id) as place
    from (select ${key}, ${figures} from now f left join e using (conversation) group by ${sets}) n
    left join (select ${key}, ${waits} from w where is_now group by ${sets}) q on q.kind = n.kind and q.id is not distinct from n.id
    left join chatbots b on n.kind = 3 and b.id = n.id left join companies o on n.kind = 5 and o.id = n.id
    left join courses r on n.kind = 6 and r.id = n.id) placed
    where place <= ${MOST_ROWS} order by kind, place`;
};
