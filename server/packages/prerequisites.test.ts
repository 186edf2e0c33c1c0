import { expect, test } from "vitest";
import { buildManifest, organizationsXml, parse } from "#test/packages.ts";
import { isMet, type LessonStatus, missingIn, parsePrerequisites } from "#shared/packages/prerequisites.ts";

// Prerequisites of SCORM 1.2: reading the script, and what it asks for

const statusOf = (statuses: Record<string, LessonStatus>) => (id: string) => statuses[id] ?? "not attempted";
const check = (script: string, statuses: Record<string, LessonStatus>) => {
  const expression = parsePrerequisites(script);
  return expression && isMet(expression, statusOf(statuses));
};

test.each([
  ["A", { A: "passed" }, true],
  ["A", { A: "completed" }, true],
  ["A", { A: "failed" }, false],
  ["A", {}, false],
  [" A & B ", { A: "passed" }, false],
  ["A&B", { A: "passed", B: "completed" }, true],
  ["A|B", { B: "completed" }, true],
  ["A|B&C", { A: "passed" }, true],
  ["(A|B)&C", { A: "passed" }, false],
  ["~A", {}, true],
  ["~(A|B)", { B: "passed" }, false],
  ["~~A", { A: "passed" }, true],
  ['A="passed"', { A: "passed" }, true],
  ["A=passed", { A: "completed" }, false],
  ["A = P", { A: "passed" }, true],
  ["A=F|A=passed", { A: "failed" }, true],
  ['A="not attempted"', {}, true],
  ["A<>failed", { A: "failed" }, false],
  ["A<>failed", {}, true],
  ["2*{A,B,C}", { A: "passed", C: "completed" }, true],
  ["2*{A,B,C}", { A: "passed" }, false],
  ["1*{A&B,C}", { C: "passed" }, true],
  ["{A,B}", { A: "passed", B: "passed" }, true],
  ["0*{A}", {}, true],
  ["(A AND B) or C", { C: "passed" }, true],
  ["not A AND B", { B: "passed" }, true],
  ["S1.2-a_b & ÄÖ", { "S1.2-a_b": "passed", ÄÖ: "passed" }, true],
] as [string, Record<string, LessonStatus>, boolean][])("%s with %j is %j", (script, statuses, expected) => {
  expect(check(script, statuses)).toBe(expected);
});

test.each(["", " ", "A&", "&A", "A B", "(A", "A)", "2*A", "x*{A}", "{A,}", "A=", "A=maybe", "A<B", '"A', "~", "*{A}"])(
  "cannot read %j",
  (script) => expect(parsePrerequisites(script)).toBeNull(),
);

test("reads no script that is long or deeply nested beyond any honest one", () => {
  expect(parsePrerequisites(`${"(".repeat(50)}A${")".repeat(50)}`)).toEqual({ kind: "done", id: "A" });
  for (const script of [`${"(".repeat(51)}A${")".repeat(51)}`, `${"~".repeat(1900)}A`, `${"1*{".repeat(600)}A`])
    expect(parsePrerequisites(script)).toBeNull();
  expect(parsePrerequisites(`${"A&".repeat(1001)}A`)).toBeNull();
});

test("names what is still to be completed", () => {
  const expression = parsePrerequisites("A&(B|2*{C,D})&E=passed&~F&G=failed");
  expect(missingIn(expression!, statusOf({ A: "passed" }))).toEqual(["B", "C", "D", "E"]);
});

const resources = '<resources><resource identifier="R" adlcp:scormtype="sco" href="a.html"/></resources>';
const item = (id: string, script: string | null, inner = "", reference = ' identifierref="R"') =>
  `<item identifier="${id}"${reference}><title>${id}</title>${
    script === null ? "" : `<adlcp:prerequisites type="aicc_script"><![CDATA[${script}]]></adlcp:prerequisites>`
  }${inner}</item>`;
const LONG = Array.from({ length: 990 }, () => "A").join("&");
const warningsOf = (...items: string[]) =>
  parse(buildManifest({ organizations: organizationsXml(items.join("")), resources })).warnings;

test.each([
  ["a chain", [item("A", null), item("B", "A"), item("C", "A&B")]],
  ["groups", [item("G", null, item("A", null), ""), item("H", "G", item("B", null) + item("C", "B"), "")]],
  ["what a failed test opens", [item("A", null), item("B", 'A="failed"'), item("C", "A&B|A=passed")]],
  ["a part that closes", [item("A", "~B"), item("B", "A")]],
])("follows %s", (_, items) => expect(warningsOf(...items)).toEqual([]));

test.each([
  ["parts that wait for each other", [item("A", "B"), item("B", "A"), item("C", null)]],
  ["a part that waits for itself", [item("A", "A"), item("B", null)]],
  ["an unknown name", [item("A", null), item("B", "X")]],
  ["more than there are", [item("A", null), item("B", "3*{A,A}")]],
  ["a group that waits for its own part", [item("G", "A", item("A", null), ""), item("B", null)]],
  ["text", [item("A", null), item("B", "after A")]],
  ["more than can be evaluated", [item("A", null), ...Array.from({ length: 11 }, (_, n) => item(`B${n}`, LONG))]],
])("ignores %s, and says so", (_, items) => expect(warningsOf(...items)).toEqual(["prerequisitesIgnored"]));
