import { i18n } from "#web/core/i18n.ts";
import { ApiError, sendRequest } from "#web/core/api/http.ts";
import { usableToken } from "#web/core/session/token.ts";
import { auth, EXTERNAL_CHANNEL, type ExternalResult, externalResult, type ExternalStart } from "#shared/auth.ts";

const FEATURES = "popup,width=500,height=720";
/** The window closes itself right after it told the end: a moment passes between the two. */
const GRACE_MS = 1200;
const WATCH_MS = 300;

/** What is waited for at the moment: a second attempt takes the window over, and the first one is forgotten. */
let current: AbortController | null = null;

const cancelled = () => new ApiError(0, { code: "auth.cancelled", error: i18n.t("auth.external.cancelled") });

/**
 * Signs in, registers or links in a window of its own. Must be called by a click, since browsers block windows that come
 * later. Resolves with what happened; rejects with an `ApiError` whose message is the one to show. `onLate` hears of a
 * sign-in that succeeded after the window seemed to be gone: some providers cut it off from the page that opened it.
 */
export async function inWindow(
  input: Partial<ExternalStart> & Pick<ExternalStart, "provider">,
  onLate: () => void,
): Promise<NonNullable<ExternalResult["outcome"]>> {
  current?.abort();
  const mine = new AbortController();
  current = mine;
  const opened = window.open("", "lyceum-sign-in", FEATURES);
  if (!opened || opened.closed)
    throw new ApiError(0, { code: "auth.popupBlocked", error: i18n.t("auth.external.blocked") });
  const token = input.purpose === "link" || input.purpose === "reauth" ? await usableToken() : null;
  try {
    const { address, flow } = await sendRequest(
      auth.external,
      { body: { purpose: "signIn", ...input } },
      token ? { token } : {},
    );
    const end = heard(flow, mine.signal, onLate, opened);
    opened.location.replace(address);
    return await end;
  } catch (error) {
    if (current === mine) opened.close();
    throw error;
  }
}

function heard(flow: string, signal: AbortSignal, onLate: () => void, opened: Window) {
  const channel = new BroadcastChannel(EXTERNAL_CHANNEL);
  return new Promise<NonNullable<ExternalResult["outcome"]>>((resolve, reject) => {
    let over = false;
    const watch = setInterval(() => {
      if (!opened.closed) return;
      clearInterval(watch);
      setTimeout(() => {
        over = true;
        reject(cancelled());
      }, GRACE_MS);
    }, WATCH_MS);
    signal.addEventListener("abort", () => {
      clearInterval(watch);
      channel.close();
      reject(cancelled());
    });
    channel.addEventListener("message", ({ data }) => {
      const told = externalResult.safeParse(data);
      if (!told.success || told.data.flow !== flow) return;
      clearInterval(watch);
      channel.close();
      const { outcome, problem } = told.data;
      if (outcome && over) return onLate();
      if (outcome) resolve(outcome);
      else
        reject(
          new ApiError(403, {
            code: problem?.code ?? "auth.googleFailed",
            error: problem?.error ?? i18n.t("auth.external.failed"),
            ...(problem?.details && { details: problem.details }),
          }),
        );
    });
  });
}
