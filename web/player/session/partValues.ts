import type { Launch, SessionEvent } from "#shared/player/player.ts";
import {
  elementNames,
  endsVisit,
  hasEndedAttempt,
  isSuspended,
  NAVIGATION_REQUEST,
  parseSeconds,
  UNLOADED,
} from "#shared/player/runTimeData.ts";

type Values = Record<string, string>;
type Part = {
  values: Values;
  /** Total time without that of the current visit, and that of the current visit, in seconds. */
  totalSeconds: number;
  sessionSeconds: number;
  /** The part was initialized in this session. */
  visited: boolean;
  terminated: boolean;
  exit: string;
  request: string;
};

/**
 * The run-time data of each part as the events of this session change them, so that a part that is opened again
 * continues correctly. The server derives the same from the same events at the next launch
 * (server/player/dataModel.ts).
 */
export function createPartValues({ course: { kind }, parts, values: launchValues }: Launch) {
  const names = elementNames(kind);
  const newPart = (values: Values): Part => ({
    values,
    totalSeconds: parseSeconds(values[names.totalTime] ?? "") ?? 0,
    sessionSeconds: 0,
    visited: false,
    terminated: false,
    exit: "",
    request: "",
  });
  const states = new Map(Object.entries(launchValues).map(([sco, values]) => [sco, newPart(values)]));

  const beginVisit = (part: Part) => {
    part.totalSeconds += part.sessionSeconds;
    Object.assign(part, { sessionSeconds: 0, visited: true, terminated: false, exit: "", request: "" });
  };
  const setValue = (part: Part, key: string, value: string) => {
    if (key === NAVIGATION_REQUEST) part.request = value;
    else if (key === names.exit) part.exit = value;
    else if (key === names.sessionTime) part.sessionSeconds = parseSeconds(value) ?? part.sessionSeconds;
    else part.values = { ...part.values, [key]: value };
  };
  /** The initial values of every learner attempt of a part, from the manifest and the learner. */
  const newAttemptValues = (sco: string): Values => {
    const constant = ["cmi.learner_id", "cmi.learner_name", "cmi.credit", "cmi.mode"];
    const learner = Object.entries(launchValues[sco] ?? {}).filter(([name]) => constant.includes(name));
    const { given = {} } = parts.find((part) => part.sco === sco) ?? {};
    return { ...given, ...Object.fromEntries(learner), [names.entry]: "ab-initio" };
  };
  return {
    apply({ type, sco = "", key = "", value = "" }: SessionEvent) {
      const part = states.get(sco);
      if (!part) return;
      if (type === "scorm.init") beginVisit(part);
      else if (type === "scorm.terminate")
        part.terminated = endsVisit({ isUnloaded: value === UNLOADED, hasExit: part.exit !== "" });
      else if (type === "scorm.set") setValue(part, key, value);
    },
    /** The values with which a part is opened. */
    open(sco: string): Values {
      const part = states.get(sco);
      if (!part) return {};
      if (!part.visited) return part.values;
      if (hasEndedAttempt(kind, part)) {
        const created = newPart(newAttemptValues(sco));
        states.set(sco, created);
        return { ...created.values, [names.totalTime]: names.formatTime(0) };
      }
      return {
        ...part.values,
        [names.entry]: isSuspended(part) ? "resume" : "",
        [names.totalTime]: names.formatTime(part.totalSeconds + part.sessionSeconds),
      };
    },
  };
}
