import { sql } from "kysely";
import { figuresOf, readFigures, readGroups, selectedBy } from "#server/analysis/analyticsFigures.ts";
import { afterDays, readLength } from "#server/analysis/filtering.ts";
import type { Ctx } from "#server/core/http.ts";
import type { AnalyticsFilter, ConversationAnalytics, FigureRow } from "#shared/analysis.ts";
import type { User } from "#shared/users.ts";

const LISTED = 10;
/** Of the learners who left before an end, those who asked more than this are counted together. */
export const MOST_QUESTIONS = 12;

/** Everything that the page of analytics shows. Days are those of the zone of the filter. */
export async function readAnalytics(ctx: Ctx<User>, filter: AnalyticsFilter): Promise<ConversationAnalytics> {
  const { from, zone } = filter;
  const length = readLength(filter);
  const beforeFrom = afterDays(from, -length);
  const earlier = { ...filter, from: beforeFrom, to: afterDays(from, -1) };
  const selected = selectedBy(ctx, filter);
  const stored = figuresOf(ctx, filter);
  const both = selectedBy(ctx, { ...filter, from: beforeFrom });

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
  const hours = await sql<ConversationAnalytics["hours"][number]>`${stored}
    select extract(isodow from at)::int as weekday, extract(hour from at)::int as hour, sum(count)::int as count
    from (select date_trunc('hour', asked.at at time zone ${zone}) as at, count(*) as count
      from f cross join lateral unnest(f.asked_at) asked(at) group by 1) by_hour group by 1, 2`.execute(ctx.db);
  const models = await sql<ConversationAnalytics["models"][number]>`${selected}
    select k.model, sum(k.calls)::int as answers, sum(k.tokens)::float8 as tokens, sum(k.cost_micros)::float8 as cost_micros
    from c join conversation_calls k on k.conversation_id = c.id group by 1 order by answers desc limit ${LISTED}`.execute(
    ctx.db,
  );
  const prompts = await sql<ConversationAnalytics["prompts"][number]>`${selected}
    select v.id, p.name, v.number, t.answers, t.no_answer, t.thumbs_up, t.cost_micros from (
      select k.prompt_version_id as id, sum(k.answers)::int as answers, sum(k.refused)::float8 / nullif(sum(k.answers), 0) as no_answer,
        sum(k.thumbs_up)::float8 / nullif(sum(k.ratings), 0) as thumbs_up, sum(k.cost_micros)::float8 as cost_micros
      from c join conversation_calls k on k.conversation_id = c.id where k.prompt_version_id is not null group by 1) t
    join prompt_versions v on v.id = t.id join prompts p on p.id = v.prompt_id
    order by lower(p.name), v.number desc limit ${LISTED}`.execute(ctx.db);
  const documents = await sql<ConversationAnalytics["documents"][number]>`${stored},
    most as (select cited.id, count(*)::int as answers from f cross join lateral unnest(f.document_ids) cited(id)
      group by 1 order by answers desc, cited.id limit ${LISTED})
    select most.id, most.answers, coalesce(documents.title, (select s->>'title' from f
      join turns on turns.conversation_id = f.conversation_id cross join lateral jsonb_array_elements(turns.sources) s
      where most.id = any(f.document_ids) and s->>'documentId' = most.id::text limit 1), '') as title
    from most left join documents on documents.id = most.id order by most.answers desc, title`.execute(ctx.db);
  const leaving = await sql<ConversationAnalytics["leaving"][number]>`${selected}
    select least(questions, ${MOST_QUESTIONS})::int as questions, count(*)::int as conversations
    from c where ended_at is null group by 1 order by 1`.execute(ctx.db);
  const unanswered = await sql<ConversationAnalytics["unanswered"][number]>`${stored},
    asked as (select f.chatbot_id, f.conversation_id, refused.id, g.cluster_id, a.parent_id, a.created_at,
        coalesce(g.cluster_id::text, q.text) as question
      from f cross join lateral unnest(f.refused_ids) refused(id) join turns a on a.id = refused.id
      left join clustered_questions g on g.turn_id = refused.id left join turns q on g.turn_id is null and q.id = a.parent_id
      where a.parent_id is not null),
    most as (select chatbot_id, count(*)::int as times, max(created_at) as last_at, (array_agg(id order by created_at desc))[1] as id
      from asked group by chatbot_id, question order by times desc, last_at desc limit ${LISTED})
    select q.text as question, most.times, most.chatbot_id, b.name as chatbot, asked.conversation_id, asked.cluster_id
    from most join asked using (id) join turns q on q.id = asked.parent_id join chatbots b on b.id = most.chatbot_id
    order by most.times desc, most.last_at desc`.execute(ctx.db);
  const refused = await sql<{ count: number }>`${stored} select coalesce(sum(refused), 0)::int as count from f`.execute(
    ctx.db,
  );
  const { chatbots, companies, courses } = await readGroups(ctx, filter);
  return {
    filter,
    beforeFrom,
    now: await readFigures(ctx, filter),
    before: await readFigures(ctx, earlier),
    days,
    hours: hours.rows,
    chatbots: chatbots as (FigureRow & { id: string })[],
    companies,
    courses,
    models: models.rows,
    prompts: prompts.rows,
    documents: documents.rows,
    leaving: leaving.rows,
    unanswered: unanswered.rows,
    unansweredTotal: refused.rows[0]?.count ?? 0,
  };
}
