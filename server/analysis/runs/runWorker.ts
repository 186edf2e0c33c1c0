import { sql } from "kysely";
import { z } from "zod";
import { completeStructured } from "#server/connectors/gateway.ts";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { job } from "#server/core/jobs.ts";
import { claimRows, leaseEnd, startHeartbeat } from "#server/core/lease.ts";
import { announceChange } from "#server/core/live/announcements.ts";
import type { Services } from "#server/core/services.ts";
import { readSmallestGroup } from "#server/core/database/measured.ts";
import {
  instructionsFor,
  type SentConversation,
  statementsAnswer,
  storeStatements,
} from "#server/analysis/runs/themes.ts";
import { isOwnWords } from "#server/analysis/ownWords.ts";
import { type CallUsage, GatewayError } from "#server/connectors/gatewayCall.ts";
import type { ConnectorErrorCode } from "#shared/connectors/connectors.ts";
import { notify } from "#server/notifications/notify.ts";
import { isNotBlocked } from "#server/conversations/turnRows.ts";

/** The most conversations in a call of the model, and the most characters of a turn, a conversation and a call. */
export const BATCH = 15;
export const TURN_CHARS = 1500;
const CONVERSATION_CHARS = 20_000;
const BATCH_CHARS = 60_000;
/** The characters that JSON adds to the text of a turn. */
const TURN_OVERHEAD_CHARS = 40;
/** A failed answer to fewer conversations at once may be right: by this factor fewer, and more again afterwards. */
const STEP = 3;
/** Failures of an answer, as opposed to those of the connection. */
const UNREAD: ConnectorErrorCode[] = ["bad_structure", "empty", "too_long", "truncated"];
/** More conversations than these, and a larger share, that cannot be read end the analysis. */
const MAX_UNREAD = 3;
const MAX_UNREAD_SHARE = 0.2;
const LEASE_SECONDS = 180;
export const MAX_OUTPUT_TOKENS = 4000;

/**
 * Continues the oldest analysis that waits, or whose node has died, by one batch, and enqueues itself, so that other
 * jobs get a turn in between. No conversation is read twice.
 */
export const runAnalyses = job("analysis:run", z.object({}), runNext, "* * * * *");

async function runNext(services: Services) {
  await services.admission.pause();
  const id = await leaseRun(services);
  if (!id) return;
  await runBatch(services, id);
  await enqueueAnalyses(services.db);
}

export const enqueueAnalyses = (db: Db) => runAnalyses.enqueue(db, {}, { key: "analysis:run" });

export async function leaseRun({ db }: Services, leaseSeconds = LEASE_SECONDS): Promise<string | null> {
  const [run] = await claimRows<{ id: string }>(db, {
    table: "analysis_runs",
    seconds: leaseSeconds,
    limit: 1,
    due: sql`state in ('waiting', 'running')`,
    order: sql`created_at`,
    set: [sql`state = 'running'`],
    returning: ["id"],
  });
  return run?.id ?? null;
}

/** Renews the lease of a run while a model answers: a call with its fallbacks can take longer than the lease. */
function keepLease({ db, log }: Services, { id, read }: { id: string; read: number }, leaseSeconds: number) {
  const renew = () =>
    db
      .updateTable("analysisRuns")
      .set({ leasedUntil: leaseEnd(leaseSeconds) })
      .where("id", "=", id)
      .where("read", "=", read)
      .where("leasedUntil", "is not", null)
      .execute()
      .catch((error: unknown) => log.warn({ err: error, id }, "the lease of an analysis was not renewed"));
  return startHeartbeat(leaseSeconds, renew);
}

/**
 * Reads the next conversations of a run, and stores the statements, the number of conversations read and the cost of
 * the call in one transaction, even if the run was cancelled meanwhile: the call has been paid for.
 */
export async function runBatch(services: Services, id: string, leaseSeconds = LEASE_SECONDS) {
  const { db } = services;
  const run = await db.selectFrom("analysisRuns").where("id", "=", id).selectAll().executeTakeFirst();
  if (!run || run.state !== "running") return;
  const next = run.conversationIds.slice(run.read, run.read + Math.min(BATCH, run.batchSize));
  if (next.length === 0 || run.kind === "counts") return finishRun(services, id);
  const conversations = await readConversations(services, next);
  const statements = await db
    .selectFrom("analysisStatements")
    .where("runId", "=", id)
    .select(["number", "text"])
    .orderBy("number")
    .execute();
  const stopKeeping = keepLease(services, run, leaseSeconds);
  try {
    await completeStructured(
      services,
      {
        purpose: "analysis",
        connectorId: run.connectorId,
        companyId: run.companyId,
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        messages: [
          { role: "system", content: instructionsFor(run.kind, run.question) },
          {
            role: "user",
            content: [
              `Known statements: ${JSON.stringify(statements)}`,
              "Conversations:",
              JSON.stringify(conversations.map(toSent)),
            ].join("\n"),
          },
        ],
      },
      statementsAnswer,
      (tx, answer) => storeBatch(tx, { run, conversations, known: statements.map(({ number }) => number) }, answer),
    );
    await finishRun(services, id);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (await passOver(services, run, conversations.length, error)) return finishRun(services, id);
    await db
      .updateTable("analysisRuns")
      .set({
        spentMicros: sql`spent_micros + ${error.costMicros}`,
        state: sql`case when state = 'cancelled' then state else 'failed' end`,
        code: sql`case when state = 'cancelled' then code else ${error.code} end`,
        leasedUntil: null,
      })
      .where("id", "=", id)
      .where("read", "=", run.read)
      .execute();
    await announceChange(db, { domain: "analysisRuns" });
  } finally {
    stopKeeping();
  }
}

type Batch = { run: { id: string; read: number }; conversations: SentConversation[]; known: number[] };
type Answer = { value: z.output<typeof statementsAnswer>; model: string; usage: CallUsage };

/** Stores nothing if another process has read the same conversations. */
async function storeBatch(tx: Tx, { run, conversations, known }: Batch, { value, model, usage }: Answer) {
  const stored = await tx
    .updateTable("analysisRuns")
    .set({
      read: run.read + conversations.length,
      model,
      batchSize: sql`least(${BATCH}, batch_size * ${STEP})`,
      spentMicros: sql`spent_micros + ${usage.costMicros ?? 0}`,
      leasedUntil: null,
    })
    .where("id", "=", run.id)
    .where("read", "=", run.read)
    .returning("id")
    .executeTakeFirst();
  if (!stored) return;
  const dropped = await storeStatements(tx, { runId: run.id, conversations, known }, value);
  await tx
    .updateTable("analysisRuns")
    .set({ dropped: sql`dropped + ${dropped}` })
    .where("id", "=", run.id)
    .execute();
  await announceChange(tx, { domain: "analysisRuns" });
}

type Unread = { id: string; read: number; conversationIds: string[]; unreadIds: string[] };

/**
 * After an answer that could not be read: asks for fewer conversations at once, or passes over a single one. False if
 * the analysis has to end.
 */
async function passOver({ db }: Services, run: Unread, size: number, { code, costMicros }: GatewayError) {
  if (!UNREAD.includes(code)) return false;
  const unread = run.unreadIds.length + 1;
  if (size === 1 && unread > MAX_UNREAD && unread > (run.read + 1) * MAX_UNREAD_SHARE) return false;
  const passed = sql<string[]>`unread_ids || ${run.conversationIds[run.read]}::uuid`;
  await db
    .updateTable("analysisRuns")
    .set({
      spentMicros: sql`spent_micros + ${costMicros}`,
      leasedUntil: null,
      ...(size > 1 ? { batchSize: Math.max(1, Math.floor(size / STEP)) } : { read: run.read + 1, unreadIds: passed }),
    })
    .where("id", "=", run.id)
    .where("read", "=", run.read)
    .execute();
  await announceChange(db, { domain: "analysisRuns" });
  return true;
}

/** A conversation as the model reads it. */
const toSent = ({ number, turns }: SentConversation) => ({ number, turns: turns.map(({ id: _, ...turn }) => turn) });

/** As many of these conversations as fit into one call, at least one. Long ones are cut at their end. */
async function readConversations({ db }: Services, ids: string[]): Promise<SentConversation[]> {
  const turns = await db
    .selectFrom("turns")
    .where(isOneOf("conversationId", ids))
    .where("text", "!=", "")
    .where(isNotBlocked)
    .select(["id", "conversationId", "number", sql<string>`left(text, ${TURN_CHARS})`.as("text")])
    .select(sql<string>`case when role = 'user' and not ${isOwnWords} then 'choice' else role end`.as("role"))
    .orderBy("number")
    .execute();
  const conversations: SentConversation[] = [];
  let remainingChars = BATCH_CHARS;
  for (const [at, id] of ids.entries()) {
    const all = turns.filter(({ conversationId }) => conversationId === id);
    let chars = 0;
    const kept = all.filter(({ text }) => (chars += text.length + TURN_OVERHEAD_CHARS) <= CONVERSATION_CHARS);
    const size = Math.min(chars, CONVERSATION_CHARS);
    if (at > 0 && size > remainingChars) break;
    remainingChars -= size;
    conversations.push({ number: at + 1, turns: kept.map(({ conversationId: _, ...turn }) => turn) });
  }
  return conversations;
}

/** Ends a run if all its conversations have been read, or are only counted. */
async function finishRun(services: Services, id: string) {
  await inTransaction(services.db, async (tx) => {
    const run = await tx
      .updateTable("analysisRuns")
      .set({
        state: "done",
        read: sql`cardinality(conversation_ids)`,
        leasedUntil: null,
        finishedAt: sql<string>`now()`,
        code: null,
      })
      .where("id", "=", id)
      .where("state", "=", "running")
      .where(sql<boolean>`(kind = 'counts' or read >= cardinality(conversation_ids))`)
      .returning(["title", "createdBy", "companyId", "read", "filter"])
      .executeTakeFirst();
    if (!run) return;
    const { count } = await countShownStatements(tx, id, await readSmallestGroup(tx, run.filter.companyId));
    await announceChange(tx, { domain: "analysisRuns" });
    if (count === 0) return;
    await notify(services, tx, {
      to: { responsible: run.createdBy },
      companyId: run.companyId,
      kind: "analysisFinished",
      params: { name: run.title, count, conversations: run.read },
      link: `/analysis/chatbot?run=${id}`,
      key: `analysisFinished ${id} ${run.read}`,
    });
  });
}

/** The number of statements that the page of an analysis shows: those with quotes from enough people. */
const countShownStatements = (tx: Tx, runId: string, smallest: number) =>
  tx
    .selectFrom(
      tx
        .selectFrom("analysisStatements")
        .innerJoin("analysisQuotes", "analysisQuotes.statementId", "analysisStatements.id")
        .innerJoin("turns", "turns.id", "analysisQuotes.turnId")
        .innerJoin("conversations", "conversations.id", "turns.conversationId")
        .where("runId", "=", runId)
        .groupBy("analysisStatements.id")
        .having(
          sql<boolean>`
          count(distinct coalesce(conversations.user_id::text, conversations.visitor)) >= ${smallest}`,
        )
        .select("analysisStatements.id")
        .as("shown"),
    )
    .select((e) => e.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
