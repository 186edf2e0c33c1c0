import { z } from "zod";
import {
  type Endpoint,
  join,
  type ModelEvent,
  type Protocol,
  tokenCount,
  splitSystem,
} from "#server/connectors/protocols/protocol.ts";

// Gemini API of Google.

const chunk = z.object({
  candidates: z
    .array(
      z.object({
        content: z
          .object({
            parts: z
              .array(
                z.object({
                  text: z.string().optional(),
                  thought: z.boolean().optional(),
                  functionCall: z.object({ name: z.string() }).optional(),
                }),
              )
              .optional(),
          })
          .optional(),
        finishReason: z.string().optional(),
      }),
    )
    .optional(),
  promptFeedback: z.object({ blockReason: z.string().optional() }).optional(),
  usageMetadata: z
    .object({
      promptTokenCount: tokenCount,
      candidatesTokenCount: tokenCount,
      thoughtsTokenCount: tokenCount,
    })
    .optional(),
  error: z.unknown().optional(),
});
const embeddings = z.object({ embeddings: z.array(z.object({ values: z.array(z.number()) })) });
const modelList = z.object({ models: z.array(z.object({ name: z.string() })) });

const headersOf = ({ key }: Endpoint): Record<string, string> => ({
  "content-type": "application/json",
  ...(key && { "x-goog-api-key": key }),
});
const REASONS: Record<string, "stop" | "length"> = { STOP: "stop", MAX_TOKENS: "length" };

function read(message: unknown): ModelEvent[] {
  const parsed = chunk.safeParse(message);
  if (!parsed.success) return [{ type: "failure" }];
  if (parsed.data.error) return [{ type: "failure", text: JSON.stringify(parsed.data.error) }];
  const { candidates, promptFeedback, usageMetadata } = parsed.data;
  const events: ModelEvent[] = [];
  const candidate = candidates?.[0];
  for (const { text, thought, functionCall } of candidate?.content?.parts ?? []) {
    if (functionCall) events.push({ type: "tool", name: functionCall.name });
    if (text && !thought) events.push({ type: "text", text });
  }
  if (usageMetadata)
    events.push({
      type: "usage",
      inputTokens: usageMetadata.promptTokenCount,
      outputTokens:
        usageMetadata.candidatesTokenCount === undefined
          ? undefined
          : usageMetadata.candidatesTokenCount + (usageMetadata.thoughtsTokenCount ?? 0),
    });
  if (candidate?.finishReason)
    events.push({ type: "finish", reason: REASONS[candidate.finishReason] ?? ("refused" as const) });
  if (promptFeedback?.blockReason) events.push({ type: "finish", reason: "refused" });
  return events;
}

export const google: Protocol = {
  stream(endpoint, { model, messages, maxOutputTokens, temperature, schema, tools }) {
    const { system, turns } = splitSystem(messages);
    return {
      url: join(endpoint.baseUrl, `models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`),
      method: "POST",
      headers: headersOf(endpoint),
      body: {
        contents: turns.map(({ role, content }) => ({
          role: role === "assistant" ? "model" : "user",
          parts: [{ text: content }],
        })),
        ...(system && { systemInstruction: { parts: [{ text: system }] } }),
        generationConfig: {
          maxOutputTokens,
          ...(temperature !== undefined && { temperature }),
          ...(schema && { responseMimeType: "application/json", responseJsonSchema: schema }),
        },
        ...(tools && {
          tools: [
            {
              functionDeclarations: tools.map(({ name, description, parameters }) => ({
                name,
                description,
                parametersJsonSchema: parameters,
              })),
            },
          ],
        }),
      },
    };
  },
  read,
  embed: (endpoint, model, texts) => ({
    url: join(endpoint.baseUrl, `models/${encodeURIComponent(model)}:batchEmbedContents`),
    method: "POST",
    headers: headersOf(endpoint),
    body: { requests: texts.map((text) => ({ model: `models/${model}`, content: { parts: [{ text }] } })) },
  }),
  readEmbeddings(reply) {
    const parsed = embeddings.safeParse(reply);
    return parsed.success ? { vectors: parsed.data.embeddings.map(({ values }) => values), inputTokens: null } : null;
  },
  transcribe: null,
  readTranscription: () => null,
  speak: null,
  listModels: (endpoint) => ({
    url: join(endpoint.baseUrl, "models?pageSize=1000"),
    method: "GET",
    headers: headersOf(endpoint),
  }),
  readModels: (reply) =>
    modelList.safeParse(reply).data?.models.map(({ name }) => name.replace(/^models\//, "")) ?? null,
};
