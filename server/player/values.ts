import { duration, timespan } from "#server/player/elements.ts";
import type { PartState } from "#server/player/fold.ts";
import type { Part } from "#shared/player.ts";

type Values = Record<string, string>;
type Person = { id: string; name: string };

/** `Ada Lovelace` as `Lovelace, Ada`: the form that both standards ask for. */
const lastFirst = (name: string) => name.trim().replace(/^(.+)\s+(\S+)$/, "$2, $1");

/**
 * The data model that a part finds when it starts: what it stored, what the manifest gives, who learns, and how it
 * continues. `entry` is `resume` when the last visit was suspended or ended without a word, so that a killed tab never
 * costs the learner the place (SCORM 1.2 RTE 3.4.4, SCORM 2004 RTE 4.2.11).
 */
export function preload(
  kind: "scorm12" | "scorm2004",
  part: Part,
  state: PartState | undefined,
  answers: Values,
  person: Person,
): Values {
  const stored = state ? { ...state.cmi } : {};
  const exit = stored["cmi.core.exit"] ?? stored["cmi.exit"] ?? "";
  delete stored["cmi.core.exit"];
  delete stored["cmi.exit"];
  const visited = state !== undefined && (state.visits > 0 || Object.keys(state.cmi).length > 0);
  const entry = !visited ? "ab-initio" : exit === "suspend" || !state.terminated ? "resume" : "";
  const suspended: Values = state?.suspendData ? { "cmi.suspend_data": state.suspendData } : {};
  const total = state?.reportedSeconds ?? 0;
  const common: Values = { ...part.given, ...stored, ...suspended, ...answers };
  if (kind === "scorm12") {
    return {
      ...common,
      "cmi.core.student_id": person.id,
      "cmi.core.student_name": lastFirst(person.name),
      "cmi.core.credit": "credit",
      "cmi.core.lesson_mode": "normal",
      "cmi.core.entry": entry,
      "cmi.core.total_time": timespan(total),
      "cmi.core.lesson_status": stored["cmi.core.lesson_status"] ?? "not attempted",
    };
  }
  return {
    ...common,
    "cmi.learner_id": person.id,
    "cmi.learner_name": lastFirst(person.name),
    "cmi.credit": "credit",
    "cmi.mode": "normal",
    "cmi.entry": entry,
    "cmi.total_time": duration(total),
  };
}
