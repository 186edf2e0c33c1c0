import { randomUUID } from "node:crypto";
import type { Statement } from "#shared/statements/xapi.ts";

/** A statement of an unknown person about an activity of its own, with the members that a test changes. */
export const statementOf = (changes: Record<string, unknown> = {}): Statement => ({
  actor: { mbox: `mailto:${randomUUID()}@example.com` },
  verb: { id: "http://adlnet.gov/expapi/verbs/completed", display: { en: "completed" } },
  object: { id: `https://example.com/activities/${randomUUID()}` },
  ...changes,
});
