import { readFile } from "node:fs/promises";
import { parseAst } from "vite";

export type Node = { type: string; start: number; end: number; [key: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
export const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value : [value]).filter(isNode);

/** The two modules that a module of `shared/` becomes. */
export const PART = /\?part=(schemas|plain)$/;

type Declaration = { names: string[]; uses: Set<string>; code: string };

/**
 * Splits a module into what needs zod and what does not, so that a page that reads a constant does not load zod for the
 * schema beside it. Returns the code of both parts and of the module, which then only exports from them; null if there
 * is nothing to split, or if the module does more than define.
 */
export function splitBySchemas(code: string, id: string) {
  const statements = nodesIn((parseAst(code, { lang: "ts" }) as unknown as Node)["body"]);
  const text = ({ start, end }: Node) => code.slice(start, end);
  const imports = statements.filter((one) => one.type === "ImportDeclaration");
  const lists = statements.filter((one) => one.type === "ExportAllDeclaration" || isExportList(one));
  const rest = statements.filter((one) => !imports.includes(one) && !lists.includes(one));
  const declarations: Declaration[] = [];
  const exported: string[] = [];
  for (const statement of rest) {
    const [declared] = statement.type === "ExportNamedDeclaration" ? nodesIn(statement["declaration"]) : [statement];
    if (!declared || isType(declared)) continue;
    const names = namesOf(declared);
    if (!names) return null;
    if (statement !== declared) exported.push(...names);
    declarations.push({ names, uses: identifiersIn(declared), code: text(declared) });
  }
  if (lists.some((one) => nodesIn(one["source"]).length === 0)) return null;
  const needZod = new Set(imports.filter(isOfZod).flatMap((one) => nodesIn(one["specifiers"]).map(localName)));
  const schemas = new Set<Declaration>();
  for (let before = -1; before !== schemas.size;) {
    before = schemas.size;
    for (const one of declarations)
      if ([...one.uses].some((name) => needZod.has(name))) {
        schemas.add(one);
        for (const name of one.names) needZod.add(name);
      }
  }
  const plain = declarations.filter((one) => !schemas.has(one));
  if (schemas.size === 0 || plain.length === 0) return null;

  const importsFor = (list: Declaration[]) =>
    imports.filter((one) =>
      nodesIn(one["specifiers"]).some((name) => list.some(({ uses }) => uses.has(localName(name)))),
    );
  const namesIn = (list: Iterable<Declaration>) => [...list].flatMap(({ names }) => names);
  const partCode = (list: Declaration[], from: string[]) =>
    [
      ...importsFor(list).map(text),
      ...from,
      ...list.map((one) => `${one.code};`),
      `export { ${namesIn(list).join(", ")} };`,
    ].join("\n");
  const exportFrom = (list: Iterable<Declaration>, part: string) =>
    `export { ${namesIn(list)
      .filter((name) => exported.includes(name))
      .join(", ")} } from ${JSON.stringify(`${id}?part=${part}`)};`;
  return {
    plain: partCode(plain, []),
    schemas: partCode(
      [...schemas],
      [`import { ${namesIn(plain).join(", ")} } from ${JSON.stringify(`${id}?part=plain`)};`],
    ),
    whole: [...lists.map(text), exportFrom(plain, "plain"), exportFrom(schemas, "schemas")].join("\n"),
  };
}

/** `export { a }` and `export { a } from "b"`. */
const isExportList = (one: Node) => one.type === "ExportNamedDeclaration" && nodesIn(one["declaration"]).length === 0;
const isType = ({ type }: Node) => /^TS(TypeAlias|Interface)Declaration$/.test(type);
const isOfZod = (one: Node) => nodesIn(one["source"])[0]?.["value"] === "zod";
const localName = (specifier: Node) => String(nodesIn(specifier["local"])[0]?.["name"]);

/** The names that a statement declares; null if it is not a declaration, or takes a value apart. */
function namesOf(statement: Node): string[] | null {
  if (statement.type === "FunctionDeclaration" || statement.type === "ClassDeclaration")
    return nodesIn(statement["id"]).map(({ name }) => String(name));
  if (statement.type !== "VariableDeclaration") return null;
  const targets = nodesIn(statement["declarations"]).flatMap((one) => nodesIn(one["id"]));
  return targets.every(({ type }) => type === "Identifier") ? targets.map(({ name }) => String(name)) : null;
}

/** Fields of nodes that hold types only. */
const TYPES = new Set(["typeAnnotation", "typeArguments", "typeParameters", "returnType"]);
/** Fields whose identifier is a name after a point or before a colon, unless it is computed. */
const LABELS = new Set(["property", "key"]);

/** Names that code refers to; those of its parameters are its own, those of its variables are included. */
function identifiersIn(node: Node): Set<string> {
  if (node.type === "Identifier") return new Set([String(node["name"])]);
  const found = new Set<string>();
  for (const [field, value] of Object.entries(node)) {
    if (TYPES.has(field) || (LABELS.has(field) && node["computed"] !== true)) continue;
    for (const child of nodesIn(value)) for (const name of identifiersIn(child)) found.add(name);
  }
  for (const name of nodesIn(node["params"]).flatMap(boundBy)) found.delete(name);
  return found;
}

/** The names that a parameter binds. */
function boundBy(pattern: Node): string[] {
  if (pattern.type === "Identifier") return [String(pattern["name"])];
  const inner = { ObjectPattern: "properties", ArrayPattern: "elements", Property: "value", RestElement: "argument" };
  const field = pattern.type === "AssignmentPattern" ? "left" : inner[pattern.type as keyof typeof inner];
  return field ? nodesIn(pattern[field]).flatMap(boundBy) : [];
}

export const sourceOfPart = (id: string) => readFile(id.replace(PART, ""), "utf8");
