import { GatewayError } from "#server/connectors/gatewayCall.ts";
import type { ConnectorErrorCode } from "#shared/connectors/connectors.ts";

// What the refusal of a provider means: its status, its headers, and words of its text, which are never passed on.

const MAX_ERROR_CHARS = 20_000;
/** The longest and the shortest time for which a provider may ask us to wait, in ms. */
const MAX_WAIT_MS = 10 * 60_000;
const MIN_WAIT_MS = 1000;

const anyOf = (...texts: string[]) => new RegExp(texts.join("|"), "i");
/** Codes and texts of OpenAI, Anthropic, Google, Mistral and gateways for an account without credit. */
const NO_CREDIT = anyOf(
  "insufficient_quota",
  "billing_hard_limit",
  "billing_not_active",
  "credit balance is too low",
  "insufficient (?:credits?|balance|funds)",
  "exceeded your current quota",
);
/** And for more text than a model can read. */
const TOO_LONG = anyOf(
  "context_length_exceeded",
  "maximum context length",
  "context window",
  "prompt is too long",
  "input (?:token count )?(?:is too long|exceeds)",
  "exceeds the (?:maximum number of tokens|limit of \\d+ tokens)",
  "request_too_large",
  "string_above_max_length",
);

/** The error for a reply whose status is not 2xx. */
export async function refusalOf(reply: Response): Promise<GatewayError> {
  const text = (await reply.text().catch(() => "")).slice(0, MAX_ERROR_CHARS);
  const code = codeOf(reply.status, text);
  return new GatewayError(code, undefined, code === "busy" ? waitOf(reply, text) : undefined);
}

/** The error for a failure that a provider reports within its stream. */
export function failureOf(text: string) {
  if (NO_CREDIT.test(text)) return new GatewayError("no_credit");
  if (TOO_LONG.test(text)) return new GatewayError("too_long");
  return new GatewayError(/rate_limit|RESOURCE_EXHAUSTED/i.test(text) ? "busy" : "provider_down");
}

function codeOf(status: number, text: string): ConnectorErrorCode {
  const isGoogle = text.includes("type.googleapis.com");
  // Google uses the words of a missing credit for every limit; it names the time to wait.
  if (status === 402 || (status >= 400 && status < 500 && !isGoogle && NO_CREDIT.test(text))) return "no_credit";
  if (status === 413 || (status === 400 && TOO_LONG.test(text))) return "too_long";
  // Google answers 400 for a wrong key.
  if (status === 401 || status === 403 || (status === 400 && text.includes("API_KEY_INVALID"))) return "bad_key";
  if (status === 404) return "not_found_model";
  if (status === 408 || status === 504) return "timeout";
  if (status === 429 || status === 529) return "busy";
  if (status >= 500) return "provider_down";
  return status < 400 ? "bad_reply" : "bad_request";
}

/** The time to wait in ms: `retry-after` in seconds or as a date (RFC 9110, 10.2.3), or Google's `RetryInfo`. */
function waitOf(reply: Response, text: string): number | undefined {
  const header = reply.headers.get("retry-after")?.trim() ?? "";
  const seconds = /^\d+(?:\.\d+)?$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  const named = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(text)?.[1];
  const wait = Number.isFinite(seconds) ? seconds : Number(named ?? Number.NaN);
  return Number.isFinite(wait) ? Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, wait * 1000)) : undefined;
}
