import { parseAst, type Plugin } from "vite";
import { type Node, nodesIn, PART, sourceOfPart, splitBySchemas } from "./_schemaParts.ts";

/** What a call of `get`, `post` and so on says to the browser; the rest is for the server, which validates. */
const KEPT = new Set(["maxBytes"]);
const BUILDERS = new Set(["get", "post", "patch", "put", "del"]);
const ROUTES = /\/shared\/core\/route\.ts$/;

type Edit = { start: number; end: number; text: string };

function* walk(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) for (const child of nodesIn(value)) yield* walk(child);
}

/**
 * Takes the schemas of contracts out of the browser's build: the browser sends and reads what the types say, and the
 * server validates. Schemas that pages use themselves stay, each module's in a part of their own: zod loads with the
 * pages that use them.
 */
export const contractSchemas: Plugin = {
  name: "contract-schemas",
  apply: "build",
  enforce: "pre",
  resolveId: {
    async handler(source, importer, options) {
      if (PART.test(source)) return { id: source, moduleSideEffects: false };
      if (!importer || !PART.test(importer)) return null;
      return this.resolve(source, importer.replace(PART, ""), { ...options, skipSelf: true });
    },
  },
  load: {
    filter: { id: PART },
    async handler(id) {
      const file = id.replace(PART, "");
      const parts = splitBySchemas(withoutContracts(await sourceOfPart(id), file), file);
      if (!parts) throw new Error(`${file} has no parts`);
      const code = id.endsWith("plain") ? parts.plain : parts.schemas;
      return { code, map: null, moduleType: "ts", moduleSideEffects: false };
    },
  },
  transform: {
    filter: { id: /\/shared\/.*\.ts$/ },
    handler(source, id) {
      const code = withoutContracts(source, id);
      const parts = splitBySchemas(code, id);
      return { code: parts?.whole ?? code, map: null, moduleSideEffects: false };
    },
  },
};

/** The content security policy forbids `eval`, so zod must not try it. */
export const withoutEval: Plugin = {
  name: "without-eval",
  apply: "build",
  transform: {
    filter: { id: /zod\/v4\/core\/core\.js/ },
    handler(code) {
      const changed = code.replace("__zod_globalConfig = {})", "__zod_globalConfig = { jitless: true })");
      if (changed === code) this.error("zod keeps its configuration elsewhere");
      return changed;
    },
  },
};

function withoutContracts(code: string, id: string) {
  const source = ROUTES.test(id) ? withoutDefaults(code) : code;
  const program = parseAst(source, { lang: "ts" }) as unknown as Node;
  const edits = [...[...walk(program)].flatMap((node) => bareContract(node, source)), ...pureConstants(program)];
  return applyEdits(source, edits);
}

/** The call of a builder of contracts without its schemas. */
function bareContract(node: Node, code: string): Edit[] {
  if (node.type !== "CallExpression") return [];
  const [callee] = nodesIn(node["callee"]);
  const [, parts] = nodesIn(node["arguments"]);
  if (!BUILDERS.has(String(callee?.["name"])) || parts?.type !== "ObjectExpression") return [];
  const kept = nodesIn(parts["properties"])
    .filter(({ key }) => KEPT.has(String(nodesIn(key)[0]?.["name"])))
    .map(({ start, end }) => code.slice(start, end));
  return [{ start: parts.start, end: parts.end, text: `{ ${kept.join(", ")} }` }];
}

/**
 * Marks the constants of a module that are the result of a call: they leave the build if nothing uses them. In `shared/`,
 * calls only define.
 */
function pureConstants(program: Node): Edit[] {
  const declarations = nodesIn(program["body"]).flatMap((statement) =>
    statement.type === "ExportNamedDeclaration" ? nodesIn(statement["declaration"]) : [statement],
  );
  return declarations
    .filter(({ type }) => type === "VariableDeclaration")
    .flatMap((declaration) => nodesIn(declaration["declarations"]))
    .flatMap(({ init }) => nodesIn(init))
    .filter(({ type }) => type === "CallExpression")
    .flatMap(({ start, end }) => [
      { start, end: start, text: "/* @__PURE__ */ (() => " },
      { start: end, end, text: ")()" },
    ]);
}

/** Edits do not overlap. */
const applyEdits = (code: string, edits: Edit[]) =>
  edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end), code);

/** The schemas of contracts that name none. */
function withoutDefaults(code: string) {
  const result = code.replace(/^const (none|idParams) = z\..*;$/gm, "const $1 = undefined;");
  if (result.split("= undefined;").length !== 3) throw new Error("shared/core/route.ts has other defaults of schemas");
  return result;
}
