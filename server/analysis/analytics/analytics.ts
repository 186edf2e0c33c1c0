import { type RawBuilder, sql } from "kysely";
import { figuresOf, groupedFigures, MOST_ROWS, storedFigures } from "#server/analysis/analytics/analyticsFigures.ts";
import { afterDays, readLength } from "#server/analysis/filter.ts";
import { shareReading } from "#server/core/database/sharedReading.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { AnalyticsFilter, ConversationAnalytics, FigureRow } from "#shared/analysis/conversationAnalytics.ts";
import { scopeOf, type User } from "#shared/core/users.ts";

const LISTED = 10;
/** Of the learners who left before an end, those with at least this many questions are counted together. */
export const MOST_QUESTIONS = 12;

type Shown = Pick<ConversationAnalytics, "hours" | "models" | "prompts" | "documents" | "leaving" | "unanswered">;
type Sections = Shown & {
  now: [ConversationAnalytics["now"]];
  before: [ConversationAnalytics["before"]];
  counts: { day: string; count: number }[];
  grouped: (FigureRow & { table: "chatbots" | "companies" | "courses" })[];
  refused: [{ count: number }];
};

/** The parts of the page, each counted from the CTEs of `storedFigures`. */
const sectionsOf = (zone: string): Record<keyof Sections, RawBuilder<unknown>> => ({
  now: figuresOf(true),
  before: figuresOf(false),
  grouped: groupedFigures(),
  counts: sql`
    select
      (started_at at time zone ${zone})::date::text as day,
      count(*) as count
    from filtered
    group by day`,
  hours: sql`
    with by_hour as (
      select
        date_trunc('hour', asked.at at time zone ${zone}) as at,
        count(*) as count
      from now
      cross join lateral unnest(now.asked_at) asked(at)
      group by 1
    )
    select
      extract(isodow from at)::int as weekday,
      extract(hour from at)::int as hour,
      sum(count) as count
    from by_hour
    group by weekday, hour`,
  models: sql`
    select
      model,
      sum(answers) as answers,
      sum(tokens) as tokens,
      sum(cost_micros) as "costMicros"
    from calls
    group by model
    order by answers desc, model
    limit ${MOST_ROWS}`,
  prompts: sql`
    with by_version as (
      select
        prompt_version_id,
        sum(answers) as answers,
        sum(refused)::float8 / nullif(sum(answers), 0) as "noAnswer",
        sum(thumbs_up)::float8 / nullif(sum(ratings), 0) as "thumbsUp",
        sum(cost_micros) as "costMicros"
      from calls
      where prompt_version_id is not null
      group by prompt_version_id
    )
    select prompt_versions.id, prompts.name, prompt_versions.number, by_version.*
    from by_version
    join prompt_versions on prompt_versions.id = by_version.prompt_version_id
    join prompts on prompts.id = prompt_versions.prompt_id
    order by lower(prompts.name), prompt_versions.number desc
    limit ${MOST_ROWS}`,
  // A deleted document has the title under which it was cited.
  documents: sql`
    with cited as (
      select document.id, count(*) as answers
      from now
      cross join lateral unnest(now.document_ids) document(id)
      group by document.id
      order by answers desc, document.id
      limit ${LISTED}
    )
    select
      cited.id,
      cited.answers,
      coalesce(documents.title, (
        select citation->>'title'
        from now
        join turns on turns.conversation_id = now.conversation
        cross join lateral jsonb_array_elements(turns.sources) citation
        where cited.id = any(now.document_ids)
          and citation->>'documentId' = cited.id::text
        limit 1
      ), '') as title
    from cited
    left join documents on documents.id = cited.id
    order by cited.answers desc, title`,
  leaving: sql`
    select
      least(begun, ${MOST_QUESTIONS}::int) as questions,
      count(*) as conversations
    from now
    where ended_at is null
    group by 1
    order by 1`,
  unanswered: sql`
    with refusals as (
      select
        now.chatbot_id,
        now.conversation,
        refused.id,
        grouped.cluster_id,
        answer.parent_id,
        answer.created_at,
        coalesce(grouped.cluster_id::text, question.text) as question
      from now
      cross join lateral unnest(now.refused_ids) refused(id)
      join turns answer on answer.id = refused.id
      left join clustered_questions grouped on grouped.turn_id = refused.id
      left join turns question on grouped.turn_id is null and question.id = answer.parent_id
      where answer.parent_id is not null
    ),
    most as (
      select
        chatbot_id,
        count(*) as times,
        max(created_at) as last_at,
        (array_agg(id order by created_at desc))[1] as id
      from refusals
      group by chatbot_id, question
      order by times desc, last_at desc
      limit ${LISTED}
    )
    select
      question.text as question,
      most.times,
      most.chatbot_id as "chatbotId",
      chatbots.name as chatbot,
      refusals.conversation as "conversationId",
      refusals.cluster_id as "clusterId"
    from most
    join refusals using (id)
    join turns question on question.id = refusals.parent_id
    join chatbots on chatbots.id = most.chatbot_id
    order by most.times desc, most.last_at desc`,
  refused: sql`
    select coalesce(sum(refused), 0) as count
    from now`,
});

/**
 * Everything that the page of analytics shows, in one statement. Simultaneous requests for the same filter share a
 * reading. Days are those of the zone of the filter.
 */
export const readAnalytics = (ctx: Ctx<User>, filter: AnalyticsFilter): Promise<ConversationAnalytics> =>
  shareReading(ctx, ["analytics", scopeOf(ctx.user), filter], () => computeAnalytics(ctx, filter));

async function computeAnalytics(ctx: Ctx<User>, filter: AnalyticsFilter): Promise<ConversationAnalytics> {
  const { from, zone } = filter;
  const length = readLength(filter);
  const beforeFrom = afterDays(from, -length);
  const columns = Object.entries(sectionsOf(zone)).map(
    ([name, section]) => sql`(
      select coalesce(jsonb_agg(section), '[]')
      from (${section}) section
    ) as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Sections>`
    with ${storedFigures(ctx, { ...filter, from: beforeFrom }, from)}
    select ${sql.join(columns)}`.execute(ctx.db);
  const { now, before, counts, grouped, refused, ...sections } = rows[0] as Sections;
  const byDay = new Map(counts.map(({ day, count }) => [day, count]));
  const days = Array.from({ length }, (_, at) => {
    const day = afterDays(from, at);
    return { day, count: byDay.get(day) ?? 0, before: byDay.get(afterDays(beforeFrom, at)) ?? 0 };
  });
  const rowsOf = (name: Sections["grouped"][number]["table"]) => grouped.filter(({ table }) => table === name);
  return {
    filter,
    beforeFrom,
    now: now[0],
    before: before[0],
    days,
    chatbots: rowsOf("chatbots") as (FigureRow & { id: string })[],
    companies: rowsOf("companies"),
    courses: rowsOf("courses"),
    unansweredTotal: refused[0].count,
    ...sections,
  };
}
