import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { packageLimits as limits } from "#shared/packages.ts";
import { megabytes, PackageError } from "./findings.ts";

/** An element: children by name without namespace prefix, always in lists; attributes as `@name` in lower case. */
export type Element = { [name: string]: Element[] | string | undefined };

/**
 * Reads the bytes of an XML file. Forgives what real manifests have wrong: a bare `&`, prefixes without namespace, a
 * declared encoding that is not the one used. Throws `PackageError` for a DOCTYPE (so no entity is ever defined, let
 * alone fetched), for bytes that are no text and for XML that is not well formed, with its line.
 * `file` is the name of the file for the sentence. The root element is the only child of `root`.
 */
export function parseXml(bytes: Buffer, file: string): { root: Element; text: string } {
  if (bytes.length > limits.manifestBytes) {
    const params = { file, megabytes: megabytes(bytes.length), limit: megabytes(limits.manifestBytes) };
    throw new PackageError("manifestTooLarge", params);
  }
  const text = escapeBareAmpersands(decodeXml(bytes, file));
  if (text.trim() === "") throw new PackageError("manifestEmpty", { file });
  // Wherever it stands, also in a comment: to skip comments here, in another way than the parser does, would be a hole
  if (/<!\s*(DOCTYPE|ENTITY)/i.test(text)) throw new PackageError("doctype", { file });
  const result = XMLValidator.validate(text);
  if (result !== true) throw new PackageError("malformedXml", { file, ...locate(result.err, text) });
  try {
    return { root: parser.parse(text) as Element, text };
  } catch (error) {
    // Deeper than 100 elements, or a name like `__proto__`
    throw new PackageError("malformedXml", { file, line: 1, reason: (error as Error).message });
  }
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  removeNSPrefix: true,
  transformAttributeName: (name) => name.toLowerCase(),
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  alwaysCreateTextNode: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  htmlEntities: true,
  // Only the predefined entities are left once DOCTYPE is refused; they never expand
  processEntities: { enabled: true, maxTotalExpansions: Infinity, maxExpandedLength: Infinity },
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

/** Child elements with this name, in document order. */
export function children(element: Element | undefined, name: string): Element[] {
  const found = element && Object.hasOwn(element, name) ? element[name] : undefined;
  return Array.isArray(found) ? found : [];
}

export const child = (element: Element | undefined, name: string) => children(element, name)[0];

/** An attribute, trimmed; null when it is absent or empty. */
export function attribute(element: Element | undefined, name: string): string | null {
  const value = element && Object.hasOwn(element, `@${name}`) ? element[`@${name}`] : undefined;
  return typeof value === "string" ? storable(value).trim() || null : null;
}

/** The text directly inside an element, trimmed; null when there is none. */
export function textOf(element: Element | undefined): string | null {
  const value = element?.["#text"];
  return typeof value === "string" ? storable(value).trim() || null : null;
}

/** One line of at most `limits.titleChars` characters. Stays plain text even when it looks like HTML. */
export function toTitle(text: string | null): string | null {
  const line = [
    ...storable(text ?? "")
      .replace(/\s+/g, " ")
      .trim(),
  ];
  if (line.length <= limits.titleChars) return line.join("") || null;
  return `${line
    .slice(0, limits.titleChars - 1)
    .join("")
    .trimEnd()}…`;
}

// PostgreSQL stores neither NUL nor half surrogate pairs, and no other control character belongs into XML 1.0
const storable = (text: string) => text.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, "");

function decodeXml(bytes: Buffer, file: string): string {
  const encoding = findEncoding(bytes);
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new PackageError("unknownEncoding", { file, encoding });
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw new PackageError("wrongEncoding", { file, encoding: encoding.toUpperCase(), line: findBadLine(bytes) });
  }
}

/** XML 1.0, appendix F: the byte order mark, else the pattern of the first bytes, else the declaration. */
function findEncoding(bytes: Buffer): string {
  const start = bytes.toString("latin1", 0, 4);
  if (start.startsWith("\xff\xfe") || start.startsWith("<\0")) return "utf-16le";
  if (start.startsWith("\xfe\xff") || start.startsWith("\0<")) return "utf-16be";
  if (start.startsWith("\xef\xbb\xbf")) return "utf-8";
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/.exec(bytes.toString("latin1", 0, 300))?.[1];
  // .NET writes UTF-16 into the declaration of text that it then saves as UTF-8
  return !declared || /^utf-?16/i.test(declared) ? "utf-8" : declared.toLowerCase();
}

function findBadLine(bytes: Buffer): number {
  let line = 1;
  for (let at = 0; at < bytes.length; line++) {
    const end = bytes.indexOf(10, at);
    if (!isUtf8(bytes.subarray(at, end < 0 ? bytes.length : end)) || end < 0) break;
    at = end + 1;
  }
  return line;
}

const bareAmpersand = /<!\[CDATA\[[^]*?\]\]>|&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][\w]{1,19});)/gi;
const escapeBareAmpersands = (text: string) =>
  text.replace(bareAmpersand, (found) => (found === "&" ? "&amp;" : found));

function locate(err: { msg: string; line: number }, text: string) {
  const open = /^Invalid '(\[.*\])' found/s.exec(err.msg)?.[1];
  if (!open) return { line: err.line, reason: err.msg };
  // The validator gives line 1 and JSON when elements are left open at the end
  const names = [...open.matchAll(/"([^"]+)"/g)].map((match) => match[1]);
  return { line: text.split("\n").length, reason: `Not closed: ${names.map((name) => `<${name}>`).join(", ")}.` };
}
