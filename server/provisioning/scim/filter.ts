import { invalidFilter } from "#server/provisioning/scim/scimError.ts";

// Filters (RFC 7644, 3.4.2.2)

export type Operator = "eq" | "ne" | "co" | "sw" | "ew" | "gt" | "ge" | "lt" | "le";
export type Value = string | number | boolean | null;
export type Filter =
  | { kind: "compare"; path: string; operator: Operator; value: Value }
  | { kind: "present"; path: string }
  | { kind: "and" | "or"; parts: Filter[] }
  | { kind: "not"; part: Filter }
  /** `emails[type eq "work"]`: one value of the attribute meets the filter within the brackets. */
  | { kind: "values"; path: string; filter: Filter };

export const MAX_FILTER_CHARS = 4000;
const MAX_TESTS = 10;
const MAX_DEPTH = 12;
const OPERATORS = new Set(["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"]);

/** Words, texts and brackets. The schema of an attribute is part of its name: `urn:…:2.0:User:userName`. */
const TOKEN = /\s+|"(?:[^"\\]|\\.)*"|[()[\]]|[^\s()[\]"]+/gy;

function tokenise(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const [token] = TOKEN.exec(text) ?? [];
    if (token === undefined) throw invalidFilter("A quotation mark is missing.");
    if (token.trim() !== "") tokens.push(token);
  }
  return tokens;
}

export function parseFilter(text: string): Filter {
  if (text.length > MAX_FILTER_CHARS) throw invalidFilter(`A filter must have at most ${MAX_FILTER_CHARS} characters.`);
  const parser = new FilterParser(tokenise(text));
  const filter = parser.readOr(0);
  if (parser.next() !== undefined) throw invalidFilter("The filter has unexpected text at its end.");
  return filter;
}

class FilterParser {
  #tokens: string[];
  #at = 0;
  #tests = 0;

  constructor(tokens: string[]) {
    this.#tokens = tokens;
  }

  next() {
    return this.#tokens[this.#at++];
  }

  #accept(word: string) {
    if (this.#tokens[this.#at]?.toLowerCase() !== word) return false;
    this.#at++;
    return true;
  }

  /** `or` binds less than `and`, which binds less than `not`. */
  readOr(depth: number, isWithin = false): Filter {
    if (depth > MAX_DEPTH) throw invalidFilter(`Parentheses must be nested at most ${MAX_DEPTH} levels deep.`);
    const parts = [this.#readAnd(depth, isWithin)];
    while (this.#accept("or")) parts.push(this.#readAnd(depth, isWithin));
    return parts.length === 1 ? (parts[0] as Filter) : { kind: "or", parts };
  }

  #readAnd(depth: number, isWithin: boolean): Filter {
    const parts = [this.#readTest(depth, isWithin)];
    while (this.#accept("and")) parts.push(this.#readTest(depth, isWithin));
    return parts.length === 1 ? (parts[0] as Filter) : { kind: "and", parts };
  }

  #readTest(depth: number, isWithin: boolean): Filter {
    if (this.#accept("not")) {
      if (this.#tokens[this.#at] !== "(") throw invalidFilter("“not” must be followed by parentheses.");
      return { kind: "not", part: this.#readTest(depth + 1, isWithin) };
    }
    if (this.#accept("(")) {
      const filter = this.readOr(depth + 1, isWithin);
      if (!this.#accept(")")) throw invalidFilter("A closing parenthesis is missing.");
      return filter;
    }
    if (++this.#tests > MAX_TESTS) throw invalidFilter(`A filter must have at most ${MAX_TESTS} comparisons.`);
    const path = this.next();
    if (path === undefined || /^["()[\]]/.test(path)) throw invalidFilter("The name of an attribute is missing.");
    if (this.#accept("[")) {
      if (isWithin) throw invalidFilter("Square brackets cannot be nested.");
      const filter = this.readOr(depth + 1, true);
      if (!this.#accept("]")) throw invalidFilter("A closing square bracket is missing.");
      const after = this.#tokens[this.#at];
      if (!after?.startsWith(".")) return { kind: "values", path, filter };
      // Entra asks for `emails[type eq "work"].value eq "…"`.
      this.#at++;
      return { kind: "values", path, filter: { kind: "and", parts: [filter, this.#readComparison(after.slice(1))] } };
    }
    return this.#readComparison(path);
  }

  #readComparison(path: string): Filter {
    const operator = this.next()?.toLowerCase();
    if (operator === "pr") return { kind: "present", path };
    if (operator === undefined || !OPERATORS.has(operator))
      throw invalidFilter("A comparison needs an operator: eq, ne, co, sw, ew, gt, ge, lt, le or pr.");
    return { kind: "compare", path, operator: operator as Operator, value: readValue(this.next()) };
  }
}

function readValue(token: string | undefined): Value {
  const text = token ?? "";
  try {
    const value: unknown = JSON.parse(/^(true|false|null)$/i.test(text) ? text.toLowerCase() : text);
    if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value as Value;
  } catch {
    // No JSON value.
  }
  throw invalidFilter("The value of a comparison must be a string in quotation marks, a number, true, false or null.");
}

type Entry = Record<string, unknown>;

/** Whether one value of an attribute, such as an email address, meets the filter within brackets. */
export function meets(entry: Entry, filter: Filter): boolean {
  switch (filter.kind) {
    case "and":
      return filter.parts.every((part) => meets(entry, part));
    case "or":
      return filter.parts.some((part) => meets(entry, part));
    case "not":
      return !meets(entry, filter.part);
    case "values":
      return false;
    case "present":
      return valueIn(entry, filter.path) !== undefined;
    case "compare":
      return compare(valueIn(entry, filter.path), filter.operator, filter.value);
  }
}

const valueIn = (entry: Entry, path: string) => {
  const key = Object.keys(entry).find((name) => name.toLowerCase() === path.toLowerCase());
  return key === undefined ? undefined : entry[key];
};

/** True is also written as "True". */
const comparable = (value: unknown) => (value === null || value === undefined ? null : String(value).toLowerCase());

function compare(held: unknown, operator: Operator, wanted: Value): boolean {
  const [a, b] = [comparable(held), comparable(wanted)];
  if (operator === "eq") return a === b;
  if (operator === "ne") return a !== b;
  if (a === null || b === null) return false;
  if (operator === "co") return a.includes(b);
  if (operator === "sw") return a.startsWith(b);
  if (operator === "ew") return a.endsWith(b);
  if (operator === "gt") return a > b;
  if (operator === "ge") return a >= b;
  return operator === "lt" ? a < b : a <= b;
}
