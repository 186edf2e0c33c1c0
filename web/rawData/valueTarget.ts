import type { AttemptValues, RawValue } from "#shared/rawData/rawData.ts";
import type { Variable } from "#shared/variables/variables.ts";
import type { VariableScope } from "#shared/variables/variableTypes.ts";

/** The subject of a variable as the query of its history names it. */
type Subject = { userId?: string; courseId?: string; attemptId?: string; companyId?: string };

/** What the history panel shows: the values of one subject for a variable, and the selected value. */
export type ValueTarget = {
  variableId: string;
  subject: Subject;
  label: string;
  line: string;
  /** Id of the selected value; null for the newest one that can be changed. */
  valueId: number | null;
  /** The row from which it was opened. */
  row: string;
};

type Origin = { userId: string | null; companyId: string; courseId: string | null; attemptId: string | null };

/** The subject to which a value belongs; null if the person or the attempt no longer exists. */
function subjectOf(scope: VariableScope, origin: Origin): Subject | null {
  const { userId, companyId, courseId, attemptId } = origin;
  if (scope === "company") return { companyId };
  if (scope === "attempt") return attemptId ? { attemptId } : null;
  if (!userId) return null;
  return scope === "course" && courseId ? { userId, courseId } : { userId };
}

export function targetOfValue(row: RawValue): ValueTarget | null {
  const subject = subjectOf(row.scope, row);
  if (!subject) return null;
  const owner = row.scope === "company" ? row.company : row.learner;
  return {
    variableId: row.variableId,
    subject,
    label: row.label,
    line: lineOf(row.scope, owner, row.course),
    valueId: row.id,
    row: String(row.id),
  };
}

/** The value of an attempt. */
export function targetOfCell(row: AttemptValues, { id, label, scope }: Variable, courseId: string): ValueTarget | null {
  const subject = subjectOf(scope, { ...row, courseId });
  if (!subject) return null;
  const owner = scope === "company" ? row.company : row.learner;
  return { variableId: id, subject, label, line: lineOf(scope, owner, row.course), valueId: null, row: row.attemptId };
}

/** The owner of a value, with the course if the scope includes it. */
const lineOf = (scope: VariableScope, owner: string, course: string) =>
  [owner, scope === "attempt" || scope === "course" ? course : ""].filter(Boolean).join(", ");
