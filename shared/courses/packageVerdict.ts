import { combine } from "#shared/conditions/evaluate.ts";
import { testsOf, toCondition } from "#shared/courses/completion.ts";
import type { CompletionRule, CompletionTest } from "#shared/courses/completionRules.ts";
import { type Comes, type PackageReading, type SignalKind, signalOf } from "#shared/packages/packageCheck.ts";

// What the reading of a package means for the completion of its course

/**
 * `tracks`: it reports what the rule asks for; `never`: it reports something else; `silent`: it reports nothing;
 * `open`: the files do not say; `independent`: the rule does not ask for its reports.
 */
export type VerdictCode = "tracks" | "never" | "silent" | "open" | "independent";
export type Missing = "completed" | "passed" | "score";
export type Verdict = {
  code: VerdictCode;
  /** What the rule asks for and the package never says. */
  missing: Missing | null;
};

type Reading = Pick<PackageReading, "signals" | "moveOn">;

const order: Comes[] = ["no", "unknown", "depends", "yes"];
const best = (...all: Comes[]) => order[Math.max(...all.map((one) => order.indexOf(one)))] as Comes;
const worst = (...all: Comes[]) => order[Math.min(...all.map((one) => order.indexOf(one)))] as Comes;

/** Whether units count as done: by “completed” or “passed”, or by what a cmi5 package asks of them. */
function doneOf(reading: Reading): Comes {
  const completed = signalOf(reading, "completed");
  const passed = signalOf(reading, "outcome");
  if (reading.moveOn.length === 0) return best(completed, passed);
  return worst(
    ...reading.moveOn.map((rule) => {
      if (rule === "NotApplicable") return "yes";
      if (rule === "Passed") return passed;
      if (rule === "Completed") return completed;
      return rule === "CompletedAndPassed" ? worst(completed, passed) : best(completed, passed);
    }),
  );
}

type Asked = { comes: Comes; missing: Missing } | null;
/** What a test asks of the package; null if it asks for nothing that a package reports. */
function askedBy(test: CompletionTest, reading: Reading): Asked {
  switch (test.kind) {
    case "reported":
      return { comes: doneOf(reading), missing: "completed" };
    case "part":
      return test.is === "done"
        ? { comes: doneOf(reading), missing: "completed" }
        : { comes: signalOf(reading, "outcome"), missing: "passed" };
    case "passed":
      return { comes: signalOf(reading, "outcome"), missing: "passed" };
    case "score":
    case "partScore":
      return { comes: signalOf(reading, "score"), missing: "score" };
    default:
      return null;
  }
}

export function judgePackage(reading: Reading, rule: CompletionRule): Verdict {
  const asked = testsOf(rule).map((test) => askedBy(test, reading));
  if (asked.every((one) => one === null)) return { code: "independent", missing: null };
  const holds = (isMet: (comes: Comes) => boolean) =>
    combine(toCondition(rule), (test) => {
      const one = askedBy(test, reading);
      return one === null || isMet(one.comes);
    });
  if (holds((one) => one === "yes")) return { code: "tracks", missing: null };
  if (holds((one) => one !== "no")) return { code: "open", missing: null };
  const says = (["completed", "outcome", "score", "resumes", "time", "answers", "memory"] as SignalKind[]).some(
    (kind) => signalOf(reading, kind) !== "no",
  );
  const missing = asked.find((one) => one?.comes === "no")?.missing ?? "completed";
  return { code: says ? "never" : "silent", missing };
}

/** Why a rule is proposed; the texts are under `packageChecks.why`. */
export type ProposalWhy = "completed" | "opening" | "passed" | "score" | "tool" | "openAll" | "confirm";
export type Proposal = { rule: CompletionRule; why: ProposalWhy };

/** The score that is asked for if the package names none, in percent. */
const USUAL_PERCENT = 80;

/** The rule that fits what the package reports. */
export function proposeRule(
  reading: Reading & Pick<PackageReading, "masteryPercent" | "units" | "assets" | "kind">,
): Proposal {
  const of = (kind: SignalKind) => signalOf(reading, kind);
  if (doneOf(reading) === "yes") {
    if (reading.moveOn.length > 0) return { rule: { kind: "reported" }, why: "completed" };
    if (of("completed") === "yes")
      return { rule: { kind: "reported" }, why: reading.assets === reading.units ? "opening" : "completed" };
    return { rule: { kind: "passed" }, why: "passed" };
  }
  if (doneOf(reading) !== "no") return { rule: { kind: "reported" }, why: "tool" };
  if (of("score") === "yes")
    return {
      rule: { kind: "score", percent: Math.max(1, Math.round(reading.masteryPercent ?? USUAL_PERCENT)) },
      why: "score",
    };
  if (reading.units > 1) return { rule: { kind: "opened" }, why: "openAll" };
  return { rule: { kind: "confirmed" }, why: "confirm" };
}
