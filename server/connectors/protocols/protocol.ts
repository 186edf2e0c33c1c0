import { z } from "zod";
import type { ModelMessage } from "#server/connectors/gatewayCall.ts";
import type { ConnectorKind } from "#shared/connectors/connectors.ts";

/** Address and key for calling a model. */
export type Endpoint = { kind: ConnectorKind; baseUrl: string; key: string | null };

/** A tool that a model may call; `parameters` is a JSON schema. */
export type Tool = { name: string; description: string; parameters: object };
export type ModelRequest = {
  model: string;
  messages: ModelMessage[];
  maxOutputTokens: number;
  temperature?: number | undefined;
  /** JSON schema of the answer; the answer is then JSON. */
  schema?: object | undefined;
  tools?: Tool[] | undefined;
};

/** A reported number of tokens; what is no number counts as not reported. */
export const tokenCount = z.number().optional().catch(undefined);

/** An event of a stream in any protocol. `finish` comes once; without it the answer is incomplete. */
export type ModelEvent =
  /** `isInput`: the input of a tool, which is the answer if a schema was asked for. */
  | { type: "text"; text: string; isInput?: boolean }
  | { type: "tool"; name: string }
  | { type: "usage"; inputTokens?: number | undefined; outputTokens?: number | undefined }
  | { type: "finish"; reason: "stop" | "length" | "refused" }
  /** The provider failed after it had started to answer. `text`: what it says about that, which is never passed on. */
  | { type: "failure"; text?: string };

/** `body` is sent as JSON, `form` as multipart/form-data. */
export type HttpRequest = {
  url: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: unknown;
  form?: FormData;
};

/** A recording in one of the formats that are accepted (`audioFormat.ts`). `language`: ISO 639-1. */
export type Recording = { bytes: Uint8Array; type: string; extension: string; language: string | null };
export type SpeechRequest = { model: string; voice: string; speed: number; text: string };

/**
 * One protocol: its requests, and how it reads one message (parsed JSON) of a stream. Unknown fields and messages are
 * skipped.
 */
export type Protocol = {
  stream(endpoint: Endpoint, request: ModelRequest): HttpRequest;
  read(message: unknown): ModelEvent[];
  /** Null if the protocol has no embeddings. */
  embed: ((endpoint: Endpoint, model: string, texts: string[]) => HttpRequest) | null;
  /** The vectors of a reply in order of the texts, and the tokens if they are reported; null if it is not one. */
  readEmbeddings(reply: unknown): { vectors: number[][]; inputTokens: number | null } | null;
  /** Null if the protocol has no transcription. */
  transcribe: ((endpoint: Endpoint, model: string, recording: Recording) => HttpRequest) | null;
  /** The text of a reply, and the seconds of audio if they are reported; null if it is not one. */
  readTranscription(reply: unknown): { text: string; seconds: number | null } | null;
  /** Null if the protocol has no speech. The reply is streamed audio (MP3). */
  speak: ((endpoint: Endpoint, request: SpeechRequest) => HttpRequest) | null;
  listModels(endpoint: Endpoint): HttpRequest;
  readModels(reply: unknown): string[] | null;
};

export const join = (baseUrl: string, path: string) => `${baseUrl.replace(/\/+$/, "")}/${path}`;

/** Separates the instructions from the turns, which providers require to alternate and to start with the person. */
export function splitSystem(messages: ModelMessage[]) {
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => content);
  const turns: ModelMessage[] = [];
  for (const { role, content } of messages) {
    if (role === "system") continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content += `\n\n${content}`;
    else turns.push({ role, content });
  }
  if (turns.length === 0) return { system: "", turns: [{ role: "user" as const, content: system.join("\n\n") }] };
  if (turns[0]?.role === "assistant") turns.unshift({ role: "user", content: "…" });
  return { system: system.join("\n\n"), turns };
}
