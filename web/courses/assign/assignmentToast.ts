import type { TFunction } from "i18next";
import type { AssignmentResult } from "#shared/courses/enrolments.ts";

/** What was assigned and to whom, in words: `“Forklift safety”` or `3 courses`; `Norrvik Energi` or `12 learners`. */
type Words = { what: string; whom: string };

/** The title and text of the toast after an assignment. */
export function assignmentToast(t: TFunction, { added, already }: AssignmentResult, words: Words, notified: boolean) {
  const lines = [
    ...(added > 0 ? [t("courses.assign.added", { count: added })] : []),
    ...(already > 0 ? [t("courses.assign.already", { count: already })] : []),
    ...(notified && added > 0 ? [t("courses.notify.done")] : []),
  ];
  return { title: t("courses.assign.doneTo", words), text: lines.join(" ") };
}

/** `“Forklift safety”`, or the number of courses. */
export const courseWords = (t: TFunction, titles: string[]) =>
  titles.length === 1
    ? t("courses.assign.quoted", { title: titles[0] })
    : t("courses.assign.courses", { count: titles.length });
/** The name, or the number of learners. */
export const learnerWords = (t: TFunction, count: number, name?: string) =>
  count === 1 && name ? name : t("courses.assign.learnerCount", { count });
/** The name, or the number of companies. */
export const companyWords = (t: TFunction, names: string[]) =>
  names.length === 1 && names[0] ? names[0] : t("courses.assign.companyCount", { count: names.length });
