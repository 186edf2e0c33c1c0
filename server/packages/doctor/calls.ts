import type { PackageKind } from "#shared/courses/completionRules.ts";
import type { FoundAt, SignalKind } from "#shared/packages/packageCheck.ts";
import { limits } from "#server/packages/doctor/limits.ts";
import type { PlaceFinder } from "#server/packages/doctor/places.ts";
import { listCalls, type ScriptText } from "#server/packages/doctor/script.ts";

// What a script reports: the data model elements it sets, the driver functions it calls, the statements it sends

/** `variable`: the script names the element, but not the value, or not the call that sets it. */
export type Evidence = { kind: SignalKind | "starts"; how: "calls" | "variable"; what: string; at: FoundAt };
type Found = Omit<Evidence, "at"> & { offset: number };

/** The evidence in one script, with at most `limits.places` places for the same finding. */
export function findEvidence(kind: PackageKind, text: string, script: ScriptText, placeOf: PlaceFinder): Evidence[] {
  const found = [
    ...(kind === "html" ? fromPage(script) : []),
    ...(kind === "cmi5" || kind === "xapi" ? fromStatements(script) : []),
    ...(kind === "scorm12" || kind === "scorm2004" || kind === "html" ? fromRunTime(text, script) : []),
  ];
  const counts = new Map<string, number>();
  return found.flatMap(({ offset, ...rest }) => {
    const key = `${rest.kind} ${rest.how} ${rest.what}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= limits.places ? [{ ...rest, at: placeOf(offset) }] : [];
  });
}

const elements: [RegExp, SignalKind | "status"][] = [
  [/^cmi\.core\.lesson_status$/, "status"],
  [/^cmi\.completion_status$/, "completed"],
  [/^cmi\.success_status$/, "outcome"],
  [/^cmi\.(core\.)?score\.(raw|scaled)$/, "score"],
  [/^cmi\.(core\.)?session_time$/, "time"],
  [/^cmi\.suspend_data$/, "memory"],
  [/^cmi\.(core\.lesson_)?location$/, "resumes"],
  [/^cmi\.interactions\./, "answers"],
];
const kindOf = (element: string) => elements.find(([pattern]) => pattern.test(element))?.[1];

const setter = /set|put|store|save|write|send|report|record|update/i;
const getter = /get|read|fetch|load|retrieve/i;
const isSetter = (name: string) => setter.test(name.replace(/^.*\./, "")) && !/^(get|read|fetch)/i.test(lastOf(name));
const lastOf = (name: string) => name.replace(/^.*\./, "");

/**
 * Functions of the Rustici SCORM Driver, which Storyline, Rise and others use. Their calls name no data model element.
 */
const driverFunctions: [RegExp, SignalKind, string][] = [
  [/\bSetReachedEnd\s{0,9}\(/g, "completed", "SetReachedEnd()"],
  [/\bSet(?:Passed|Failed)\s{0,9}\(/g, "outcome", "SetPassed()"],
  [/\bSetScore\s{0,9}\(/g, "score", "SetScore()"],
  [/\bSetBookmark\s{0,9}\(/g, "resumes", "SetBookmark()"],
  [/\bSetDataChunk\s{0,9}\(/g, "memory", "SetDataChunk()"],
  [
    /\bRecord(?:MultipleChoice|TrueFalse|FillIn|Matching|Performance|Sequencing|Likert|Numeric)Interaction\s{0,9}\(/g,
    "answers",
    "RecordInteraction()",
  ],
];

function fromRunTime(text: string, script: ScriptText): Found[] {
  const found: Found[] = [];
  const start = /LMSInitialize|API_1484_11/.exec(text) ?? /\bInitialize\s{0,9}\(/.exec(script.code);
  if (start) found.push({ kind: "starts", how: "calls", what: "Initialize", offset: start.index });
  const called = new Set<string>();
  const read = new Set<string>();
  for (const { at, name, first, values } of listCalls(script)) {
    const each = values.length > 0 ? values : [null];
    if (/(^|\.)status$/i.test(name) && first === "set")
      found.push(...each.flatMap((value) => ofStatus("lesson_status", value, at)));
    if (!first.startsWith("cmi.")) continue;
    if (isSetter(name)) {
      called.add(first);
      if (isStartOfStatus(first)) found.push(...ofStatus(first, null, at));
      found.push(...each.flatMap((value) => ofElement(first, value, at, "calls")));
    } else if (getter.test(lastOf(name))) read.add(first);
    else found.push(...ofElement(first, null, at, "variable"));
  }
  // Element names outside of calls, such as in a table from which a call takes them.
  const written = new Map<string, number>();
  for (const { text: element } of script.literals) written.set(element, (written.get(element) ?? 0) + 1);
  for (const { at, text: element } of script.literals) {
    if (!element.startsWith("cmi.") || called.has(element)) continue;
    if (kindOf(element)) {
      // A name that is only read does not say that it is set.
      if (!read.has(element) || (written.get(element) ?? 0) > 1)
        found.push(...ofElement(element, null, at, "variable"));
    } else if (isStartOfStatus(element)) found.push(...ofStatus(element, null, at));
  }
  for (const [pattern, kind, what] of driverFunctions) {
    for (const { index } of matches(script.code, pattern))
      if (!/function\s{1,9}$/.test(script.code.slice(Math.max(0, index - 18), index)))
        found.push({ kind, how: "calls", what, offset: index });
  }
  return found;
}

/** `"cmi.core." + name` or "cmi.${part}status": the script does not contain the full name. */
const isStartOfStatus = (text: string) => {
  const start = text.split("${")[0] as string;
  return ["cmi.core.lesson_status", "cmi.completion_status", "cmi.success_status"].some(
    (element) => start.length < element.length && element.startsWith(start),
  );
};

function ofElement(element: string, value: string | null, offset: number, how: "calls" | "variable"): Found[] {
  const kind = kindOf(element);
  if (!kind) return [];
  if (kind === "status") return ofStatus(element, value, offset);
  if (kind === "completed" || kind === "outcome") {
    if (value === null) return [{ kind, how: "variable", what: element, offset }];
    const isIt = kind === "completed" ? value === "completed" : value === "passed" || value === "failed";
    return isIt ? [{ kind, how, what: `${element} = ${value}`, offset }] : [];
  }
  const what = element.replace(/^(cmi\.interactions)\..*$/, "$1");
  return [{ kind, how, what, offset }];
}

function ofStatus(element: string, value: string | null, offset: number): Found[] {
  if (value === null)
    return (["completed", "outcome"] as const).map((kind) => ({ kind, how: "variable", what: element, offset }));
  const what = `${element} = ${value}`;
  if (value === "completed") return [{ kind: "completed", how: "calls", what, offset }];
  return value === "passed" || value === "failed" ? [{ kind: "outcome", how: "calls", what, offset }] : [];
}

/** A web page without a run-time: `Lyceum.complete()`, with or without a score. */
function fromPage({ code }: ScriptText): Found[] {
  return matches(code, /\bLyceum\??\.complete\s{0,9}\(\s{0,9}(\)?)/g).flatMap(({ index, 1: end }) => [
    { kind: "starts" as const, how: "calls" as const, what: "Lyceum.complete()", offset: index },
    { kind: "completed" as const, how: "calls" as const, what: "Lyceum.complete()", offset: index },
    ...(end === ""
      ? [{ kind: "score" as const, how: "calls" as const, what: "Lyceum.complete()", offset: index }]
      : []),
  ]);
}

const verbs = new Map<string, SignalKind | "starts">([
  ["initialized", "starts"],
  ["launched", "starts"],
  ["attempted", "starts"],
  ["completed", "completed"],
  ["passed", "outcome"],
  ["failed", "outcome"],
  ["answered", "answers"],
  ["suspended", "resumes"],
]);
const verbAddress = /^https?:\/\/(?:adlnet\.gov\/expapi|w3id\.org\/xapi\/adl)\/verbs\/(\w{1,40})$/;
const statementMarks: [RegExp, SignalKind | "starts", string][] = [
  [/\bscore\s{0,9}:\s{0,9}\{|\bscaled\s{0,9}:/g, "score", "result.score"],
  [/\bduration\b\s{0,9}[:,}=]/g, "time", "result.duration"],
  [/\.(?:complete|completed|passedAndCompleted|completeAndPass)\s{0,9}\(/g, "completed", "completed()"],
  [/\.(?:pass|passed|fail|failed|passedAndCompleted|completeAndPass)\s{0,9}\(/g, "outcome", "passed()"],
  [/\.(?:interaction(?:[A-Z]\w{0,20})?|answered)\s{0,9}\(/g, "answers", "answered()"],
  [/\.(?:sendState|saveState|putState|setState)\s{0,9}\(/g, "memory", "setState()"],
];

function fromStatements(script: ScriptText): Found[] {
  const found: Found[] = [];
  for (const { at, text } of script.literals) {
    const kind = verbs.get(verbAddress.exec(text)?.[1] ?? "");
    if (kind) found.push({ kind, how: "calls", what: text, offset: at });
    if (text.includes("activities/state")) {
      found.push({ kind: "memory", how: "calls", what: "activities/state", offset: at });
      found.push({ kind: "resumes", how: "calls", what: "activities/state", offset: at });
    }
    if (text === "LMS.LaunchData" || text === "fetch" || text === "endpoint")
      found.push({ kind: "starts", how: "calls", what: text, offset: at });
  }
  for (const { at, first } of listCalls(script)) {
    const kind = verbs.get(first);
    if (kind) found.push({ kind, how: "calls", what: first, offset: at });
  }
  for (const [pattern, kind, what] of statementMarks)
    for (const { index } of matches(script.code, pattern)) found.push({ kind, how: "calls", what, offset: index });
  return found;
}

function matches(code: string, pattern: RegExp): RegExpExecArray[] {
  const all: RegExpExecArray[] = [];
  for (const match of code.matchAll(pattern)) {
    all.push(match);
    if (all.length >= 200) break;
  }
  return all;
}
