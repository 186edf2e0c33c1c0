import texts from "#shared/locales/en/requirements.json" with { type: "json" };
import type { RequirementState } from "#shared/requirements/requirements.ts";

export type ComplianceLine = {
  name: string;
  email: string | null;
  personnelNumber: string | null;
  course: string;
  code: string;
  state: RequirementState;
  completedOn: string | null;
  validUntil: string | null;
  dueDate: string | null;
  openedOn: string | null;
  exemptUntil: string | null;
  since: string;
};

/** The columns of a file of requirements as of a day. */
export const complianceFileColumns = (
  today: string,
): [head: string, cellOf: (row: ComplianceLine) => string | number | null][] => [
  [texts.person, (row) => row.name],
  [texts.email, (row) => row.email],
  [texts.personnelNumber, (row) => row.personnelNumber],
  [texts.course, (row) => row.course],
  [texts.code, (row) => row.code],
  [texts.state, (row) => texts.states[row.state]],
  [texts.completedOn, (row) => row.completedOn],
  [texts.validUntil, (row) => row.validUntil],
  [texts.due, (row) => row.dueDate],
  [texts.openedOn, (row) => row.openedOn],
  [texts.exemptUntil, (row) => row.exemptUntil],
  [texts.since, (row) => row.since],
  [texts.asOf, () => today],
];
