import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "#server/core/http/problem.ts";

/**
 * Bounds the bytes of all bodies that this process reads at the same time, and those of each owner; further requests
 * are refused until others have ended. The function that it returns gives the bytes of one body back early.
 */
export function createBodyBudget({ all, each = all }: { all: number; each?: number }) {
  const held = new Map<string, number>();
  let total = 0;
  const count = (owner: string, bytes: number) => {
    total += bytes;
    const own = (held.get(owner) ?? 0) + bytes;
    if (own > 0) held.set(owner, own);
    else held.delete(owner);
  };
  return ({ headers, routeOptions }: FastifyRequest, reply: FastifyReply, owner = ""): (() => void) => {
    // A body that announces more is refused, and not read.
    const most = routeOptions.bodyLimit ?? all;
    const bytes = headers["transfer-encoding"] ? most : Math.min(Number(headers["content-length"] ?? 0), most);
    // A connection that closed while its sender was looked up would never give the bytes back.
    if (!(bytes > 0) || reply.raw.destroyed) return () => {};
    if (total + bytes > all || (held.get(owner) ?? 0) + bytes > each)
      throw new Problem(503, "core.overloaded", { values: { seconds: 2 } });
    count(owner, bytes);
    let isHeld = true;
    const release = () => {
      if (isHeld) count(owner, -bytes);
      isHeld = false;
    };
    reply.raw.once("close", release);
    return release;
  };
}
