import { describe, expect, test } from "vitest";
import { readCourseStructure } from "#server/packages/courseStructure.ts";
import { PackageError } from "#server/packages/findings.ts";
import { FileIndex } from "#server/packages/paths.ts";
import { readTinCan } from "#server/packages/tinCan.ts";
import { au, BASE, block, courseStructure, tinCanPackage } from "#test/activityPackages.ts";

const files = new FileIndex(["cmi5.xml", "one.html", "two/index.html", "story.html"]);
const read = (units: string, before = "") =>
  readCourseStructure(Buffer.from(courseStructure(units, before)), "cmi5.xml", files);
const codeOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    if (error instanceof PackageError) return error.finding.code.replace("packages.", "");
    throw error;
  }
  return null;
};

test("reads blocks and AUs in their order, with what a launch needs", () => {
  const attributes = 'moveOn="CompletedAndPassed" masteryScore="0.80" launchMethod="OwnWindow" activityType="quiz"';
  const more = "<launchParameters> a=1 </launchParameters><entitlementKey><![CDATA[ key ]]></entitlementKey>";
  const inner = au({ id: "au/two", title: "Two", url: "two/index.html?x=1", attributes, more });
  const { id, title, items } = read(au({ id: "au/a" }) + block("block", "Block", inner) + au({ id: "au/z" }));
  expect({ id, title }).toEqual({ id: BASE, title: "Safety" });
  expect(items.map(({ identifier, title }) => [identifier, title])).toEqual([
    [`${BASE}/au/a`, "One"],
    [`${BASE}/block`, "Block"],
    [`${BASE}/au/z`, "One"],
  ]);
  expect(items[0]?.launch).toMatchObject({ moveOn: "NotApplicable", launchMethod: "AnyWindow" });
  expect(items[1]).toMatchObject({ href: null, type: null, launch: { publisherId: `${BASE}/block`, courseId: BASE } });
  expect(items[1]?.items[0]).toMatchObject({
    href: "two/index.html?x=1",
    file: "two/index.html",
    launch: {
      publisherId: `${BASE}/au/two`,
      courseId: BASE,
      moveOn: "CompletedAndPassed",
      masteryScore: "0.8",
      launchMethod: "OwnWindow",
      launchParameters: "a=1",
      entitlementKey: "key",
      activityType: "quiz",
    },
  });
});

test("keeps titles in all languages, and prefers English", () => {
  const titles = '<langstring lang="fr">Un</langstring><langstring lang="en-GB">One</langstring>';
  const unit = au().replace('<title><langstring lang="en">One</langstring></title>', `<title>${titles}</title>`);
  expect(read(unit).items[0]).toMatchObject({ title: "One", titles: { fr: "Un", "en-GB": "One" } });
});

test("reads a thousand AUs", () => {
  const units = Array.from({ length: 1000 }, (_, n) => au({ id: `au/${n}` })).join("");
  expect(read(units).items).toHaveLength(1000);
});

test("identifies a unit with a long id by its hash", () => {
  const [item] = read(au({ id: "a".repeat(400) })).items;
  expect(item?.identifier).toMatch(/^sha256:[\da-f]{64}$/);
  expect(item?.launch?.publisherId).toHaveLength(400 + BASE.length + 1);
});

const words = (name: string) => `<${name}><langstring>O</langstring></${name}>`;
const objective = (id: string) => `<objective id="${id}">${words("title")}${words("description")}</objective>`;

describe("refuses", () => {
  const wrongOrder = au().replace(/(<title>.*<\/title>)(.*)(<url>.*<\/url>)/, "$3$1$2");
  test.each<[string, string, string, string?]>([
    ["an id of a unit that is no complete address", au().replace(`${BASE}/au/one`, "au/one"), "idIncomplete"],
    [
      "a block id that is no complete address",
      block("b", "B", au()).replace(`${BASE}/b`, "w3id.org/b"),
      "idIncomplete",
    ],
    ["an objective id that is no complete address", au(), "idIncomplete", objective("o")],
    ["an AU without id", au().replace(/ id="[^"]*"/, ""), "idMissing"],
    ["the same id of two AUs", au() + au(), "idRepeated"],
    ["the same id of two blocks", block("b", "B", au()) + block("b", "B", au({ id: "z" })), "idRepeated"],
    ["the same id of two objectives", au(), "idRepeated", objective("urn:o") + objective("urn:o")],
    ["the same id of a block and an AU", block("au/one", "B", au()), "idRepeated"],
    [
      "an objective that does not exist",
      au().replace("<url>", '<objectives><objective idref="urn:o"/></objectives><url>'),
      "unknownObjective",
    ],
    ["elements in another order", wrongOrder, "elementOrder"],
    ["an AU without title", au().replace(/<title>.*<\/title>/, ""), "elementMissing"],
    ["an AU without description", au().replace(/<description>.*<\/description>/, ""), "elementMissing"],
    ["an AU without URL", au().replace(/<url>.*<\/url>/, ""), "elementMissing"],
    ["an AU with two URLs", au({ more: "<url>one.html</url>" }), "elementTwice"],
    ["a title without text", au().replace(/<title>.*<\/title>/, "<title/>"), "elementMissing"],
    ["a block without AU", block("b", "B", "") + au(), "elementMissing"],
    ["no AU", "", "noParts"],
    ["an unknown moveOn", au({ attributes: 'moveOn="Maybe"' }), "unknownValue"],
    ["an unknown launch method", au({ attributes: 'launchMethod="Popup"' }), "unknownValue"],
    ["a mastery score above 1", au({ attributes: 'masteryScore="80"' }), "unknownValue"],
    ["a mastery score that is no number", au({ attributes: 'masteryScore="1e-1"' }), "unknownValue"],
    ["a file that is missing", au({ url: "three.html" }), "launchFileMissing"],
    ["a file outside of the package", au({ url: "../one.html" }), "launchTraversal"],
    ["a script as URL", au({ url: "javascript:alert(1)" }), "launchAddress"],
    ["content of another server", au({ url: "https://example.org/one.html" }), "launchElsewhere"],
    [
      "a parameter that the launch needs",
      au({ url: "one.html?a=1&amp;endpoint=https://x.example" }),
      "launchParameter",
    ],
    ["too many parts", Array.from({ length: 2001 }, (_, n) => au({ id: `${n}` })).join(""), "tooManyParts"],
  ])("%s", (_, units, code, objectives = "") => {
    const before = objectives && `<objectives>${objectives}</objectives>`;
    expect(codeOf(() => read(units, before))).toBe(code);
  });
  test("a course without a complete address as id, and another root element", () => {
    const course = courseStructure(au()).replace(`<course id="${BASE}">`, '<course id="safety">');
    expect(codeOf(() => readCourseStructure(Buffer.from(course), "cmi5.xml", files))).toBe("idIncomplete");
    expect(codeOf(() => readCourseStructure(Buffer.from("<manifest/>"), "cmi5.xml", files))).toBe("otherRoot");
  });
});

describe("tincan.xml", () => {
  const readStory = (...args: Parameters<typeof tinCanPackage>) =>
    readTinCan(Buffer.from(tinCanPackage(...args)[0]?.data ?? ""), "tincan.xml", files);
  test("each activity with a start page is a part", () => {
    expect(readStory()).toMatchObject({
      id: `${BASE}/story`,
      title: "Story",
      items: [
        { identifier: `${BASE}/story`, title: "Story", href: "story.html", launch: { publisherId: `${BASE}/story` } },
      ],
    });
  });
  test.each<[string, string, string, string?]>([
    ["a file that is missing", "other.html", "launchFileMissing"],
    ["content of another server", "https://example.org/story.html", "launchElsewhere"],
    ["an id that is no complete address", "story.html", "idIncomplete", "story"],
  ])("refuses %s", (_, href, code, id) => {
    expect(codeOf(() => readStory(href, [], id))).toBe(code);
  });
});
