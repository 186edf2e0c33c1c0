import type { Mount } from "#server/core/http/http.ts";
export function commentRoutes(_on: Mount) {}
