import { i18n } from "#web/core/i18n.ts";
import { ApiError, sendRequest } from "#web/core/http/http.ts";
import { usableToken } from "#web/core/session/token.ts";
import { isObject, isOneOf, isText, orAbsent, readShape } from "#web/core/shape.ts";
import {
  auth,
  EXTERNAL_CHANNEL,
  EXTERNAL_OUTCOMES,
  type ExternalResult,
  type ExternalStart,
} from "#shared/auth/auth.ts";

const FEATURES = "popup,width=500,height=720";
/**
 * The popup closes itself right after it reports its result, so a closed popup is a cancellation only after this delay.
 */
const GRACE_MS = 1200;
const POLL_MS = 300;

/** The attempt in progress. A second attempt reuses the popup and aborts the first one. */
let activeAttempt: AbortController | null = null;

const cancelled = () => new ApiError(0, { code: "auth.cancelled", error: i18n.t("auth.external.cancelled") });

/**
 * Signs in, registers or links in a popup. Must be called in a click handler, because browsers block other popups.
 * Resolves with the outcome; rejects with an `ApiError` whose message can be shown. `onLateSuccess` is called if a
 * sign-in succeeds after the popup seemed closed: some providers separate it from its opener
 * (Cross-Origin-Opener-Policy).
 */
export async function openSignInWindow(
  input: Partial<ExternalStart> & Pick<ExternalStart, "provider">,
  onLateSuccess: () => void,
): Promise<NonNullable<ExternalResult["outcome"]>> {
  activeAttempt?.abort();
  const attempt = new AbortController();
  activeAttempt = attempt;
  const popup = window.open("", "lyceum-sign-in", FEATURES);
  if (!popup || popup.closed)
    throw new ApiError(0, { code: "auth.popupBlocked", error: i18n.t("auth.external.blocked") });
  const token = input.purpose === "link" || input.purpose === "reauth" ? await usableToken() : null;
  try {
    const { address, flow } = await sendRequest(
      auth.external,
      { body: { purpose: "signIn", ...input } },
      token ? { token } : {},
    );
    const outcome = waitForResult(flow, attempt.signal, onLateSuccess, popup);
    popup.location.replace(address);
    return await outcome;
  } catch (error) {
    if (activeAttempt === attempt) popup.close();
    throw error;
  }
}

const readResult = (data: unknown) =>
  readShape<ExternalResult>(data, {
    flow: isText,
    outcome: orAbsent((value) => isOneOf(EXTERNAL_OUTCOMES, value)),
    problem: orAbsent(isProblem),
  });
const isProblem = (value: unknown) =>
  readShape<NonNullable<ExternalResult["problem"]>>(value, {
    error: isText,
    code: isText,
    details: orAbsent(isObject),
  }) !== null;

function waitForResult(flow: string, signal: AbortSignal, onLateSuccess: () => void, popup: Window) {
  const channel = new BroadcastChannel(EXTERNAL_CHANNEL);
  return new Promise<NonNullable<ExternalResult["outcome"]>>((resolve, reject) => {
    let timedOut = false;
    const watch = setInterval(() => {
      if (!popup.closed) return;
      clearInterval(watch);
      setTimeout(() => {
        timedOut = true;
        reject(cancelled());
      }, GRACE_MS);
    }, POLL_MS);
    signal.addEventListener("abort", () => {
      clearInterval(watch);
      channel.close();
      reject(cancelled());
    });
    channel.addEventListener("message", ({ data }) => {
      const result = readResult(data);
      if (result?.flow !== flow) return;
      clearInterval(watch);
      channel.close();
      const { outcome, problem } = result;
      if (outcome && timedOut) onLateSuccess();
      else if (outcome) resolve(outcome);
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
