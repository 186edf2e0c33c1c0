import { z } from "zod";
import { day } from "#shared/core/dates.ts";

// When a course is due that a rule gives

/** The most days after joining or after the assignment. */
export const MAX_DUE_DAYS = 3650;
const days = z.int().min(1).max(MAX_DUE_DAYS);

/**
 * `joined`: days after the first log-in. Who has not logged in yet, and who joined longer ago, has as many days after
 * the assignment.
 */
export const due = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("none") }),
  z.object({ kind: z.literal("day"), day }),
  z.object({ kind: z.literal("joined"), days }),
  z.object({ kind: z.literal("assigned"), days }),
]);
export type Due = z.infer<typeof due>;
