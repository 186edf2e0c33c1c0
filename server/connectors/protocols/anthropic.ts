import { z } from "zod";
import {
  type Endpoint,
  join,
  type ModelEvent,
  type Protocol,
  tokenCount,
  splitSystem,
} from "#server/connectors/protocols/protocol.ts";

// Messages of Anthropic.

const API_VERSION = "2023-06-01";
/** The tool that the model must call for a structured answer. */
const ANSWER_TOOL = "answer";

const usage = z.object({ input_tokens: tokenCount, output_tokens: tokenCount });
const event = z.object({
  type: z.string(),
  message: z.object({ usage: usage.nullish() }).optional(),
  content_block: z.object({ type: z.string(), name: z.string().optional() }).optional(),
  delta: z
    .object({
      type: z.string().optional(),
      text: z.string().optional(),
      partial_json: z.string().optional(),
      stop_reason: z.string().nullish(),
    })
    .optional(),
  usage: usage.nullish(),
});
const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

const headersOf = ({ key }: Endpoint): Record<string, string> => ({
  "content-type": "application/json",
  "anthropic-version": API_VERSION,
  ...(key && { "x-api-key": key }),
});

const REASONS: Record<string, "stop" | "length" | "refused"> = { max_tokens: "length", refusal: "refused" };
const asUsage = (counted: z.infer<typeof usage>): ModelEvent => ({
  type: "usage",
  inputTokens: counted.input_tokens ?? undefined,
  outputTokens: counted.output_tokens ?? undefined,
});

function read(message: unknown): ModelEvent[] {
  const parsed = event.safeParse(message);
  if (!parsed.success) return [{ type: "failure" }];
  const { type, message: started, content_block: block, delta, usage: counted } = parsed.data;
  if (type === "error") return [{ type: "failure", text: JSON.stringify(message) }];
  // Its output count covers only the start.
  if (type === "message_start") return started?.usage ? [asUsage({ input_tokens: started.usage.input_tokens })] : [];
  if (type === "content_block_start")
    return block?.type === "tool_use" && block.name ? [{ type: "tool", name: block.name }] : [];
  if (type === "content_block_delta") {
    const isInput = delta?.type === "input_json_delta";
    const text = isInput ? delta?.partial_json : delta?.text;
    return text ? [{ type: "text", text, isInput }] : [];
  }
  if (type !== "message_delta") return [];
  const events: ModelEvent[] = counted ? [asUsage(counted)] : [];
  if (delta?.stop_reason) events.push({ type: "finish", reason: REASONS[delta.stop_reason] ?? "stop" });
  return events;
}

export const anthropic: Protocol = {
  stream(endpoint, { model, messages, maxOutputTokens, temperature, schema, tools = [] }) {
    const { system, turns } = splitSystem(messages);
    const offered = schema ? [{ name: ANSWER_TOOL, description: "Gives the answer", parameters: schema }] : tools;
    return {
      url: join(endpoint.baseUrl, "messages"),
      method: "POST",
      headers: headersOf(endpoint),
      body: {
        model,
        max_tokens: maxOutputTokens,
        messages: turns,
        stream: true,
        ...(system && { system }),
        ...(temperature !== undefined && { temperature: Math.min(1, temperature) }),
        ...(offered.length > 0 && {
          tools: offered.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
        }),
        ...(schema && { tool_choice: { type: "tool", name: ANSWER_TOOL } }),
      },
    };
  },
  read,
  embed: null,
  readEmbeddings: () => null,
  transcribe: null,
  readTranscription: () => null,
  speak: null,
  listModels: (endpoint) => ({
    url: join(endpoint.baseUrl, "models?limit=1000"),
    method: "GET",
    headers: headersOf(endpoint),
  }),
  readModels: (reply) => modelList.safeParse(reply).data?.data.map(({ id }) => id) ?? null,
};
