import * as Y from "yjs";
import { type Bounds, FRAGMENT, readNodes } from "#server/lessons/drafts/yNodes.ts";
import { ID_ATTRIBUTES } from "#shared/lessons/editing/nodeJson.ts";

/** Attributes that say which block, text or choice it is. */
const IDS = new Set(Object.values(ID_ATTRIBUTES).flat());

/**
 * Applies updates in their order, and finds for each block the number of the last one that changed what it contains. A
 * block that is only moved, or gets another id, keeps its number.
 */
export function traceBlocks(doc: Y.Doc, updates: Uint8Array[], bounds: Bounds): Record<string, number> {
  const fragment = doc.getXmlFragment(FRAGMENT);
  const sums = new Map<string, string>();
  const last = new Map<string, number>();
  const names = new Map<Y.XmlElement, string>();
  let index = 0;
  doc.on("afterTransaction", ({ changed }: Y.Transaction) => {
    const touched = new Set<unknown>();
    for (const type of changed.keys()) touched.add(blockOf(type, fragment));
    // Blocks were added, moved or removed.
    const isAny = [...changed.keys()].some((type) => (type as unknown) === fragment);
    for (const block of fragment.toArray()) {
      if (!(block instanceof Y.XmlElement) || (!isAny && !touched.has(block))) continue;
      const id: unknown = (block.getAttributes() as Record<string, unknown>)["id"];
      if (typeof id !== "string") continue;
      const sum = sumOf(block, bounds);
      const before = names.get(block) ?? id;
      if (sums.get(before) !== sum) last.set(id, index);
      else if (before !== id) last.set(id, last.get(before) ?? index);
      sums.set(id, sum);
      names.set(block, id);
    }
  });
  for (const [n, update] of updates.entries()) {
    index = n;
    Y.applyUpdate(doc, update);
  }
  const present = new Set(
    fragment
      .toArray()
      .map((block) =>
        block instanceof Y.XmlElement ? (block.getAttributes() as Record<string, unknown>)["id"] : null,
      ),
  );
  return Object.fromEntries([...last].filter(([id]) => present.has(id)));
}

/** The contents of a block without its ids; blocks beyond the bounds are not told apart. */
function sumOf(block: Y.XmlElement, bounds: Bounds) {
  try {
    return JSON.stringify(readNodes(block, bounds), (name, value: unknown) => (IDS.has(name) ? undefined : value));
  } catch {
    return "";
  }
}

/** The block that a type is in. */
function blockOf(type: object, fragment: Y.XmlFragment): unknown {
  let current: { parent: unknown } | null = type as { parent: unknown } | null;
  while (current && current.parent !== fragment) current = current.parent as typeof current;
  return current;
}
