import { diffArrays, diffChars } from "diff";
import * as Y from "yjs";
import { markName, type TextDelta, toDelta, toTypes } from "#server/lessons/drafts/yNodes.ts";
import { idNames, type NodeJson } from "#shared/lessons/editing/nodeJson.ts";

// Makes a Yjs tree equal to nodes by changing only what differs, so that what others write in the rest of it meanwhile
// is merged with it

/** More differing characters than this are replaced as a whole. */
const MAX_EDITS = 2000;
/** More differing children than this are replaced as a whole. */
const MAX_CHILDREN = 2000;

type Child = Y.XmlElement | Y.XmlText;
/** Texts beside each other are one text with its marks. */
type Group = { key: string; node: NodeJson | null; texts: NodeJson[] };
const TEXT = "#text";
const idOf = (attrs: Record<string, unknown> | undefined) => (typeof attrs?.["id"] === "string" ? attrs["id"] : "");
const keyOf = (child: Child) =>
  child instanceof Y.XmlText ? TEXT : `${child.nodeName} ${idOf(child.getAttributes() as Record<string, unknown>)}`;

function groupsOf(nodes: NodeJson[]): Group[] {
  const groups: Group[] = [];
  for (const node of nodes) {
    const last = groups.at(-1);
    if (node.type !== "text") groups.push({ key: `${node.type} ${idOf(node.attrs)}`, node, texts: [] });
    else if (last?.key === TEXT) last.texts.push(node);
    else groups.push({ key: TEXT, node: null, texts: [node] });
  }
  return groups;
}

export function syncChildren(parent: Y.XmlFragment, nodes: NodeJson[] = []) {
  const groups = groupsOf(nodes);
  const children = parent.toArray() as Child[];
  // The text is emptied, not deleted, so that words typed in it at the same time are kept.
  if (groups.length === 0 && children.length === 1 && children[0] instanceof Y.XmlText)
    return syncText(children[0], []);
  const parts = diffArrays(
    children.map(keyOf),
    groups.map(({ key }) => key),
    { maxEditLength: MAX_CHILDREN },
  ) ?? [
    { value: children.map(keyOf), removed: true, added: false },
    { value: groups.map(({ key }) => key), removed: false, added: true },
  ];
  let at = 0;
  let next = 0;
  for (const { value, added, removed } of parts) {
    if (removed) parent.delete(at, value.length);
    else {
      const list = groups.slice(next, (next += value.length));
      if (added) parent.insert(at, toTypes(list.flatMap(({ node, texts }) => (node ? [node] : texts))));
      else for (const [n, group] of list.entries()) syncChild(parent.get(at + n) as Child, group);
      at += value.length;
    }
  }
}

/** The places of the elements among the children: nodes are read from these. */
export const elementPlaces = (parent: Y.XmlFragment) =>
  parent.toArray().flatMap((child, at) => (child instanceof Y.XmlElement ? [at] : []));

/** Makes one child equal to a node. */
export function syncOne(parent: Y.XmlFragment, at: number, node: NodeJson) {
  const child = parent.get(at) as Y.XmlElement;
  if (child.nodeName === node.type) return syncChild(child, { key: "", node, texts: [] });
  parent.delete(at, 1);
  parent.insert(at, toTypes([node]));
}

/** Takes only ids and conditions from nodes that are otherwise the same. */
export function setIds(parent: Y.XmlFragment, nodes: NodeJson[] = []) {
  const elements = elementPlaces(parent).map((at) => parent.get(at) as Y.XmlElement);
  for (const [n, { attrs = {}, content, type }] of nodes.filter((node) => node.type !== "text").entries()) {
    const element = elements[n];
    if (element?.nodeName !== type) return;
    for (const name of [...idNames(type), "showWhen"])
      if (attrs[name] && JSON.stringify(element.getAttribute(name)) !== JSON.stringify(attrs[name]))
        element.setAttribute(name, attrs[name] as string);
    setIds(element, content);
  }
}

function syncChild(child: Child, { node, texts }: Group) {
  if (child instanceof Y.XmlText) return syncText(child, texts);
  if (!node) return;
  const wanted = attributesOf(node);
  const current = child.getAttributes() as Record<string, unknown>;
  for (const name of Object.keys(current)) if (!Object.hasOwn(wanted, name)) child.removeAttribute(name);
  for (const [name, value] of Object.entries(wanted))
    if (JSON.stringify(current[name]) !== JSON.stringify(value)) child.setAttribute(name, value as string);
  syncChildren(child, node.content);
}

const attributesOf = ({ attrs = {}, marks }: NodeJson): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(attrs).filter(([, value]) => value !== null && value !== undefined)),
  ...(marks && { marks: Object.fromEntries(marks.map(({ type, attrs: own = {} }) => [type, own])) }),
});

const plain = (delta: TextDelta) => delta.map(({ insert }) => insert).join("");
/** A delta whose marks have no hash in their names. */
const normal = (delta: TextDelta) =>
  JSON.stringify(
    delta.map(({ insert, attributes = {} }) => [
      insert,
      Object.entries(attributes)
        .map(([name, value]) => [markName(name), JSON.stringify(value)])
        .toSorted(),
    ]),
  );

function syncText(text: Y.XmlText, nodes: NodeJson[]) {
  const wanted = toDelta(nodes);
  const current = () => text.toDelta() as TextDelta;
  if (normal(current()) === normal(wanted)) return;
  const [before, after] = [plain(current()), plain(wanted)];
  const parts = diffChars(before, after, { maxEditLength: MAX_EDITS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  let at = 0;
  for (const { value, added, removed } of parts) {
    if (removed) text.delete(at, value.length);
    else {
      if (added) text.insert(at, value);
      at += value.length;
    }
  }
  if (normal(current()) === normal(wanted)) return;
  const none = Object.fromEntries(
    current().flatMap(({ attributes = {} }) => Object.keys(attributes).map((name) => [name, null])),
  );
  at = 0;
  for (const { insert, attributes } of wanted) {
    text.format(at, insert.length, { ...none, ...attributes });
    at += insert.length;
  }
}
