import { z } from "zod";

// The texts of the questions of a package. SCORM 1.2 sends only their identifiers

export const QUESTIONS_FILE = "lyceum-questions.json";
/** Largest file of questions in bytes. */
export const MAX_QUESTIONS_BYTES = 1024 * 1024;
const words = z.string().trim().min(1).max(2000);
export const questionsFile = z.object({
  questions: z
    .array(
      z.object({
        id: z.string().min(1).max(255),
        text: words,
        /** Texts of the responses by the identifier that the package sends. */
        responses: z.record(z.string().min(1).max(255), words).default({}),
      }),
    )
    .max(5000),
});
/** By the identifier of the question. */
export const questions = z.record(
  z.string(),
  z.object({ text: z.string(), responses: z.record(z.string(), z.string()) }),
);
export type Questions = z.infer<typeof questions>;

const TRUE_FALSE: Record<string, string> = {
  t: "True",
  true: "True",
  "1": "True",
  f: "False",
  false: "False",
  "0": "False",
};

/**
 * A readable response: the texts of the options instead of their identifiers. Several options are separated by `,` in
 * SCORM 1.2, possibly in braces, and by `[,]` in SCORM 2004, the two of a pair by `.` and `[.]`, the ends of a range by
 * `[:]` (RTE 4.2.9). A response without a text remains as it was sent.
 */
export function describeResponse(response: string, type: string, question: Questions[string] | undefined) {
  const wordsOf = (id: string) =>
    question?.responses[id] ?? (type === "true-false" ? (TRUE_FALSE[id.toLowerCase()] ?? id) : id);
  if (question?.responses[response]) return wordsOf(response);
  if (type === "numeric") return response.split("[:]").filter(Boolean).join(" to ");
  if (type === "matching") return describePairs(response, wordsOf);
  if (type === "fill-in" || type === "long-fill-in") return response.split("[,]").join("; ");
  if (type !== "choice" && type !== "sequencing" && type !== "true-false") return response;
  const ids = splitList(response);
  // A response without any known identifier is a text that contains commas.
  return type === "true-false" || ids.some((id) => question?.responses[id.trim()])
    ? ids.map((id) => wordsOf(id.trim())).join("; ")
    : response;
}

const splitList = (response: string) =>
  response.includes("[,]") ? response.split("[,]") : response.replace(/^\{(.*)\}$/, "$1").split(",");

/** Pairs as `left: right`. */
function describePairs(response: string, wordsOf: (id: string) => string) {
  const is2004 = response.includes("[.]");
  const pairs = (is2004 ? response.split("[,]") : splitList(response)).map((pair) => pair.split(is2004 ? "[.]" : "."));
  if (pairs.some((pair) => pair.length !== 2)) return response;
  return pairs.map(([left = "", right = ""]) => `${wordsOf(left.trim())}: ${wordsOf(right.trim())}`).join("; ");
}
