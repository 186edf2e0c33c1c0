import type { Course, PartState } from "#server/player/trackingState.ts";
import { MOVE_ON, type MoveOn } from "#shared/player/activities.ts";

// When an assignable unit of cmi5 is satisfied (cmi5 10.2.5), and what follows for the outcome of its part

export const moveOnOf = (course: Pick<Course, "parts">, sco: string) => {
  const part = course.parts.find((one) => one.sco === sco);
  return part?.kind === "cmi5" ? (part.given[MOVE_ON] as MoveOn | undefined) : undefined;
};

/** cmi5 asks nothing of such a unit; here it counts once it was opened, as a part that cannot report. */
export const isSatisfiedByOpening = (course: Pick<Course, "parts">, sco: string) =>
  moveOnOf(course, sco) === "NotApplicable";

const satisfied: Record<MoveOn, (is: { completed: boolean; passed: boolean }) => boolean> = {
  NotApplicable: () => true,
  Completed: ({ completed }) => completed,
  Passed: ({ passed }) => passed,
  CompletedAndPassed: ({ completed, passed }) => completed && passed,
  CompletedOrPassed: ({ completed, passed }) => completed || passed,
};

/** Whether what a unit has said satisfies its rule. */
export function isSatisfied(moveOn: MoveOn, { cmi }: Pick<PartState, "cmi">) {
  const said = {
    completed: cmi["cmi.completion_status"] === "completed",
    passed: cmi["cmi.success_status"] === "passed",
  };
  return satisfied[moveOn](said);
}

/**
 * A part is done when its unit is satisfied, and passed when it has also said so: otherwise everything that counts a
 * passed part as done would disagree with its rule. A unit that failed shows that at once.
 */
export function applyMoveOn(course: Pick<Course, "parts">, part: PartState) {
  const moveOn = moveOnOf(course, part.sco);
  if (moveOn === undefined) return;
  const success = part.cmi["cmi.success_status"];
  if (success === "failed" && part.success !== "passed") part.success = "failed";
  if (moveOn === "NotApplicable" ? part.completion === "completed" : isSatisfied(moveOn, part)) {
    part.completion = "completed";
    if (success === "passed") part.success = "passed";
  } else if (part.completion === "unknown" && Object.keys(part.cmi).length > 0) part.completion = "incomplete";
}
