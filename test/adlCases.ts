import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

// The test cases of ADL's SCORM 2004 4th Edition conformance suite (TestCases/*.properties), as its LMSParser reads them

export type AdlCall = { name: string; args: string[]; result: string; error: string };
/** One visit of an activity; `after`: what the learner does after it; `questions`: what the page shows, and whether. */
export type AdlVisit = {
  name: string;
  activity: number;
  calls: AdlCall[];
  after: string;
  questions: { what: string; is: boolean }[];
};
export type AdlCase = { name: string; start: string; visits: AdlVisit[]; endsSession: boolean };

export const caseFolder = (suite: string) => join(suite, "software_development/TestSuite/LMSRTE/Courses/TestCases");
export const manifestOf = (suite: string, name: string) =>
  readFileSync(join(caseFolder(suite), `../LMSTestPackage_${name}/imsmanifest.xml`));

const isSequencing = (name: string) => /^(CM|CO|CT|MS|OB|RU|SX|T)-/.test(name);
export const listCases = (suite: string) =>
  readdirSync(caseFolder(suite))
    .filter((file) => file.endsWith(".properties") && isSequencing(file))
    .map((file) => file.replace(".properties", ""))
    .toSorted();

const readLines = (text: string) =>
  text
    .replace(/\\\r?\n\s*/g, "")
    .split(/\r?\n/)
    .filter((line) => !line.startsWith("#") && line.includes("="))
    .map((line) => [line.slice(0, line.indexOf("=")).trim(), line.slice(line.indexOf("=") + 1).trim()] as const);
const readProperties = (text: string) => new Map(readLines(text));

export function readCase(suite: string, name: string): AdlCase {
  const words = readProperties(
    readFileSync(
      join(suite, "software_development/resources/org/adl/testsuite/rte/lms/util/resources/Commands.properties"),
      "latin1",
    ),
  );
  const lines = readLines(readFileSync(join(caseFolder(suite), `${name}.properties`), "latin1"));
  const values = new Map(lines);
  const visits: AdlVisit[] = [];
  for (const [key, value] of lines) {
    const [, visitName = "", number = "", field = ""] = /^(Act(\d+)V\d+)\.(.+)$/.exec(key) ?? [];
    if (visitName === "") continue;
    let visit = visits.at(-1);
    // Some cases give two visits the same name
    if (visit?.name !== visitName)
      visits.push((visit = { name: visitName, activity: Number(number), calls: [], after: "", questions: [] }));
    if (field === "CUI") visit.after = value;
    // A later line replaces one with the same number
    if (field.startsWith("commands.")) visit.calls[Number(field.slice("commands.".length))] = readCall(value, words);
    if (field === "UIQ") visit.questions = value.split("~").map((what) => ({ what, is: false }));
    if (field === "UIA")
      visit.questions = visit.questions.map(({ what }, n) => ({ what, is: value.split("~")[n] === "Y" }));
  }
  for (const visit of visits) visit.calls = visit.calls.filter(Boolean);
  return { name, start: values.get("start") ?? ".", visits, endsSession: values.get("end") === "endUserInter" };
}

const methods: Record<string, string> = {
  I: "Initialize",
  T: "Terminate",
  C: "Commit",
  GET: "GetValue",
  SET: "SetValue",
  COI: "compareObjectives",
};

function readCall(line: string, words: Map<string, string>): AdlCall {
  const [method = "", call = "", result = "", error = ""] = line.split("->");
  const word = (text: string) => words.get(text) ?? text;
  const [path = "", value] = call.split("!");
  const names = path.split("~");
  const element = names.map((name, n) => {
    if (name === "tar") return `{target=${names[n + 1]}}`;
    return names[n - 1] === "tar" ? "" : word(name);
  });
  const args = path === "" ? [""] : [element.filter((name) => name !== "").join(".")];
  if (value !== undefined) {
    // a~n~r!tar~activity_5~N.j
    const request = /^a~n~r!tar~(.+)~(N\.j|TY\.c)$/.exec(call);
    if (request)
      return {
        name: "SetValue",
        args: ["adl.nav.request", `{target=${request[1]}}${word(request[2] ?? "")}`],
        result: word(result),
        error,
      };
    args.push(word(call.slice(call.indexOf("!") + 1)));
  }
  if (method === "COI") return { name: "compareObjectives", args: call.split(","), result: "", error: "" };
  return { name: methods[method] ?? method, args, result: word(result), error };
}
