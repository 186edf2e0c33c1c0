import type { Answers, Question } from "#shared/events.ts";

type Problem = { id: string; code: "events.answerNeeded" | "events.badAnswer" };

/** The questions that are shown with these answers, in order: a question hangs on the answer to an earlier one that is shown itself. */
export function shownQuestions(questions: Question[], answers: Answers): Question[] {
  const shown = new Map<string, Question>();
  for (const question of questions) {
    const { showIf } = question;
    const given = showIf && shown.has(showIf.questionId) ? answers[showIf.questionId] : undefined;
    if (!showIf || (Array.isArray(given) ? given.includes(showIf.equals) : given === showIf.equals))
      shown.set(question.id, question);
  }
  return [...shown.values()];
}

/** The answers that count (of questions that are shown, nothing empty), and what is wrong with them by question. */
export function checkAnswers(questions: Question[], given: Answers): { answers: Answers; problems: Problem[] } {
  const answers: Answers = {};
  const problems: Problem[] = [];
  for (const question of shownQuestions(questions, given)) {
    const value = given[question.id];
    const empty = value === undefined || value.length === 0 || (typeof value === "string" && value.trim() === "");
    if (empty) {
      if (question.required) problems.push({ id: question.id, code: "events.answerNeeded" });
    } else if (fits(question, value)) answers[question.id] = typeof value === "string" ? value.trim() : value;
    else problems.push({ id: question.id, code: "events.badAnswer" });
  }
  return { answers, problems };
}

function fits({ kind, options }: Question, value: string | string[]): boolean {
  if (kind === "choices")
    return Array.isArray(value) && value.every((one) => options.includes(one)) && new Set(value).size === value.length;
  if (typeof value !== "string") return false;
  if (kind === "choice" || kind === "select") return options.includes(value);
  if (kind === "checkbox") return value === "yes";
  if (kind === "date")
    return (
      /^\d{4}-\d\d-\d\d$/.test(value) &&
      !Number.isNaN(Date.parse(value)) &&
      new Date(value).toISOString().startsWith(value)
    );
  if (kind === "phone") return /^[+\d][\d\s()/.-]{3,39}$/.test(value.trim());
  return kind === "text" || (value.length <= 500 && !/[\r\n]/.test(value));
}
