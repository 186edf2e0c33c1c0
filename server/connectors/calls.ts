import type { Services } from "#server/core/services.ts";
import type { ConnectorErrorCode, Purpose } from "#shared/connectors/connectors.ts";

/** What a call of a model needs of the server. The context of a request fits. */
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
  /** Of retrieval: higher is better; only comparable within one search. */
  score: number;
};

export type ModelMessage = { role: "system" | "user" | "assistant"; content: string };

export type GatewayCall = {
  purpose: Purpose;
  /** Without one, the default connector of the academy answers, or the built-in one if there is none. */
  connectorId?: string | null;
  /** Without one, the first chat model of the connector. */
  model?: string | null;
  /** The company that the call counts for; null for the academy. */
  companyId: string | null;
  userId?: string | null;
  /**
   * Who writes the messages, if somebody else has asked for the call: it is their name that is masked as the writer's.
   */
  speakerId?: string | null;
  visitorId?: string | null;
  chatbotId?: string | null;
  /** Placeholders for names stay the same within it, where its company masks them. */
  conversationId?: string | null;
  promptVersionId?: string | null;
  messages: ModelMessage[];
  /**
   * What retrieval found, for the built-in connector, which quotes from it, and for the usage log. Language models read
   * what is in `messages`: the caller puts passages there, too.
   */
  passages?: Passage[];
  /** Largest answer; 1024 if not given. */
  maxOutputTokens?: number;
  /** 0 to 2; the provider's default if not given. */
  temperature?: number;
  /** Ends the call at the provider, too; the stream then ends as `stopped`. */
  signal?: AbortSignal;
};

/** Tokens and money of one call. */
export type CallUsage = {
  inputTokens: number;
  outputTokens: number;
  /** True if the provider did not report tokens and they are estimated from the text. */
  isEstimated: boolean;
  /** Millionths of the academy's currency; null if the model has no price, 0 for the built-in connector. */
  costMicros: number | null;
  /** Until the first text, and until the end; ms. */
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
 * the text that quotes: characters `start` to `end` of the passage.
 */
export type GatewayEvent =
  | { type: "start"; connector: { id: string; name: string; isBuiltin: boolean }; model: string; usageId: string }
  | { type: "text"; text: string }
  | { type: "quote"; passageId: string; start: number; end: number }
  | { type: "end"; reason: EndReason; usage: CallUsage; usageId: string }
  /** `text`: what the admin wrote for people when a budget is used up. */
  | { type: "error"; code: ConnectorErrorCode; retryable: boolean; text?: string };

export type Quote = { passageId: string; start: number; end: number };

/** A whole answer. */
export type Completion = {
  text: string;
  quotes: Quote[];
  reason: EndReason;
  connector: { id: string; name: string; isBuiltin: boolean };
  model: string;
  usage: CallUsage;
  usageId: string;
};

/** A call that failed. Never holds what the provider said: that may repeat the key. */
export class GatewayError extends Error {
  code: ConnectorErrorCode;
  retryable: boolean;
  /** What people read when a budget is used up. */
  text: string | undefined;
  constructor(code: ConnectorErrorCode, text?: string) {
    super(code);
    this.code = code;
    this.retryable = RETRYABLE.has(code);
    this.text = text;
  }
}
const RETRYABLE = new Set<ConnectorErrorCode>(["busy", "provider_down", "timeout", "truncated", "bad_reply"]);
