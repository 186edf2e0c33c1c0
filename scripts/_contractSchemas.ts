import { parseAst, type Plugin } from "vite";

/** What a call of `get`, `post` and so on says to the browser; the rest is for the server, which validates. */
const KEPT = new Set(["maxBytes"]);
const BUILDERS = new Set(["get", "post", "patch", "put", "del"]);
const ROUTES = /\/shared\/core\/route\.ts$/;

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Edit = { start: number; end: number; text: string };
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value : [value]).filter(isNode);

function* walk(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) for (const child of nodesIn(value)) yield* walk(child);
}

/**
 * Takes the schemas of contracts out of the browser's build: the browser sends and reads what the types say, and the
 * server validates. Schemas that pages use themselves stay; zod loads with those pages.
 */
export const contractSchemas: Plugin = {
  name: "contract-schemas",
  apply: "build",
  enforce: "pre",
  transform: {
    filter: { id: /\/shared\/.*\.ts$/ },
    handler(code, id) {
      const source = ROUTES.test(id) ? withoutDefaults(code) : code;
      const program = parseAst(source, { lang: "ts" }) as unknown as Node;
      const edits = [...[...walk(program)].flatMap((node) => bareContract(node, source)), ...pureConstants(program)];
      return { code: applyEdits(source, edits), map: null };
    },
  },
};

/** The call of a builder of contracts without its schemas. */
function bareContract(node: Node, code: string): Edit[] {
  if (node.type !== "CallExpression") return [];
  const [callee] = nodesIn(node["callee"]);
  const [, parts] = nodesIn(node["arguments"]);
  if (!BUILDERS.has(String(callee?.["name"])) || parts?.type !== "ObjectExpression") return [];
  const kept = nodesIn(parts["properties"])
    .filter(({ key }) => isNode(key) && KEPT.has(String(key["name"])))
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
