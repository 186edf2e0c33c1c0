/** What the server answers if it has too much to do, before anything has happened: any request may be repeated. */
export const OVERLOADED = "core.overloaded";
/** How often a refused request is repeated. */
const MAX_REPEATS = 2;
/** The longest pause that the server can ask for, in seconds. */
const MAX_PAUSE_SECONDS = 30;

/** Sends a request, and again after the pause that the server asks for if it has too much to do (`Retry-After`). */
export async function sendPatiently(
  send: () => Promise<Response>,
  signal: AbortSignal | null = null,
): Promise<Response> {
  for (let repeats = 0; ; repeats++) {
    const response = await send();
    if (response.status !== 503 || repeats === MAX_REPEATS || !(await isOverloaded(response))) return response;
    const seconds = Math.min(MAX_PAUSE_SECONDS, Number(response.headers.get("retry-after")) || 1);
    // Spread, so that browsers that were refused together do not come back together.
    await pause(seconds * 1000 * (1 + Math.random() / 2), signal);
  }
}

const isOverloaded = (response: Response) =>
  response
    .clone()
    .json()
    .then(
      ({ code }: { code?: unknown }) => code === OVERLOADED,
      () => false,
    );

const pause = (ms: number, signal: AbortSignal | null) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
