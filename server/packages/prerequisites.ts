import {
  namesIn,
  outcomesOf,
  parsePrerequisites,
  partsWithin,
  type PlacedItem,
  type Prerequisites,
} from "#shared/packages/prerequisites.ts";
import type { Manifest, ManifestItem } from "#shared/packages/packages.ts";

/**
 * The items that learners find in the table of contents, in its order, with their depth. Hidden ones are left out
 * unless no visible item can be opened, or sequencing rules may open them.
 */
export function shownItems({ items, sequencing }: Pick<Manifest, "items" | "sequencing">) {
  const flatten = (list: ManifestItem[], depth: number): { item: ManifestItem; depth: number }[] =>
    list.flatMap((item) => [{ item, depth }, ...flatten(item.items, depth + 1)]);
  const all = flatten(items, 0);
  const visible = all.filter(({ item }) => item.isVisible);
  const hasVisible = visible.some(({ item }) => item.href !== null);
  return { shown: hasVisible && !sequencing ? visible : all, hasVisible };
}

/** Of all prerequisites of a package together: they are evaluated at every commit. */
const MAX_CHARS = 20_000;
/** How often the parts are gone through to find what opens; those of real packages refer to earlier parts. */
const MAX_PASSES = 100;

/**
 * The prerequisites that are followed, by item. Those that cannot be read, that name what is not there, or that never
 * open what they close (two parts that wait for each other) are not; nor are any if they are too long together.
 */
export function followedPrerequisites(shown: { item: ManifestItem; depth: number }[]): Map<string, Prerequisites> {
  const items = shown.map(({ item, depth }) => ({ id: item.identifier, depth, isPart: item.href !== null }));
  const ids = new Set(items.map(({ id }) => id));
  const followed = new Map<string, Prerequisites>();
  if (shown.reduce((sum, { item }) => sum + (item.prerequisites?.length ?? 0), 0) > MAX_CHARS) return followed;
  for (const { item } of shown) {
    const expression = item.prerequisites === null ? null : parsePrerequisites(item.prerequisites);
    if (expression && namesIn(expression).every((name) => ids.has(name))) followed.set(item.identifier, expression);
  }
  for (;;) {
    const opened = openable(items, followed);
    const closed = items.filter(({ id }) => followed.has(id) && !opened.has(id));
    if (closed.length === 0) return followed;
    for (const { id } of closed) followed.delete(id);
  }
}

/** The items that some order of learning opens. */
function openable(items: PlacedItem[], followed: Map<string, Prerequisites>): Set<string> {
  const opened = new Set<string>();
  const partsOf = new Map(items.map((item, index) => [item.id, partsWithin(items, index)]));
  const canOpen = (id: string) => (partsOf.get(id) ?? []).every((part) => opened.has(part));
  for (let [pass, count] = [0, -1]; count < opened.size && pass < MAX_PASSES; pass++) {
    count = opened.size;
    const path: PlacedItem[] = [];
    for (const item of items) {
      path.length = path.findLastIndex(({ depth }) => depth < item.depth) + 1;
      path.push(item);
      if (opened.has(item.id)) continue;
      const isOpen = path.every(({ id }) => {
        const expression = followed.get(id);
        return opened.has(id) || !expression || outcomesOf(expression, canOpen).yes;
      });
      if (isOpen) opened.add(item.id);
    }
  }
  return opened;
}
