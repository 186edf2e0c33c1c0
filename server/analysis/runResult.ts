import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { countSaid, type Said } from "#server/analysis/counts.ts";
import { meanOf, wilson } from "#server/analysis/intervals.ts";
import { readRun } from "#server/analysis/runs.ts";
import { countTones } from "#server/analysis/tone/countTones.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { MIN_PEOPLE, type RunResult } from "#shared/analysis/analysisRuns.ts";
import type { User } from "#shared/core/users.ts";

const QUOTES = 8;
const AROUND_CHARS = 80;

type QuoteRow = {
  number: number;
  turnId: string;
  conversationId: string;
  person: string;
  text: string;
  starts: number;
  ends: number;
  at: string;
  turnNumber: number;
};

/**
 * An analysis with its statements, their quotes as they stand in the turns now, and what can be counted in the
 * conversations that have been read.
 */
export async function readRunResult(ctx: Ctx<User>, id: string): Promise<RunResult> {
  const run = await readRun(ctx, id);
  const { dropped, ids } = await ctx.db
    .selectFrom("analysisRuns")
    .where("id", "=", id)
    .select(["dropped", sql<string[]>`conversation_ids[:${run.read}::int]`.as("ids")])
    .executeTakeFirstOrThrow();
  const { remaining } = await ctx.db
    .selectFrom("conversations")
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .select((e) => e.fn.countAll<number>().as("remaining"))
    .executeTakeFirstOrThrow();
  const statements = await ctx.db
    .selectFrom("analysisStatements")
    .where("runId", "=", id)
    .select(["number", "text", "detail"])
    .orderBy("number")
    .execute();
  const { rows: quotes } = await sql<QuoteRow>`
    select s.number, t.id as turn_id, c.id as conversation_id, coalesce(c.user_id::text, c.visitor) as person, t.text, q.starts, q.ends,
      t.created_at as at, t.number as turn_number
    from analysis_statements s join analysis_quotes q on q.statement_id = s.id join turns t on t.id = q.turn_id
    join conversations c on c.id = t.conversation_id where s.run_id = ${id} order by s.number, t.created_at desc`.execute(
    ctx.db,
  );
  const people = statements.length > 0 ? await readPeople(ctx, ids) : [];
  const pseudonymOf = (person: string) =>
    createHmac("sha256", ctx.config.secret).update(`analysis ${id} ${person}`).digest("hex").slice(0, 4).toUpperCase();
  const outcomesOf = (concerned: Set<string>) => ({
    theirs: shareOf(people.filter(({ person }) => concerned.has(person))),
    others: shareOf(people.filter(({ person }) => !concerned.has(person))),
  });
  const all = statements.map(({ number, text, detail }) => {
    const own = quotes.filter((quote) => quote.number === number);
    const concerned = new Set(own.map(({ person }) => person));
    const conversations = new Set(own.map(({ conversationId }) => conversationId)).size;
    return {
      number,
      text,
      detail,
      conversations,
      ...wilson(conversations, remaining),
      people: concerned.size,
      quotes: own.slice(0, QUOTES).map((quote) => ({
        turnId: quote.turnId,
        conversationId: quote.conversationId,
        before: quote.text.slice(Math.max(0, quote.starts - AROUND_CHARS), quote.starts),
        quote: quote.text.slice(quote.starts, quote.ends),
        after: quote.text.slice(quote.ends, quote.ends + AROUND_CHARS),
        pseudonym: pseudonymOf(quote.person),
        at: quote.at,
        turnNumber: quote.turnNumber,
      })),
      ...outcomesOf(concerned),
    };
  });
  // A statement whose quotes were all deleted with their people says nothing any more.
  const standing = all.filter(({ conversations }) => conversations > 0);
  const shown = standing.filter((one) => one.people >= MIN_PEOPLE);
  const said = await readSaid(ctx, ids);
  const tone = countTones({
    written: said.filter(({ isButton }) => !isButton),
    minPeople: MIN_PEOPLE,
    pseudonymOf,
    outcomesOf,
  });
  return {
    ...run,
    remaining,
    statements: shown.toSorted((a, b) => b.conversations - a.conversations),
    hidden: standing.length - shown.length,
    dropped,
    quotes: quotes.length,
    counts: { ...(await countSaid(ctx.db, said, MIN_PEOPLE)), tone },
  };
}

type Concerned = { person: string; hasCompleted: boolean; hasRetried: boolean; score: number | null };
/**
 * Learners of the conversations that belong to a course: whether they have completed it, tried it more than once, and
 * their mean score.
 */
async function readPeople({ db }: Ctx<User>, ids: string[]): Promise<Concerned[]> {
  const { rows } = await sql<Concerned>`
    select e.user_id::text as person, bool_or(e.completed_at is not null) as has_completed,
      bool_or((select count(*) from attempts a where a.user_id = e.user_id and a.course_id = e.course_id and not a.preview) > 1) as has_retried,
      avg(e.score_percent)::float8 as score
    from (select distinct user_id, course_id from conversations where id = any(${ids}::uuid[])) c
    join enrolments e on e.user_id = c.user_id and e.course_id = c.course_id group by e.user_id`.execute(db);
  return rows;
}

function shareOf(people: Concerned[]) {
  if (people.length < MIN_PEOPLE) return null;
  const completed = people.filter(({ hasCompleted }) => hasCompleted).length;
  const retried = people.filter(({ hasRetried }) => hasRetried).length;
  const scores = people.flatMap(({ score }) => score ?? []);
  return {
    people: people.length,
    completed,
    ...wilson(completed, people.length),
    retried: { people: retried, ...wilson(retried, people.length) },
    score: scores.length < MIN_PEOPLE ? null : { people: scores.length, ...meanOf(scores) },
  };
}

type Written = Said & { turnId: string; at: string; turnNumber: number; isButton: boolean };
/** What people wrote, the newest first. Each conversation reads its own messages; a join would read those of all. */
async function readSaid({ db }: Ctx<User>, ids: string[]): Promise<Written[]> {
  const { rows } = await sql<Written>`
    select c.id as conversation_id, coalesce(c.user_id::text, c.visitor, '') as person, t.* from conversations c
    cross join lateral (select id as turn_id, text, created_at as at, number as turn_number,
        -- The label of a button is not in the words of the person.
        button_id is not null as is_button,
        exists (select from turns a where a.parent_id = turns.id and a.state = 'refused') as is_unanswered
      from turns where turns.conversation_id = c.id and turns.role = 'user' offset 0) t
    where c.id = any(${ids}::uuid[]) order by t.at desc`.execute(db);
  return rows;
}
