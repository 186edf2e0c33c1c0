import { describe, expect, test } from "vitest";
import type { ManifestItem } from "#shared/packages/packages.ts";
import {
  buildManifest,
  oneItem,
  organizationsXml,
  parse,
  rejection,
  xmlns12,
  xmlns2004,
  type ManifestParts,
} from "#test/packages.ts";

test.each([
  ["1.2", xmlns12, "1.2", 0],
  ["CAM 1.3", xmlns2004, "2004 2nd Edition", 0],
  ["2004 3rd Edition", xmlns2004, "2004 3rd Edition", 0],
  ["2004 4th Edition", xmlns2004, "2004 4th Edition", 0],
  ["", xmlns12, "1.2", 0],
  ["", xmlns2004, "2004 3rd Edition", 0],
  ["9.9", xmlns2004, "2004 3rd Edition", 1],
])('detects the edition: version "%s" with %s is %s', (version, root, edition, warnings) => {
  const result = parse(buildManifest({ version, root }));
  expect([result.edition, result.warnings.length]).toEqual([edition, warnings]);
});

describe("table of contents", () => {
  const resources = `<resources>
    <resource identifier="R" adlcp:scormtype="sco" href="a.html"/>
    <resource identifier="S" adlcp:scormtype="asset" href="b.html"/>
  </resources>`;
  test("reads headings, assets and SCORM 1.2 values", () => {
    const organizations = organizationsXml(`<item identifier="H"><title>Chapter</title>
      <item identifier="A" identifierref="R"><title>One</title><adlcp:masteryscore>80</adlcp:masteryscore>
        <adlcp:maxtimeallowed>00:30:00</adlcp:maxtimeallowed>
        <adlcp:timelimitaction>Exit, no message</adlcp:timelimitaction>
        <adlcp:datafromlms> x=1&amp;y=2 </adlcp:datafromlms>
        <adlcp:prerequisites type="aicc_script">Z</adlcp:prerequisites>
      </item>
      <item identifier="B" identifierref="S" isvisible="false"><adlcp:masteryscore>high</adlcp:masteryscore></item>
    </item>`);
    const { items, launch, warnings } = parse(buildManifest({ organizations, resources }));
    expect(launch).toEqual(["a.html", "b.html"]);
    expect(warnings).toEqual(["badMasteryScore", "prerequisitesIgnored"]);
    const [heading] = items as [ManifestItem];
    expect(heading).toMatchObject({ identifier: "H", title: "Chapter", href: null, file: null, type: null });
    expect(heading.items).toMatchObject([
      {
        type: "sco",
        masteryScore: 80,
        maxTimeAllowed: "00:30:00",
        timeLimitAction: "exit,no message",
        dataFromLms: "x=1&y=2",
        prerequisites: "Z",
      },
      { type: "asset", title: "B", isVisible: false, masteryScore: null },
    ]);
  });

  test("reads SCORM 2004 thresholds, objectives, limits and shared sequencing", () => {
    const organizations = organizationsXml(`<item identifier="A" identifierref="R"><title>One</title>
        <adlcp:completionThreshold completedByMeasure="true" minProgressMeasure="0.75"/>
        <adlcp:dataFromLMS>D</adlcp:dataFromLMS>
        <adlcp:timeLimitAction>continue,message</adlcp:timeLimitAction>
        <imsss:sequencing IDRef="S1">
          <adlseq:objectives><adlseq:objective objectiveID="p"/></adlseq:objectives>
          <imsss:objectives>
            <imsss:primaryObjective objectiveID="p" satisfiedByMeasure="true">
              <imsss:minNormalizedMeasure>-0.5</imsss:minNormalizedMeasure>
            </imsss:primaryObjective>
            <imsss:objective objectiveID="q"/>
          </imsss:objectives>
        </imsss:sequencing>
      </item>
      <item identifier="B" identifierref="R">
        <title>Two</title><adlcp:completionThreshold>0.5</adlcp:completionThreshold>
      </item>`);
    const more = `<imsss:sequencingCollection><imsss:sequencing ID="S1">
      <imsss:limitConditions attemptAbsoluteDurationLimit="PT1H"/>
    </imsss:sequencing></imsss:sequencingCollection>`;
    const { items, warnings } = parse(
      buildManifest({ version: "2004 4th Edition", root: xmlns2004, organizations, more }),
    );
    expect(items).toMatchObject([
      {
        completionThreshold: { completedByMeasure: true, minProgressMeasure: 0.75 },
        minNormalizedMeasure: -0.5,
        maxTimeAllowed: "PT1H",
        timeLimitAction: "continue,message",
        dataFromLms: "D",
        objectives: [
          { id: "p", isPrimary: true, minNormalizedMeasure: -0.5 },
          { id: "q", isPrimary: false, minNormalizedMeasure: null },
        ],
      },
      {
        completionThreshold: { completedByMeasure: true, minProgressMeasure: 0.5 },
        minNormalizedMeasure: null,
        objectives: [],
      },
    ]);
    expect(warnings).toEqual([]);
  });

  test.each([
    ['<imsss:controlMode choice="true" flow="true"/>', false],
    ['<imsss:controlMode choice="false" flow="true"/>', true],
    ['<imsss:limitConditions attemptLimit="1"/>', true],
    ['<imsss:rollupRules rollupObjectiveSatisfied="true"/>', false],
  ])("follows restricting sequencing only: %s", (rules, isFollowed) => {
    const two = `${oneItem}${oneItem.replace('"I"', '"J"')}<imsss:sequencing>${rules}</imsss:sequencing>`;
    const manifest = { version: "2004 3rd Edition", root: xmlns2004, organizations: organizationsXml(two) };
    const { sequencing, warnings } = parse(buildManifest(manifest));
    expect([sequencing !== null, warnings]).toEqual([isFollowed, []]);
  });

  const other = '<organization identifier="P"><title>Other</title></organization>';
  test.each<[string, ManifestParts, string[]]>([
    [
      "no default organization",
      { organizations: organizationsXml(oneItem).replace(' default="O"', "") },
      ["noDefaultOrganization"],
    ],
    [
      "wrong default organization",
      { organizations: organizationsXml(oneItem).replace('default="O"', 'default="X"') },
      ["wrongDefaultOrganization"],
    ],
    [
      "several organizations",
      { organizations: organizationsXml(oneItem).replace("</organizations>", `${other}</organizations>`) },
      ["severalOrganizations"],
    ],
    ["no organization", { organizations: "<organizations/>" }, ["noOrganization"]],
    ["nested manifest", { more: '<manifest identifier="N"/>' }, ["subManifests"]],
    ["repeated identifier", { organizations: organizationsXml(oneItem + oneItem) }, ["repeatedIdentifier"]],
    [
      "missing resource",
      { organizations: organizationsXml(`${oneItem}<item identifier="J" identifierref="X"/>`) },
      ["missingResource"],
    ],
    [
      "no href, one page",
      {
        resources:
          '<resources><resource identifier="R"><file href="a.html"/><file href="a.css"/></resource></resources>',
      },
      ["hrefFromFile", "missingFile"],
    ],
    [
      "start file with different case",
      { resources: '<resources><resource identifier="R" href="A.HTML"/></resources>' },
      ["launchFileCase"],
    ],
    [
      "missing files",
      {
        resources: `<resources><resource identifier="R" href="a.html">
          <file href="1"/><file href="2"/><file href="http://x/y"/>
        </resource></resources>`,
      },
      ["missingFiles"],
    ],
  ])("accepts with a warning: %s", (_, sheet, warnings) => {
    const result = parse(buildManifest(sheet));
    expect(result.warnings).toEqual(warnings);
    expect(result.items[0]).toMatchObject({ file: "a.html", href: "a.html" });
    expect(new Set(result.items.map((item) => item.identifier)).size).toBe(result.items.length);
  });

  test.each<[string, ManifestParts, string, string]>([
    ["no items", { organizations: organizationsXml(""), resources: "<resources/>" }, "noParts", "lists nothing"],
    [
      "missing resource",
      { resources: "<resources/>" },
      "missingResourceOnly",
      "“Part” cannot be opened: it points to the resource R",
    ],
    [
      "no href",
      { resources: '<resources><resource identifier="R"/></resources>' },
      "noHrefOnly",
      "its resource R names no start file",
    ],
    [
      "missing start file",
      { resources: '<resources><resource identifier="R" href="no.html"/></resources>' },
      "launchFileMissing",
      "of “Part” is not in the ZIP archive: no.html.",
    ],
    ["too many items", { organizations: organizationsXml("<item/>".repeat(2001)) }, "tooManyParts", "2001 parts"],
  ])("rejects: %s", (_, sheet, code, sentence) => {
    const [rejectionCode, text] = rejection(buildManifest(sheet));
    expect(rejectionCode).toBe(code);
    expect(text).toContain(sentence);
  });

  test("combines xml:base of manifest, resources and resource", () => {
    const based = '<resources xml:base="b"><resource identifier="R" xml:base="c/" href="d.html#x"/></resources>';
    expect(
      parse(buildManifest({ root: `${xmlns12} xml:base="a/"`, resources: based }), ["a/b/c/d.html"]).launch,
    ).toEqual(["a/b/c/d.html#x"]);
    expect(parse(buildManifest({}), ["in/a.html"], "in/imsmanifest.xml").launch).toEqual(["in/a.html"]);
  });
});
