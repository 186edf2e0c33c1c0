import { PackageError } from "./findings.ts";

/** Where an address of the manifest leads: a path below the package folder and what follows it (`?…`, `#…`). */
export type Target = { paths: string[]; query: string; fragment: string };

/**
 * Resolves an href of the manifest against the folder it is relative to (`base`, with a slash at the end, or empty).
 * `paths` are the files it can mean, the likeliest first: `my%20page.html` is usually `my page.html`, but may be a file
 * with this very name. Throws `PackageError` when it leads out of the package or to another server; `item` is the title
 * of the part for the sentence. Source: IMS CP 1.1.4, xml:base; RFC 3986, section 5.
 */
export function resolveHref(base: string, href: string, item: string): Target {
  const whole = join(base, href).replace(/\\/g, "/");
  if (/^(https?:)?\/\//i.test(whole)) throw new PackageError("launchElsewhere", { item, href });
  if (/^[a-z][a-z0-9+.-]*:/i.test(whole)) throw new PackageError("launchAddress", { item, href });
  const [, path = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(whole) ?? [];
  const decoded = decode(path);
  const paths = [...new Set([decoded, path])].map((candidate) => {
    const clean = walk(candidate.replace(/\\/g, "/"));
    if (clean === null) throw new PackageError("launchTraversal", { item, href });
    return clean;
  });
  if (paths.some((clean) => clean === "" || /\p{Cc}/u.test(clean))) {
    throw new PackageError("launchAddress", { item, href });
  }
  return { paths, query, fragment };
}

/** Puts an xml:base in front of an address. A base is a folder, also when its slash is missing. */
export function join(base: string, href: string): string {
  const path = href.trim();
  if (base === "" || /^([a-z][a-z0-9+.-]*:|[\\/])/i.test(path)) return path;
  return `${base.replace(/[\\/]*$/, "/")}${path}`;
}

/**
 * The address of a file with query and fragment, plus the `parameters` of an item.
 * Source: SCORM 1.2 and 2004, Content Aggregation Model, <item> parameters; but a query goes before a fragment.
 */
export function buildHref(file: string, { query, fragment }: Target, parameters: string | null): string {
  // Only what would end the path or break an address; the browser encodes the rest
  const path = file.replace(/[\s"#%:<>?\\^`{|}]/g, encodeURIComponent);
  const extra = (parameters ?? "").replace(/^[?&]+/, "");
  if (extra === "") return path + query + fragment;
  if (extra.startsWith("#")) return path + query + (fragment || extra);
  return `${path}${query ? `${query}&` : "?"}${extra}${fragment}`;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Follows `.` and `..`; null when that leads above the package folder. A leading slash means the package folder. */
function walk(path: string): string | null {
  const segments: string[] = [];
  for (const segment of path.normalize("NFC").split("/")) {
    if (segment === ".." && segments.pop() === undefined) return null;
    if (segment !== "" && segment !== "." && segment !== "..") segments.push(segment);
  }
  return segments.join("/");
}
