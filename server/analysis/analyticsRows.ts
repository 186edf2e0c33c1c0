import { type RawBuilder, sql } from "kysely";
import { MOST_QUESTIONS } from "#server/analysis/analytics.ts";
import { isAnswered, isBeforeAnswers } from "#server/analysis/analyticsFigures.ts";
import { hasCall, readLength, selectFiltered } from "#server/analysis/filtering.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { listFound } from "#server/conversations/transcripts.ts";
import type { analyticsRows, CountedBy, CountedFigure } from "#shared/analysis/conversationAnalytics.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const hasStored = (condition: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from conversation_figures f where f.conversation_id = conversations.id and ${condition})`;

/** SQL conditions on `conversations`: those that a figure counts. */
const conditions: Record<CountedFigure, RawBuilder<boolean>> = {
  ended: sql`conversations.outcome is not null`,
  goal: sql`conversations.outcome = 'goal'`,
  ratings: hasStored(sql`f.ratings > 0`),
  thumbsUp: hasStored(sql`f.thumbs_up > 0`),
  noAnswer: hasStored(sql`f.refused > 0`),
  guided: hasStored(sql`f.guided > 0`),
  fullSolutions: hasStored(sql`f.solutions > 0`),
  partialSolutions: hasStored(sql`f.partial > 0`),
  earlySolutions: sql`conversations.user_id is not null and ${isAnswered(sql`conversations.course_id`)}
    and ${hasStored(sql`exists (select from unnest(f.solved_at) solved(at) where ${isBeforeAnswers(sql`conversations`, sql`solved.at`)})`)}`,
  timed: hasStored(sql`f.first_ms <> '{}'`),
  cost: hasStored(sql`f.cost_micros > 0`),
  unpriced: hasStored(sql`f.unpriced > 0`),
};

/** What narrows the filter, as SQL conditions on `conversations`. */
function conditionsOf(by: CountedBy, zone: string): RawBuilder<boolean>[] {
  const { figure, promptVersionId, documentId, weekday, hour, leftAfter } = by;
  const written = sql`(asked.at at time zone ${zone})`;
  const found: (RawBuilder<boolean> | undefined)[] = [
    figure && conditions[figure],
    promptVersionId && hasCall(sql`k.prompt_version_id = ${promptVersionId}`),
    documentId && hasStored(sql`${documentId} = any(f.document_ids)`),
    weekday === undefined && hour === undefined
      ? undefined
      : hasStored(sql`exists (select from unnest(f.asked_at) asked(at)
          where extract(isodow from ${written}) = ${weekday ?? sql`extract(isodow from ${written})`}
            and extract(hour from ${written}) = ${hour ?? sql`extract(hour from ${written})`})`),
    leftAfter === undefined
      ? undefined
      : sql<boolean>`conversations.ended_at is null and least(conversations.questions, ${MOST_QUESTIONS}) = ${leftAfter}`,
  ].map((one) => one || undefined);
  return found.filter((one) => one !== undefined);
}

/** The conversations that a figure of the analytics counts, newest first. */
export async function listCounted(ctx: Ctx<User>, query: QueryOf<typeof analyticsRows.conversations>) {
  readLength(query);
  let found = selectFiltered(ctx, query);
  for (const condition of conditionsOf(query, query.zone)) found = found.where(condition);
  return listFound(ctx, found, query, "conversations.startedAt");
}
