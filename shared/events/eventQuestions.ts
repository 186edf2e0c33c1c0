import { z } from "zod";

// Questions of a registration form, and the answers to them

export const questionKind = z.enum(["line", "text", "choice", "choices", "select", "checkbox", "date", "phone"]);
/**
 * A question of the registration form. With `showIf`, it is shown only if that question has the answer `equals`.
 * Answers are deleted `retentionDays` after the event, or with the registration if that is sooner.
 */
export const question = z.object({
  id: z.uuid(),
  label: z.string().trim().min(1).max(300),
  help: z.string().trim().max(500).default(""),
  kind: questionKind,
  options: z.array(z.string().trim().min(1).max(200)).max(50).default([]),
  required: z.boolean().default(false),
  showIf: z
    .object({ questionId: z.uuid(), equals: z.string().max(200) })
    .nullable()
    .default(null),
  retentionDays: z.int().min(1).max(3650).nullable().default(null),
});
export type Question = z.infer<typeof question>;
/** Answers by question id: a text, a list for `choices`, `"yes"` for a ticked checkbox. */
export const answers = z
  .record(
    z.uuid(),
    z
      .string()
      .max(4000)
      .or(z.array(z.string().max(200)).max(50)),
  )
  .refine((given) => Object.keys(given).length <= 200);
export type Answers = z.infer<typeof answers>;

type AnswerProblem = { id: string; code: "events.answerNeeded" | "events.badAnswer" };

/**
 * The questions that are visible with these answers, in order. A question can only depend on an earlier, visible one.
 */
export function shownQuestions(questions: Question[], answers: Answers): Question[] {
  const shown = new Map<string, Question>();
  for (const item of questions) {
    const { showIf } = item;
    const answer = showIf && shown.has(showIf.questionId) ? answers[showIf.questionId] : undefined;
    const matches = showIf && (Array.isArray(answer) ? answer.includes(showIf.equals) : answer === showIf.equals);
    if (!showIf || matches) shown.set(item.id, item);
  }
  return [...shown.values()];
}

/** The answers to store (visible questions only, none empty), and the problems by question id. */
export function checkAnswers(questions: Question[], given: Answers): { answers: Answers; problems: AnswerProblem[] } {
  const valid: Answers = {};
  const problems: AnswerProblem[] = [];
  for (const item of shownQuestions(questions, given)) {
    const value = given[item.id];
    const isEmpty = value === undefined || value.length === 0 || (typeof value === "string" && value.trim() === "");
    if (isEmpty) {
      if (item.required) problems.push({ id: item.id, code: "events.answerNeeded" });
    } else if (isValidAnswer(item, value)) valid[item.id] = typeof value === "string" ? value.trim() : value;
    else problems.push({ id: item.id, code: "events.badAnswer" });
  }
  return { answers: valid, problems };
}

function isValidAnswer({ kind, options }: Question, value: string | string[]): boolean {
  if (kind === "choices")
    return (
      Array.isArray(value) && value.every((option) => options.includes(option)) && new Set(value).size === value.length
    );
  if (typeof value !== "string") return false;
  if (kind === "choice" || kind === "select") return options.includes(value);
  if (kind === "checkbox") return value === "yes";
  if (kind === "date") return isCalendarDate(value);
  if (kind === "phone") return /^[+\d][\d\s()/.-]{3,39}$/.test(value.trim());
  return kind === "text" || (value.length <= 500 && !/[\r\n]/.test(value));
}

/** True for an existing day as `2026-02-28`; `2026-02-30` parses to a day in March and is rejected. */
function isCalendarDate(value: string) {
  return (
    /^\d{4}-\d\d-\d\d$/.test(value) &&
    !Number.isNaN(Date.parse(value)) &&
    new Date(value).toISOString().startsWith(value)
  );
}
