import { useCallback, useEffect, useRef } from "react";
import { call } from "#web/core/api/api.ts";
import { eventRegistrations } from "#shared/eventRegistrations.ts";

/** Solves the challenge of the event while the form is filled in. The returned function resolves with the solution, which is valid for one attempt. */
export function useProofOfWork(slug: string, code: string, isRequired: boolean) {
  const solution = useRef<Promise<string> | null>(null);
  const worker = useRef<Worker | null>(null);

  const start = useCallback(() => {
    worker.current?.terminate();
    const current = (worker.current = new Worker(new URL("./proofOfWorkWorker.ts", import.meta.url), {
      type: "module",
    }));
    solution.current = (async () => {
      const { algorithm, challenge, salt, signature, maxnumber } = await call(eventRegistrations.challenge, {
        params: { slug },
        query: { ...(code && { code }) },
      });
      const number = await new Promise<number | null>((resolve, reject) => {
        current.onmessage = ({ data }: MessageEvent<number | null>) => resolve(data);
        current.onerror = reject;
        current.postMessage({ challenge, salt, maxnumber });
      });
      return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
    })();
    solution.current.catch(() => {
      solution.current = null;
    });
    return solution.current;
  }, [slug, code]);

  useEffect(() => {
    if (isRequired) void start().catch(() => {});
    return () => worker.current?.terminate();
  }, [isRequired, start]);

  const takeSolution = useCallback(async () => {
    if (!isRequired) return undefined;
    const solved = await (solution.current ?? start());
    solution.current = null;
    return solved;
  }, [isRequired, start]);
  return takeSolution;
}
