import { combine } from "#shared/conditions/evaluate.ts";
import { type CompletionFacts, isTestMet, testsOf, toCondition } from "#shared/courses/completion.ts";
import type { CompletionTest } from "#shared/courses/completionRules.ts";
import type { ShellSession } from "#shared/player/shell.ts";

export type CompletionOptions = { score?: number };

/** Why `complete` returns false; the session shows it. */
export type CompletionRefusal =
  | "packageReports"
  | "badScore"
  | "needsScore"
  | "scoreTooLow"
  | "needsPass"
  | "needsLearner"
  | "needsMore"
  | "tooManyReports";

type Hooks = {
  /** Records the report; `score` is a percentage as text, or empty. */
  record: (score: string) => void;
  /** Called once per reason. */
  refuse: (reason: CompletionRefusal) => void;
  isStopped: () => boolean;
};

/** What the report of the one part of a web page says; time is known to the server only. */
const factsOfReport = (score: number | undefined): CompletionFacts => ({
  isReported: true,
  isPassed: false,
  areAllOpened: true,
  isConfirmed: false,
  scorePercent: score ?? null,
  activeSeconds: 0,
  part: () => ({ isDone: true, isPassed: false, scorePercent: score ?? null }),
  value: () => null,
});

/** Maximum number of reports of one session. */
const MAX_REPORTS = 200;

/**
 * `Lyceum.complete` for one session. A web page says that it is completed, and how well; the completion rule of the
 * course decides what that means. The server decides the same from the recorded events; the result here is only the
 * answer for the page.
 */
export function createCompletion({ kind, completion }: Pick<ShellSession, "kind" | "completion">, hooks: Hooks) {
  const { rule } = completion;
  const refused = new Set<CompletionRefusal>();
  let isDone = completion.isComplete;
  let reported: string | null = null;
  let count = 0;

  const refuse = (reason: CompletionRefusal) => {
    if (!refused.has(reason)) hooks.refuse(reason);
    refused.add(reason);
    return false;
  };
  /** What the rule requires besides this report; null if nothing. */
  const findMissing = (score: number | undefined): CompletionRefusal | null => {
    const facts = factsOfReport(score);
    // Variables are known to the server only.
    const isMet = (test: CompletionTest) => test.kind !== "variable" && isTestMet(test, facts);
    if (combine(toCondition(rule), isMet)) return null;
    const kinds = testsOf(rule).flatMap((test) => (isMet(test) ? [] : [test.kind]));
    if (kinds.includes("score") || kinds.includes("partScore"))
      return score === undefined ? "needsScore" : "scoreTooLow";
    if (kinds.includes("passed")) return "needsPass";
    return kinds.includes("confirmed") ? "needsLearner" : "needsMore";
  };
  return (options: CompletionOptions = {}): boolean => {
    if (hooks.isStopped()) return false;
    if (kind !== "html") return refuse("packageReports");
    const score: unknown = options?.score;
    if (score !== undefined && !(typeof score === "number" && score >= 0 && score <= 100)) return refuse("badScore");
    const text = score === undefined ? "" : String(score);
    if (text !== reported) {
      if (count >= MAX_REPORTS) return refuse("tooManyReports");
      count++;
      reported = text;
      hooks.record(text);
    }
    const missing = findMissing(score);
    isDone ||= missing === null;
    return isDone || refuse(missing as CompletionRefusal);
  };
}
