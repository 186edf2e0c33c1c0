import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { files, product, root, rootOf, sourceOf, walk } from "#test/sources.ts";
import * as domains from "#server/domains.ts";

// Rules of docs/architecture.md and CONTRIBUTING.md: allowed imports, file names, file lengths

/** Domains that every other domain of the server may use; the further ones are in `uses` of its domain.ts. */
const foundations = ["audit", "settings", "mails", "files", "auth", "notifications"];
const readEverything = ["reports", "demo"];
/** Maximum number of code files in one folder. */
const MAX_FOLDER_FILES = 32;

type Import = { from: string; to: string; typeOnly: boolean };
const resolve = (from: string, specifier: string) => {
  if (specifier.startsWith("#")) return specifier.slice(1);
  return specifier.startsWith(".") ? relative(root, join(root, dirname(from), specifier)) : specifier;
};
const imports: Import[] = product.flatMap((from) =>
  [
    ...sourceOf(from).matchAll(
      /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'"\n;]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g,
    ),
  ].map(([, type, imported, dynamic]) => ({
    from,
    to: resolve(from, (imported ?? dynamic) as string),
    typeOnly: type !== undefined,
  })),
);

const domainOf = (path: string) => path.split("/")[1] ?? "";
const isOurs = (path: string) => ["shared", "server", "web", "scripts", "test"].includes(rootOf(path));

test("shared imports only itself, zod and the sequencing engine", () => {
  const isEngine = ({ from, to }: (typeof imports)[number]) =>
    from === "shared/sequencing/library.ts" && to === "scorm-again/scorm2004";
  const outside = imports.filter(({ from, to }) => rootOf(from) === "shared" && rootOf(to) !== "shared");
  expect(outside.filter((edge) => edge.to !== "zod" && !isEngine(edge))).toEqual([]);
});

test("browser and server never import each other", () => {
  expect(
    imports.filter(({ from, to }) => rootOf(from) === "web" && (rootOf(to) === "server" || to.startsWith("node:"))),
  ).toEqual([]);
  expect(imports.filter(({ from, to }) => rootOf(from) === "server" && rootOf(to) === "web")).toEqual([]);
});

test("core imports no domain", () => {
  const wrong = imports.filter(
    ({ from, to }) =>
      /^(shared|server|web)\/core\//.test(from) &&
      ["shared", "server", "web"].includes(rootOf(to)) &&
      (rootOf(to) !== "shared" || rootOf(from) === "shared") &&
      domainOf(to) !== "locales" &&
      domainOf(to) !== "core" &&
      isFolder(to),
  );
  expect(wrong).toEqual([]);
});

test("routes.ts imports its contract and its own domain only", () => {
  const wrong = imports.filter(
    ({ from, to }) =>
      /^server\/\w+\/routes\.ts$/.test(from) &&
      rootOf(to) === "server" &&
      ![domainOf(from), "core"].includes(domainOf(to)),
  );
  expect(wrong).toEqual([]);
});

test("no domain imports reports or demo, and imports form no cycles", () => {
  const inner = imports.filter(
    ({ from, to }) =>
      rootOf(from) === rootOf(to) && ["server", "web"].includes(rootOf(from)) && isFolder(from) && isFolder(to),
  );
  expect(
    inner.filter(
      ({ from, to }) =>
        rootOf(from) === "server" && readEverything.includes(domainOf(to)) && domainOf(from) !== domainOf(to),
    ),
  ).toEqual([]);
  for (const side of ["server", "web"]) {
    const edges = new Map<string, Set<string>>();
    for (const { from, to, typeOnly } of inner) {
      if (rootOf(from) !== side || typeOnly || domainOf(from) === domainOf(to) || domainOf(to) === "core") continue;
      edges.set(domainOf(from), (edges.get(domainOf(from)) ?? new Set()).add(domainOf(to)));
    }
    expect(cycleIn(edges)).toBeNull();
  }
});
const isFolder = (path: string) => path.split("/").length > 2;

function cycleIn(edges: Map<string, Set<string>>) {
  const done = new Set<string>();
  const visit = (node: string, trail: string[]): string[] | null => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node];
    if (done.has(node)) return null;
    for (const next of edges.get(node) ?? []) {
      const found = visit(next, [...trail, node]);
      if (found) return found;
    }
    done.add(node);
    return null;
  };
  for (const node of edges.keys()) {
    const found = visit(node, []);
    if (found) return found;
  }
  return null;
}

test("files form no import cycle", () => {
  const edges = new Map<string, Set<string>>();
  for (const { from, to, typeOnly } of imports)
    if (!typeOnly && isOurs(to) && product.includes(to)) edges.set(from, (edges.get(from) ?? new Set()).add(to));
  expect(cycleIn(edges)).toBeNull();
});

test("the folders of web/core form no cycle", () => {
  const folderOf = (path: string) => /^web\/core\/(\w+)\//.exec(path)?.[1];
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [user, used] = [folderOf(from), folderOf(to)];
    if (user && used && user !== used) edges.set(user, (edges.get(user) ?? new Set()).add(used));
  }
  expect(cycleIn(edges)).toBeNull();
});

test("only config.ts reads the environment", () => {
  expect(
    product.filter(
      (path) => rootOf(path) !== "web" && path !== "server/core/config.ts" && /process\.env/.test(sourceOf(path)),
    ),
  ).toEqual([]);
});

test("only the guarded fetch sends requests from the server", () => {
  const sends = /(?<![.\w])fetch\(|globalThis\.fetch|from "undici"|from "node:(http|https|http2)"|new WebSocket\(/;
  const server = product.filter(
    (path) => path.startsWith("server/") && path !== "server/core/outgoing/guardedFetch.ts",
  );
  expect(server.filter((path) => sends.test(sourceOf(path)))).toEqual([]);
});

test("services, jobs and mails never import Fastify", () => {
  const wrong = imports.filter(
    ({ from, to }) => /^server\/\w+\/(service|jobs|mails)\.ts$/.test(from) && to === "fastify",
  );
  expect(wrong).toEqual([]);
});

test("a server domain imports only the domains that it names in `uses`", () => {
  const uses = new Map<string, readonly string[]>(
    Object.values(domains).map(({ name, uses: used = [] }) => [name, used]),
  );
  const wrong = imports.filter(({ from, to }) => {
    if (rootOf(from) !== "server" || rootOf(to) !== "server" || !isFolder(from) || !isFolder(to)) return false;
    const [user, used] = [domainOf(from), domainOf(to)];
    if (user === used || used === "core" || readEverything.includes(user)) return false;
    return ![...foundations, ...(uses.get(user) ?? [])].includes(used);
  });
  expect(wrong, "change the import, or `uses` in the domain.ts of the importer").toEqual([]);
});

test("every folder of the server is a domain of server/domains.ts", () => {
  const folders = new Set(product.filter((path) => rootOf(path) === "server" && isFolder(path)).map(domainOf));
  expect(
    Object.values(domains)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([...folders].toSorted());
  for (const [exported, { name }] of Object.entries(domains)) expect(name).toBe(exported);
});

test(`no folder contains more than ${MAX_FOLDER_FILES} code files`, () => {
  const perFolder = Map.groupBy(product, (path) => dirname(path));
  const full = [...perFolder].filter(([, paths]) => paths.length > MAX_FOLDER_FILES);
  expect(full.map(([folder, paths]) => `${folder}: ${paths.length} files`)).toEqual([]);
});

test("there are no barrel files and no files with generic names", () => {
  const wrong = product.filter(
    (path) =>
      /^(index|utils?|helpers?|common|misc|types|constants)\.tsx?$/.test(basename(path)) ||
      /\/(utils|helpers|common|misc)\//.test(path),
  );
  expect(wrong).toEqual([]);
});

test("no file is longer than 300 lines", () => {
  const everything = [
    ...files,
    ...["test", "e2e", "bench", "scripts", "demo"].flatMap((folder) =>
      walk(join(root, folder)).map((path) => relative(root, path)),
    ),
  ];
  const long = everything.filter(
    (path) =>
      /\.(ts|tsx|js|css)$/.test(path) && !path.endsWith("db.types.ts") && sourceOf(path).split("\n").length > 301,
  );
  expect(long).toEqual([]);
});

test("every page has a route", async () => {
  const { screens } = await import("#web/screens.ts");
  const used = new Set([...screens.map(({ page }) => `web/${page}.tsx`), ...imports.map(({ to }) => to)]);
  // web/routes.tsx shows it on every other path.
  used.add("web/core/layout/NotFoundPage.tsx");
  const unused = product.filter((path) => path.endsWith("Page.tsx") && !used.has(path));
  expect(unused, "add a line to web/screens.ts").toEqual([]);
});

test("every imported file exists", () => {
  expect(imports.filter(({ to }) => isOurs(to) && !existsSync(join(root, to)))).toEqual([]);
});
