// A page with a SCORM API of its own and nothing else: a learning platform that keeps values, refuses what the standard
// does not allow, and notes it in `window.refused`. Sources: SCORM 1.2 RTE 3.4; SCORM 2004 4th Edition RTE 4.2.

const decimal = String.raw`-?\d+(\.\d{1,7})?`;
const id = String.raw`[\x21-\x7e]{1,255}`;
const rules12 = {
  "cmi.core.lesson_location": String.raw`[\x20-\x7e]{0,255}`,
  "cmi.core.lesson_status": "passed|completed|failed|incomplete|browsed|not attempted",
  "cmi.core.score.(raw|min|max)": String.raw`(100|\d{1,2})(\.\d{1,2})?`,
  "cmi.core.exit": "|time-out|suspend|logout",
  "cmi.core.session_time": String.raw`\d{2,4}:[0-5]\d:[0-5]\d(\.\d{1,2})?`,
  "cmi.suspend_data": String.raw`[\x20-\x7e]{0,4096}`,
  "cmi.interactions.N.id": String.raw`[A-Za-z0-9_-]{1,255}`,
  "cmi.interactions.N.type": "true-false|choice|fill-in|matching|performance|sequencing|likert|numeric",
  "cmi.interactions.N.time": String.raw`([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,2})?`,
  "cmi.interactions.N.weighting": decimal,
  "cmi.interactions.N.student_response": String.raw`[^\n]{0,255}`,
  "cmi.interactions.N.result": `correct|wrong|unanticipated|neutral|${decimal}`,
  "cmi.interactions.N.latency": String.raw`\d{2,4}:[0-5]\d:[0-5]\d(\.\d{1,2})?`,
};
const rules2004 = {
  "cmi.location": ".{0,1000}",
  "cmi.completion_status": "completed|incomplete|not attempted|unknown",
  "cmi.success_status": "passed|failed|unknown",
  "cmi.progress_measure": String.raw`0(\.\d{1,7})?|1`,
  "cmi.score.scaled": String.raw`-?(0(\.\d{1,7})?|1(\.0+)?)`,
  "cmi.score.(raw|min|max)": decimal,
  "cmi.exit": "|timeout|suspend|logout|normal",
  "cmi.session_time": String.raw`P(\d+D)?(T(\d+H)?(\d+M)?(\d+(\.\d{1,2})?S)?)?`,
  "cmi.suspend_data": ".{0,64000}",
  "cmi.interactions.N.id": id,
  "cmi.interactions.N.type":
    "true-false|choice|fill-in|long-fill-in|matching|performance|sequencing|likert|numeric|other",
  "cmi.interactions.N.timestamp": String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,2})?Z?`,
  "cmi.interactions.N.weighting": decimal,
  "cmi.interactions.N.learner_response": ".{1,4000}",
  "cmi.interactions.N.result": `correct|incorrect|unanticipated|neutral|${decimal}`,
  "cmi.interactions.N.latency": String.raw`P(T(\d+H)?(\d+M)?(\d+(\.\d{1,2})?S)?)`,
  "cmi.interactions.N.description": ".{0,250}",
};

/** The page; what it keeps survives a reload. `launch` is the address of the course beside it. */
export const bareRuntime = (standard: "scorm12" | "scorm2004", launch: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Bare platform</title>
<style>html,body,iframe{margin:0;width:100%;height:100%;border:0;display:block}</style>
<script>
const is12 = ${standard === "scorm12"};
const rules = ${JSON.stringify(standard === "scorm12" ? rules12 : rules2004)};
const kept = JSON.parse(sessionStorage.getItem("cmi") || "{}");
const values = { ...kept };
let phase = "before";
window.refused = [];
window.kept = kept;
window.values = values;
const refuse = (...what) => { window.refused.push(what.join(" ")); return "false"; };
const count = () => Object.keys(values).filter((key) => /^cmi\\.interactions\\.\\d+\\.id$/.test(key)).length;
const api = {
  Initialize: (text) => (phase === "before" && text === "" ? ((phase = "running"), "true") : refuse("Initialize")),
  GetValue(element) {
    if (phase !== "running") return refuse("GetValue", element) && "";
    if (element === "cmi.interactions._count") return String(count());
    if (element === (is12 ? "cmi.core.student_name" : "cmi.learner_name")) return "Hagen, Jonas";
    return values[element] ?? "";
  },
  SetValue(element, value) {
    if (phase !== "running") return refuse("SetValue", element);
    const place = /^cmi\\.interactions\\.(\\d+)\\./.exec(element);
    if (place && Number(place[1]) > count()) return refuse("order", element);
    const name = element.replace(/\\.\\d+\\./, ".N.");
    const rule = Object.entries(rules).find(([key]) => new RegExp("^" + key + "$").test(name));
    if (!rule || typeof value !== "string" || !new RegExp("^(" + rule[1] + ")$", "su").test(value))
      return refuse("SetValue", element, value);
    values[element] = value;
    return "true";
  },
  Commit() {
    if (phase !== "running") return refuse("Commit");
    Object.assign(kept, values);
    sessionStorage.setItem("cmi", JSON.stringify(kept));
    return "true";
  },
  Terminate() {
    if (phase !== "running") return refuse("Terminate");
    api.Commit("");
    phase = "over";
    return "true";
  },
  GetLastError: () => "0",
  GetErrorString: () => "",
  GetDiagnostic: () => "",
};
if (is12) {
  window.API = Object.fromEntries(Object.entries(api).map(([name, call]) =>
    ["LMS" + (name === "Terminate" ? "Finish" : name), call]));
} else window.API_1484_11 = api;
</script>
<iframe title="Course" src="${launch}"></iframe>`;
