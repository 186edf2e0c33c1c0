import type { StandIn } from "#test/providers/script.ts";

type Body = {
  system?: string;
  messages: { role: string; content: string }[];
  stream?: boolean;
  tools?: { name: string }[];
  tool_choice?: { type: string };
};
const event = (message: { type: string; [field: string]: unknown }) =>
  `event: ${message.type}\ndata: ${JSON.stringify(message)}\n\n`;
const REASONS = { stop: "end_turn", length: "max_tokens", refused: "refusal" };

export const anthropic: StandIn = {
  keyOf: (headers) => String(headers["x-api-key"] ?? ""),
  readChat(path, sent) {
    if (path !== "/messages") return null;
    const body = sent as Body;
    const hasSchema = body.tool_choice !== undefined;
    return {
      text: [body.system ?? "", ...body.messages.map(({ content }) => content)].join("\n"),
      hasSchema,
      tool: hasSchema ? null : (body.tools?.[0]?.name ?? null),
      isStream: body.stream === true,
    };
  },
  first: (hasUsage) => [
    event({
      type: "message_start",
      message: { role: "assistant", ...(hasUsage && { usage: { input_tokens: 40, output_tokens: 1 } }) },
    }),
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    event({ type: "ping" }),
  ],
  piece: (text, isSchema) =>
    event({
      type: "content_block_delta",
      index: 0,
      delta: isSchema ? { type: "input_json_delta", partial_json: text } : { type: "text_delta", text },
    }),
  tool: (name) => [
    event({ type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "t1", name, input: {} } }),
    event({ type: "content_block_stop", index: 1 }),
  ],
  toolInput: (input) => [
    event({ type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: input } }),
  ],
  failure: () => event({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
  last: (finish, usage, hasFinish) => [
    event({ type: "content_block_stop", index: 0 }),
    event({
      type: "message_delta",
      delta: hasFinish ? { stop_reason: REASONS[finish] } : {},
      ...(usage && { usage: { output_tokens: usage.output } }),
    }),
    ...(hasFinish ? [event({ type: "message_stop" })] : []),
  ],
  models: { path: "/models", reply: { data: [{ id: "stand-in-large" }, { id: "stand-in-small" }], has_more: false } },
  voice: null,
  embeddings: null,
};
