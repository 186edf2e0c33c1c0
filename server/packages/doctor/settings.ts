import type { PackageKind } from "#shared/courses/completionRules.ts";
import type { Comes, FoundAt, SignalKind } from "#shared/packages/packageCheck.ts";
import { createPlaceFinder } from "#server/packages/doctor/places.ts";

// What a tool will report by the settings of a course, which count more than what the tool is able to report

export type Setting = { kind: SignalKind; comes: Comes; what: string; at: FoundAt };

const MAX_SETTINGS_CHARS = 4000;

/** The known settings in a text of a package. */
export function readSettings(kind: PackageKind, file: string, text: string): Setting[] {
  const name = file.toLowerCase();
  if (/\.html?$/.test(name)) return readDriverPage(file, text);
  if (isAt(name, "course/config.json")) return readAdapt(kind, file, text);
  if (isAt(name, "html5/data/js/data.js")) return readStoryline(file, text);
  if (/scormdriver[\w.-]{0,20}\.js$/.test(name) || isAt(name, "configuration.js")) return readDriver(file, text);
  return [];
}
const isAt = (path: string, end: string) => path === end || path.endsWith(`/${end}`);

/** Rise: a JSON block in the page of its driver, `{"quizId":null,"completionPercentage":100,"reporting":"…"}`. */
function readDriverPage(file: string, text: string): Setting[] {
  const start = text.indexOf("__DRIVER_CONFIG__");
  if (start < 0) return [];
  const open = text.indexOf("{", start);
  const close = text.indexOf("}", open);
  if (open < 0 || close < 0 || close - start > MAX_SETTINGS_CHARS) return [];
  const config = parse(text.slice(open, close + 1));
  const reporting = config?.reporting;
  if (typeof reporting !== "string") return [];
  const at = createPlaceFinder(file, text)(open);
  const set = (kind: SignalKind, isSet: boolean, what: string): Setting => ({
    kind,
    comes: isSet ? "yes" : "no",
    what,
    at,
  });
  const what = `reporting = ${reporting.slice(0, 40)}`;
  const hasQuiz = typeof config?.quizId === "string" || typeof config?.storylineId === "string";
  return [
    set("completed", reporting.startsWith("completed"), what),
    set("outcome", /passed|failed/.test(reporting), what),
    set("score", hasQuiz, `quizId = ${hasQuiz ? "…" : "null"}`),
  ];
}

/**
 * Adapt: `_completionCriteria`, and `_spoor`, the extension that reports. In SCORM 2004 "passed" also sets the
 * completion (adapt-contrib-spoor, js/scorm/wrapper.js).
 */
function readAdapt(packageKind: PackageKind, file: string, text: string): Setting[] {
  const config = parse(text);
  const spoor = objectIn(config, "_spoor");
  if (!config || !spoor) return [];
  const at = createPlaceFinder(file, text)(Math.max(0, text.indexOf('"_spoor"')));
  const set = (kind: SignalKind, comes: Comes, what: string): Setting => ({ kind, comes, what, at });
  if (valueIn(spoor, "_isEnabled") === false)
    return (["resumes", "time", "score", "outcome", "completed", "answers", "memory"] as const).map((kind) =>
      set(kind, "no", "_spoor._isEnabled = false"),
    );
  const criteria = { ...objectIn(spoor, "_tracking"), ...objectIn(config, "_completionCriteria") };
  const value = valueIn(objectIn(spoor, "_reporting"), "_onTrackingCriteriaMet");
  const met = typeof value === "string" ? value : "completed";
  const what = `_onTrackingCriteriaMet = ${met.slice(0, 40)}`;
  const failure = valueIn(objectIn(spoor, "_reporting"), "_onAssessmentFailure");
  const isCompleted = met === "completed" || (met === "passed" && packageKind === "scorm2004");
  const record = valueIn(objectIn(spoor, "_tracking"), "_shouldRecordInteractions");
  return [
    set("completed", isCompleted ? "yes" : "no", what),
    set("outcome", met === "passed" || failure === "failed" ? "yes" : "no", what),
    set("score", valueIn(criteria, "_shouldSubmitScore") === true ? "yes" : "no", "_shouldSubmitScore"),
    set("answers", record === false ? "no" : "depends", "_shouldRecordInteractions"),
    set("resumes", "yes", "_spoor"),
    set("memory", "yes", "_spoor"),
    set("time", "yes", "_spoor"),
  ];
}

/** Storyline: whether it resumes. Its files do not say in a documented form what completes the course. */
function readStoryline(file: string, text: string): Setting[] {
  const found = /"resume":\{[^{}]{0,300}?"lmsresume":(true|false)/.exec(text);
  if (!found) return [];
  const at = createPlaceFinder(file, text)(found.index);
  const comes = found[1] === "true" ? "yes" : "no";
  return (["resumes", "memory"] as const).map((kind) => ({ kind, comes, what: `lmsresume = ${found[1]}`, at }));
}

function readDriver(file: string, text: string): Setting[] {
  const found = /\bDO_NOT_REPORT_INTERACTIONS\s{0,9}=\s{0,9}true\b/.exec(text);
  if (!found) return [];
  const at = createPlaceFinder(file, text)(found.index);
  return [{ kind: "answers", comes: "no", what: "DO_NOT_REPORT_INTERACTIONS = true", at }];
}

type Json = Record<string, unknown>;
function parse(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}
const valueIn = (value: Json | null | undefined, key: string): unknown =>
  value && Object.hasOwn(value, key) ? value[key] : undefined;
function objectIn(value: Json | null | undefined, key: string): Json | undefined {
  const inner = valueIn(value, key);
  return typeof inner === "object" && inner !== null && !Array.isArray(inner) ? (inner as Json) : undefined;
}
