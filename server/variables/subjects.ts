import type { VariableScope } from "#shared/variables/variableTypes.ts";

/** Where a value was captured. Values of the API and corrections may have no course or attempt. */
export type Origin = {
  userId: string | null;
  companyId: string;
  courseId: string | null;
  attemptId: string | null;
};

/** The subject that a value belongs to, as the key in `variable_current`; null if the origin lacks it. */
export function subjectOf(scope: VariableScope, { userId, companyId, courseId, attemptId }: Origin): string | null {
  if (scope === "company") return companyId;
  if (scope === "learner") return userId;
  if (scope === "attempt") return attemptId;
  return userId && courseId ? `${userId}/${courseId}` : null;
}

/** The columns of `variable_current` that identify the subject: what all its values have in common. */
export const subjectColumns = (scope: VariableScope, { userId, companyId, courseId, attemptId }: Origin) => ({
  companyId,
  userId: scope === "company" ? null : userId,
  courseId: scope === "course" || scope === "attempt" ? courseId : null,
  attemptId: scope === "attempt" ? attemptId : null,
});
