import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "#server/core/http.ts";
import { badField } from "#server/core/problem.ts";
import { inScope } from "#server/core/scope.ts";
import {
  type AnalyticsFilter,
  type ConversationAnalytics,
  type ConversationFigures,
  MAX_ANALYTICS_DAYS,
} from "#shared/analysis.ts";
import type { User } from "#shared/users.ts";

const DAY_MS = 86_400_000;
const LISTED = 10;
/** Of the learners who left before an end, those who asked more than this are counted together. */
const MOST_QUESTIONS = 12;

type Span = { from: RawBuilder<unknown>; to: RawBuilder<unknown> };
const midnight = (day: string, zone: string) => sql`(${day}::date::timestamp at time zone ${zone})`;
const afterDays = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** What the filter selects, as a common table expression `c` of conversations that began in the span. */
function conversationsIn(ctx: Ctx<User>, { chatbotId, companyId, courseId }: AnalyticsFilter, { from, to }: Span) {
  const scope = inScope(ctx.user, { company: "conversations.companyId", person: "conversations.userId" });
  const selected = ctx.db
    .selectFrom("conversations")
    .where("isPreview", "=", false)
    .where("questions", ">", 0)
    .where(scope)
    .where(sql<boolean>`conversations.started_at >= ${from} and conversations.started_at < ${to}`)
    .$if(chatbotId !== undefined, (all) => all.where("chatbotId", "=", chatbotId as string))
    .$if(companyId !== undefined, (all) => all.where("companyId", "=", companyId as string))
    .$if(courseId !== undefined, (all) => all.where("courseId", "=", courseId as string))
    .select(["id", "chatbotId", "userId", "visitor", "questions", "endedAt", "outcome", "startedAt"]);
  return sql`with c as (${selected})`;
}

/** The figures, over all or by chatbot. Answers of scenes are answers; a refusal is an answer without one. */
const figures = sql`
  count(distinct c.id)::int as conversations, count(distinct coalesce(c.user_id::text, c.visitor))::int as people,
  coalesce(sum(t.questions), 0)::int as questions,
  count(distinct c.id) filter (where c.outcome is not null)::int as ended,
  count(distinct c.id) filter (where c.outcome = 'goal')::float8 / nullif(count(distinct c.id) filter (where c.outcome is not null), 0) as goal,
  coalesce(sum(t.ratings), 0)::int as ratings, sum(t.up)::float8 / nullif(sum(t.ratings), 0) as thumbs_up,
  coalesce(sum(t.answers), 0)::int as answers, sum(t.refused)::float8 / nullif(sum(t.answers), 0) as no_answer,
  sum(t.solutions)::float8 / nullif(sum(t.guided), 0) as full_solutions,
  coalesce(sum(t.tokens), 0)::float8 as tokens, coalesce(sum(t.cost), 0)::float8 as cost_micros, coalesce(sum(t.unpriced), 0)::int as unpriced,
  avg(c.questions)::float8 as mean_questions`;
const turnsByConversation = sql`left join lateral (select
    count(*) filter (where role = 'user') as questions,
    count(*) filter (where role = 'assistant' and state in ('done', 'refused', 'stopped', 'cut') and parent_id is not null) as answers,
    count(*) filter (where state = 'refused') as refused,
    count(*) filter (where give_away is not null and state in ('done', 'stopped', 'cut')) as guided,
    count(*) filter (where give_away = 'full' and state in ('done', 'stopped', 'cut')) as solutions,
    count(*) filter (where rating is not null) as ratings, count(*) filter (where rating = 'up') as up,
    sum(coalesce(tokens_in, 0) + coalesce(tokens_out, 0)) as tokens, sum(cost_micros) as cost,
    count(*) filter (where usage_id is not null and cost_micros is null) as unpriced
  from turns where turns.conversation_id = c.id) t on true`;
const waits = sql`
  percentile_cont(0.5) within group (order by first_ms) as first_word_ms,
  percentile_cont(0.95) within group (order by first_ms) as slow_first_word_ms,
  percentile_cont(0.5) within group (order by total_ms) as total_ms,
  percentile_cont(0.95) within group (order by total_ms) as slow_total_ms`;
const waitsOf = sql`select c.chatbot_id, extract(epoch from turns.first_at - turns.created_at) * 1000 as first_ms,
    extract(epoch from turns.finished_at - turns.created_at) * 1000 as total_ms
  from c join turns on turns.conversation_id = c.id where turns.role = 'assistant' and turns.usage_id is not null and turns.first_at is not null`;

async function readFigures(ctx: Ctx<User>, filter: AnalyticsFilter, span: Span): Promise<ConversationFigures> {
  const { rows } = await sql<ConversationFigures>`${conversationsIn(ctx, filter, span)}, w as (${waitsOf})
    select f.*, q.* from (select ${figures} from c ${turnsByConversation}) f, (select ${waits} from w) q`.execute(
    ctx.db,
  );
  return rows[0] as ConversationFigures;
}

/** Everything that the page of analytics shows. Days are those of the zone of the filter. */
export async function readAnalytics(ctx: Ctx<User>, filter: AnalyticsFilter): Promise<ConversationAnalytics> {
  const { from, to, zone } = filter;
  const length = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  if (length < 1) throw badField("to", "analysis.daysReversed");
  if (length > MAX_ANALYTICS_DAYS) throw badField("to", "analysis.tooLong");
  const beforeFrom = afterDays(from, -length);
  const span = { from: midnight(from, zone), to: midnight(afterDays(to, 1), zone) };
  const earlier = { from: midnight(beforeFrom, zone), to: midnight(from, zone) };
  const selected = conversationsIn(ctx, filter, span);
  const both = conversationsIn(ctx, filter, { from: earlier.from, to: span.to });

  const counts = await sql<{
    day: string;
    count: number;
  }>`${both} select (started_at at time zone ${zone})::date::text as day, count(*)::int as count
    from c group by 1`.execute(ctx.db);
  const byDay = new Map(counts.rows.map(({ day, count }) => [day, count]));
  const days = Array.from({ length }, (_, at) => {
    const day = afterDays(from, at);
    return { day, count: byDay.get(day) ?? 0, before: byDay.get(afterDays(beforeFrom, at)) ?? 0 };
  });
  const hours = await sql<ConversationAnalytics["hours"][number]>`${selected}
    select extract(isodow from turns.created_at at time zone ${zone})::int as weekday,
      extract(hour from turns.created_at at time zone ${zone})::int as hour,
      count(*)::int as count from c join turns on turns.conversation_id = c.id where turns.role = 'user' group by 1, 2`.execute(
    ctx.db,
  );
  const chatbots = await sql<ConversationAnalytics["chatbots"][number]>`${selected}, w as (${waitsOf})
    select f.*, q.first_word_ms, q.slow_first_word_ms, q.total_ms, q.slow_total_ms, b.name, b.settings->>'color' as color
    from (select c.chatbot_id as id, ${figures} from c ${turnsByConversation} group by c.chatbot_id) f
    join chatbots b on b.id = f.id left join (select chatbot_id, ${waits} from w group by chatbot_id) q on q.chatbot_id = f.id
    order by f.conversations desc, lower(b.name)`.execute(ctx.db);
  const models = await sql<ConversationAnalytics["models"][number]>`${selected}
    select coalesce(turns.model, turns.connector) as model, count(*)::int as answers,
      coalesce(sum(turns.tokens_in), 0)::float8 + coalesce(sum(turns.tokens_out), 0)::float8 as tokens,
      coalesce(sum(turns.cost_micros), 0)::float8 as cost_micros
    from c join turns on turns.conversation_id = c.id where turns.connector is not null group by 1 order by answers desc limit ${LISTED}`.execute(
    ctx.db,
  );
  const documents = await sql<ConversationAnalytics["documents"][number]>`${selected}
    select s->>'documentId' as id, max(s->>'title') as title, count(distinct turns.id)::int as answers
    from c join turns on turns.conversation_id = c.id cross join lateral jsonb_array_elements(turns.sources) s
    group by 1 order by answers desc, title limit ${LISTED}`.execute(ctx.db);
  const leaving = await sql<ConversationAnalytics["leaving"][number]>`${selected}
    select least(questions, ${MOST_QUESTIONS})::int as questions, count(*)::int as conversations
    from c where ended_at is null group by 1 order by 1`.execute(ctx.db);
  const unanswered = await sql<ConversationAnalytics["unanswered"][number]>`${selected}
    select (array_agg(q.text order by a.created_at desc))[1] as question, count(*)::int as times, c.chatbot_id, max(b.name) as chatbot,
      (array_agg(c.id order by a.created_at desc))[1] as conversation_id, (array_agg(g.cluster_id order by a.created_at desc))[1] as cluster_id
    from c join turns a on a.conversation_id = c.id and a.state = 'refused' join turns q on q.id = a.parent_id join chatbots b on b.id = c.chatbot_id
    left join clustered_questions g on g.turn_id = a.id
    group by c.chatbot_id, coalesce(g.cluster_id::text, q.text)
    order by times desc, max(a.created_at) desc limit ${LISTED}`.execute(ctx.db);
  const refused = await sql<{
    count: number;
  }>`${selected} select count(*)::int as count from c join turns a on a.conversation_id = c.id
    where a.state = 'refused'`.execute(ctx.db);
  return {
    filter,
    beforeFrom,
    now: await readFigures(ctx, filter, span),
    before: await readFigures(ctx, filter, earlier),
    days,
    hours: hours.rows,
    chatbots: chatbots.rows,
    models: models.rows,
    documents: documents.rows,
    leaving: leaving.rows,
    unanswered: unanswered.rows,
    unansweredTotal: refused.rows[0]?.count ?? 0,
  };
}
