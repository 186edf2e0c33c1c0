import type { VariableScope } from "#shared/variables/variableValues.ts";

/** Where a value was captured. A value of the API or of a correction may lack a course and an attempt. */
export type Origin = {
  userId: string | null;
  companyId: string;
  courseId: string | null;
  attemptId: string | null;
};

/** Whose value it is, as the key of `variable_current`; null if the origin does not say so. */
export function subjectOf(scope: VariableScope, { userId, companyId, courseId, attemptId }: Origin): string | null {
  if (scope === "company") return companyId;
  if (scope === "learner") return userId;
  if (scope === "attempt") return attemptId;
  return userId && courseId ? `${userId}/${courseId}` : null;
}

/** The columns of `variable_current` that name the subject: those that all its values have in common. */
export const subjectColumns = (scope: VariableScope, { userId, companyId, courseId, attemptId }: Origin) => ({
  companyId,
  userId: scope === "company" ? null : userId,
  courseId: scope === "course" || scope === "attempt" ? courseId : null,
  attemptId: scope === "attempt" ? attemptId : null,
});
