import type { FastifyReply, FastifyRequest } from "fastify";
import { setTimeout as sleep } from "node:timers/promises";
import type { Ctx } from "#server/core/http/http.ts";
import { openEventStream } from "#server/core/live/eventStream.ts";
import { type Listener, writersOf } from "#server/conversations/answerWriter.ts";
import type { Owner } from "#server/conversations/owners.ts";
import { watchedFor } from "#server/conversations/messages.ts";
import { readOwnTurn } from "#server/conversations/service.ts";
import { readTurn, toTurn } from "#server/conversations/turnRows.ts";
import { type AnswerEvent, isOpenState } from "#shared/conversations/conversations.ts";

/** Interval of reading an answer that another node writes, in ms. */
const POLL_MS = 250;
/** Interval at which a follower renews its presence, in ms. */
const WATCH_MS = 5000;

/**
 * Streams the text of an answer from a character on until it ends, and then its final row. After a lost connection the
 * browser resumes at its last character.
 */
export async function streamAnswer(
  ctx: Ctx,
  owner: Owner,
  turnId: string,
  from: number,
  http: { request: FastifyRequest; reply: FastifyReply },
) {
  const { conversation } = await readOwnTurn(ctx, owner, turnId);
  const stream = openEventStream(ctx, http, { kind: "answers", id: (owner.user ?? owner.visitor).id });
  const send = (event: AnswerEvent) => stream.write(`data: ${JSON.stringify(event)}\n\n`);
  const watch = () =>
    void ctx.db
      .updateTable("turns")
      .set({ watchedUntil: watchedFor(conversation) })
      .where("id", "=", turnId)
      .execute()
      .catch(() => {});
  const watching = setInterval(watch, WATCH_MS);
  watch();
  try {
    const writer = writersOf(ctx).get(turnId);
    if (writer) await followHere(writer, from, send, stream.signal);
    else await followElsewhere(ctx, turnId, from, send, stream.signal);
    if (!stream.signal.aborted) send({ type: "end", turn: toTurn(await readTurn(ctx.db, turnId)) });
  } catch (error) {
    ctx.log.warn({ err: error }, "an answer could not be followed");
  } finally {
    clearInterval(watching);
    watch();
    stream.end();
  }
  return http.reply;
}

type Send = (event: AnswerEvent) => void;
type Followed = { follow: (from: number, listener: Listener) => () => void };

/** Follows an answer that this node writes, word by word. */
function followHere(writer: Followed, from: number, send: Send, signal: AbortSignal) {
  return new Promise<void>((resolve) => {
    let stop: (() => void) | undefined;
    const listener: Listener = (added) => {
      if (added === "end") resolve();
      else send({ type: "text", ...added });
    };
    stop = writer.follow(from, listener);
    const leave = () => (stop?.(), resolve());
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
  });
}

/** Follows an answer that another node writes, or that has ended, as it is stored. */
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
