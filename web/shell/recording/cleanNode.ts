import { cleanAttributes, type Cleaning, cut, type Raw, TooLargeError } from "#web/shell/recording/cleanAttributes.ts";
import { keptTag, missingKind } from "#web/shell/recording/removedElements.ts";

/** Node types of a snapshot (`@rrweb/types`, NodeType). */
const NODE = { document: 0, doctype: 1, element: 2, text: 3, cdata: 4 } as const;
const COMMENT = 5;
/** Ordinary pages are nested a few dozen levels deep; browsers limit depth to 512. */
const MAX_DEPTH = 400;

/** A copy of a snapshot node with the parts that a recording keeps. `parent` is the name of the parent element. */
export function cleanNode(raw: Raw, cleaning: Cleaning, parent: string, depth: number): Record<string, unknown> {
  if (depth > MAX_DEPTH) throw new TooLargeError();
  cleaning.countNode();
  const { type, id: rawId, rootId, isShadow } = raw ?? {};
  const id = Number.isSafeInteger(rawId) ? (rawId as number) : -1;
  const base = {
    id,
    ...(Number.isSafeInteger(rootId) && { rootId }),
    ...(isShadow === true && { isShadow }),
  };
  const children = (tag: string) =>
    (Array.isArray(raw.childNodes) ? (raw.childNodes as Raw[]) : []).map((child) =>
      cleanNode(child, cleaning, tag, depth + 1),
    );
  if (type === NODE.document) {
    const childNodes = children("");
    const isQuirky = raw.compatMode === "BackCompat" && childNodes.length > 0;
    return { type, ...base, childNodes, ...(isQuirky && { compatMode: "BackCompat" }) };
  }
  if (type === NODE.doctype) return { type, ...base, name: "html", publicId: "", systemId: "" };
  if (type === NODE.text || type === NODE.cdata) {
    const isStyle = parent === "style";
    if (isStyle) cleaning.tags.set(id, "#style");
    const text = cut(raw.textContent);
    return { type: NODE.text, ...base, textContent: isStyle ? cleaning.css(text) : cleaning.text(text), isStyle };
  }
  if (type !== NODE.element) return { type: COMMENT, ...base, textContent: "" };
  return { ...base, ...cleanElement(raw, id, cleaning, children) };
}

function cleanElement(raw: Raw, id: number, cleaning: Cleaning, children: (tag: string) => unknown[]) {
  const attributes = typeof raw.attributes === "object" && raw.attributes ? (raw.attributes as Raw) : {};
  const missing = missingKind(raw.tagName, attributes);
  if (missing) cleaning.miss(missing);
  const name = keptTag(raw.tagName, attributes);
  if (name === null) {
    cleaning.tags.set(id, "#removed");
    return { type: NODE.element, tagName: "div", attributes: { style: "display:none" }, childNodes: [] };
  }
  const tag = name.toLowerCase();
  cleaning.tags.set(id, tag);
  return {
    type: NODE.element,
    tagName: name,
    attributes: cleanAttributes(tag, attributes, cleaning),
    childNodes: children(tag),
    ...(raw.isSVG === true && { isSVG: true }),
    ...(raw.isShadowHost === true && { isShadowHost: true }),
    ...(raw.needBlock === true && { needBlock: true }),
  };
}
