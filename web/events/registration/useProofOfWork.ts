import { useCallback, useEffect, useRef } from "react";
import { call } from "#web/core/api/api.ts";
import { solveChallenge } from "#web/core/api/proofOfWork.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";

/**
 * Solves the challenge of the event while the form is filled in. The returned function resolves with the solution,
 * which is valid for one attempt.
 */
export function useProofOfWork(slug: string, code: string, isRequired: boolean) {
  const solution = useRef<Promise<string> | null>(null);
  const running = useRef<AbortController | null>(null);

  const start = useCallback(() => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    solution.current = (async () => {
      const challenge = await call(eventRegistrations.challenge, {
        params: { slug },
        query: { ...(code && { code }) },
      });
      return solveChallenge(challenge, signal);
    })();
    solution.current.catch(() => {
      solution.current = null;
    });
    return solution.current;
  }, [slug, code]);

  useEffect(() => {
    if (isRequired) void start().catch(() => {});
    return () => running.current?.abort();
  }, [isRequired, start]);

  const takeSolution = useCallback(async () => {
    if (!isRequired) return undefined;
    const solved = await (solution.current ?? start());
    solution.current = null;
    return solved;
  }, [isRequired, start]);
  return takeSolution;
}
