import { type StandIn, TOKENS, vectorOf } from "#test/providers/script.ts";

type Body = {
  messages: { role: string; content: string }[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  response_format?: unknown;
  tools?: { function: { name: string } }[];
  input?: string[];
};
const data = (message: unknown) => `data: ${JSON.stringify(message)}\n\n`;
const chunk = (delta: object, finish: string | null = null) =>
  data({ id: "c1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] });
const REASONS = { stop: "stop", length: "length", refused: "content_filter" };

export const openai: StandIn = {
  keyOf: (headers) => String(headers["api-key"] ?? headers["authorization"] ?? "").replace(/^Bearer /, ""),
  readChat(path, sent) {
    if (path !== "/chat/completions") return null;
    const body = sent as Body;
    return {
      text: body.messages.map(({ content }) => content).join("\n"),
      hasSchema: body.response_format !== undefined,
      tool: body.tools?.[0]?.function.name ?? null,
      isStream: body.stream === true && body.stream_options?.include_usage === true,
    };
  },
  first: () => [chunk({ role: "assistant", content: "" })],
  piece: (text) => chunk({ content: text }),
  tool: (name) => [
    chunk({ tool_calls: [{ index: 0, id: "t1", type: "function", function: { name, arguments: "" } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"zone":"Europe/Paris"}' } }] }),
  ],
  failure: () => data({ error: { message: "The server had an error", type: "server_error" } }),
  last: (finish, usage, hasFinish) => [
    ...(hasFinish ? [chunk({}, REASONS[finish])] : []),
    ...(usage ? [data({ choices: [], usage: { prompt_tokens: usage.input, completion_tokens: usage.output } })] : []),
    ...(hasFinish ? ["data: [DONE]\n\n"] : []),
  ],
  models: { path: "/models", reply: { object: "list", data: [{ id: "stand-in-large" }, { id: "stand-in-small" }] } },
  voice: { transcription: "/audio/transcriptions", speech: "/audio/speech" },
  embeddings: {
    path: /^\/embeddings$/,
    reply: (body, size) => ({
      data: ((body as Body).input ?? [])
        .map((text, index) => ({ index, embedding: vectorOf(text, size) }))
        // Not in order: clients go by `index`.
        .toReversed(),
      usage: { prompt_tokens: TOKENS.input },
    }),
  },
};
