import type { FastifyReply } from "fastify";
import { ScimError } from "#server/provisioning/scim/scimError.ts";

/** Calls of one company on this node that are worked on at the same time: in all, and of those that may take long. */
const MAX_CALLS = 4;
const MAX_HEAVY = 1;
/** Further ones wait, so many and so long. */
const MAX_WAITING = 100;
const MAX_WAIT_MS = 20_000;
const RETRY_SECONDS = 5;

type Call = { isHeavy: boolean; reply: FastifyReply; work: () => Promise<unknown> | undefined };
type Waiter = { isHeavy: boolean; start: () => void };
type Line = { calls: number; heavy: number; waiting: Waiter[] };

const refused = () =>
  new ScimError(429, "Too many calls of this company at the same time. Try again in 5 seconds.", null, RETRY_SECONDS);

/**
 * Lets the calls of a company take turns, before they take a slot or a connection: a directory that asks for more than
 * the server can do waits for itself and for nobody else.
 */
export function createTurns() {
  const lines = new Map<string, Line>();
  const isFree = (line: Line, isHeavy: boolean) => line.calls < MAX_CALLS && !(isHeavy && line.heavy >= MAX_HEAVY);

  const take = (companyId: string, line: Line, { isHeavy, reply: { raw }, work }: Call) => {
    line.calls++;
    if (isHeavy) line.heavy++;
    let isHeld = true;
    const leave = () => {
      if (!isHeld) return;
      isHeld = false;
      line.calls--;
      if (isHeavy) line.heavy--;
      for (;;) {
        const at = line.waiting.findIndex((waiter) => isFree(line, waiter.isHeavy));
        if (at < 0) break;
        line.waiting.splice(at, 1)[0]?.start();
      }
      if (line.calls === 0) lines.delete(companyId);
    };
    // A caller who leaves does not end the statements of the call.
    const end = () => void Promise.allSettled([work()]).then(leave);
    raw.once("finish", end).once("close", end);
  };

  /** Resolves when it is the turn of a call, which ends with its work; throws 429 if it would wait for too long. */
  return async (companyId: string, call: Call): Promise<void> => {
    const { isHeavy, reply } = call;
    if (reply.raw.destroyed) throw refused();
    const line = lines.get(companyId) ?? { calls: 0, heavy: 0, waiting: [] };
    lines.set(companyId, line);
    if (isFree(line, isHeavy)) return take(companyId, line, call);
    if (line.waiting.length >= MAX_WAITING) throw refused();
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        reply.raw.off("close", leave);
        line.waiting = line.waiting.filter((one) => one !== waiter);
      };
      const leave = () => {
        end();
        reject(refused());
      };
      const timer = setTimeout(leave, MAX_WAIT_MS);
      const waiter: Waiter = {
        isHeavy,
        start: () => {
          end();
          take(companyId, line, call);
          resolve();
        },
      };
      line.waiting.push(waiter);
      reply.raw.once("close", leave);
    });
  };
}
