import { badRequest } from "#server/statements/refusals.ts";

/** Limits of one body: values in total, and levels of nesting. */
const MAX_VALUES = 100_000;
const MAX_DEPTH = 64;

/**
 * Parses JSON. Throws 400 for too many values, deep nesting, null outside of extensions, or text that the database
 * cannot store.
 */
export function readJson(text: string, { allowsNull = false } = {}): unknown {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw badRequest("the body is not JSON");
  }
  checkValues(body, allowsNull);
  return body;
}

function checkValues(body: unknown, allowsNull: boolean) {
  const pending: { value: unknown; depth: number; isFree: boolean }[] = [{ value: body, depth: 1, isFree: allowsNull }];
  let count = 0;
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth, isFree } = next;
    if (++count > MAX_VALUES) throw badRequest("it has too many values");
    if (typeof value === "string" && isUnstorable(value)) throw badRequest("a text contains a character that is none");
    if (value === null && !isFree) throw badRequest("it contains null outside of extensions");
    if (typeof value !== "object" || value === null) continue;
    if (depth > MAX_DEPTH) throw badRequest("it is nested too deeply");
    const size = Array.isArray(value) ? value.length : Object.keys(value).length;
    if (count + pending.length + size > MAX_VALUES) throw badRequest("it has too many values");
    for (const [key, member] of Object.entries(value)) {
      if (key === "__proto__" || isUnstorable(key)) throw badRequest("it has a member with a name that is none");
      pending.push({ value: member, depth: depth + 1, isFree: isFree || key === "extensions" });
    }
  }
}

/** U+0000 and halves of surrogate pairs, which PostgreSQL refuses. */
const isUnstorable = (text: string) => text.includes("\0") || !text.isWellFormed();
