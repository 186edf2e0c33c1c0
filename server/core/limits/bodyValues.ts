import { Problem } from "#server/core/problem.ts";

/** The most values (members of arrays and objects, at any depth) in a JSON body; the largest valid one has about 6000. */
const MAX_VALUES = 50_000;

/** Throws 413 for a body with too many values: a schema looks at each of them, which takes seconds for millions. */
export function limitValues(body: unknown) {
  const pending = [body];
  let count = 0;
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const members = Object.values(value);
    count += members.length;
    if (count > MAX_VALUES) throw new Problem(413, "core.tooLarge");
    for (const member of members) if (typeof member === "object" && member !== null) pending.push(member);
  }
}
