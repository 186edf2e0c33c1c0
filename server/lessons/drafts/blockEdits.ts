import type * as Y from "yjs";
import { syncChildren } from "#server/lessons/drafts/treeSync.ts";
import { FRAGMENT } from "#server/lessons/drafts/yNodes.ts";
import { ID_ATTRIBUTES, newId, type NodeJson } from "#shared/lessons/editing/nodeJson.ts";
import { sortedJson } from "#shared/lessons/walk.ts";

/**
 * What a restore changes in a lesson: one block, with the order of the blocks of its version; all blocks; or what an
 * earlier restore has changed, back to what was before. `taken`: ids that other lessons of the draft have now.
 */
export type LessonEdit =
  | { kind: "block"; node: NodeJson; order: string[]; taken: string[] }
  | { kind: "lesson"; nodes: NodeJson[]; taken: string[] }
  | { kind: "undo"; before: NodeJson[]; after: NodeJson[] };

/** Applies an edit; returns the blocks after it, and how many blocks it left as they are because they were changed. */
export function applyEdit(doc: Y.Doc, current: NodeJson[], edit: LessonEdit) {
  const { nodes, kept } = targetOf(current, edit);
  doc.transact(() => syncChildren(doc.getXmlFragment(FRAGMENT), nodes));
  return { nodes, kept };
}

/** Whether an edit adds a block with this id if it is missing. */
export function isAddedBy(edit: LessonEdit, id: string) {
  if (edit.kind === "block") return idOf(edit.node) === id;
  return (edit.kind === "lesson" ? edit.nodes : edit.before).some((node) => idOf(node) === id);
}

const idOf = ({ attrs }: NodeJson) => String(attrs?.["id"] ?? "");

function targetOf(current: NodeJson[], edit: LessonEdit): { nodes: NodeJson[]; kept: number } {
  if (edit.kind === "undo") return undo(current, edit.before, edit.after);
  if (edit.kind === "lesson") return { nodes: withFreeIds(edit.nodes, new Set(edit.taken)), kept: 0 };
  const at = current.findIndex((one) => idOf(one) === idOf(edit.node));
  const others = current.filter((_one, n) => n !== at);
  const [node] = withFreeIds([edit.node], new Set([...edit.taken, ...others.flatMap(idsIn)]));
  if (at >= 0) return { nodes: current.with(at, node!), kept: 0 };
  return { nodes: current.toSpliced(placeIn(current, edit.order, idOf(edit.node)), 0, node!), kept: 0 };
}

/** Behind the nearest block before it that is still there. */
function placeIn(current: NodeJson[], order: string[], id: string) {
  const places = new Map(current.map((one, n) => [idOf(one), n]));
  for (let n = order.indexOf(id) - 1; n >= 0; n--) {
    const place = places.get(order[n]!);
    if (place !== undefined) return place + 1;
  }
  return 0;
}

/** Blocks that are as the restore left them become what they were before; what was written since stays. */
function undo(current: NodeJson[], before: NodeJson[], after: NodeJson[]) {
  const sums = (list: NodeJson[]) => new Map(list.map((one) => [idOf(one), sortedJson(one)]));
  const [was, made, now] = [sums(before), sums(after), sums(current)];
  const old = new Map(before.map((one) => [idOf(one), one]));
  let kept = 0;
  const isOrdered = current.map(idOf).join() === after.map(idOf).join();
  const nodes = current.flatMap((one) => {
    const id = idOf(one);
    if (was.get(id) === made.get(id)) return [one];
    if (now.get(id) === made.get(id)) return old.has(id) ? [old.get(id)!] : [];
    kept += 1;
    return [one];
  });
  const present = new Set(nodes.map(idOf));
  const order = before.map(idOf);
  for (const one of before) {
    const id = idOf(one);
    // What the restore has removed comes back; what others have removed since does not.
    if (present.has(id) || made.has(id)) continue;
    nodes.splice(placeIn(nodes, order, id), 0, one);
  }
  if (!isOrdered || kept > 0) return { nodes, kept };
  const places = new Map(order.map((id, n) => [id, n]));
  return { nodes: nodes.toSorted((a, b) => (places.get(idOf(a)) ?? 0) - (places.get(idOf(b)) ?? 0)), kept };
}

/** All ids in a node and its children. */
export function idsIn({ type, attrs, content = [] }: NodeJson): string[] {
  const own = (ID_ATTRIBUTES[type] ?? []).flatMap((name) => (typeof attrs?.[name] === "string" ? [attrs[name]] : []));
  return [...own, ...content.flatMap(idsIn)];
}

/** The nodes with new ids in place of those that are taken. */
function withFreeIds(nodes: NodeJson[], taken: ReadonlySet<string>): NodeJson[] {
  return nodes.map((node) => {
    const names = (ID_ATTRIBUTES[node.type] ?? []).filter((name) => taken.has(String(node.attrs?.[name])));
    return {
      ...node,
      ...(names.length > 0 && {
        attrs: { ...node.attrs, ...Object.fromEntries(names.map((name) => [name, newId()])) },
      }),
      ...(node.content && { content: withFreeIds(node.content, taken) }),
    };
  });
}
