import { joinBase } from "#server/packages/hrefs.ts";
import { attribute, children, type Element } from "#server/packages/xml.ts";

/** A resource of the manifest. `href` and `files` are relative to `base`, a folder below the package folder. */
export type Resource = {
  identifier: string;
  base: string;
  href: string | null;
  /** Null if the manifest does not state it. */
  type: "sco" | "asset" | null;
  files: string[];
};

/** All resources by identifier, including those of nested manifests; of duplicates the first is used. */
export function readResources(manifest: Element, folder: string): Map<string, Resource> {
  const resources = new Map<string, Resource>();
  collect(manifest, folder, resources);
  return resources;
}

/** Adds the resources of a manifest and of those nested in it; `outer` is the base folder around it. */
function collect(manifest: Element, outer: string, resources: Map<string, Resource>) {
  const base = joinBase(outer, attribute(manifest, "base") ?? "");
  for (const group of children(manifest, "resources")) {
    const groupBase = joinBase(base, attribute(group, "base") ?? "");
    for (const resource of children(group, "resource")) {
      const identifier = attribute(resource, "identifier");
      if (identifier === null || resources.has(identifier)) continue;
      const type = attribute(resource, "scormtype")?.toLowerCase();
      resources.set(identifier, {
        identifier,
        base: joinBase(groupBase, attribute(resource, "base") ?? ""),
        href: attribute(resource, "href"),
        type: type === "sco" || type === "asset" ? type : null,
        files: children(resource, "file").flatMap((file) => attribute(file, "href") ?? []),
      });
    }
  }
  for (const inner of children(manifest, "manifest")) collect(inner, base, resources);
}
