import { type RawBuilder, sql } from "kysely";
import { MOST_QUESTIONS } from "#server/analysis/analytics/analytics.ts";
import { isAnswered, isBeforeAnswers } from "#server/analysis/analytics/analyticsFigures.ts";
import { hasCall, readLength, selectFiltered } from "#server/analysis/filter.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { listFound } from "#server/conversations/transcripts.ts";
import type { analyticsRows, CountedBy, CountedFigure } from "#shared/analysis/conversationAnalytics.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const hasStored = (condition: RawBuilder<unknown>) =>
  sql<boolean>`exists (
    select
    from conversation_figures figures
    where figures.conversation_id = conversations.id
      and ${condition}
  )`;
const hasEarlySolution = hasStored(sql`exists (
      select
      from unnest(figures.solved_at) solution(at)
      where ${isBeforeAnswers(sql`conversations`, sql`solution.at`)}
    )`);

/** SQL conditions on `conversations`: which of them a figure counts. */
const conditions: Record<CountedFigure, RawBuilder<boolean>> = {
  ended: sql`conversations.outcome is not null`,
  goal: sql`conversations.outcome = 'goal'`,
  ratings: hasStored(sql`figures.ratings > 0`),
  thumbsUp: hasStored(sql`figures.thumbs_up > 0`),
  noAnswer: hasStored(sql`figures.refused > 0`),
  guided: hasStored(sql`figures.guided > 0`),
  fullSolutions: hasStored(sql`figures.solutions > 0`),
  partialSolutions: hasStored(sql`figures.partial > 0`),
  earlySolutions: sql`conversations.user_id is not null
    and ${isAnswered(sql`conversations.course_id`)}
    and ${hasEarlySolution}`,
  timed: hasStored(sql`figures.first_ms <> '{}'`),
  cost: hasStored(sql`figures.cost_micros > 0`),
  unpriced: hasStored(sql`figures.unpriced > 0`),
};

/** The SQL conditions on `conversations` that narrow the filter. */
function conditionsOf(by: CountedBy, zone: string): RawBuilder<boolean>[] {
  const { figure, promptVersionId, documentId, weekday, hour, leftAfter } = by;
  const localTime = sql`(asked.at at time zone ${zone})`;
  const [askedDay, askedHour] = [sql`extract(isodow from ${localTime})`, sql`extract(hour from ${localTime})`];
  const narrowing: (RawBuilder<boolean> | undefined)[] = [
    figure && conditions[figure],
    promptVersionId && hasCall(sql`calls.prompt_version_id = ${promptVersionId}`),
    documentId && hasStored(sql`${documentId} = any(figures.document_ids)`),
    weekday === undefined && hour === undefined
      ? undefined
      : hasStored(sql`exists (
          select
          from unnest(figures.asked_at) asked(at)
          where ${askedDay} = ${weekday ?? askedDay}
            and ${askedHour} = ${hour ?? askedHour}
        )`),
    leftAfter === undefined
      ? undefined
      : sql<boolean>`conversations.ended_at is null
          and least(conversations.questions, ${MOST_QUESTIONS}) = ${leftAfter}`,
  ].map((one) => one || undefined);
  return narrowing.filter((one) => one !== undefined);
}

/** The conversations that a figure of the analytics counts, newest first. */
export async function listCounted(ctx: Ctx<User>, query: QueryOf<typeof analyticsRows.conversations>) {
  readLength(query);
  let counted = selectFiltered(ctx, query);
  for (const condition of conditionsOf(query, query.zone)) counted = counted.where(condition);
  return listFound(ctx, counted, query, "conversations.startedAt");
}
