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

/** The names of the attributes of a node that are ids, also of a node that no editor writes. */
export const idNames = (type: string): readonly string[] =>
  Object.hasOwn(ID_ATTRIBUTES, type) ? ID_ATTRIBUTES[type]! : [];

/** All ids in a node and its children. */
export function idsIn({ type, attrs, content = [] }: NodeJson): string[] {
  const own = idNames(type).flatMap((name) => (typeof attrs?.[name] === "string" ? [attrs[name]] : []));
  return [...own, ...content.flatMap(idsIn)];
}

/**
 * The nodes with other ids, and with conditions that name those. `next` returns the id in place of an attribute's
 * value, or null to keep it; conditions follow the first node with an id.
 */
export function withOtherIds(nodes: NodeJson[], next: (id: unknown, name: string) => string | null): NodeJson[] {
  const ids = new Map<string, string>();
  const rename = (node: NodeJson): NodeJson => {
    const attrs = { ...node.attrs };
    for (const name of idNames(node.type)) {
      const id = attrs[name];
      const other = next(id, name);
      if (typeof id === "string" && !ids.has(id)) ids.set(id, other ?? id);
      if (other !== null) attrs[name] = other;
    }
    return { ...node, ...(node.attrs && { attrs }), ...(node.content && { content: node.content.map(rename) }) };
  };
  const follow = (node: NodeJson): NodeJson => ({
    ...node,
    ...(node.attrs?.["showWhen"] !== undefined && {
      attrs: { ...node.attrs, showWhen: withTests(node.attrs["showWhen"], ids) },
    }),
    ...(node.content && { content: node.content.map(follow) }),
  });
  return nodes.map(rename).map(follow);
}

/** A condition whose tests of answers name other blocks and choices. */
function withTests(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => withTests(one, ids));
  if (typeof value !== "object" || value === null) return value;
  const object = value as Record<string, unknown>;
  if (object["kind"] !== "answer")
    return "tests" in object ? { ...object, tests: withTests(object["tests"], ids) } : object;
  const { block, choice } = object;
  return {
    ...object,
    ...(typeof block === "string" && { block: ids.get(block) ?? block }),
    ...(typeof choice === "string" && { choice: ids.get(choice) ?? choice }),
  };
}

/** The node with new ids throughout, for a copy of a lesson. */
export const withNewIds = (node: NodeJson): NodeJson => withOtherIds([node], newId)[0]!;

/**
 * The nodes with ids that are not in `taken`, to which they are added. New ids are those that were published before ids
 * became part of the draft; none is in `others`.
 */
export const withOwnNodeIds = (nodes: NodeJson[], taken: Set<string>, others: ReadonlySet<string>): NodeJson[] =>
  withOtherIds(nodes, (id, name) => {
    // The right side of a pair is only named in its own question.
    if (typeof id !== "string" || name === "rightId") return null;
    let own = id;
    for (let n = 2; taken.has(own) || (own !== id && others.has(own)); n++) own = `${id.slice(0, 58)}-${n}`;
    taken.add(own);
    return own === id ? null : own;
  });
