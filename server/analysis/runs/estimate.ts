import { sql } from "kysely";
import { BATCH, MAX_OUTPUT_TOKENS, TURN_CHARS } from "#server/analysis/runs/runWorker.ts";
import { findConversations } from "#server/analysis/runs/runs.ts";
import { costOf, priceOf } from "#server/connectors/budgets.ts";
import { chooseModel } from "#server/connectors/candidates.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import type { analysisRuns, Estimate } from "#shared/analysis/analysisRuns.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** The number of latest calls in the usage log that an estimate is based on. */
const LAST_CALLS = 20;
/** Tokens of each call besides those of the conversations. */
const INSTRUCTION_TOKENS = 300;
const CHARS_PER_TOKEN = 4;

/**
 * How much an analysis would read and, with a connector, what it would cost and how long it would take. The cost is at
 * today's prices, for answers as long as those of the model's last analyses, or of maximum length if there are none;
 * the time is that of its last calls.
 */
export async function estimateRun(
  ctx: Ctx<User>,
  { filter, sample, connectorId }: BodyOf<typeof analysisRuns.estimate>,
): Promise<Estimate> {
  // A subquery reads the turns of one conversation at a time; a join would read those of all conversations.
  const { count, chars } = await ctx.db
    .selectFrom(findConversations(ctx, filter, sample).as("chosen"))
    .select([
      sql<number>`count(*)::int`.as("count"),
      sql<number>`coalesce(sum((
        select sum(least(length(turns.text), ${TURN_CHARS}))
        from turns
        where turns.conversation_id = chosen.id
      )), 0)::float8`.as("chars"),
    ])
    .executeTakeFirstOrThrow();
  const size = { conversations: count, tokens: Math.ceil(chars / CHARS_PER_TOKEN) };
  if (connectorId === null) return { ...size, costMicros: null, ms: null };
  const connector = await ctx.db
    .selectFrom("connectors")
    .where("id", "=", connectorId)
    .selectAll()
    .executeTakeFirstOrThrow(notFound);
  if (!connector.models.some(({ use }) => use === "chat")) return { ...size, costMicros: null, ms: null };
  const model = chooseModel({ connector, model: null }, "chat");
  const last = await readLastCalls(ctx, connectorId, model.id);
  const calls = Math.ceil(count / BATCH);
  return {
    ...size,
    costMicros: costOf(
      priceOf(model),
      size.tokens + calls * INSTRUCTION_TOKENS,
      calls * (last.tokens ?? MAX_OUTPUT_TOKENS),
    ),
    ms: last.ms === null ? null : Math.round(calls * last.ms),
  };
}

/**
 * From the last calls of a model: the median time of analyses, or else of any calls, and the mean output of analyses.
 */
async function readLastCalls({ db }: Ctx<User>, connectorId: string, model: string) {
  const { rows } = await sql<{ ms: number | null; tokens: number | null }>`
    with calls as (
      select
        purpose,
        total_ms,
        output_tokens,
        row_number() over (partition by purpose = 'analysis' order by at desc) as place
      from ai_usage
      where connector_id = ${connectorId}
        and model = ${model}
        and status = 'done'
        and total_ms is not null
        and at > now() - interval '90 days'
    )
    select
      coalesce(
        percentile_cont(0.5) within group (order by total_ms) filter (where purpose = 'analysis'),
        percentile_cont(0.5) within group (order by total_ms)
      ) as ms,
      (avg(output_tokens) filter (where purpose = 'analysis'))::float8 as tokens
    from calls
    where place <= ${LAST_CALLS}`.execute(db);
  return rows[0] ?? { ms: null, tokens: null };
}
