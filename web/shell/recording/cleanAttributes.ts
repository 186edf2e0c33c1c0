import { isField, isKeptAttribute, isLabelled, URL_ATTRIBUTES } from "#web/shell/recording/removedElements.ts";
import { mapSrcset } from "#web/shell/recording/styleText.ts";
import type { MissingKind } from "#shared/recordings/missingKinds.ts";

export type Raw = Record<string, unknown>;

/** How texts, style sheets and URLs are changed, and the state of the page so far. */
export type Cleaning = {
  text: (text: string) => string;
  /** For names given by authors, as in `class`. */
  name: (text: string) => string;
  css: (css: string) => string;
  /** The address to use; empty for one that is dropped. */
  url: (url: string) => string;
  /** Counts a node; throws `TooLargeError` if there are too many. */
  countNode: () => void;
  /** Counts an omission. */
  miss: (kind: MissingKind) => void;
  /**
   * Lower-case element names by id; `#removed` for an element that was removed, `#style` for the text of a style
   * element.
   */
  tags: Map<number, string>;
};
export class TooLargeError extends Error {}

const MAX_TEXT_CHARS = 1_000_000;
const MAX_ATTRIBUTE_CHARS = 100_000;
const MAX_ATTRIBUTES = 200;

/** A text of bounded length; empty for anything else. */
export const cut = (value: unknown) => (typeof value === "string" ? value.slice(0, MAX_TEXT_CHARS) : "");
export const num = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : 0);

const NAMES = new Set("class id for name type rel role dir lang part slot contenteditable".split(" "));
const RUNS = /^\s*(javascript|vbscript|data)\s*:/i;

/** The kept attributes of an element. `tag` is empty for an unknown element, which keeps no URLs. */
export function cleanAttributes(tag: string, raw: Raw | undefined, cleaning: Cleaning): Record<string, unknown> {
  if (tag === "#removed" || typeof raw !== "object" || !raw) return {};
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw).slice(0, MAX_ATTRIBUTES)) {
    if (!isKeptAttribute(tag, name)) continue;
    const cleaned = cleanValue(tag, name, value, raw, cleaning);
    if (cleaned !== undefined) kept[name] = cleaned;
  }
  return kept;
}

function cleanValue(tag: string, name: string, value: unknown, raw: Raw, cleaning: Cleaning): unknown {
  const lower = name.toLowerCase();
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return num(value);
  if (lower === "style" && typeof value === "object") return cleanDeclarations(value as Raw, cleaning);
  if (typeof value !== "string") return undefined;
  if (lower === "_csstext") return cleaning.css(cut(value));
  const text = value.slice(0, MAX_ATTRIBUTE_CHARS);
  if (lower === "style" || /url\(/i.test(text)) return cleaning.css(text);
  if (lower === "value" && isField(tag))
    return isLabelled(raw.type) ? cleaning.text(text) : "*".repeat(Math.min(1000, text.length));
  if (lower === "srcset" || lower === "imagesrcset") return tag ? mapSrcset(text, cleaning.url) : undefined;
  if (URL_ATTRIBUTES.has(lower)) return cleanAddress(tag, text, cleaning);
  if (RUNS.test(text)) return undefined;
  return NAMES.has(lower) ? cleaning.name(text) : cleaning.text(text);
}

/** A link keeps its appearance but loses its target; references within the page are kept. */
function cleanAddress(tag: string, text: string, { url }: Cleaning) {
  if (tag === "a" || tag === "area") return "#";
  if (text.startsWith("#")) return text;
  return (tag && url(text)) || undefined;
}

/** A change of the attribute `style` by property: a value, a value with its priority, or false if it was removed. */
function cleanDeclarations(raw: Raw, { css }: Cleaning) {
  return Object.fromEntries(
    Object.entries(raw)
      .slice(0, MAX_ATTRIBUTES)
      .flatMap(([property, value]): [string, unknown][] => {
        if (value === false) return [[property, false]];
        if (typeof value === "string") return [[property, css(value.slice(0, MAX_ATTRIBUTE_CHARS))]];
        if (Array.isArray(value))
          return [[property, [css(cut(value[0])), value[1] === "important" ? "important" : ""]]];
        return [];
      }),
  );
}
