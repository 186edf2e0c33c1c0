import { PackageError } from "#server/packages/findings.ts";

/**
 * A resolved URL of the manifest: candidate paths below the package folder, query string (`?…`) and fragment (`#…`).
 */
export type Target = { paths: string[]; query: string; fragment: string };

/**
 * Resolves an href of the manifest against its base folder (with a trailing slash, or empty). `paths` are the possible
 * files, most likely first: `my%20page.html` usually means `my page.html`, but may be the literal file name. Throws
 * `PackageError` if it points outside the package or to another server; `item` is the title of the part for the
 * message. Source: IMS CP 1.1.4, xml:base; RFC 3986, section 5.
 */
export function resolveHref(base: string, href: string, item: string): Target {
  const full = joinBase(base, href).replace(/\\/g, "/");
  if (/^(https?:)?\/\//i.test(full)) throw new PackageError("launchElsewhere", { item, href });
  if (/^[a-z][a-z0-9+.-]*:/i.test(full)) throw new PackageError("launchAddress", { item, href });
  const [, path = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(full) ?? [];
  const decoded = decode(path);
  const paths = [...new Set([decoded, path])].map((candidate) => {
    const clean = resolveDots(candidate.replace(/\\/g, "/"));
    if (clean === null) throw new PackageError("launchTraversal", { item, href });
    return clean;
  });
  if (paths.some((clean) => clean === "" || /\p{Cc}/u.test(clean))) {
    throw new PackageError("launchAddress", { item, href });
  }
  return { paths, query, fragment };
}

/** Prepends an xml:base to a URL. A base is treated as a folder even without a trailing slash. */
export function joinBase(base: string, href: string): string {
  const path = href.trim();
  if (base === "" || /^([a-z][a-z0-9+.-]*:|[\\/])/i.test(path)) return path;
  return `${base.replace(/[\\/]*$/, "/")}${path}`;
}

/**
 * The URL of a file with query string and fragment, plus the `parameters` of an item. Source: SCORM 1.2 and 2004,
 * Content Aggregation Model, <item> parameters; unlike there, the query string always precedes the fragment.
 */
export function buildHref(file: string, { query, fragment }: Target, parameters: string | null): string {
  // Only characters that would end the path or break the URL; the browser encodes the rest
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

/** Resolves `.` and `..`; null if the path leaves the package folder. A leading slash means the package folder. */
function resolveDots(path: string): string | null {
  const segments: string[] = [];
  for (const segment of path.normalize("NFC").split("/")) {
    if (segment === ".." && segments.pop() === undefined) return null;
    if (segment !== "" && segment !== "." && segment !== "..") segments.push(segment);
  }
  return segments.join("/");
}
