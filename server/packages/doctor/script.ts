import { limits } from "#server/packages/doctor/limits.ts";

// Reads a script without running it: its code, with comments and the contents of strings blanked, and its calls. Takes
// linear time for any text.

export type Literal = { at: number; end: number; text: string };
export type ScriptText = {
  /** As long as the script; comments and the contents of strings are spaces, line breaks stay. */
  code: string;
  literals: Literal[];
};

const MAX_LITERAL_CHARS = 300;
/** After these characters a slash starts a regular expression; otherwise it divides. */
const beforeExpression = new Set("(,=:[!&|?{};+-*%<>~^\n".split(""));
/** The same applies after these words, and before a method of regular expressions. */
const wordBeforeExpression = /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|else|do)\s{0,20}$/;
const usedExpression = /^\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,200}\/[a-z]{0,8}\.(?:test|exec)\(/;
const MAX_USED_CHARS = 300;

export function scanScript(text: string): ScriptText {
  const literals: Literal[] = [];
  const pieces: string[] = [];
  let copied = 0;
  let last = "\n";
  // No expression closes before this offset, so that a line is searched for an end only once.
  let unclosedUntil = 0;
  const isExpressionAt = (at: number) =>
    at >= unclosedUntil &&
    (beforeExpression.has(last) ||
      wordBeforeExpression.test(text.slice(Math.max(0, at - 30), at)) ||
      (")}".includes(last) && usedExpression.test(text.slice(at, at + MAX_USED_CHARS))));
  const blank = (from: number, to: number) => {
    pieces.push(text.slice(copied, from), text.slice(from, to).replace(/[^\n]/g, " "));
    copied = to;
  };
  for (let at = 0; at < text.length;) {
    const char = text[at] as string;
    const next = text[at + 1];
    if (char === "/" && (next === "/" || next === "*")) {
      const end = next === "/" ? indexOrEnd(text, "\n", at) : indexOrEnd(text, "*/", at + 2, 2);
      blank(at, end);
      at = end;
    } else if (char === '"' || char === "'" || char === "`") {
      const end = endOfLiteral(text, at);
      if (end - at <= MAX_LITERAL_CHARS) literals.push({ at, end, text: unescape(text.slice(at + 1, end - 1)) });
      blank(at + 1, Math.max(at + 1, end - 1));
      at = end;
      last = '"';
    } else if (char === "/" && isExpressionAt(at)) {
      const { end, isClosed } = endOfExpression(text, at);
      if (isClosed) blank(at + 1, end - 1);
      else unclosedUntil = end;
      at = isClosed ? end : at + 1;
      last = "/";
    } else {
      if (char > " " || char === "\n") last = char;
      at++;
    }
  }
  pieces.push(text.slice(copied));
  return { code: pieces.join(""), literals };
}

function indexOrEnd(text: string, mark: string, from: number, length = 0) {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + length;
}

/**
 * The end of a string. An unclosed one ends with its line, so that the rest is read as code; a template, with the text.
 */
function endOfLiteral(text: string, start: number) {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === quote) return at + 1;
    else if (char === "\n" && quote !== "`") return at;
  }
  return text.length;
}

/** The end of a regular expression or, if it is not closed, of its line. */
function endOfExpression(text: string, start: number) {
  let isClass = false;
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at];
    if (char === "\n") return { end: at, isClosed: false };
    if (char === "\\") at++;
    else if (char === "[") isClass = true;
    else if (char === "]") isClass = false;
    else if (char === "/" && !isClass) return { end: at + 1, isClosed: true };
  }
  return { end: text.length, isClosed: false };
}

const unescape = (text: string) => text.replace(/\\(.)/g, "$1");

/**
 * `at`: where the name of the function starts; `first`: the literal at the start of the first argument; `values`: the
 * literals that the second argument can be: one, two for `a ? "b" : "c"`, none for anything else.
 */
export type ScriptCall = { at: number; name: string; first: string; values: string[] };

const MAX_NAME_CHARS = 80;

/** The calls whose first argument is a literal or starts with one: `SetValue("cmi.location", place)`. */
export function listCalls({ code, literals }: ScriptText): ScriptCall[] {
  const calls: ScriptCall[] = [];
  for (let n = 0; n < literals.length && calls.length < limits.calls; n++) {
    const literal = literals[n] as Literal;
    const name = nameBefore(code, literal.at);
    if (!name) continue;
    const values = valuesOf(code, literal, literals[n + 1], literals[n + 2]);
    calls.push({ at: name.at, name: name.text, first: literal.text, values });
  }
  return calls;
}

/** The name of the function whose arguments start at `at`, with its objects: `pipwerks.SCORM.set`. */
function nameBefore(code: string, at: number) {
  let end = skipBack(code, at);
  if (code[end - 1] !== "(") return null;
  end = skipBack(code, end - 1);
  let start = end;
  while (start > 0 && end - start < MAX_NAME_CHARS && /[\w$.]/.test(code[start - 1] as string)) start--;
  return start < end ? { at: start, text: code.slice(start, end) } : null;
}

const MAX_SPACES = 40;
function skipBack(code: string, from: number) {
  let at = from;
  while (at > 0 && from - at < MAX_SPACES && (code[at - 1] as string) <= " ") at--;
  return at;
}

/** Characters between the first literal and the second argument: `"cmi.interactions." + n + ".id", value`. */
const MAX_GAP_CHARS = 120;
const gapBefore = /^[^(){};]{0,120},\s{0,40}$/;

/** `SetValue("cmi.completion_status", isDone ? "completed" : "incomplete")`. */
const gapBeforeChoice = /^[^(){};]{0,120},[^;{}"'`]{1,100}\?\s{0,40}$/;

function valuesOf(code: string, first: Literal, next: Literal | undefined, after: Literal | undefined): string[] {
  if (!next || next.at - first.end > MAX_GAP_CHARS) return [];
  const gap = code.slice(first.end, next.at);
  const isLast = ({ end }: Literal) => /^\s{0,40}[),]/.test(code.slice(end, end + MAX_SPACES + 1));
  if (gapBefore.test(gap)) return isLast(next) ? [next.text] : [];
  const isChoice =
    after && after.at - next.end < MAX_SPACES && /^\s{0,40}:\s{0,40}$/.test(code.slice(next.end, after.at));
  return isChoice && isLast(after) && gapBeforeChoice.test(gap) ? [next.text, after.text] : [];
}
