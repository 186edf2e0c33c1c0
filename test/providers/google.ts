import { type StandIn, vectorOf } from "#test/providers/script.ts";

type Content = { role?: string; parts: { text: string }[] };
type Body = {
  contents: Content[];
  systemInstruction?: Content;
  generationConfig?: { responseJsonSchema?: unknown };
  tools?: { functionDeclarations: { name: string }[] }[];
  requests?: { content: Content }[];
};
const data = (message: unknown) => `data: ${JSON.stringify(message)}\n\n`;
const part = (content: object) => data({ candidates: [{ content: { role: "model", parts: [content] } }] });
const REASONS = { stop: "STOP", length: "MAX_TOKENS", refused: "SAFETY" };
const textOf = ({ parts }: Content) => parts.map(({ text }) => text).join("\n");

export const google: StandIn = {
  keyOf: (headers) => String(headers["x-goog-api-key"] ?? ""),
  readChat(path, sent) {
    if (!/^\/models\/[^/]+:streamGenerateContent\?alt=sse$/.test(path)) return null;
    const body = sent as Body;
    return {
      text: [...(body.systemInstruction ? [body.systemInstruction] : []), ...body.contents].map(textOf).join("\n"),
      hasSchema: body.generationConfig?.responseJsonSchema !== undefined,
      tool: body.tools?.[0]?.functionDeclarations[0]?.name ?? null,
      isStream: true,
    };
  },
  first: () => [],
  piece: (text) => part({ text }),
  tool: (name) => [part({ functionCall: { name, args: { zone: "Europe/Paris" } } })],
  failure: () => data({ error: { code: 503, message: "The model is overloaded", status: "UNAVAILABLE" } }),
  last: (finish, usage, hasFinish) => [
    data({
      candidates: [{ content: { role: "model", parts: [] }, ...(hasFinish && { finishReason: REASONS[finish] }) }],
      ...(usage && { usageMetadata: { promptTokenCount: usage.input, candidatesTokenCount: usage.output } }),
    }),
  ],
  models: {
    path: "/models?pageSize=1000",
    reply: { models: [{ name: "models/stand-in-large" }, { name: "models/stand-in-small" }] },
  },
  voice: null,
  embeddings: {
    path: /^\/models\/[^/]+:batchEmbedContents$/,
    reply: (body, size) => ({
      embeddings: ((body as Body).requests ?? []).map(({ content }) => ({ values: vectorOf(textOf(content), size) })),
    }),
  },
};
