// The document of the editor as JSON: nodes of its schema, with the text of lessons in structured children. Their
// content is loose (any number of texts, choices, items), because two authors may each delete one of two: what is
// merged is never invalid, and nothing of it is dropped.

export type MarkJson = { type: string; attrs?: Record<string, unknown> };
export type NodeJson = {
  type: string;
  attrs?: Record<string, unknown>;
  content?: NodeJson[];
  text?: string;
  marks?: MarkJson[];
};

/** Nodes whose `id` names a block. */
export const BLOCK_NODES = [
  "heading",
  "paragraph",
  "list",
  "quote",
  "codeBlock",
  "table",
  "callout",
  "divider",
  "image",
  "video",
  "audio",
  "file",
  "accordion",
  "tabs",
  "process",
  "flashcards",
  "checklist",
  "button",
  "question",
  "reflection",
  "rating",
  "slider",
  "chatbot",
  "prompt",
  "confirmation",
  "scenario",
] as const;
export type BlockNode = (typeof BLOCK_NODES)[number];

/** Attributes with ids by node; a copied node gets new ones. */
export const ID_ATTRIBUTES: Record<string, readonly string[]> = {
  ...Object.fromEntries(BLOCK_NODES.map((name) => [name, ["id"]])),
  ...Object.fromEntries(
    ["heading", "paragraph", "reflection", "rating", "slider", "chatbot", "prompt"].map((name) => [
      name,
      ["id", "textId"],
    ]),
  ),
  richText: ["id"],
  feedback: ["id"],
  listItem: ["id", "textId"],
  item: ["id", "textId"],
  titledItem: ["id"],
  card: ["id"],
  choice: ["id"],
  step: ["id"],
  option: ["id"],
  pair: ["id", "rightId"],
  gap: ["id"],
};

const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
/** A new id of a block, text or choice: 72 bits of chance. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(14));
  return [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

/** The nodes with new ids throughout, for a copy of a lesson. */
export const withNewIds = (node: NodeJson): NodeJson => ({
  ...node,
  ...(node.attrs && {
    attrs: {
      ...node.attrs,
      ...Object.fromEntries((ID_ATTRIBUTES[node.type] ?? []).map((name) => [name, newId()])),
    },
  }),
  ...(node.content && { content: node.content.map(withNewIds) }),
});
