import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

// The rules of the house (docs/architecture.md): who may import what, what files are called, how long they may be

const root = join(import.meta.dirname, "..");
const walk = (folder: string): string[] =>
  (existsSync(folder) ? readdirSync(folder) : []).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? walk(path) : [path];
  });
const isCode = (path: string) => /\.(ts|tsx)$/.test(path) && !path.endsWith(".d.ts");
const files = ["shared", "server", "web"]
  .flatMap((folder) => walk(join(root, folder)))
  .filter(isCode)
  .map((path) => relative(root, path));
const product = files.filter((path) => !/\.test\.tsx?$/.test(path));
const textOf = (path: string) => readFileSync(join(root, path), "utf8");

type Import = { from: string; to: string; typeOnly: boolean };
const resolve = (from: string, what: string) => {
  if (what.startsWith("#")) return what.slice(1);
  return what.startsWith(".") ? relative(root, join(root, dirname(from), what)) : what;
};
const imports: Import[] = product.flatMap((from) =>
  [
    ...textOf(from).matchAll(
      /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'"\n;]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g,
    ),
  ].map(([, type, plain, lazy]) => ({
    from,
    to: resolve(from, (plain ?? lazy) as string),
    typeOnly: type !== undefined,
  })),
);

const rootOf = (path: string) => path.split("/")[0] ?? "";
const domainOf = (path: string) => path.split("/")[1] ?? "";
const isOurs = (path: string) => ["shared", "server", "web", "scripts", "test"].includes(rootOf(path));

test("shared knows only itself and zod", () => {
  expect(
    imports.filter(({ from, to }) => rootOf(from) === "shared" && rootOf(to) !== "shared" && to !== "zod"),
  ).toEqual([]);
});

test("browser and server never import each other", () => {
  expect(
    imports.filter(({ from, to }) => rootOf(from) === "web" && (rootOf(to) === "server" || to.startsWith("node:"))),
  ).toEqual([]);
  expect(imports.filter(({ from, to }) => rootOf(from) === "server" && rootOf(to) === "web")).toEqual([]);
});

test("core knows no domain", () => {
  const wrong = imports.filter(
    ({ from, to }) =>
      /^(server|web)\/core\//.test(from) &&
      ["server", "web"].includes(rootOf(to)) &&
      domainOf(to) !== "core" &&
      isFolder(to),
  );
  expect(wrong).toEqual([]);
});

test("routes.ts sees its contract and its own domain, never another one", () => {
  const wrong = imports.filter(
    ({ from, to }) =>
      /^server\/\w+\/routes\.ts$/.test(from) &&
      rootOf(to) === "server" &&
      ![domainOf(from), "core"].includes(domainOf(to)),
  );
  expect(wrong).toEqual([]);
});

test("nobody imports reports, and no domain stands in a circle", () => {
  const inner = imports.filter(
    ({ from, to }) =>
      rootOf(from) === rootOf(to) && ["server", "web"].includes(rootOf(from)) && isFolder(from) && isFolder(to),
  );
  expect(
    inner.filter(
      ({ from, to }) => rootOf(from) === "server" && domainOf(to) === "reports" && domainOf(from) !== "reports",
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

test("no file imports itself in a circle", () => {
  const edges = new Map<string, Set<string>>();
  for (const { from, to, typeOnly } of imports)
    if (!typeOnly && isOurs(to) && product.includes(to)) edges.set(from, (edges.get(from) ?? new Set()).add(to));
  expect(cycleIn(edges)).toBeNull();
});

test("only config.ts reads the environment", () => {
  expect(
    product.filter(
      (path) => rootOf(path) !== "web" && path !== "server/core/config.ts" && /process\.env/.test(textOf(path)),
    ),
  ).toEqual([]);
});

test("a service never sees a request", () => {
  const wrong = imports.filter(
    ({ from, to }) => /^server\/\w+\/(service|jobs|mails)\.ts$/.test(from) && to === "fastify",
  );
  expect(wrong).toEqual([]);
});

test("names say what a file is: no barrels, no drawers for everything", () => {
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
    (path) => /\.(ts|tsx|js|css)$/.test(path) && !path.endsWith("db.types.ts") && textOf(path).split("\n").length > 301,
  );
  expect(long).toEqual([]);
});

test("every imported file exists", () => {
  expect(imports.filter(({ to }) => isOurs(to) && !existsSync(join(root, to)))).toEqual([]);
});

test(".env.example names every variable", async () => {
  const { variables } = await import("#server/core/config.ts");
  const example = readFileSync(join(root, ".env.example"), "utf8");
  expect(Object.keys(variables.shape).filter((name) => !new RegExp(`^#? ?${name}=`, "m").test(example))).toEqual([]);
});

test("every locale file is valid and every run-time dependency is named in a decision", () => {
  const decisions = walk(join(root, "docs/decisions"))
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  expect(Object.keys(dependencies).filter((name) => !decisions.includes(`\`${name}\``))).toEqual([]);
  expect(Object.values(dependencies).filter((version) => !/^\d/.test(version))).toEqual([]);
});
