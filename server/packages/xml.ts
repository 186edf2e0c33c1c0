import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { packageLimits as limits } from "#shared/packages/packages.ts";
import { megabytes, PackageError } from "#server/packages/findings.ts";

/** An element: lists of children by name without namespace prefix; attributes as `@name` in lower case. */
export type Element = { [name: string]: Element[] | string | undefined };

/**
 * Parses the bytes of an XML file. Tolerates common mistakes in manifests: a bare `&`, undeclared namespace prefixes, a
 * wrong encoding declaration. Throws `PackageError` for a DOCTYPE (so that no entity can be defined or fetched), for
 * invalid bytes, and for XML that is not well-formed, with the line number. `file` is used in error messages. The root
 * element is the only child of `root`.
 */
export function parseXml(bytes: Buffer, file: string): { root: Element; text: string } {
  if (bytes.length > limits.manifestBytes) {
    const params = { file, megabytes: megabytes(bytes.length), limit: megabytes(limits.manifestBytes) };
    throw new PackageError("manifestTooLarge", params);
  }
  const text = escapeBareAmpersands(decodeXml(bytes, file));
  if (text.trim() === "") throw new PackageError("manifestEmpty", { file });
  // Anywhere, even in comments: recognising comments differently than the parser would be a vulnerability
  if (/<!\s*(DOCTYPE|ENTITY)/i.test(text)) throw new PackageError("doctype", { file });
  const result = XMLValidator.validate(text);
  if (result !== true) throw new PackageError("malformedXml", { file, ...toMalformedDetails(result.err, text) });
  try {
    return { root: parser.parse(text) as Element, text };
  } catch (error) {
    // Nested deeper than 100 elements, or a name like `__proto__`
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
  captureMetaData: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  htmlEntities: true,
  // Without a DOCTYPE there are only predefined entities, which cannot expand further
  processEntities: { enabled: true, maxTotalExpansions: Infinity, maxExpandedLength: Infinity },
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

/** Child elements with this name, in document order. */
export function children(element: Element | undefined, name: string): Element[] {
  const elements = element && Object.hasOwn(element, name) ? element[name] : undefined;
  return Array.isArray(elements) ? elements : [];
}

export const child = (element: Element | undefined, name: string) => children(element, name)[0];

/** All child elements with one of these names, in document order. */
export function childrenInOrder(element: Element | undefined, names: string[]): { name: string; element: Element }[] {
  const found = names.flatMap((name) => children(element, name).map((one) => ({ name, element: one })));
  return found.toSorted((a, b) => positionOf(a.element) - positionOf(b.element));
}

const position = XMLParser.getMetaDataSymbol() as unknown as symbol;
const positionOf = (element: Element) =>
  (element as unknown as Record<symbol, { startIndex?: number } | undefined>)[position]?.startIndex ?? 0;

/** An attribute, trimmed; null if it is absent or empty. */
export function attribute(element: Element | undefined, name: string): string | null {
  const value = element && Object.hasOwn(element, `@${name}`) ? element[`@${name}`] : undefined;
  return typeof value === "string" ? removeInvalidCharacters(value).trim() || null : null;
}

/** The text directly inside an element, trimmed; null if there is none. */
export function textOf(element: Element | undefined): string | null {
  const value = element?.["#text"];
  return typeof value === "string" ? removeInvalidCharacters(value).trim() || null : null;
}

/** Normalizes a title to one line of at most `limits.titleChars` characters; null if it is empty. */
export function toTitle(text: string | null): string | null {
  const line = [
    ...removeInvalidCharacters(text ?? "")
      .replace(/\s+/g, " ")
      .trim(),
  ];
  if (line.length <= limits.titleChars) return line.join("") || null;
  return `${line
    .slice(0, limits.titleChars - 1)
    .join("")
    .trimEnd()}…`;
}

// PostgreSQL stores neither NUL nor lone surrogates, and XML 1.0 allows no other control characters either
const removeInvalidCharacters = (text: string) => text.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, "");

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
    throw new PackageError("wrongEncoding", { file, encoding: encoding.toUpperCase(), line: findInvalidLine(bytes) });
  }
}

/** XML 1.0, appendix F: the byte order mark, otherwise the pattern of the first bytes, otherwise the declaration. */
function findEncoding(bytes: Buffer): string {
  const start = bytes.toString("latin1", 0, 4);
  if (start.startsWith("\xff\xfe") || start.startsWith("<\0")) return "utf-16le";
  if (start.startsWith("\xfe\xff") || start.startsWith("\0<")) return "utf-16be";
  if (start.startsWith("\xef\xbb\xbf")) return "utf-8";
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/.exec(bytes.toString("latin1", 0, 300))?.[1];
  // .NET declares UTF-16 in text that it then saves as UTF-8
  return !declared || /^utf-?16/i.test(declared) ? "utf-8" : declared.toLowerCase();
}

function findInvalidLine(bytes: Buffer): number {
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
  text.replace(bareAmpersand, (match) => (match === "&" ? "&amp;" : match));

function toMalformedDetails(err: { msg: string; line: number }, text: string) {
  const open = /^Invalid '(\[.*\])' found/s.exec(err.msg)?.[1];
  if (!open) return { line: err.line, reason: err.msg };
  // For elements that are not closed at the end, the validator reports line 1 and a JSON list
  const names = [...open.matchAll(/"([^"]+)"/g)].map((match) => match[1]);
  return { line: text.split("\n").length, reason: `Not closed: ${names.map((name) => `<${name}>`).join(", ")}.` };
}
