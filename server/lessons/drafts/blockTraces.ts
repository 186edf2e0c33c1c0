import * as Y from "yjs";
import { type Bounds, FRAGMENT, readNodes } from "#server/lessons/drafts/yNodes.ts";

/**
 * Applies updates in their order, and finds for each block the number of the last one that changed what it contains. A
 * block that is only moved keeps its number.
 */
export function traceBlocks(doc: Y.Doc, updates: Uint8Array[], bounds: Bounds): Record<string, number> {
  const fragment = doc.getXmlFragment(FRAGMENT);
  const sums = new Map<string, string>();
  const last = new Map<string, number>();
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
      if (sums.get(id) !== sum) last.set(id, index);
      sums.set(id, sum);
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

/** Blocks that are too deep or too large are all the same. */
function sumOf(block: Y.XmlElement, bounds: Bounds) {
  try {
    return JSON.stringify(readNodes(block, bounds));
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
