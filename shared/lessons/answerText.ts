import type { Questions } from "#shared/courses/questions.ts";
import { lessonValues } from "#shared/lessons/lessonEvents.ts";
import type { QuestionResponse } from "#shared/lessons/questions.ts";

/** A response in words, with the texts of what was chosen. */
export function describeAnswer(response: QuestionResponse, question: Questions[string] | undefined): string {
  const wordsOf = (id: string) => question?.responses[id] ?? id;
  switch (response.kind) {
    case "choices":
      return response.chosen.map(wordsOf).join("; ");
    case "trueFalse":
      return response.value ? "True" : "False";
    case "match":
      return Object.entries(response.pairs)
        .map(([left, right]) => `${wordsOf(left)} – ${wordsOf(right)}`)
        .join("; ");
    case "order":
      return response.ids.map(wordsOf).join("; ");
    case "fill":
      return Object.values(response.gaps).join("; ");
    case "number":
      return String(response.value);
    case "text":
      return response.text;
  }
}

/** A stored answer: `share` is how much of it was right, as the server judged it; without it, it did not count. */
export type StoredAnswer = {
  response: QuestionResponse;
  ms: number;
  share: number | null;
  /** At a quiz. */
  attempt?: number | undefined;
};

/** Reads the value of a stored `block.answer` event; null if a browser has sent something else. */
export function readStoredAnswer(value: string): StoredAnswer | null {
  try {
    const parsed = JSON.parse(value) as { share?: unknown };
    const answer = lessonValues["block.answer"].safeParse(parsed);
    return answer.success ? { ...answer.data, share: typeof parsed.share === "number" ? parsed.share : null } : null;
  } catch {
    return null;
  }
}
