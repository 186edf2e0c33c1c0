import { sql } from "kysely";
import { BATCH, MAX_OUTPUT_TOKENS, TURN_CHARS } from "#server/analysis/runWorker.ts";
import { findConversations } from "#server/analysis/runs.ts";
import { costOf, priceOf } from "#server/connectors/budgets.ts";
import { chooseModel } from "#server/connectors/candidates.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import type { analysisRuns, Estimate } from "#shared/analysis/analysisRuns.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** Calls of the model in the usage log that tell how long one takes and how much it writes. */
const LAST_CALLS = 20;
/** What each call says besides the conversations. */
const INSTRUCTION_TOKENS = 300;
const CHARS_PER_TOKEN = 4;

/**
 * How much an analysis would read. With a connector, what its model would cost at the prices of today, for answers as
 * long as those of its last analyses (the longest possible, if there are none), and how long it would take at the
 * median time of its last calls.
 */
export async function estimateRun(
  ctx: Ctx<User>,
  { filter, sample, connectorId }: BodyOf<typeof analysisRuns.estimate>,
): Promise<Estimate> {
  // A subquery for each conversation reads its own turns; a join would read those of all.
  const { count, chars } = await ctx.db
    .selectFrom(findConversations(ctx, filter, sample).as("found"))
    .select([
      sql<number>`count(*)::int`.as("count"),
      sql<number>`coalesce(sum((select sum(least(length(turns.text), ${TURN_CHARS})) from turns
        where turns.conversation_id = found.id)), 0)::float8`.as("chars"),
    ])
    .executeTakeFirstOrThrow();
  const read = { conversations: count, tokens: Math.ceil(chars / CHARS_PER_TOKEN) };
  if (connectorId === null) return { ...read, costMicros: null, ms: null };
  const connector = await ctx.db
    .selectFrom("connectors")
    .where("id", "=", connectorId)
    .selectAll()
    .executeTakeFirstOrThrow(notFound);
  if (!connector.models.some(({ use }) => use === "chat")) return { ...read, costMicros: null, ms: null };
  const model = chooseModel({ connector, model: null }, "chat");
  const last = await readLastCalls(ctx, connectorId, model.id);
  const calls = Math.ceil(count / BATCH);
  return {
    ...read,
    costMicros: costOf(
      priceOf(model),
      read.tokens + calls * INSTRUCTION_TOKENS,
      calls * (last.tokens ?? MAX_OUTPUT_TOKENS),
    ),
    ms: last.ms === null ? null : Math.round(calls * last.ms),
  };
}

/**
 * Of the last calls of a model: the median time of analyses, or of any call if there was none, and the mean output of
 * analyses in tokens.
 */
async function readLastCalls({ db }: Ctx<User>, connectorId: string, model: string) {
  const { rows } = await sql<{ ms: number | null; tokens: number | null }>`
    select coalesce(percentile_cont(0.5) within group (order by total_ms) filter (where purpose = 'analysis'),
        percentile_cont(0.5) within group (order by total_ms)) as ms,
      (avg(output_tokens) filter (where purpose = 'analysis'))::float8 as tokens
    from (select *, row_number() over (partition by purpose = 'analysis' order by at desc) as place from ai_usage
      where connector_id = ${connectorId} and model = ${model} and status = 'done' and total_ms is not null
        and at > now() - interval '90 days') u where place <= ${LAST_CALLS}`.execute(db);
  return rows[0] ?? { ms: null, tokens: null };
}
