import type { FastifyReply, FastifyRequest } from "fastify";
import { setTimeout as sleep } from "node:timers/promises";
import type { Ctx } from "#server/core/http.ts";
import { type Listener, writersOf } from "#server/conversations/answerWriter.ts";
import type { Owner } from "#server/conversations/owners.ts";
import { watchedFor } from "#server/conversations/sending.ts";
import { readOwnTurn } from "#server/conversations/service.ts";
import { readTurn, toTurn } from "#server/conversations/turnRows.ts";
import { type AnswerEvent, isOpenState } from "#shared/conversations.ts";

/** How often an answer that another node writes is read, in ms. */
const POLL_MS = 250;
/** How often a follower says that it is still there, in ms. */
const WATCH_MS = 5000;
const HEARTBEAT_MS = 15_000;

/**
 * Sends what an answer adds from a character on, until it has ended; then its final row. A browser whose connection breaks asks again from where
 * it is.
 */
export async function streamAnswer(
  ctx: Ctx,
  owner: Owner,
  turnId: string,
  from: number,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
) {
  const { turn, conversation } = await readOwnTurn(ctx, owner, turnId);
  const { raw } = reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  });
  const left = new AbortController();
  request.raw.on("close", () => left.abort());
  raw.on("error", () => left.abort());
  const send = (event: AnswerEvent) => raw.write(`data: ${JSON.stringify(event)}\n\n`);
  const watch = () =>
    void ctx.db
      .updateTable("turns")
      .set({ watchedUntil: watchedFor(conversation) })
      .where("id", "=", turnId)
      .execute()
      .catch(() => {});
  const watching = setInterval(watch, WATCH_MS);
  const heartbeat = setInterval(() => raw.write(":\n\n"), HEARTBEAT_MS);
  watch();
  try {
    const writer = writersOf(ctx).get(turnId);
    if (writer) await followHere(writer, from, send, left.signal);
    else await followElsewhere(ctx, toTurn(turn).id, from, send, left.signal);
    if (!left.signal.aborted) send({ type: "end", turn: toTurn(await readTurn(ctx.db, turnId)) });
  } catch (error) {
    ctx.log.warn({ err: error }, "an answer could not be followed");
  } finally {
    clearInterval(watching);
    clearInterval(heartbeat);
    watch();
    raw.end();
  }
  return reply;
}

type Send = (event: AnswerEvent) => void;
type Followed = { follow: (from: number, listener: Listener) => () => void };

/** An answer that this node writes: word by word. */
function followHere(writer: Followed, from: number, send: Send, signal: AbortSignal) {
  return new Promise<void>((resolve) => {
    let stop: (() => void) | undefined;
    const listener: Listener = (added) => {
      if (added === "end") resolve();
      else send({ type: "text", ...added });
    };
    stop = writer.follow(from, listener);
    signal.addEventListener("abort", () => (stop?.(), resolve()), { once: true });
  });
}

/** An answer that another node writes, or that has ended: as it is stored. */
async function followElsewhere({ db }: Ctx, turnId: string, from: number, send: Send, signal: AbortSignal) {
  let at = from;
  while (!signal.aborted) {
    const turn = toTurn(await readTurn(db, turnId));
    if (turn.text.length > at) {
      send({ type: "text", from: at, text: turn.text.slice(at) });
      at = turn.text.length;
    }
    if (!isOpenState(turn.state)) return;
    await sleep(POLL_MS, null, { signal }).catch(() => {});
  }
}
