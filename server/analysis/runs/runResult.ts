import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { countMessages, type Message } from "#server/analysis/counts.ts";
import { isOwnWords } from "#server/analysis/ownWords.ts";
import { meanOf, wilson } from "#server/analysis/intervals.ts";
import { readBackground, readNameTest } from "#server/analysis/runs/background.ts";
import { readRun } from "#server/analysis/runs/runs.ts";
import { countTones } from "#server/analysis/tone/countTones.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { isOfShownConversation, isShown, readSmallestGroup, shown } from "#server/core/database/measured.ts";
import { MAX_LISTED_UNREAD, type RunResult } from "#shared/analysis/analysisRuns.ts";
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
 * An analysis with its statements, their quotes from the current text of the turns, and the counts of the conversations
 * that were read. Statements of fewer people than the smallest group are hidden, and so are conversations that their
 * company does not show.
 */
export async function readRunResult(ctx: Ctx<User>, id: string): Promise<RunResult> {
  const run = await readRun(ctx, id);
  const smallest = await readSmallestGroup(ctx.db, run.filter.companyId);
  const { dropped, ids } = await ctx.db
    .selectFrom("analysisRuns")
    .where("id", "=", id)
    .select([
      "dropped",
      sql<string[]>`array(
        select read_id
        from unnest(conversation_ids[:${run.read}::int]) read_id
        where read_id <> all(unread_ids)
          and ${isOfShownConversation(ctx.user, "readId")}
      )`.as("ids"),
    ])
    .executeTakeFirstOrThrow();
  const passedOver = await ctx.db
    .selectFrom("conversations")
    .where(
      sql<boolean>`conversations.id = any(
        select unnest(unread_ids)
        from analysis_runs
        where id = ${id})`,
    )
    .where(isShown(ctx.user, "conversations", "conversations.companyId"))
    .orderBy("startedAt")
    .limit(MAX_LISTED_UNREAD)
    .select(["id", "startedAt"])
    .execute();
  const { remaining } = await ctx.db
    .selectFrom("conversations")
    .where(isOneOf("id", ids))
    .select((e) => e.fn.countAll<number>().as("remaining"))
    .executeTakeFirstOrThrow();
  const statements = await ctx.db
    .selectFrom("analysisStatements")
    .where("runId", "=", id)
    .select(["number", "text", "detail"])
    .orderBy("number")
    .execute();
  const { rows: quotes } = await sql<QuoteRow>`
    select
      statements.number,
      turns.id as turn_id,
      conversations.id as conversation_id,
      coalesce(conversations.user_id::text, conversations.visitor) as person,
      turns.text,
      quotes.starts,
      quotes.ends,
      turns.created_at as at,
      turns.number as turn_number
    from analysis_statements statements
    join analysis_quotes quotes on quotes.statement_id = statements.id
    join turns on turns.id = quotes.turn_id
    join conversations on conversations.id = turns.conversation_id
    where statements.run_id = ${id}
      and ${isShown(ctx.user, "conversations", "conversations.companyId")}
    order by statements.number, turns.created_at desc`.execute(ctx.db);
  const people = statements.length > 0 || run.withTone ? await readPeople(ctx, ids) : [];
  const pseudonymOf = (person: string) =>
    createHmac("sha256", ctx.config.secret).update(`analysis ${id} ${person}`).digest("hex").slice(0, 4).toUpperCase();
  const outcomesOf = (concerned: Set<string>) => ({
    theirs: shareOf(
      people.filter(({ person }) => concerned.has(person)),
      smallest,
    ),
    others: shareOf(
      people.filter(({ person }) => !concerned.has(person)),
      smallest,
    ),
  });
  const all = statements.map(({ number, text, detail }) => {
    const ofStatement = quotes.filter((quote) => quote.number === number);
    const concerned = new Set(ofStatement.map(({ person }) => person));
    const conversations = new Set(ofStatement.map(({ conversationId }) => conversationId)).size;
    return {
      number,
      text,
      detail,
      conversations,
      ...wilson(conversations, remaining),
      people: concerned.size,
      quotes: ofStatement.slice(0, QUOTES).map((quote) => ({
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
  // Without quotes, which are deleted with their people, a statement rests on nothing.
  const standing = all.filter(({ conversations }) => conversations > 0);
  const shown = standing.filter((one) => one.people >= smallest);
  const messages = await readMessages(ctx, ids);
  const written = messages.filter(({ isOwn }) => isOwn);
  const tone = run.withTone ? countTones({ written, minPeople: smallest, outcomesOf }) : null;
  const [background, isName] = [await readBackground(ctx, ids), await readNameTest(ctx, ids)];
  const counts = await countMessages(ctx.db, { messages, background, isName, minPeople: smallest });
  return {
    ...run,
    remaining,
    statements: shown.toSorted((a, b) => b.conversations - a.conversations),
    hidden: standing.length - shown.length,
    dropped,
    passedOver,
    quotes: quotes.length,
    counts: { ...counts, tone },
  };
}

type Concerned = { person: string; hasCompleted: boolean; hasRetried: boolean; score: number | null };
/**
 * The learners of those conversations that belong to a course: whether they completed it or tried it more than once,
 * and their mean score.
 */
async function readPeople({ db, user }: Ctx<User>, ids: string[]): Promise<Concerned[]> {
  const { rows } = await sql<Concerned>`
    with concerned as (
      select distinct user_id, course_id
      from conversations
      where id = any(${ids}::uuid[])
    )
    select
      enrolments.user_id::text as person,
      bool_or(enrolments.completed_at is not null) as has_completed,
      bool_or((
        select count(*)
        from attempts
        where attempts.user_id = enrolments.user_id
          and attempts.course_id = enrolments.course_id
          and not attempts.preview
      ) > 1) as has_retried,
      avg(${shown(user, "scores", "enrolments.companyId", sql`enrolments.score_percent`)})::float8 as score
    from concerned
    join enrolments
      on enrolments.user_id = concerned.user_id
      and enrolments.course_id = concerned.course_id
    group by enrolments.user_id`.execute(db);
  return rows;
}

function shareOf(people: Concerned[], smallest: number) {
  if (people.length < smallest) return null;
  const completed = people.filter(({ hasCompleted }) => hasCompleted).length;
  const retried = people.filter(({ hasRetried }) => hasRetried).length;
  const scores = people.flatMap(({ score }) => score ?? []);
  return {
    people: people.length,
    completed,
    ...wilson(completed, people.length),
    retried: { people: retried, ...wilson(retried, people.length) },
    score: scores.length < smallest ? null : { people: scores.length, ...meanOf(scores) },
  };
}

/**
 * The messages of people, newest first. The lateral subquery reads those of one conversation at a time; a join would
 * read those of all conversations.
 */
async function readMessages({ db }: Ctx<User>, ids: string[]): Promise<(Message & { isSpoken: boolean })[]> {
  const { rows } = await sql<Message & { isSpoken: boolean }>`
    select
      conversations.id as conversation_id,
      coalesce(conversations.user_id::text, conversations.visitor, '') as person,
      message.*
    from conversations
    cross join lateral (
      select
        text,
        created_at as at,
        spoken as is_spoken,
        ${isOwnWords} as is_own,
        exists (
          select
          from turns answer
          where answer.parent_id = turns.id
            and answer.state = 'refused'
        ) as is_unanswered
      from turns
      where turns.conversation_id = conversations.id
        and turns.role = 'user'
      offset 0
    ) message
    where conversations.id = any(${ids}::uuid[])
    order by message.at desc`.execute(db);
  return rows;
}
