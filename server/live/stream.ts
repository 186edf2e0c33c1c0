import type { FastifyReply, FastifyRequest } from "fastify";
import type { Ctx } from "#server/core/http/http.ts";
import type { LiveChange } from "#server/core/live/announcements.ts";
import { openEventStream } from "#server/core/live/eventStream.ts";
import type { live, LiveDomain } from "#shared/core/live.ts";
import type { QueryOf } from "#shared/core/route.ts";
import { isAdmin, type User } from "#shared/core/users.ts";

/** Changes are collected for this long, so that a burst is one message. */
const COLLECT_MS = 500;
/** A stream ends after this long; the browser opens the next one with a fresh token. */
const MAX_MS = 10 * 60_000;

/** Sends the names of changed domains until the browser disconnects, the access of the user changes or time is up. */
export function streamChanges(
  ctx: Ctx<User>,
  { age }: QueryOf<typeof live.stream>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { user, liveChanges, accessChanges } = ctx;
  const stream = openEventStream(ctx, { request, reply }, { kind: "changes", id: user.id });
  const pending = new Set<LiveDomain>();
  let collecting: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(collecting);
    collecting = undefined;
    if (pending.size === 0) return;
    stream.write(`data: ${JSON.stringify({ domains: [...pending] })}\n\n`);
    pending.clear();
  };
  const hear = (change: LiveChange | null) => {
    // Changes may have been missed: the browser reads everything again.
    if (change === null) return stream.write("event: missed\ndata: {}\n\n");
    if (change.domain === "storedValues") return;
    if (change.userId ? change.userId !== user.id : !isAdmin(user)) return;
    pending.add(change.domain);
    collecting ??= setTimeout(flush, COLLECT_MS);
  };
  const end = () => {
    flush();
    stream.end();
  };
  const ending = setTimeout(end, MAX_MS);
  const stopWatching = accessChanges.subscribe((id) => {
    if (id === user.id) end();
  });
  stream.write("retry: 2000\n\n");
  const stopHearing = liveChanges.subscribe(hear, age);
  stream.signal.addEventListener("abort", () => {
    for (const timer of [collecting, ending]) clearTimeout(timer);
    stopHearing();
    stopWatching();
  });
  return reply;
}
