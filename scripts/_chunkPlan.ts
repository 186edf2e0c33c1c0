import { gzipSync } from "node:zlib";
import { join } from "node:path";
import { build, type InlineConfig, type Rolldown } from "vite";
import { layoutFiles, providersFile, type Screen, type ScreenPath, screens } from "../web/screens.ts";

/** What one more request costs a page on a slow connection, in compressed bytes that could be transferred instead. */
const REQUEST_BYTES = 4000;

/** A way in which files are loaded together: a page with its layout, or a part that is loaded later. */
type Load = { entries: string[]; weight: number };
/**
 * Files of the build that no page asks for by name, which are always loaded together. `loads` are those that need them.
 */
type Cluster = { files: Set<string>; bytes: number; hasStyles: boolean; loads: Set<Load> };

const root = join(import.meta.dirname, "..");
const web = (file: string) => join(root, "web", file);
const providers = web(providersFile);
const layout = layoutFiles.map(web);
/** What visitors get who have not decided about cookies. */
const banner = ["privacy/CookieBanner.tsx", "privacy/CookieDialog.tsx"].map(web);

/** Pages of guests and learners are opened on phones, and more often than those of admins. */
const ADMIN_WEIGHT = 1;
const LEARNER_WEIGHT = 3;
const GUEST_WEIGHT = 10;
/**
 * What people open most: learners every day, admins every morning, and all of them the login page. Otherwise their
 * files would contain what the many pages of admins need.
 */
const DAILY: Partial<Record<ScreenPath, number>> = {
  "/login": 45,
  "/today": 60,
  "/my-courses": 60,
  "/courses/:id": 110,
  "/launch/:companyId/:courseId": 40,
  "/dashboard": 5,
  "/learners": 5,
};
function weightOf({ path, guards }: Screen) {
  const daily = DAILY[path as ScreenPath];
  if (daily) return daily;
  if (guards.includes("admin")) return ADMIN_WEIGHT;
  return guards.includes("auth") ? LEARNER_WEIGHT : GUEST_WEIGHT;
}
function loadsOfScreen(screen: Screen): Load[] {
  if (!screen.page) return [];
  const file = (name: string) => web(`${name}.tsx`);
  const around = screen.light ? [] : [providers, ...(screen.layout ? [] : layout)];
  const visit = screen.guards.includes("auth") || screen.guards.includes("admin") ? [] : banner;
  const entries = [...around, ...visit, file(screen.page)];
  if (!screen.byRole) return [{ entries, weight: weightOf(screen) }];
  return [
    { entries: [...entries, file(screen.byRole.learner)], weight: weightOf(screen) },
    { entries: [...entries, file(screen.byRole.admin)], weight: ADMIN_WEIGHT },
  ];
}
const PART_WEIGHT = 0.1;

/**
 * Which modules of the pages become one file: a map from module to the name of its file. Modules that are not in it
 * stay with the page that alone needs them.
 *
 * A first build without a plan puts modules that exactly the same pages need into one file each, several hundred in
 * all. They are then merged two by two as long as the sum over all pages of bytes and requests falls. Two files are
 * never merged if a third one is between them, because files that import each other in a circle may run in the wrong
 * order.
 */
export async function planChunks(config: InlineConfig): Promise<Map<string, string>> {
  const built = (await build(config)) as Rolldown.RolldownOutput;
  const chunks = new Map(
    built.output.flatMap((file) => (file.type === "chunk" ? [[file.fileName, file] as const] : [])),
  );
  const fileOfEntry = new Map([...chunks.values()].map((chunk) => [chunk.facadeModuleId ?? "", chunk.fileName]));
  const first = new Set(
    closure(
      chunks,
      [...chunks.values()].filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName),
    ),
  );

  const pages = screens.flatMap(loadsOfScreen);
  const loadedByPages = new Set(pages.flatMap(({ entries }) => entries));
  const parts = [...fileOfEntry.keys()].filter((id) => id && !loadedByPages.has(id));
  const loads: Load[] = [...pages, ...parts.map((id) => ({ entries: [id], weight: PART_WEIGHT }))];

  const loadsOf = new Map<string, Set<Load>>();
  for (const load of loads)
    for (const file of closure(
      chunks,
      load.entries.flatMap((id) => fileOfEntry.get(id) ?? []),
    ))
      loadsOf.set(file, (loadsOf.get(file) ?? new Set()).add(load));

  const assets = new Map(built.output.flatMap((file) => (file.type === "asset" ? [[file.fileName, file.source]] : [])));
  const stylesOf = (chunk: Rolldown.OutputChunk) =>
    [...(chunk.viteMetadata?.importedCss ?? [])].flatMap((name) => assets.get(name) ?? []);
  const isShared = (chunk: Rolldown.OutputChunk) => !chunk.facadeModuleId && !first.has(chunk.fileName);
  const clusters = mergeClusters(
    chunks,
    [...chunks.values()].filter(isShared).map((chunk) => ({
      files: new Set([chunk.fileName]),
      bytes: gzipSync(chunk.code).length + stylesOf(chunk).reduce((sum, css) => sum + gzipSync(css).length, 0),
      hasStyles: stylesOf(chunk).length > 0,
      loads: loadsOf.get(chunk.fileName) ?? new Set(),
    })),
  );
  return new Map(
    clusters.flatMap(({ files }, index) =>
      [...files].flatMap((file) => (chunks.get(file)?.moduleIds ?? []).map((id) => [id, `shared-${index}`] as const)),
    ),
  );
}

type Chunks = Map<string, Rolldown.OutputChunk>;
/** These files and all that they import, each once. */
function closure(chunks: Chunks, files: string[], visited = new Set<string>()): Set<string> {
  for (const file of files) {
    if (visited.has(file)) continue;
    visited.add(file);
    closure(chunks, chunks.get(file)?.imports ?? [], visited);
  }
  return visited;
}

const weightOfAll = (loads: Iterable<Load>) => [...loads].reduce((sum, { weight }) => sum + weight, 0);
/**
 * What merging two clusters saves, in weighted bytes: requests of the loads that need both, less what loads get that
 * need only one.
 */
function savingOf(one: Cluster, other: Cluster) {
  const both = weightOfAll(one.loads.intersection(other.loads));
  const onlyOne = weightOfAll(one.loads) - both;
  const onlyOther = weightOfAll(other.loads) - both;
  const requests = one.hasStyles && other.hasStyles ? 2 : 1;
  return both * requests * REQUEST_BYTES - onlyOne * other.bytes - onlyOther * one.bytes;
}

function mergeClusters(chunks: Chunks, clusters: Cluster[]): Cluster[] {
  const savings = new WeakMap<Cluster, WeakMap<Cluster, number>>(clusters.map((cluster) => [cluster, new WeakMap()]));
  const savingBy = (one: Cluster, other: Cluster) => {
    const saving = savings.get(one)?.get(other) ?? savingOf(one, other);
    savings.get(one)?.set(other, saving);
    return saving;
  };
  const forbidden = new Map<Cluster, Set<Cluster>>();
  for (;;) {
    let best: { one: Cluster; other: Cluster; saving: number } | null = null;
    for (const [index, one] of clusters.entries())
      for (const other of clusters.slice(index + 1)) {
        const saving = savingBy(one, other);
        if (saving > (best?.saving ?? 0) && !forbidden.get(one)?.has(other)) best = { one, other, saving };
      }
    if (!best) return clusters;
    const { one, other } = best;
    const merged = {
      files: one.files.union(other.files),
      bytes: one.bytes + other.bytes,
      hasStyles: one.hasStyles || other.hasStyles,
      loads: one.loads.union(other.loads),
    };
    const rest = clusters.filter((cluster) => cluster !== one && cluster !== other);
    if (hasCircle(chunks, [...rest, merged])) forbidden.set(one, (forbidden.get(one) ?? new Set()).add(other));
    else {
      clusters = [...rest, merged];
      savings.set(merged, new WeakMap());
      forbidden.clear();
    }
  }
}

/** Whether files would import each other in a circle if each cluster were one file. */
function hasCircle(chunks: Chunks, clusters: Cluster[]) {
  const nameOf = new Map(
    clusters.flatMap(({ files }, index) => [...files].map((file) => [file, `cluster ${index}`] as const)),
  );
  const node = (file: string) => nameOf.get(file) ?? file;
  const imports = new Map<string, Set<string>>();
  for (const [file, chunk] of chunks) {
    const from = imports.get(node(file)) ?? new Set<string>();
    for (const imported of chunk.imports) if (node(imported) !== node(file)) from.add(node(imported));
    imports.set(node(file), from);
  }
  const state = new Map<string, "open" | "done">();
  const visit = (name: string): boolean => {
    if (state.get(name)) return state.get(name) === "open";
    state.set(name, "open");
    if ([...(imports.get(name) ?? [])].some(visit)) return true;
    state.set(name, "done");
    return false;
  };
  return [...imports.keys()].some(visit);
}
