import { z } from "zod";
import {
  type Endpoint,
  join,
  type ModelEvent,
  type ModelRequest,
  type Protocol,
  tokenCount,
} from "#server/connectors/protocols/protocol.ts";

// Chat completions of OpenAI, which Azure, Mistral, vLLM, Ollama, LM Studio and others speak, too.

const chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            tool_calls: z.array(z.object({ function: z.object({ name: z.string().nullish() }).nullish() })).nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: tokenCount, completion_tokens: tokenCount }).nullish(),
  error: z.unknown().optional(),
});
const embeddings = z.object({
  data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.number()) })),
  usage: z.object({ prompt_tokens: tokenCount }).nullish(),
});
const transcription = z.object({
  text: z.string(),
  duration: z.number().nullish(),
  usage: z.object({ seconds: z.number().nullish() }).nullish(),
});
const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

const headersOf = ({ kind, key }: Endpoint): Record<string, string> => ({
  "content-type": "application/json",
  ...(key && (kind === "azure" ? { "api-key": key } : { authorization: `Bearer ${key}` })),
});

/** OpenAI rejects the older name for its newer models; other servers support only the older one. */
const limitField = ({ kind, baseUrl }: Endpoint) =>
  kind === "azure" || new URL(baseUrl).hostname === "api.openai.com" ? "max_completion_tokens" : "max_tokens";

function bodyOf(endpoint: Endpoint, { model, messages, maxOutputTokens, temperature, schema, tools }: ModelRequest) {
  return {
    model,
    messages: messages.some(({ role }) => role !== "system")
      ? messages
      : messages.map(({ content }) => ({ role: "user", content })),
    stream: true,
    stream_options: { include_usage: true },
    [limitField(endpoint)]: maxOutputTokens,
    ...(temperature !== undefined && { temperature }),
    ...(schema && {
      response_format: { type: "json_schema", json_schema: { name: "answer", schema, strict: isStrict(schema) } },
    }),
    ...(tools && { tools: tools.map((tool) => ({ type: "function", function: tool })) }),
  };
}

/** The strict mode accepts only schemas in which every field is required. */
function isStrict(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return true;
  if (Array.isArray(schema)) return schema.every(isStrict);
  const { properties, required = [] } = schema as { properties?: object; required?: string[] };
  if (properties && Object.keys(properties).some((name) => !required.includes(name))) return false;
  return Object.values(schema).every(isStrict);
}

const REASONS: Record<string, "stop" | "length" | "refused"> = { length: "length", content_filter: "refused" };

function read(message: unknown): ModelEvent[] {
  const parsed = chunk.safeParse(message);
  if (!parsed.success) return [{ type: "failure" }];
  if (parsed.data.error) return [{ type: "failure", text: JSON.stringify(parsed.data.error) }];
  const events: ModelEvent[] = [];
  const choice = parsed.data.choices?.[0];
  const text = choice?.delta?.content ?? choice?.delta?.refusal;
  if (text) events.push({ type: "text", text });
  for (const call of choice?.delta?.tool_calls ?? [])
    if (call.function?.name) events.push({ type: "tool", name: call.function.name });
  const { usage } = parsed.data;
  if (usage)
    events.push({
      type: "usage",
      inputTokens: usage.prompt_tokens ?? undefined,
      outputTokens: usage.completion_tokens ?? undefined,
    });
  if (choice?.finish_reason) events.push({ type: "finish", reason: REASONS[choice.finish_reason] ?? "stop" });
  return events;
}

export const openai: Protocol = {
  stream: (endpoint, request) => ({
    url: join(endpoint.baseUrl, "chat/completions"),
    method: "POST",
    headers: headersOf(endpoint),
    body: bodyOf(endpoint, request),
  }),
  read,
  embed: (endpoint, model, input) => ({
    url: join(endpoint.baseUrl, "embeddings"),
    method: "POST",
    headers: headersOf(endpoint),
    body: { model, input },
  }),
  readEmbeddings(reply) {
    const parsed = embeddings.safeParse(reply);
    if (!parsed.success) return null;
    const { data } = parsed.data;
    const rows = data.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
    // Some servers send no indices.
    if (data.some(({ index }) => index !== undefined) && rows.some(({ index }, at) => index !== at)) return null;
    return { vectors: rows.map(({ embedding }) => embedding), inputTokens: parsed.data.usage?.prompt_tokens ?? null };
  },
  transcribe: (endpoint, model, { bytes, type, extension, language }) => {
    const form = new FormData();
    form.append("file", new File([Buffer.from(bytes)], `speech.${extension}`, { type }));
    form.append("model", model);
    form.append("response_format", "json");
    if (language) form.append("language", language);
    const { "content-type": _, ...headers } = headersOf(endpoint);
    return { url: join(endpoint.baseUrl, "audio/transcriptions"), method: "POST", headers, form };
  },
  readTranscription(reply) {
    const parsed = transcription.safeParse(reply);
    if (!parsed.success) return null;
    const { text, duration, usage } = parsed.data;
    return { text, seconds: usage?.seconds ?? duration ?? null };
  },
  speak: (endpoint, { model, voice, speed, text }) => ({
    url: join(endpoint.baseUrl, "audio/speech"),
    method: "POST",
    headers: headersOf(endpoint),
    body: { model, voice, input: text, response_format: "mp3", ...(speed !== 1 && { speed }) },
  }),
  listModels: (endpoint) => ({ url: join(endpoint.baseUrl, "models"), method: "GET", headers: headersOf(endpoint) }),
  readModels: (reply) => modelList.safeParse(reply).data?.data.map(({ id }) => id) ?? null,
};
