import type { Mount } from "#server/core/http/http.ts";
import { streamChanges } from "#server/live/stream.ts";
import { canFollowChanges, live } from "#shared/core/live.ts";

export function liveRoutes(on: Mount) {
  on(live.stream, canFollowChanges, (call, { request, reply }) => streamChanges(call, call.query, request, reply));
}
