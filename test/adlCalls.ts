import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSeconds } from "#shared/player/runTimeData.ts";

// The calls over visits of ADL's conformance test (test/adl/DMB.properties), and the files of a package with its
// activities

/** One call: `GetValue` of cmi.total_time compares durations, everything else text. */
export type Call = { name: string; args: string[]; result: string; error: string };
/** One visit of an activity. `after` is the navigation request that ends it; empty if the learner opens it again. */
export type Visit = { name: string; sco: string; calls: Call[]; after: string };

const methods: Record<string, string> = { I: "Initialize", GET: "GetValue", SET: "SetValue" };
const elements: Record<string, string> = {
  a: "adl",
  c: "cmi",
  n: "nav",
  r: "request",
  CS: "completion_status",
  CT: "completion_threshold",
  E: "entry",
  PM: "progress_measure",
  S: "score",
  SCA: "scaled",
  SD: "suspend_data",
  SPS: "scaled_passing_score",
  SS: "success_status",
  ST: "session_time",
  TT: "total_time",
  X: "exit",
};
const values: Record<string, string> = {
  comp: "completed",
  "E.a": "ab-initio",
  "E.r": "resume",
  fail: "failed",
  incomp: "incomplete",
  "M.n": "normal",
  "N.sa": "suspendAll",
  notatt: "not attempted",
  pass: "passed",
  t: "true",
  unk: "unknown",
  "X.s": "suspend",
  "X.t": "time-out",
};
const readName = (text: string) =>
  text
    .split("~")
    .map((part) => elements[part] ?? part)
    .join(".");
const readValue = (text: string) => {
  const target = /^tar~(\w+)~TY\.c$/.exec(text);
  return target ? `{target=${target[1]}}choice` : (values[text] ?? text);
};

/** The visits in the order of the test, without the Terminate that ends each. */
export function readVisits(): Visit[] {
  const text = readFileSync(join(import.meta.dirname, "adl/DMB.properties"), "utf8");
  const visits = new Map<string, Visit>();
  for (const [, name = "", activity = "", line = ""] of text.matchAll(/^(Act(\d)V\d+)\.commands\.\d+=(.*?)\r?$/gm)) {
    const [method = "", call = "", result = "", error = ""] = line.split("->");
    const [element = "", value] = call.split("!");
    const args = [...(element === "" ? [""] : [readName(element)]), ...(value === undefined ? [] : [readValue(value)])];
    const visit = visits.get(name) ?? { name, sco: `activity_${activity}`, calls: [], after: "" };
    if (args[0] === "adl.nav.request") visit.after = args[1] ?? "";
    visit.calls.push({ name: methods[method] ?? method, args, result: readValue(result), error });
    visits.set(name, visit);
  }
  return [...visits.values()];
}

/** The calls of a visit whose result or error code is not the expected one, as sentences. */
export const findDeviations = ({ name, calls }: Visit, outcomes: [result: string, error: string][]) =>
  calls.flatMap((call, n) => {
    const [result = "", error = ""] = outcomes[n] ?? [];
    const isTime = call.name === "GetValue" && call.args[0] === "cmi.total_time";
    const isEqual = isTime ? parseSeconds(result) === parseSeconds(call.result) : result === call.result;
    if (isEqual && error === call.error) return [];
    return `${name}, call ${n}: ${call.name}(${call.args.join(", ")}) = "${result}", ${error} instead of "${call.result}", ${call.error}`;
  });

/** Completion thresholds and passing scores of ADL's manifest, by activity. */
const rules: Record<number, { threshold?: string; passing?: string; byMeasure?: boolean }> = {
  2: { threshold: "0.8" },
  3: { passing: "-0.5", byMeasure: true },
  4: { passing: "-0.5", byMeasure: true },
  5: { byMeasure: true },
  6: { threshold: "0.6", passing: "0.6", byMeasure: true },
  7: { passing: "0.8" },
  8: { passing: "0.7", byMeasure: false },
};

/** The files of a package with the nine activities of the test; their pages call nothing by themselves. */
export function visitsFiles(): Record<string, string> {
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const items = numbers.map((n) => {
    const { threshold, passing, byMeasure } = rules[n] ?? {};
    const satisfied = byMeasure === undefined ? "" : ` satisfiedByMeasure="${byMeasure}"`;
    const measure = passing ? `<imsss:minNormalizedMeasure>${passing}</imsss:minNormalizedMeasure>` : "";
    const objective = `<imsss:primaryObjective objectiveID="o${n}"${satisfied}>${measure}</imsss:primaryObjective>`;
    return `<item identifier="activity_${n}" identifierref="r${n}"><title>Activity ${n}</title>
${threshold ? `<adlcp:completionThreshold completedByMeasure="true" minProgressMeasure="${threshold}"/>` : ""}
${rules[n] && (passing || byMeasure) ? `<imsss:sequencing><imsss:objectives>${objective}</imsss:objectives></imsss:sequencing>` : ""}</item>`;
  });
  const resources = numbers.map(
    (n) =>
      `<resource identifier="r${n}" type="webcontent" adlcp:scormType="sco" href="activity_${n}.html"><file href="activity_${n}.html"/></resource>`,
  );
  const manifest = `<?xml version="1.0"?><manifest identifier="m" xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3" xmlns:imsss="http://www.imsglobal.org/xsd/imsss">
<metadata><schema>ADL SCORM</schema><schemaversion>2004 4th Edition</schemaversion></metadata>
<organizations default="o"><organization identifier="o"><title>Visits</title>${items.join("")}</organization></organizations>
<resources>${resources.join("")}</resources></manifest>`;
  const pageOf = (n: number) =>
    `<!doctype html><meta charset="utf-8"><title>Activity</title><body data-sco="activity_${n}">Activity ${n}<script>let w = window; while (w && !w.API_1484_11 && w !== w.parent) w = w.parent; window.api = w.API_1484_11</script></body>`;
  return {
    "imsmanifest.xml": manifest,
    ...Object.fromEntries(numbers.map((n) => [`activity_${n}.html`, pageOf(n)])),
  };
}
