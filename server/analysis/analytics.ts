import { sql } from "kysely";
import { isAnswer, readFigures, readGroups, selectedBy } from "#server/analysis/analyticsFigures.ts";
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
  const hours = await sql<ConversationAnalytics["hours"][number]>`${selected}
    select extract(isodow from turns.created_at at time zone ${zone})::int as weekday,
      extract(hour from turns.created_at at time zone ${zone})::int as hour,
      count(*)::int as count from c join turns on turns.conversation_id = c.id where turns.role = 'user' group by 1, 2`.execute(
    ctx.db,
  );
  const models = await sql<ConversationAnalytics["models"][number]>`${selected}
    select coalesce(turns.model, turns.connector) as model, count(*)::int as answers,
      coalesce(sum(turns.tokens_in), 0)::float8 + coalesce(sum(turns.tokens_out), 0)::float8 as tokens,
      coalesce(sum(turns.cost_micros), 0)::float8 as cost_micros
    from c join turns on turns.conversation_id = c.id where turns.connector is not null group by 1 order by answers desc limit ${LISTED}`.execute(
    ctx.db,
  );
  const prompts = await sql<ConversationAnalytics["prompts"][number]>`${selected}
    select v.id, p.name, v.number, t.answers, t.no_answer, t.thumbs_up, t.cost_micros from (
      select u.prompt_version_id as id, count(*) filter (where ${isAnswer})::int as answers,
        count(*) filter (where state = 'refused')::float8 / nullif(count(*) filter (where ${isAnswer}), 0) as no_answer,
        count(*) filter (where rating = 'up')::float8 / nullif(count(*) filter (where rating is not null), 0) as thumbs_up,
        coalesce(sum(turns.cost_micros), 0)::float8 as cost_micros
      from c join turns on turns.conversation_id = c.id join ai_usage u on u.id = turns.usage_id
      where u.prompt_version_id is not null group by 1) t
    join prompt_versions v on v.id = t.id join prompts p on p.id = v.prompt_id
    order by lower(p.name), v.number desc limit ${LISTED}`.execute(ctx.db);
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
    now: await readFigures(ctx, filter),
    before: await readFigures(ctx, earlier),
    days,
    hours: hours.rows,
    chatbots: (await readGroups(ctx, filter, "chatbots")) as (FigureRow & { id: string })[],
    companies: await readGroups(ctx, filter, "companies"),
    courses: await readGroups(ctx, filter, "courses"),
    models: models.rows,
    prompts: prompts.rows,
    documents: documents.rows,
    leaving: leaving.rows,
    unanswered: unanswered.rows,
    unansweredTotal: refused.rows[0]?.count ?? 0,
  };
}
