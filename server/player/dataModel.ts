import { endOfVisit, type PartState } from "#server/player/trackingState.ts";
import type { Part } from "#shared/player/player.ts";
import {
  formatDuration,
  formatTimespan,
  hasEndedAttempt,
  isSuspended,
  NAVIGATION_REQUEST,
} from "#shared/player/runTimeData.ts";

type Values = Record<string, string>;
type Learner = { id: string; name: string };

/** True if the part uses the SCORM run-time. */
export const hasRunTime = <P extends Pick<Part, "kind" | "isSco">>(
  part: P,
): part is P & { kind: "scorm12" | "scorm2004" } =>
  part.isSco && (part.kind === "scorm12" || part.kind === "scorm2004");

/** `Ada Lovelace` as `Lovelace, Ada`, the format that both standards require. */
const lastFirst = (name: string) => name.trim().replace(/^(.+)\s+(\S+)$/, "$2, $1");

/**
 * The data model of a part at launch: stored values, values from the manifest, the learner, and the entry mode. `entry`
 * is `resume` if the last visit was suspended or never terminated, so that learners keep their position when a tab is
 * killed (SCORM 1.2 RTE 3.4.4, SCORM 2004 RTE 4.2.11). After a visit that ended its learner attempt (SCORM 2004) the
 * data are new. `answers` are those of the current learner attempt.
 */
export function initialDataModel(
  kind: "scorm12" | "scorm2004",
  part: Part,
  lastState: PartState | undefined,
  answers: Values,
  learner: Learner,
): Values {
  const isNew = lastState === undefined || hasEndedAttempt(kind, endOfVisit(lastState));
  const state = isNew ? undefined : lastState;
  const { "cmi.core.exit": _, "cmi.exit": __, [NAVIGATION_REQUEST]: ___, ...stored } = state?.cmi ?? {};
  const visited = state !== undefined && (state.visits > 0 || Object.keys(state.cmi).length > 0);
  let entry = "ab-initio";
  if (visited) entry = isSuspended(endOfVisit(state)) ? "resume" : "";
  const suspended: Values = state?.suspendData ? { "cmi.suspend_data": state.suspendData } : {};
  const total = state ? state.reportedSeconds - state.secondsBefore : 0;
  const common: Values = { ...part.given, ...stored, ...suspended, ...(isNew ? {} : answers) };
  if (kind === "scorm12") {
    return {
      ...common,
      "cmi.core.student_id": learner.id,
      "cmi.core.student_name": lastFirst(learner.name),
      "cmi.core.credit": "credit",
      "cmi.core.lesson_mode": "normal",
      "cmi.core.entry": entry,
      "cmi.core.total_time": formatTimespan(total),
      "cmi.core.lesson_status": stored["cmi.core.lesson_status"] ?? "not attempted",
    };
  }
  return {
    ...common,
    "cmi.learner_id": learner.id,
    "cmi.learner_name": lastFirst(learner.name),
    "cmi.credit": "credit",
    "cmi.mode": "normal",
    "cmi.entry": entry,
    "cmi.total_time": formatDuration(total),
  };
}
