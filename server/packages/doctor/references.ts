import { posix } from "node:path";
import type { FoundAt } from "#shared/packages/packageCheck.ts";
import { FileIndex } from "#server/packages/paths.ts";
import { limits } from "#server/packages/doctor/limits.ts";
import { decodeAttribute, type Tag } from "#server/packages/doctor/markup.ts";
import type { PlaceFinder } from "#server/packages/doctor/places.ts";

// References of pages and styles, to files of the package and to other hosts

/** `loads`: the browser loads the target with the page; false for a link. */
export type Reference = { href: string; loads: boolean; at: FoundAt };

const loading: Record<string, string[]> = {
  script: ["src"],
  link: ["href"],
  img: ["src"],
  iframe: ["src"],
  frame: ["src"],
  video: ["src", "poster"],
  audio: ["src"],
  source: ["src"],
  track: ["src"],
  embed: ["src"],
  object: ["data"],
  input: ["src"],
};
const linking: Record<string, string[]> = { a: ["href"], area: ["href"] };
const notLoaded = /\b(canonical|alternate|author|license|help|next|prev|preconnect|dns-prefetch|search)\b/i;

export function listPageReferences(tags: Tag[], placeOf: PlaceFinder): Reference[] {
  if (tags.some(({ name, attributes }) => name === "base" && attributes.has("href"))) return [];
  const references: Reference[] = [];
  for (const { name, at, attributes } of tags) {
    const add = (names: string[] | undefined, loads: boolean) => {
      for (const attribute of names ?? []) {
        const href = attributes.get(attribute)?.trim();
        if (href) references.push({ href: decodeAttribute(href), loads, at: placeOf(at) });
      }
    };
    if (name === "link" && notLoaded.test(attributes.get("rel") ?? "")) continue;
    add(loading[name], true);
    add(linking[name], false);
    if (references.length >= limits.references) break;
  }
  return references;
}

/** Blanks the comments of a style; offsets stay. */
function blankComments(text: string) {
  const pieces: string[] = [];
  let copied = 0;
  for (let at = text.indexOf("/*"); at >= 0; at = text.indexOf("/*", copied)) {
    const close = text.indexOf("*/", at + 2);
    const end = close < 0 ? text.length : close + 2;
    pieces.push(text.slice(copied, at), text.slice(at, end).replace(/[^\n]/g, " "));
    copied = end;
  }
  pieces.push(text.slice(copied));
  return pieces.join("");
}

export function listStyleReferences(text: string, placeOf: PlaceFinder): Reference[] {
  const references: Reference[] = [];
  for (const { index, 1: quoted = "" } of blankComments(text).matchAll(/url\(\s{0,9}(["']?[^"')\s]{1,500})/gi)) {
    references.push({ href: quoted.replace(/^["']/, ""), loads: true, at: placeOf(index) });
    if (references.length >= limits.references) break;
  }
  return references;
}

export type Target =
  | { kind: "file"; path: string; isExact: boolean }
  | { kind: "missing"; path: string }
  | { kind: "host"; host: string; isSecure: boolean };

/** The target of a reference in `file`; null if it is unknown, such as an address that a script completes. */
export function findTarget(file: string, href: string, index: FileIndex): Target | null {
  const address = /^(https?:)?\/\/([^/?#\\\s]{1,200})/i.exec(href);
  if (address) {
    const host = (address[2] as string).replace(/^.*@/, "").replace(/:\d*$/, "").toLowerCase();
    if (!/^[a-z0-9.-]+$/.test(host)) return null;
    return { kind: "host", host, isSecure: !/^http:/i.test(href) };
  }
  if (href.length > MAX_HREF_CHARS) return null;
  // Another scheme, a fragment, or a template of a script
  if (/^[a-z][a-z0-9+.-]*:|^#|[{}<>+'"`|\\]|\$\(/i.test(href)) return null;
  const bare = href.replace(/[?#].*$/s, "");
  // An absolute path leads out of the package, which is not at the root of the server.
  if (bare === "" || bare.startsWith("/")) return null;
  let decoded: string;
  try {
    decoded = decodeURIComponent(bare);
  } catch {
    decoded = bare;
  }
  const path = posix.normalize(posix.join(posix.dirname(file), decoded)).normalize("NFC");
  if (path.startsWith("..") || path.endsWith("/") || path === "." || /\p{Cc}/u.test(path)) return null;
  const found = index.find(path);
  if (found !== null) return { kind: "file", path: found, isExact: found === path };
  // Without an extension it may be a folder, which answers with its index page.
  return /\.\w{1,8}$/.test(path) ? { kind: "missing", path } : null;
}

/** No file of a package has a longer address. */
const MAX_HREF_CHARS = 2000;

/** Levels of loading: the page, its scripts and styles, what these load. */
const MAX_ROUNDS = 4;

/** The start pages and the files they load, each once. */
export function listFirstFiles(starts: string[], loads: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const seen = new Set(starts);
  let round = starts;
  for (let n = 0; n < MAX_ROUNDS && round.length > 0; n++) {
    const next: string[] = [];
    for (const path of round)
      for (const inner of loads.get(path) ?? [])
        if (!seen.has(inner)) {
          seen.add(inner);
          next.push(inner);
        }
    round = next;
  }
  return seen;
}
