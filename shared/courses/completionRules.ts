import { z } from "zod";

export const packageKind = z.enum(["scorm12", "scorm2004", "html"]);
export type PackageKind = z.infer<typeof packageKind>;
/** `lessons`: the course is written here; `mixed`: it has packages among its lessons. */
export const courseKind = z.enum([...packageKind.options, "lessons", "mixed"]);
export type CourseKind = z.infer<typeof courseKind>;
export const isWrittenHere = (kind: CourseKind) => kind === "lessons" || kind === "mixed";

/**
 * When an attempt counts as complete. `reported`: the package reports completed or passed for every part, and every
 * lesson is done; `passed`: they are passed; `score`: the average score reaches `percent`; `opened`: every part was
 * opened; `confirmed`: the learner marks the course as complete (for plain HTML, which cannot report anything).
 */
export const completionRule = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("reported") }),
  z.object({ kind: z.literal("passed") }),
  z.object({ kind: z.literal("score"), percent: z.number().min(1).max(100) }),
  z.object({ kind: z.literal("opened") }),
  z.object({ kind: z.literal("confirmed") }),
]);
export type CompletionRule = z.infer<typeof completionRule>;
/** The completion rule of a new course. */
export const defaultCompletionRule = (kind: CourseKind): CompletionRule => ({
  kind: kind === "html" ? "confirmed" : "reported",
});
