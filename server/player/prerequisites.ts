import type { Course, PartState } from "#server/player/trackingState.ts";
import {
  isDone,
  isMet,
  type LessonStatus,
  missingIn,
  partsWithin,
  type Prerequisites,
} from "#shared/packages/prerequisites.ts";
import type { Part } from "#shared/player/player.ts";

type StateOf = (sco: string) => PartState | undefined;

/** The parts that prerequisites of SCORM 1.2 keep closed, each with the parts and groups that it waits for. */
export function findClosedParts({ parts }: Pick<Course, "parts">, stateOf: StateOf): Map<string, string[]> {
  const closed = new Map<string, string[]>();
  if (parts.every(({ prerequisites }) => !prerequisites)) return closed;
  const statusOf = statusesOf(parts, stateOf);
  /** The part and the groups that it is in, from outside. */
  const path: Part[] = [];
  for (const part of parts) {
    path.length = path.findLastIndex(({ depth }) => depth < part.depth) + 1;
    path.push(part);
    const unmet = path.flatMap(({ prerequisites }): Prerequisites | [] =>
      prerequisites && !isMet(prerequisites, statusOf) ? prerequisites : [],
    );
    if (part.href === null || unmet.length === 0) continue;
    closed.set(part.sco, [...new Set(unmet.flatMap((expression) => missingIn(expression, statusOf)))]);
  }
  return closed;
}

/** Gives the status of a part or a group by its identifier; of a group only when it is asked for. */
function statusesOf(parts: Part[], stateOf: StateOf) {
  const items = parts.map(({ sco, depth, href }) => ({ id: sco, depth, isPart: href !== null }));
  const places = new Map(items.map(({ id }, index) => [id, index]));
  const statuses = new Map<string, LessonStatus>();
  for (const part of parts) if (part.href !== null) statuses.set(part.sco, statusOfPart(part, stateOf(part.sco)));
  const ofGroup = (index: number) =>
    statusOfGroup(partsWithin(items, index).map((sco) => statuses.get(sco) ?? "not attempted"));
  return (id: string): LessonStatus => {
    const status = statuses.get(id) ?? ofGroup(places.get(id) ?? items.length);
    statuses.set(id, status);
    return status;
  };
}

/** A completion and a pass are kept, as in results (fold.ts). An asset is completed once it was opened. */
function statusOfPart({ isSco }: Part, state: PartState | undefined): LessonStatus {
  if (!state) return "not attempted";
  if (!isSco) return state.visits > 0 ? "completed" : "not attempted";
  if (state.success !== "unknown") return state.success;
  if (state.completion === "completed") return "completed";
  if (state.cmi["cmi.core.lesson_status"] === "browsed") return "browsed";
  return state.visits > 0 || state.completion === "incomplete" ? "incomplete" : "not attempted";
}

function statusOfGroup(statuses: LessonStatus[]): LessonStatus {
  if (statuses.every((status) => status === "not attempted")) return "not attempted";
  if (statuses.includes("failed")) return "failed";
  if (!statuses.every(isDone)) return "incomplete";
  return statuses.every((status) => status === "passed") ? "passed" : "completed";
}
