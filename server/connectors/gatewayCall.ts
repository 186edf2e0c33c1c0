import type { Services } from "#server/core/services.ts";
import type { ConnectorErrorCode, Purpose } from "#shared/connectors/connectors.ts";

/** What a call of a model needs from the server. The context of a request qualifies. */
export type GatewayContext = Services;

/** A piece of a document that retrieval has found for a question. */
export type Passage = {
  id: string;
  documentId: string;
  title: string;
  /** Headings above the passage, joined. */
  heading: string | null;
  /** From 1; null if the document has no pages. */
  page: number | null;
  text: string;
  /** Score of the retrieval: higher is better; comparable only within one search. */
  score: number;
  /** The sentences that the built-in connector quotes, the best one first, as offsets in `text`. */
  quotes: { start: number; end: number }[];
};

export type ModelMessage = { role: "system" | "user" | "assistant"; content: string };

export type GatewayCall = {
  purpose: Purpose;
  /** By default the default connector of the academy, or the built-in one if there is none. */
  connectorId?: string | null;
  /** By default the first chat model of the connector. */
  model?: string | null;
  /** The company to which the call is charged; null for the academy. */
  companyId: string | null;
  userId?: string | null;
  /** The author of the messages, if it is not the caller: their own name is masked as that of the writer. */
  speakerId?: string | null;
  visitorId?: string | null;
  chatbotId?: string | null;
  /** Placeholders for masked names are the same throughout a conversation. */
  conversationId?: string | null;
  promptVersionId?: string | null;
  messages: ModelMessage[];
  /**
   * Retrieved passages, for the built-in connector, which quotes them, and for the usage log. Language models read only
   * `messages`: the caller must include the passages there, too.
   */
  passages?: Passage[];
  /** Maximum length of the answer; 1024 by default. */
  maxOutputTokens?: number;
  /** 0 to 2; by default that of the provider. */
  temperature?: number;
  /** Also cancels the call at the provider; the stream then ends as `stopped`. */
  signal?: AbortSignal;
};

/** Tokens and money of one call. */
export type CallUsage = {
  inputTokens: number;
  outputTokens: number;
  /** True if the provider reported no tokens, so that they are estimated from the text. */
  isEstimated: boolean;
  /** Millionths of the academy's currency; null if the model has no price, 0 for the built-in connector. */
  costMicros: number | null;
  /** Time to the first text and to the end, in ms. */
  firstTokenMs: number | null;
  totalMs: number;
};

/**
 * Why an answer ended: complete; cut off at `maxOutputTokens`; stopped by the caller; refused by the provider, or by
 * the built-in connector because no passage fits; or the connection broke after the first text.
 */
export type EndReason = "stop" | "length" | "stopped" | "refused" | "cut";

/**
 * A stream has at most one `start`, before the first text, and ends with exactly one `end` or `error`. `quote` follows
 * the quoting text: characters `start` to `end` of the passage.
 */
export type GatewayEvent =
  | { type: "start"; connector: { id: string; name: string; isBuiltin: boolean }; model: string; usageId: string }
  | { type: "text"; text: string }
  | { type: "quote"; passageId: string; start: number; end: number }
  | { type: "end"; reason: EndReason; usage: CallUsage; usageId: string }
  /** `text`: the text of the admin for a budget that is used up. */
  | { type: "error"; code: ConnectorErrorCode; retryable: boolean; text?: string; costMicros?: number };

export type Quote = { passageId: string; start: number; end: number };

/** A complete answer. */
export type Completion = {
  text: string;
  quotes: Quote[];
  reason: EndReason;
  connector: { id: string; name: string; isBuiltin: boolean };
  model: string;
  usage: CallUsage;
  usageId: string;
};

/** A failed call. Never contains the provider's message, which may repeat the key. */
export class GatewayError extends Error {
  code: ConnectorErrorCode;
  retryable: boolean;
  /** The text of the admin for a budget that is used up. */
  text: string | undefined;
  /** How long the provider asks to wait, in ms. */
  retryAfterMs: number | undefined;
  /** What the failed calls have cost, in millionths. */
  costMicros = 0;
  constructor(code: ConnectorErrorCode, text?: string, retryAfterMs?: number) {
    super(code);
    this.code = code;
    this.retryable = RETRYABLE.has(code);
    this.text = text;
    this.retryAfterMs = retryAfterMs;
  }
}
const RETRYABLE = new Set<ConnectorErrorCode>(["busy", "provider_down", "timeout", "truncated", "bad_reply", "empty"]);
