import { sql } from "kysely";
import { type GatewayContext, GatewayError } from "#server/connectors/gatewayCall.ts";
import type { ConnectorRow } from "#server/connectors/candidates.ts";
import { notifyFailing } from "#server/connectors/notifyBudget.ts";
import type { Db } from "#server/core/database/db.ts";
import type { ConnectorErrorCode } from "#shared/connectors/connectors.ts";
import { localModelFault } from "#shared/connectors/localModels.ts";

// A connector with five failed calls within two minutes is paused: it gets one call per minute until one succeeds. One
// whose provider asks to wait, or whose account has no credit, is paused at once.

const MAX_FAILURES = 5;
const WINDOW = "2 minutes";
const PAUSE = "1 minute";
const NO_CREDIT_PAUSE_MS = 10 * 60_000;

/** Failures of the provider, as opposed to those of one call. */
const COUNTED: ConnectorErrorCode[] = [
  "bad_key",
  "no_key",
  "blocked_address",
  "provider_down",
  "timeout",
  "truncated",
  "bad_reply",
  ...localModelFault.options,
  "model_ended",
];

/**
 * Counts a failure, and notifies admins if it pauses the connector. Ignores calls that began before the connector was
 * changed.
 */
export async function recordFailure(
  ctx: GatewayContext,
  { id, version }: Pick<ConnectorRow, "id" | "version">,
  { code, retryAfterMs }: Pick<GatewayError, "code" | "retryAfterMs">,
) {
  // The length of a conversation says nothing about the connection.
  if (code === "too_long") return;
  const waitMs = code === "no_credit" ? NO_CREDIT_PAUSE_MS : (retryAfterMs ?? null);
  const isNew = sql`first_failure_at is null or first_failure_at < now() - ${WINDOW}::interval`;
  const counted = sql`case when ${isNew} then 1 else failures + 1 end`;
  const isCountedCode = COUNTED.includes(code);
  const isCounted = sql.lit(isCountedCode);
  const { rows } = await sql<{ name: string; failures: number }>`
    update connectors
    set last_error_code = ${code},
      last_error_at = now(),
      failures = case when ${isCounted} then ${counted} else failures end,
      first_failure_at = case when ${isCounted} and (${isNew}) then now() else first_failure_at end,
      paused_until = case
        when ${waitMs}::float8 is not null
          then greatest(paused_until, now() + make_interval(secs => ${waitMs}::float8 / 1000))
        when ${isCounted} and ${counted} >= ${MAX_FAILURES} then now() + ${PAUSE}::interval
        else paused_until
      end
    where id = ${id}
      and version = ${version}
    returning name, failures`.execute(ctx.db);
  const [row] = rows;
  const isPausedNow = isCountedCode && row?.failures === MAX_FAILURES;
  if (row && (isPausedNow || code === "no_credit")) await notifyFailing(ctx, id, row.name, code);
}

/** Whether there are failures that a success clears. */
export const hasFailed = ({ lastErrorCode, failures, pausedUntil }: ConnectorRow) =>
  lastErrorCode !== null || failures > 0 || pausedUntil !== null;

/** Clears the failures; writes only if there are any. */
export async function recordSuccess(db: Db, connectorId: string) {
  await sql`
    update connectors
    set last_error_code = null,
      last_error_at = null,
      failures = 0,
      first_failure_at = null,
      paused_until = null
    where id = ${connectorId}
      and (last_error_code is not null or failures > 0 or paused_until is not null)`.execute(db);
}

/** Running calls of this server by connector. */
const running = new Map<string, number>();

/**
 * Admits a call if its connector is below its limit of concurrent calls and not paused; throws a `GatewayError`
 * otherwise. Returns a function that the caller must run at the end of the call.
 */
export async function enter(
  db: Db,
  { id, pausedUntil, maxConcurrent }: Pick<ConnectorRow, "id" | "pausedUntil" | "maxConcurrent">,
  isTest: boolean,
): Promise<() => void> {
  const others = running.get(id) ?? 0;
  // Checked first, so that a call that is refused here does not use up the one that a pause admits.
  if (others >= maxConcurrent) throw new GatewayError("too_many");
  running.set(id, others + 1);
  const leave = () => running.set(id, (running.get(id) ?? 1) - 1);
  try {
    if (pausedUntil && !(await takeProbe(db, id)) && !isTest) throw new GatewayError("paused");
    return leave;
  } catch (error) {
    leave();
    throw error;
  }
}

/** True if a paused connector may get a call now: one per pause, over all servers. */
async function takeProbe(db: Db, connectorId: string) {
  const { numAffectedRows } = await sql`
    update connectors
    set paused_until = now() + ${PAUSE}::interval
    where id = ${connectorId}
      and paused_until < now()`.execute(db);
  return numAffectedRows === 1n;
}
