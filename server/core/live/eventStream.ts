import type { FastifyReply, FastifyRequest } from "fastify";
import type { LiveChanges } from "#server/core/live/liveChanges.ts";
import { Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";

/** Interval of comment lines, which keep proxies and browsers from closing the stream, in ms. */
const HEARTBEAT_MS = 15_000;
/** The most streams of one kind and owner (browsers and devices) on this node. Beyond it, the oldest one ends. */
const MAX_PER_OWNER = 6;
/** The most streams on this node. */
const MAX_STREAMS = 5000;
/** The most bytes that a browser may leave unread; a write that finds more ends the stream. */
const MAX_UNREAD = 65_536;
/** How long a browser may take to read the rest of a stream that has ended, in ms. */
const LAST_READ_MS = 5000;
/**
 * The last event of a stream that ends because its owner has opened too many. It tells the browser not to reconnect at
 * once.
 */
const DISPLACED = "event: displaced\ndata: {}\n\n";

type Open = { key: string; end: (last?: string) => void };
/** The open streams of each node of this process, oldest first. */
const streamsOfNodes = new WeakMap<LiveChanges, Set<Open>>();
const streamsOf = ({ liveChanges }: Pick<Services, "liveChanges">) => {
  const streams = streamsOfNodes.get(liveChanges) ?? new Set();
  streamsOfNodes.set(liveChanges, streams);
  return streams;
};

export type EventStream = {
  /** Writes lines of the format `text/event-stream`, including the blank line that ends an event. */
  write: (lines: string) => void;
  end: () => void;
  /** Aborted when the stream has ended: by `end`, by the browser, or because its owner has opened too many. */
  signal: AbortSignal;
};

/**
 * Answers a request with server-sent events (WHATWG HTML, section 9.2). Throws 503 if this node serves too many
 * streams. A browser that does not read is disconnected, so that it cannot fill the memory; it connects again.
 */
export function openEventStream(
  node: Pick<Services, "liveChanges">,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  owner: { kind: "changes" | "answers"; id: string },
): EventStream {
  const streams = streamsOf(node);
  if (streams.size >= MAX_STREAMS) throw new Problem(503, "core.busy");
  const { raw } = reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
    // Otherwise the connection waits for further requests after the stream.
    connection: "close",
  });
  const ended = new AbortController();
  const end = (last?: string) => {
    if (!streams.delete(open)) return;
    clearInterval(heartbeat);
    raw.end(last);
    // A browser that has stopped reading would otherwise keep the connection and its buffer.
    const leaving = setTimeout(() => raw.destroy(), LAST_READ_MS);
    raw.once("close", () => clearTimeout(leaving));
    ended.abort();
  };
  const write = (lines: string) => {
    if (raw.writableLength > MAX_UNREAD) end();
    else if (!ended.signal.aborted) raw.write(lines);
  };
  const open: Open = { key: `${owner.kind} ${owner.id}`, end };
  const heartbeat = setInterval(() => write(":\n\n"), HEARTBEAT_MS);
  const streamsOfOwner = [...streams].filter(({ key }) => key === open.key);
  streams.add(open);
  request.raw.on("close", () => end());
  raw.on("error", () => end());
  if (streamsOfOwner.length >= MAX_PER_OWNER) streamsOfOwner[0]?.end(DISPLACED);
  return { write, end: () => end(), signal: ended.signal };
}

/** Ends all streams of a node, so that a server that stops does not wait for them. */
export function endStreams(node: Pick<Services, "liveChanges">) {
  for (const stream of streamsOf(node)) stream.end();
}
