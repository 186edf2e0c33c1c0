import { useCallback, useEffect, useRef } from "react";
import { call } from "#web/core/api/api.ts";
import { eventRegistrations } from "#shared/eventRegistrations.ts";

/** Works on the event's challenge while the form is filled in. `take()` gives the solution; each one is good for one try. */
export function useProofOfWork(slug: string, code: string, wanted: boolean) {
  const running = useRef<Promise<string> | null>(null);
  const worker = useRef<Worker | null>(null);

  const begin = useCallback(() => {
    worker.current?.terminate();
    const one = (worker.current = new Worker(new URL("./proofOfWorkWorker.ts", import.meta.url), { type: "module" }));
    running.current = (async () => {
      const { algorithm, challenge, salt, signature, maxnumber } = await call(eventRegistrations.challenge, {
        params: { slug },
        query: { ...(code && { code }) },
      });
      const number = await new Promise<number | null>((resolve, reject) => {
        one.onmessage = ({ data }: MessageEvent<number | null>) => resolve(data);
        one.onerror = reject;
        one.postMessage({ challenge, salt, maxnumber });
      });
      return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
    })();
    running.current.catch(() => {
      running.current = null;
    });
    return running.current;
  }, [slug, code]);

  useEffect(() => {
    if (wanted) void begin().catch(() => {});
    return () => worker.current?.terminate();
  }, [wanted, begin]);

  const take = useCallback(async () => {
    if (!wanted) return undefined;
    const proof = await (running.current ?? begin());
    running.current = null;
    return proof;
  }, [wanted, begin]);
  return take;
}
