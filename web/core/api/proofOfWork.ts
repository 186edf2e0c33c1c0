import type { Challenge } from "#shared/auth/auth.ts";

/** Solves a proof-of-work challenge in a worker. Resolves with the solution, which the server accepts once. */
export async function solveChallenge(given: Challenge, signal?: AbortSignal): Promise<string> {
  const { algorithm, challenge, salt, signature, maxnumber } = given;
  const worker = new Worker(new URL("./proofOfWorkWorker.ts", import.meta.url), { type: "module" });
  try {
    const number = await new Promise<number | null>((resolve, reject) => {
      signal?.throwIfAborted();
      signal?.addEventListener("abort", () => reject(signal.reason as Error));
      worker.addEventListener("message", ({ data }: MessageEvent<number | null>) => resolve(data));
      worker.addEventListener("error", reject);
      worker.postMessage({ challenge, salt, maxnumber });
    });
    return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
  } finally {
    worker.terminate();
  }
}
