import { existsSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { expect, test } from "vitest";
import { product, root, rootOf, sourceOf, walk } from "#test/sources.ts";

// Documentation, settings, image and packages agree with the code

test("every path that the documentation names exists", () => {
  const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]
    .concat(walk(join(root, "docs")).map((path) => relative(root, path)))
    .filter((path) => path.endsWith(".md"));
  const missing = pages.flatMap((page) =>
    [
      ...readFileSync(join(root, page), "utf8").matchAll(
        /`((?:server|web|shared|test|e2e|bench|scripts|docs)\/[\w./-]+)`/g,
      ),
    ]
      .filter(([, path]) => !existsSync(join(root, path as string)))
      .map(([, path]) => `${page}: ${path}`),
  );
  expect(missing).toEqual([]);
});

test("every variable is in .env.example, compose.yaml and docs/operations.md", async () => {
  const { variables } = await import("#server/core/config.ts");
  const places = {
    ".env.example": (name: string) => new RegExp(`^#? ?${name}=`, "m"),
    "compose.yaml": (name: string) => new RegExp(`^      ${name}: \\S`, "m"),
    "docs/operations.md": (name: string) => new RegExp(`^\\|[^|]*\`${name}\``, "m"),
  };
  const missing = Object.entries(places).flatMap(([path, lineOf]) => {
    const text = readFileSync(join(root, path), "utf8");
    return Object.keys(variables.shape).flatMap((name) => (lineOf(name).test(text) ? [] : [`${name} in ${path}`]));
  });
  expect(missing).toEqual([]);
});

test("compose.yaml has no default password, and restarts services that have ended", () => {
  const services = readFileSync(join(root, "compose.yaml"), "utf8")
    .split(/^ {2}(?=\w+:$)/m)
    .slice(1);
  expect(
    services.filter(
      (service) => /^ {4}(image|build):/m.test(service) && !/^ {4}restart: unless-stopped$/m.test(service),
    ),
  ).toEqual([]);
  expect(services.join("")).not.toMatch(/PASSWORD:-[^}]/);
  expect(services.join("")).toContain("${POSTGRES_PASSWORD:?");
});

test("the image is made by the script of every machine, with all files of the server", () => {
  const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");
  const [build = "", runtime = ""] = dockerfile.split(/^(?=FROM )/m);
  expect(build).toContain("RUN node scripts/setup.js build");
  for (const stage of [build, runtime]) expect(stage).toContain("RUN node scripts/setup.js install");
  expect(dockerfile).not.toMatch(/vite|npm ci/);
  const copied = [...runtime.matchAll(/^COPY (?:--from=build \/app\/)?(\w+) /gm)].map(([, name]) => name as string);
  const read = [
    "scripts/backup.ts",
    ...product.filter((path) => rootOf(path) === "server" && !basename(path).startsWith("test")),
  ].flatMap((path) =>
    [...sourceOf(path).matchAll(/from "#(\w+)\/|import\.meta\.dirname, "(?:\.\.\/)+([\w]+)/g)].map(
      ([, alias, folder]) => alias ?? folder,
    ),
  );
  expect(
    [...new Set(read)].filter((name) => name !== undefined && !copied.includes(name) && existsSync(join(root, name))),
  ).toEqual([]);
});

test("every run-time dependency is pinned and named in a decision", () => {
  const decisions = walk(join(root, "docs/decisions"))
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  expect(Object.keys(dependencies).filter((name) => !decisions.includes(`\`${name}\``))).toEqual([]);
  expect(Object.values(dependencies).filter((version) => !/^\d/.test(version))).toEqual([]);
});
