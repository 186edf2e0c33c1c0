import { XMLParser, XMLValidator } from "fast-xml-parser";
import { findHeavyReferences, type Reference } from "#server/settings/svgReferences.ts";
import type { Size } from "#server/settings/imageSize.ts";

// Rewrites an uploaded SVG with known elements only. Scripts, external content and costly drawings are refused

/** Elements of still pictures. */
const ELEMENTS = new Set(
  (
    "svg g path rect circle ellipse line polyline polygon text tspan defs linearGradient radialGradient stop " +
    "clipPath title desc style use symbol switch"
  ).split(" "),
);
/** Elements for drawing programs only. Like everything with a prefix, they are left out. */
const LEFT_OUT = new Set(["metadata"]);
const MAX_ELEMENTS = 5000;

type Node = Record<string, unknown> & { ":@"?: Record<string, string> };

class RefusedSvg extends Error {}
const refuse = (reason: string): never => {
  throw new RefusedSvg(reason);
};

/** The rewritten SVG and its size; null if it is refused. */
export function sanitizeSvg(source: string): ({ svg: string } & Size) | null {
  // Drawing programs write a DOCTYPE, but without entities, which could expand without limit.
  const text = source.replace(/^\uFEFF/, "").replace(/<!DOCTYPE[^[>]*>/i, "");
  if (/<!(DOCTYPE|ENTITY)/i.test(text) || XMLValidator.validate(text) !== true) return null;
  try {
    const nodes = parser.parse(text) as Node[];
    const roots = nodes.filter((node) => "svg" in node);
    const [root] = roots;
    if (!root || roots.length > 1) return null;
    const size = sizeOf(root[":@"] ?? {});
    if (!size) return null;
    const writer = { count: 0, references: [] as Reference[], ids: [] as string[] };
    const svg = write(withViewBox(root), writer, true);
    return findHeavyReferences(writer.references) ? null : { svg, ...size };
  } catch (error) {
    if (error instanceof RefusedSvg) return null;
    // Nested too deeply, or a name like `__proto__`.
    if (error instanceof Error && !(error instanceof TypeError)) return null;
    throw error;
  }
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

type Writer = { count: number; references: Reference[]; ids: string[] };

function write(node: Node, writer: Writer, isRoot = false): string {
  if ("#text" in node) return escapeText(String(node["#text"]));
  const name = Object.keys(node).find((key) => key !== ":@") ?? "";
  if (name.includes(":") || LEFT_OUT.has(name)) return "";
  if (!ELEMENTS.has(name) || ++writer.count > MAX_ELEMENTS) refuse(name);
  const attributes = Object.entries(node[":@"] ?? {}).flatMap(([key, value]) => attributeOf(key, String(value)));
  const id = attributes.find(([key]) => key === "id")?.[1];
  if (id !== undefined) writer.ids.push(id);
  for (const [key, value] of attributes)
    for (const target of targetsOf(name, key, value)) writer.references.push({ target, within: [...writer.ids] });
  const children = node[name] as Node[];
  if (name === "style") checkStyle(children.map((child) => String(child["#text"] ?? "")).join(""));
  const inner = children.map((child) => write(child, writer)).join("");
  if (id !== undefined) writer.ids.pop();
  const all = isRoot
    ? [["xmlns", "http://www.w3.org/2000/svg"], ["xmlns:xlink", "http://www.w3.org/1999/xlink"], ...attributes]
    : attributes;
  const written = all.map(([key = "", value = ""]) => ` ${key}="${escapeText(value).replaceAll('"', "&quot;")}"`);
  return `<${name}${written.join("")}>${inner}</${name}>`;
}

/** The attribute to write; none for attributes that only drawing programs use. */
function attributeOf(key: string, value: string): [string, string][] {
  if (/^on/i.test(key)) refuse(key);
  if (key === "href" || key === "xlink:href") {
    if (!/^#[\w.:-]+$/.test(value.trim())) refuse(key);
    return [[key, value.trim()]];
  }
  if (key.startsWith("xmlns") || (key.includes(":") && key !== "xml:space") || key.startsWith("data-")) return [];
  if (!/^[a-zA-Z][a-zA-Z0-9-]*$/.test(key) && key !== "xml:space") refuse(key);
  checkCss(value);
  return [[key, value]];
}

/** Values can contain CSS. Allows only references within the picture, and no escapes, which could hide others. */
function checkCss(value: string) {
  if (/\\|javascript:|expression\s*\(|@import|image-set|image\s*\(|src\s*\(/i.test(value)) refuse("css");
  if (/url\s*\((?!\s*['"]?#[\w.:-]+['"]?\s*\))/i.test(value)) refuse("url");
}
function checkStyle(css: string) {
  checkCss(css);
  // The text does not show which elements these properties apply to.
  if (/clip-path|mask|filter|@font-face/i.test(css)) refuse("style");
}

/** The ids of elements that an attribute draws again: copies and clipping shapes. Gradients are cheap. */
function targetsOf(element: string, key: string, value: string) {
  if (element === "use" && key.endsWith("href")) return [value.slice(1)];
  const hasClip = key === "clip-path" || (key === "style" && /clip-path|mask|filter/i.test(value));
  return hasClip ? [...value.matchAll(/url\s*\(\s*['"]?#([\w.:-]+)/gi)].map(([, id = ""]) => id) : [];
}

const escapeText = (text: string) =>
  text
    .replace(/[^\P{Cc}\t\n\r]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

/** Without a viewBox, a picture shown smaller than its size would be cut off. */
function withViewBox(root: Node): Node {
  const { width = "", height = "", ...rest } = root[":@"] ?? {};
  return { ...root, ":@": { viewBox: `0 0 ${Number.parseFloat(width)} ${Number.parseFloat(height)}`, ...rest } };
}

function sizeOf({ viewBox = "", width = "", height = "" }: Record<string, string>): Size | null {
  const [, , boxWidth, boxHeight] = viewBox
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const given = [Number.parseFloat(width), Number.parseFloat(height)];
  const [w = 0, h = 0] = boxWidth && boxHeight ? [boxWidth, boxHeight] : given;
  if (!(w > 0 && h > 0 && w < 1e6 && h < 1e6)) return null;
  // Only the ratio matters: an SVG can be drawn at any size.
  const scale = 512 / Math.max(w, h);
  return { width: Math.max(1, Math.round(w * scale)), height: Math.max(1, Math.round(h * scale)) };
}
