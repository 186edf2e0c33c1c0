import type * as Y from "yjs";
import { elementPlaces, setIds, syncChildren, syncOne } from "#server/lessons/drafts/treeSync.ts";
import { FRAGMENT, toTypes } from "#server/lessons/drafts/yNodes.ts";
import { idsIn, newId, type NodeJson, withOtherIds, withOwnNodeIds } from "#shared/lessons/editing/nodeJson.ts";
import { sortedJson } from "#shared/lessons/walk.ts";

type BlockEdit = { kind: "block"; node: NodeJson; order: string[]; taken: string[] };
/**
 * What a restore changes in a lesson: one block, with the order of the blocks of its version; all blocks; or what an
 * earlier restore has changed, back to what was before. `ids`: what has an id that is taken gets one of its own, which
 * is not in `others`. `taken`: ids that other lessons of the draft have now.
 */
export type LessonEdit =
  | BlockEdit
  | { kind: "ids"; taken: string[]; others: string[] }
  | { kind: "lesson"; nodes: NodeJson[]; taken: string[] }
  | { kind: "undo"; before: NodeJson[]; after: NodeJson[] };

/** Applies an edit; returns how many blocks it left as they are because they were changed. */
export function applyEdit(doc: Y.Doc, current: NodeJson[], edit: LessonEdit): { kept: number } {
  const fragment = doc.getXmlFragment(FRAGMENT);
  if (edit.kind === "undo") {
    const { nodes, kept } = undo(current, edit.before, edit.after);
    doc.transact(() => syncChildren(fragment, nodes));
    return { kept };
  }
  doc.transact(() => {
    if (edit.kind === "lesson") syncChildren(fragment, withFreeIds(edit.nodes, new Set(edit.taken)));
    else if (edit.kind === "block") applyBlock(fragment, current, edit);
    else setIds(fragment, withOwnNodeIds(current, new Set(edit.taken), new Set(edit.others)));
  });
  return { kept: 0 };
}

/** Changes or adds one block; the others are not touched. */
function applyBlock(fragment: Y.XmlFragment, current: NodeJson[], { node, order, taken }: BlockEdit) {
  const id = idOf(node);
  const at = current.findIndex((one) => idOf(one) === id);
  const others = current.filter((_one, n) => n !== at);
  const [free] = withFreeIds([node], new Set([...taken, ...others.flatMap(idsIn)]));
  const places = elementPlaces(fragment);
  if (at >= 0) return syncOne(fragment, places[at]!, free!);
  const place = placeIn(current, order, id);
  fragment.insert(place === 0 ? 0 : places[place - 1]! + 1, toTypes([free!]));
}

/** Whether an edit adds a block with this id if it is missing. */
export function isAddedBy(edit: LessonEdit, id: string) {
  if (edit.kind === "ids") return false;
  if (edit.kind === "block") return idOf(edit.node) === id;
  return (edit.kind === "lesson" ? edit.nodes : edit.before).some((node) => idOf(node) === id);
}

const idOf = ({ attrs }: NodeJson) => String(attrs?.["id"] ?? "");

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

/** The nodes with new ids in place of those that are taken. */
const withFreeIds = (nodes: NodeJson[], taken: ReadonlySet<string>) =>
  withOtherIds(nodes, (id) => (typeof id === "string" && taken.has(id) ? newId() : null));
