import { reportsByStatements } from "#shared/player/activities.ts";
import type { PackageKind } from "#shared/courses/completionRules.ts";
import { type FoundAt, type Signal, type SignalKind, signalKinds } from "#shared/packages/packageCheck.ts";
import type { Evidence } from "#server/packages/doctor/calls.ts";
import { limits } from "#server/packages/doctor/limits.ts";
import { printable } from "#server/packages/doctor/places.ts";
import type { Setting } from "#server/packages/doctor/settings.ts";

export type EvidenceOf = {
  kind: PackageKind;
  /** In the scripts of the course. */
  course: Evidence[];
  /** In libraries and the player of a tool: what they are able to report. */
  libraries: Evidence[];
  settings: Setting[];
  tool: string | null;
  driver: string | null;
  /** Every unit counts as done once it was opened. */
  isDoneByOpening: boolean;
  /** The pass mark of the manifest, by which the player judges scores. */
  masteryPercent: number | null;
  isWhole: boolean;
  /** The start page of a unit, among several, that loads no reporting script. */
  silentUnit: string | null;
};

/**
 * Predicts the reports. Settings of the course count most, then its calls; what a library is able to do only says
 * “depends”.
 */
export function judgeSignals(found: EvidenceOf): Signal[] {
  const judged = signalKinds.map((kind) => judge(kind, found));
  const score = judged.find(({ kind }) => kind === "score");
  return judged.map((signal) => {
    const { what, places, ...rest } = score ? judgeByPassMark(signal, score, found) : signal;
    return {
      ...rest,
      what: printable(what),
      places: places.slice(0, limits.places).map((at) => ({ ...at, file: printable(at.file) })),
    };
  });
}

/** SCORM run-times derive passed or failed from a score and the pass mark of the manifest. */
function judgeByPassMark(signal: Signal, score: Signal, { kind, masteryPercent }: EvidenceOf): Signal {
  const isRunTime = kind === "scorm12" || kind === "scorm2004";
  if (signal.kind !== "outcome" || signal.comes !== "no" || score.comes === "no") return signal;
  if (!isRunTime || masteryPercent === null) return signal;
  const { comes, places } = score;
  return { kind: "outcome", comes, because: "passMark", what: String(masteryPercent), places };
}

function judge(kind: SignalKind, found: EvidenceOf): Signal {
  const { course, libraries, settings, tool, driver, isWhole } = found;
  const of = (list: Evidence[], how: Evidence["how"]) => list.filter((one) => one.kind === kind && one.how === how);
  const isOfUnits = kind === "completed" || kind === "outcome";
  const signal = (comes: Signal["comes"], because: Signal["because"], what = "", places: FoundAt[] = []): Signal => ({
    kind,
    comes,
    because,
    what,
    places,
  });
  if (kind === "completed" && found.isDoneByOpening) return signal("yes", "opening");
  const set = settings.filter((one) => one.kind === kind);
  const [setting] = set;
  if (setting) return signal(setting.comes, "settings", setting.what, placesOf(set));
  const calls = of(course, "calls");
  if (calls.length > 0 && isOfUnits && found.silentUnit !== null)
    return signal("unknown", "someUnits", found.silentUnit, placesOf(calls));
  if (calls.length > 0) return signal("yes", "calls", whatOf(calls), placesOf(calls));
  const variables = of(course, "variable");
  if (variables.length > 0) {
    // A location or time is a signal with any value; a status only with its own.
    if (!isOfUnits) return signal("yes", "calls", whatOf(variables), placesOf(variables));
    return signal("unknown", "variable", whatOf(variables), placesOf(variables));
  }
  const capable = libraries.filter((one) => one.kind === kind);
  if (tool && (capable.length > 0 || libraries.length > 0)) return signal("depends", "tool", tool, placesOf(capable));
  if (capable.length > 0 && driver) return signal("depends", "driver", driver, placesOf(capable));
  if (!isWhole) return signal("unknown", "notRead");
  const starts = [...course, ...libraries].some((one) => one.kind === "starts");
  if (!starts && !reportsByStatements(found.kind)) return signal("no", "noRunTime");
  return signal("no", "never");
}

const whatOf = (list: { what: string }[]) => [...new Set(list.map(({ what }) => what))].slice(0, 3).join(", ");
function placesOf(list: { at: FoundAt }[]): FoundAt[] {
  const places = new Map(list.map(({ at }) => [`${at.file}:${at.line}`, at]));
  return [...places.values()];
}
