import { Problem } from "#server/core/http/problem.ts";

/** The most values (members of arrays and objects, at any depth) in a JSON body. The largest valid one has about 6000. */
const MAX_VALUES = 50_000;
/** The same for guests, whose largest valid body is a registration with all its answers. */
const MAX_GUEST_VALUES = 2000;

/** Throws 413 for a body with too many values: a schema looks at each of them, which takes seconds for millions. */
export function limitValues(body: unknown, from: "user" | "guest") {
  const limit = from === "guest" ? MAX_GUEST_VALUES : MAX_VALUES;
  const pending = [body];
  let count = 0;
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const members = Object.values(value);
    count += members.length;
    if (count > limit) throw new Problem(413, "core.tooLarge");
    for (const member of members) if (typeof member === "object" && member !== null) pending.push(member);
  }
}
