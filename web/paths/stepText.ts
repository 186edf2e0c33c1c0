import type { TFunction } from "i18next";
import { issuesOf, messageOf } from "#web/core/http/messages.ts";
import type { PathStep } from "#shared/paths/steps.ts";

/** "within 30 days" */
export const dueOf = (t: TFunction, { dueDays }: PathStep) =>
  dueDays === null ? t("paths.editor.noDue") : t("paths.editor.within", { count: dueDays });

/** "After step 1, 2"; empty for a step that opens at once. */
export function afterOf(t: TFunction, step: PathStep, steps: PathStep[]) {
  const numbers = steps.flatMap(({ id }, place) => (step.after.includes(id) ? [place + 1] : []));
  return numbers.length > 0 ? t("paths.editor.afterStep", { numbers: numbers.join(", ") }) : "";
}

/** Why the server refuses a path: the problems of its steps, otherwise its message. */
export const reasonOf = (error: unknown) => Object.values(issuesOf(error)).join(" ") || messageOf(error);
