import type { FastifyReply, FastifyRequest } from "fastify";
import type { Ctx } from "#server/core/http.ts";
import { Problem } from "#server/core/problem.ts";
import type { LiveChange } from "#server/core/live/announce.ts";
import type { LiveChanges } from "#server/core/live/liveChanges.ts";
import type { Services } from "#server/core/services.ts";
import type { LiveDomain } from "#shared/live.ts";
import { isAdmin, type User } from "#shared/users.ts";

/** Changes are collected for this long, so that a busy moment is one message. */
const COLLECT_MS = 500;
/** A comment line this often shows proxies and browsers that the stream lives. */
const HEARTBEAT_MS = 20_000;
/** A stream ends after this long; the browser opens the next one with a token of that time. */
const MAX_MS = 10 * 60_000;
/** Streams of one person on this node: browsers and devices, because tabs of a browser share one. The oldest ends. */
const MAX_PER_USER = 6;
/** Streams on this node. */
const MAX_STREAMS = 5000;

type Stream = { userId: string; end: () => void };
/** The open streams of each node of this process, oldest first. */
const streamsOfNodes = new WeakMap<LiveChanges, Set<Stream>>();
const streamsOf = (node: LiveChanges) => {
  const streams = streamsOfNodes.get(node) ?? new Set();
  streamsOfNodes.set(node, streams);
  return streams;
};

/** Sends the names of the domains that change, until the browser leaves, its access changes or its time is up. */
export function streamChanges(ctx: Ctx<User>, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { user, liveChanges, accessChanges } = ctx;
  const streams = streamsOf(liveChanges);
  if (streams.size >= MAX_STREAMS) throw new Problem(503, "core.busy");
  const { raw } = reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  });
  const pending = new Set<LiveDomain>();
  let collecting: ReturnType<typeof setTimeout> | undefined;
  const send = (text: string) => {
    // A browser that does not read must not fill our memory; it reconnects.
    if (raw.writableLength > 16_384) stream.end();
    else raw.write(text);
  };
  const flush = () => {
    collecting = undefined;
    send(`data: ${JSON.stringify({ domains: [...pending] })}\n\n`);
    pending.clear();
  };
  const hear = (change: LiveChange | null) => {
    // Something may have been missed: the browser asks for everything anew.
    if (change === null) return send("event: missed\ndata: {}\n\n");
    if (change.userId ? change.userId !== user.id : !isAdmin(user)) return;
    pending.add(change.domain);
    collecting ??= setTimeout(flush, COLLECT_MS);
  };
  const stream: Stream = {
    userId: user.id,
    end: () => {
      if (!streams.delete(stream)) return;
      for (const timer of [collecting, ending]) clearTimeout(timer);
      clearInterval(heartbeat);
      stopHearing();
      stopWatching();
      raw.end();
    },
  };
  const heartbeat = setInterval(() => send(":\n\n"), HEARTBEAT_MS);
  const ending = setTimeout(stream.end, MAX_MS);
  const stopWatching = accessChanges.subscribe((id) => {
    if (id === user.id) stream.end();
  });
  const own = [...streams].filter(({ userId }) => userId === user.id);
  streams.add(stream);
  send("retry: 2000\n\n");
  const stopHearing = liveChanges.subscribe(hear);
  request.raw.on("close", stream.end);
  raw.on("error", stream.end);
  if (own.length >= MAX_PER_USER) own[0]?.end();
  return reply;
}

/** Ends all streams of a node, so that a server that stops does not wait for them. */
export function endStreams({ liveChanges }: Pick<Services, "liveChanges">) {
  for (const stream of streamsOf(liveChanges)) stream.end();
}
