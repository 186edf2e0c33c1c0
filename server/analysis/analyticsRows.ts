import { type RawBuilder, sql } from "kysely";
import { MOST_QUESTIONS } from "#server/analysis/analytics.ts";
import { givesAway, isBeforeAnswers, isGuidedAnswer, isTimed } from "#server/analysis/analyticsFigures.ts";
import { readLength, selectFiltered } from "#server/analysis/filtering.ts";
import type { Ctx } from "#server/core/http.ts";
import { readPage, selectTranscripts } from "#server/conversations/transcripts.ts";
import type { analyticsRows, CountedBy, CountedFigure } from "#shared/analyticsRows.ts";
import type { QueryOf } from "#shared/route.ts";
import type { User } from "#shared/users.ts";

const hasTurn = (condition: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from turns where turns.conversation_id = conversations.id and ${condition})`;

/** SQL conditions on `conversations`: those that a figure counts. */
const conditions: Record<CountedFigure, RawBuilder<boolean>> = {
  ended: sql`conversations.outcome is not null`,
  goal: sql`conversations.outcome = 'goal'`,
  ratings: hasTurn(sql`turns.rating is not null`),
  thumbsUp: hasTurn(sql`turns.rating = 'up'`),
  noAnswer: hasTurn(sql`turns.state = 'refused'`),
  guided: hasTurn(isGuidedAnswer),
  fullSolutions: hasTurn(givesAway("full")),
  partialSolutions: hasTurn(givesAway("partial")),
  earlySolutions: sql`conversations.user_id is not null and exists (select from course_versions v
    join attempts a on a.version_id = v.id join answers n on n.attempt_id = a.id
    where v.course_id = conversations.course_id and not a.preview)
    and ${hasTurn(sql`${givesAway("full")} and ${isBeforeAnswers(sql`conversations`)}`)}`,
  timed: hasTurn(isTimed),
  cost: hasTurn(sql`turns.cost_micros > 0`),
  unpriced: hasTurn(sql`turns.usage_id is not null and turns.cost_micros is null`),
};

/** What narrows the filter, as SQL conditions on `conversations`. */
function conditionsOf(by: CountedBy, zone: string): RawBuilder<boolean>[] {
  const { figure, model, promptVersionId, documentId, weekday, hour, leftAfter } = by;
  const written = sql`(turns.created_at at time zone ${zone})`;
  const found: (RawBuilder<boolean> | undefined)[] = [
    figure && conditions[figure],
    model === undefined
      ? undefined
      : hasTurn(sql`turns.connector is not null and coalesce(turns.model, turns.connector) = ${model}`),
    promptVersionId &&
      sql<boolean>`exists (select from turns join ai_usage u on u.id = turns.usage_id
        where turns.conversation_id = conversations.id and u.prompt_version_id = ${promptVersionId})`,
    documentId && hasTurn(sql`turns.sources @> ${JSON.stringify([{ documentId }])}::jsonb`),
    weekday === undefined && hour === undefined
      ? undefined
      : hasTurn(sql`turns.role = 'user' and extract(isodow from ${written}) = ${weekday ?? sql`extract(isodow from ${written})`}
          and extract(hour from ${written}) = ${hour ?? sql`extract(hour from ${written})`}`),
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
  const rows = selectTranscripts(ctx.db, ctx.user).where("conversations.id", "in", found.select("conversations.id"));
  return readPage(ctx.db, rows, query, "conversations.startedAt");
}
