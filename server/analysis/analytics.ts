import { type RawBuilder, sql } from "kysely";
import { figuresOf, groupedFigures, MOST_ROWS, storedFigures } from "#server/analysis/analyticsFigures.ts";
import { afterDays, readLength } from "#server/analysis/filtering.ts";
import { shareReading } from "#server/core/database/sharedReading.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { AnalyticsFilter, ConversationAnalytics, FigureRow } from "#shared/analysis/conversationAnalytics.ts";
import { scopeOf, type User } from "#shared/core/users.ts";

const LISTED = 10;
/** Of the learners who left before an end, those who asked more than this are counted together. */
export const MOST_QUESTIONS = 12;

type Shown = Pick<ConversationAnalytics, "hours" | "models" | "prompts" | "documents" | "leaving" | "unanswered">;
type Sections = Shown & {
  now: [ConversationAnalytics["now"]];
  before: [ConversationAnalytics["before"]];
  counts: { day: string; count: number }[];
  grouped: (FigureRow & { table: "chatbots" | "companies" | "courses" })[];
  refused: [{ count: number }];
};

/** The parts of the page, each counted from what `storedFigures` selects. */
const sectionsOf = (zone: string): Record<keyof Sections, RawBuilder<unknown>> => ({
  now: figuresOf(true),
  before: figuresOf(false),
  grouped: groupedFigures(),
  counts: sql`select (started_at at time zone ${zone})::date::text as day, count(*) as count from c group by 1`,
  hours: sql`select extract(isodow from at)::int as weekday, extract(hour from at)::int as hour, sum(count) as count
    from (select date_trunc('hour', asked.at at time zone ${zone}) as at, count(*) as count
      from now f cross join lateral unnest(f.asked_at) asked(at) group by 1) by_hour group by 1, 2`,
  models: sql`select model, sum(answers) as answers, sum(tokens) as tokens, sum(cost_micros) as "costMicros"
    from k group by 1 order by answers desc, model limit ${MOST_ROWS}`,
  prompts: sql`select v.id, p.name, v.number, t.* from (
      select prompt_version_id, sum(answers) as answers, sum(refused)::float8 / nullif(sum(answers), 0) as "noAnswer",
        sum(thumbs_up)::float8 / nullif(sum(ratings), 0) as "thumbsUp", sum(cost_micros) as "costMicros"
      from k where prompt_version_id is not null group by 1) t
    join prompt_versions v on v.id = t.prompt_version_id join prompts p on p.id = v.prompt_id
    order by lower(p.name), v.number desc limit ${MOST_ROWS}`,
  // A document that was deleted has the title under which it was cited.
  documents: sql`select most.id, most.answers, coalesce(documents.title, (select s->>'title' from now f
      join turns on turns.conversation_id = f.conversation cross join lateral jsonb_array_elements(turns.sources) s
      where most.id = any(f.document_ids) and s->>'documentId' = most.id::text limit 1), '') as title
    from (select cited.id, count(*) as answers from now f cross join lateral unnest(f.document_ids) cited(id)
      group by 1 order by answers desc, cited.id limit ${LISTED}) most
    left join documents on documents.id = most.id order by most.answers desc, title`,
  leaving: sql`select least(begun, ${MOST_QUESTIONS}::int) as questions, count(*) as conversations
    from now where ended_at is null group by 1 order by 1`,
  unanswered: sql`with asked as (select f.chatbot_id, f.conversation, refused.id, g.cluster_id, a.parent_id, a.created_at,
        coalesce(g.cluster_id::text, q.text) as question
      from now f cross join lateral unnest(f.refused_ids) refused(id) join turns a on a.id = refused.id
      left join clustered_questions g on g.turn_id = refused.id left join turns q on g.turn_id is null and q.id = a.parent_id
      where a.parent_id is not null),
    most as (select chatbot_id, count(*) as times, max(created_at) as last_at, (array_agg(id order by created_at desc))[1] as id
      from asked group by chatbot_id, question order by times desc, last_at desc limit ${LISTED})
    select q.text as question, most.times, most.chatbot_id as "chatbotId", b.name as chatbot, asked.conversation as "conversationId",
      asked.cluster_id as "clusterId"
    from most join asked using (id) join turns q on q.id = asked.parent_id join chatbots b on b.id = most.chatbot_id
    order by most.times desc, most.last_at desc`,
  refused: sql`select coalesce(sum(refused), 0) as count from now`,
});

/**
 * Everything that the page of analytics shows, in one statement; requests for the same share a reading. Days are those
 * of the zone of the filter.
 */
export const readAnalytics = (ctx: Ctx<User>, filter: AnalyticsFilter): Promise<ConversationAnalytics> =>
  shareReading(ctx, ["analytics", scopeOf(ctx.user), filter], () => computeAnalytics(ctx, filter));

async function computeAnalytics(ctx: Ctx<User>, filter: AnalyticsFilter): Promise<ConversationAnalytics> {
  const { from, zone } = filter;
  const length = readLength(filter);
  const beforeFrom = afterDays(from, -length);
  const columns = Object.entries(sectionsOf(zone)).map(
    ([name, section]) => sql`(select coalesce(jsonb_agg(s), '[]') from (${section}) s) as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Sections>`with ${storedFigures(ctx, { ...filter, from: beforeFrom }, from)}
    select ${sql.join(columns)}`.execute(ctx.db);
  const { now, before, counts, grouped, refused, ...sections } = rows[0] as Sections;
  const byDay = new Map(counts.map(({ day, count }) => [day, count]));
  const days = Array.from({ length }, (_, at) => {
    const day = afterDays(from, at);
    return { day, count: byDay.get(day) ?? 0, before: byDay.get(afterDays(beforeFrom, at)) ?? 0 };
  });
  const of = (name: Sections["grouped"][number]["table"]) => grouped.filter(({ table }) => table === name);
  return {
    filter,
    beforeFrom,
    now: now[0],
    before: before[0],
    days,
    chatbots: of("chatbots") as (FigureRow & { id: string })[],
    companies: of("companies"),
    courses: of("courses"),
    unansweredTotal: refused[0].count,
    ...sections,
  };
}
