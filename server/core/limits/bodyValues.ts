import { Problem } from "#server/core/http/problem.ts";

/**
 * The most values (members of arrays and objects, at any depth) in a JSON body. The largest valid one has about 6000.
 */
const MAX_VALUES = 50_000;
/** The same for guests, whose largest valid body is a registration with all its answers. */
const MAX_GUEST_VALUES = 2000;

/**
 * The deepest nesting. Schemas and the code that stores JSON recurse, so thousands of levels would overflow the stack.
 */
const MAX_DEPTH = 100;

/**
 * Throws 413 for a body with too many values, since a schema looks at each of them, and 422 for one nested too deeply.
 */
export function limitValues(body: unknown, from: "user" | "guest") {
  const limit = from === "guest" ? MAX_GUEST_VALUES : MAX_VALUES;
  const pending = typeof body === "object" && body !== null ? [{ value: body, depth: 1 }] : [];
  let count = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (depth > MAX_DEPTH) throw new Problem(422, "core.tooDeep", { values: { count: MAX_DEPTH } });
    const members: unknown[] = Object.values(value);
    count += members.length;
    if (count > limit) throw new Problem(413, "core.tooLarge");
    for (const member of members)
      if (typeof member === "object" && member !== null) pending.push({ value: member, depth: depth + 1 });
  }
}
