// Prerequisites of SCORM 1.2 in aicc_script: when a part of a package opens (Content Aggregation Model 1.2, 2.3.4.5,
// and AICC CMI001, 6.4)

export type LessonStatus = "passed" | "completed" | "failed" | "incomplete" | "browsed" | "not attempted";

/**
 * `done`: the part or group is passed or completed. `atLeast`: of the expressions `of`, so many are true; of all of
 * them: "and"; of one: "or".
 */
export type Prerequisites =
  | { kind: "done"; id: string }
  | { kind: "is"; id: string; status: LessonStatus }
  | { kind: "not"; of: Prerequisites }
  | { kind: "atLeast"; count: number; of: Prerequisites[] };

/** Statuses by their names and their first letters, as AICC has them. */
const STATUSES: Record<string, LessonStatus> = {
  passed: "passed",
  p: "passed",
  completed: "completed",
  complete: "completed",
  c: "completed",
  failed: "failed",
  f: "failed",
  incomplete: "incomplete",
  i: "incomplete",
  browsed: "browsed",
  b: "browsed",
  "not attempted": "not attempted",
  na: "not attempted",
  n: "not attempted",
};

/** Not in the standard, but in packages. */
const WORDS: Record<string, string> = { and: "&", or: "|", not: "~" };

const MAX_CHARS = 2000;
/** Of parentheses, sets and negations in each other. */
const MAX_DEPTH = 50;
const TOKEN = /\s*(<>|[&|~=(){},*]|"[^"]*"|[^\s&|~=(){},*<>"]+)/y;

/** The expression of a script; null if it cannot be read. */
export function parsePrerequisites(script: string): Prerequisites | null {
  const tokens = script.length > MAX_CHARS ? null : tokenize(script.trim());
  if (!tokens || tokens.length === 0) return null;
  let at = 0;
  const next = () => tokens[at++] ?? fail();
  const skip = (token: string) => tokens[at] === token && ++at > 0;
  const expect = (token: string) => {
    if (!skip(token)) fail();
  };

  const any = (): Prerequisites => {
    const of = [all()];
    while (skip("|")) of.push(all());
    return combine(1, of);
  };
  const all = (): Prerequisites => {
    const of = [operand()];
    while (skip("&")) of.push(operand());
    return combine(of.length, of);
  };
  let depth = 0;
  const nested = <T>(read: () => T): T => {
    if (++depth > MAX_DEPTH) fail();
    const inner = read();
    depth--;
    return inner;
  };
  const operand = (): Prerequisites => {
    if (skip("~")) return { kind: "not", of: nested(operand) };
    if (skip("(")) {
      const inner = nested(any);
      expect(")");
      return inner;
    }
    if (skip("{")) return nested(() => set(null));
    const name = nameOf(next());
    if (skip("*")) {
      expect("{");
      return nested(() => set(/^\d{1,4}$/.test(name) ? Number(name) : fail()));
    }
    if (skip("=")) return { kind: "is", id: name, status: status() };
    if (skip("<>")) return { kind: "not", of: { kind: "is", id: name, status: status() } };
    return { kind: "done", id: name };
  };
  const status = () => STATUSES[nameOf(next()).toLowerCase()] ?? fail();
  /** After the brace: a set of which `count` must be true, by default all. */
  const set = (count: number | null): Prerequisites => {
    const of = [any()];
    while (skip(",")) of.push(any());
    expect("}");
    return { kind: "atLeast", count: count ?? of.length, of };
  };

  try {
    const expression = any();
    return at === tokens.length ? expression : null;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

class Unreadable extends Error {}
function fail(): never {
  throw new Unreadable();
}

const combine = (count: number, of: Prerequisites[]): Prerequisites =>
  of.length === 1 ? (of[0] as Prerequisites) : { kind: "atLeast", count, of };

function tokenize(script: string): string[] | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < script.length) {
    const token = TOKEN.exec(script)?.[1];
    if (token === undefined) return null;
    tokens.push(WORDS[token.toLowerCase()] ?? token);
  }
  return tokens;
}

/** A name or a status, with or without quotation marks. */
function nameOf(token: string): string {
  if (/^(<>|[&|~=(){},*])$/.test(token)) return fail();
  return token.startsWith('"') ? token.slice(1, -1).trim() : token;
}

export function isMet(expression: Prerequisites, statusOf: (id: string) => LessonStatus): boolean {
  switch (expression.kind) {
    case "done":
      return isDone(statusOf(expression.id));
    case "is":
      return statusOf(expression.id) === expression.status;
    case "not":
      return !isMet(expression.of, statusOf);
    case "atLeast":
      return expression.of.filter((one) => isMet(one, statusOf)).length >= expression.count;
  }
}

export const isDone = (status: LessonStatus) => status === "passed" || status === "completed";

/** The parts and groups that an expression names. */
export const namesIn = (expression: Prerequisites): string[] => {
  if (expression.kind === "not") return namesIn(expression.of);
  return expression.kind === "atLeast" ? expression.of.flatMap(namesIn) : [expression.id];
};

/** What an expression waits for: the parts and groups that are not yet done, or not yet passed where it says so. */
export function missingIn(expression: Prerequisites, statusOf: (id: string) => LessonStatus): string[] {
  switch (expression.kind) {
    case "done":
      return isDone(statusOf(expression.id)) ? [] : [expression.id];
    case "is":
      return isDone(expression.status) && statusOf(expression.id) !== expression.status ? [expression.id] : [];
    case "not":
      return [];
    case "atLeast":
      return expression.of.flatMap((one) => missingIn(one, statusOf));
  }
}

/**
 * Whether an expression can be true and can be false, if the parts for which `canOpen` holds have any status and all
 * others were never opened.
 */
export function outcomesOf(expression: Prerequisites, canOpen: (id: string) => boolean): { yes: boolean; no: boolean } {
  switch (expression.kind) {
    case "done":
      return { yes: canOpen(expression.id), no: true };
    case "is":
      return canOpen(expression.id)
        ? { yes: true, no: true }
        : { yes: expression.status === "not attempted", no: expression.status !== "not attempted" };
    case "not": {
      const { yes, no } = outcomesOf(expression.of, canOpen);
      return { yes: no, no: yes };
    }
    case "atLeast": {
      const outcomes = expression.of.map((one) => outcomesOf(one, canOpen));
      return {
        yes: outcomes.filter(({ yes }) => yes).length >= expression.count,
        no: outcomes.filter(({ no }) => !no).length < expression.count,
      };
    }
  }
}

/** An item of the table of contents, in its order. */
export type PlacedItem = { id: string; depth: number; isPart: boolean };

/** The parts of a group, or the part itself; none at an index without item. */
export function partsWithin(items: PlacedItem[], index: number): string[] {
  const item = items[index];
  if (!item) return [];
  const { id, depth, isPart } = item;
  const after = items.slice(index + 1);
  const end = after.findIndex((one) => one.depth <= depth);
  const inner = after.slice(0, end === -1 ? after.length : end).filter((one) => one.isPart);
  return [...(isPart ? [id] : []), ...inner.map((one) => one.id)];
}
