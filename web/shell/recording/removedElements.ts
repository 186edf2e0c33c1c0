// What a recording keeps of elements and attributes. Everything that loads, runs, links or sends is left out.

import type { MissingKind } from "#shared/recordings/missingKinds.ts";

/** Elements that are omitted as a whole: passwords, and what authors declare as private. */
export const BLOCKED = 'input[type="password"], input[autocomplete*="password"], [data-private], .rr-block';
/** Elements that people type into without being fields. */
export const EDITABLE = '[contenteditable]:not([contenteditable="false"])';
/** Elements that are replaced by a hidden one: they run, load or change the page as a whole. */
const REMOVED = new Set(
  "script noscript base meta template object embed applet frame frameset portal fencedframe source track param".split(
    " ",
  ),
);
/** Attributes that run, load, send or link something, or let an element do so; in addition to `on*`. */
const DROPPED = new Set(
  [
    "srcdoc action formaction ping data codebase classid archive cite profile manifest usemap http-equiv nonce",
    "integrity is sandbox allow csp target download autofocus autoplay content longdesc attributionsrc checked",
    "selected popovertarget commandfor",
  ]
    .join(" ")
    .split(" "),
);
export const URL_ATTRIBUTES = new Set(["src", "href", "xlink:href", "poster", "background"]);
/** The attribute in which rrweb records the text of a style sheet. */
const CSS_TEXT = "_cssText";
const MEDIA = new Set(["video", "audio", "iframe", "input"]);
const FIELDS = new Set(["input", "textarea", "select", "option"]);
/** Types of inputs whose value is a label of the author. */
const LABELLED = new Set(["button", "submit", "reset"]);

export const isField = (tag: string) => FIELDS.has(tag);
export const isLabelled = (type: unknown) => typeof type === "string" && LABELLED.has(type.toLowerCase());

/** The element name that is kept; null if the element is removed. */
export function keptTag(name: unknown, attributes: Record<string, unknown>): string | null {
  const tag = typeof name === "string" ? name : "";
  const lower = tag.toLowerCase();
  if (!/^[a-z][a-z0-9-]{0,40}$/i.test(tag) || REMOVED.has(lower)) return null;
  if (lower !== "link") return tag;
  const isStyle = /^\s*stylesheet\s*$/i.test(String(attributes.rel ?? "")) || typeof attributes[CSS_TEXT] === "string";
  return isStyle ? tag : null;
}

/** The kind of omission for an element; null if people would see no difference. */
export function missingKind(name: unknown, attributes: Record<string, unknown>): MissingKind | null {
  const tag = typeof name === "string" ? name.toLowerCase() : "";
  // The recorder marks frames that it cannot read.
  if (tag === "iframe") return attributes.rr_src === undefined ? null : "frame";
  return MISSING[tag] ?? null;
}
const MISSING: Record<string, MissingKind> = {
  canvas: "canvas",
  video: "video",
  audio: "audio",
  frameset: "frameset",
  object: "object",
  embed: "object",
  applet: "object",
};

/** True if an attribute of an element is kept; its value may still change. */
export function isKeptAttribute(tag: string, name: string) {
  const lower = name.toLowerCase();
  if (!/^[a-z_][\w:.-]{0,80}$/i.test(name) || lower.startsWith("on") || DROPPED.has(lower)) return false;
  if (lower === "_csstext") return tag === "style" || tag === "link";
  if (lower === "src" && MEDIA.has(tag)) return false;
  return !lower.startsWith("rr_") || KEPT_INTERNAL.has(name);
}
/** Attributes of the recorder itself: sizes of omitted elements, and scroll positions. */
const KEPT_INTERNAL = new Set(["rr_width", "rr_height", "rr_scrollLeft", "rr_scrollTop", "rr_open_mode"]);
