import { z } from "zod";
import { due } from "#shared/enrolmentRules/due.ts";

// Why a learner has a course

/**
 * `self`: the learner took it from the catalogue. `kept`: a rule or path no longer applies, and the learner keeps the
 * course.
 */
export const reasonKind = z.enum([
  "person",
  "company",
  "rule",
  "path",
  "self",
  "code",
  "invitation",
  "import",
  "event",
  "kept",
  "elsewhere",
]);
export type ReasonKind = z.infer<typeof reasonKind>;
/** `withdrawn`: by an admin. `left`: the rule no longer applies. `replaced`: a kept course got another reason. */
export const reasonEnd = z.enum(["withdrawn", "left", "undone", "removed", "replaced"]);

export const enrolmentReason = z.object({
  id: z.string(),
  kind: reasonKind,
  company: z.string(),
  /** For admins only. */
  ruleId: z.uuid().nullable(),
  /** The name of the rule, or of the path. */
  rule: z.string(),
  /** The path of `path`. */
  pathId: z.uuid().nullable(),
  /** What the rule tells learners; empty for nothing. */
  explanation: z.string(),
  due,
  /** The day by which the rule asks for the course. */
  dueDate: z.string().nullable(),
  since: z.string(),
  until: z.string().nullable(),
  ended: reasonEnd.nullable(),
  /** Who decided, for admins only; null if that is not known. */
  by: z.string().nullable(),
  endedBy: z.string().nullable(),
});
export type EnrolmentReason = z.infer<typeof enrolmentReason>;
