import { describe, expect, test } from "vitest";
import { buildManifest, oneItem, organizationsXml, parse, xmlns2004 } from "#test/packages.ts";
import { sequencingLimits } from "#shared/packages/activityTree.ts";

const second = oneItem.replace('"I"', '"J"');
/** The tree of two parts; `rules` of the package, `own` of its first part. */
function read(rules: string, own = "", more = "") {
  const first = oneItem.replace("</item>", `<imsss:sequencing ${own}</imsss:sequencing></item>`);
  const organizations = organizationsXml(
    `${own ? first : oneItem}${second}
    <imsss:sequencing><imsss:controlMode choice="false" flow="1"/>${rules}</imsss:sequencing>`,
  );
  const { sequencing, warnings } = parse(
    buildManifest({ version: "2004 4th Edition", root: xmlns2004, organizations, more }),
  );
  return { root: sequencing?.root, first: sequencing?.root.children?.[0], warnings };
}
const rule = (condition: string, action: string, kind = "pre") =>
  `<imsss:${kind}ConditionRule><imsss:ruleConditions>${condition}</imsss:ruleConditions>
  <imsss:ruleAction action="${action}"/></imsss:${kind}ConditionRule>`;
const rules = (list: string) => `<imsss:sequencingRules>${list}</imsss:sequencingRules>`;

describe("what a manifest says", () => {
  test("reads controls, rules, limits, rollup, randomization and delivery", () => {
    const condition =
      '<imsss:ruleCondition condition="objectiveMeasureLessThan" operator="not" measureThreshold="0.5"' +
      ' referencedObjective="o"/>';
    const { first, root } = read(
      '<imsss:randomizationControls randomizationTiming="once" reorderChildren="true" selectCount="2"' +
        ' selectionTiming="onEachNewAttempt"/>',
      `>${rules(
        rule(condition, "skip") +
          rule('<imsss:ruleCondition condition="always"/>', "exit", "exit") +
          rule('<imsss:ruleCondition condition="completed"/>', "retryAll", "post"),
      )}
      <imsss:limitConditions attemptLimit="3" attemptAbsoluteDurationLimit="PT1H"/>
      <imsss:rollupRules rollupObjectiveSatisfied="false" objectiveMeasureWeight="0.25">
        <imsss:rollupRule childActivitySet="atLeastPercent" minimumPercent="0.5">
          <imsss:rollupConditions conditionCombination="all">
          <imsss:rollupCondition condition="completed"/></imsss:rollupConditions>
          <imsss:rollupAction action="completed"/>
        </imsss:rollupRule></imsss:rollupRules>
      <adlseq:constrainedChoiceConsiderations preventActivation="true" constrainChoice="true"/>
      <adlseq:rollupConsiderations requiredForCompleted="ifNotSkipped" measureSatisfactionIfActive="false"/>
      <imsss:deliveryControls tracked="false" completionSetByContent="true"/>`,
    );
    expect(root).toMatchObject({
      id: "O",
      control: { choice: false, flow: true },
      random: { order: "once", reorder: true, selection: "onEachNewAttempt", count: 2 },
    });
    expect(first).toMatchObject({
      id: "I",
      pre: [{ action: "skip", combination: "all", conditions: [{ isNot: true, threshold: 0.5, objective: "o" }] }],
      exit: [{ action: "exit" }],
      post: [{ action: "retryAll" }],
      attemptLimit: 3,
      attemptDurationLimit: "PT1H",
      rollup: {
        objectiveSatisfied: false,
        measureWeight: 0.25,
        rules: [{ childSet: "atLeastPercent", minimumPercent: 0.5 }],
      },
      preventActivation: true,
      constrainChoice: true,
      considerations: { requiredForCompleted: "ifNotSkipped" },
      measureSatisfactionIfActive: false,
      tracked: false,
      completionSetByContent: true,
    });
  });

  test("reads shared objectives with their scores, and hidden buttons", () => {
    const objectives = `><imsss:objectives><imsss:primaryObjective objectiveID="p" satisfiedByMeasure="true">
      <imsss:minNormalizedMeasure>0.6</imsss:minNormalizedMeasure>
      <imsss:mapInfo targetObjectiveID="g" readNormalizedMeasure="false" writeSatisfiedStatus="true"/>
      </imsss:primaryObjective></imsss:objectives>
      <adlseq:objectives><adlseq:objective objectiveID="p">
      <adlseq:mapInfo targetObjectiveID="g" readRawScore="false" readMinScore="false" readMaxScore="false"
        writeProgressMeasure="true"/>
      </adlseq:objective></adlseq:objectives>`;
    const { first, warnings } = read("", objectives);
    expect(first?.primary).toEqual({
      id: "p",
      satisfiedByMeasure: true,
      minNormalizedMeasure: 0.6,
      maps: [
        {
          target: "g",
          reads: ["satisfiedStatus", "completionStatus", "progressMeasure"],
          writes: ["satisfiedStatus", "progressMeasure"],
        },
      ],
    });
    expect(warnings).toEqual([]);
  });

  test("takes from the collection what the item does not say itself", () => {
    const more = `<imsss:sequencingCollection><imsss:sequencing ID="S">
      <imsss:controlMode flow="true"/><imsss:limitConditions attemptLimit="2"/>
      </imsss:sequencing></imsss:sequencingCollection>`;
    const { first } = read("", 'IDRef="S"><imsss:controlMode choice="false"/>', more);
    expect(first).toMatchObject({ control: { choice: false }, attemptLimit: 2 });
    expect(first?.control).not.toHaveProperty("flow");
  });
});

describe("hostile rules", () => {
  const condition = '<imsss:ruleCondition condition="always"/>';
  test.each([
    ["an unknown condition", rules(rule('<imsss:ruleCondition condition="constructor"/>', "skip"))],
    ["an unknown action", rules(rule(condition, "__proto__"))],
    ["no condition", rules(rule("", "skip"))],
    ["too many conditions", rules(rule(condition.repeat(21), "skip"))],
    ["too many rules", rules(rule(condition, "skip").repeat(51))],
    [
      "an unknown rollup action",
      '<imsss:rollupRules><imsss:rollupRule><imsss:rollupAction action="x"/></imsss:rollupRule></imsss:rollupRules>',
    ],
    [
      "a shared objective with a long name",
      `<imsss:objectives><imsss:primaryObjective><imsss:mapInfo targetObjectiveID="${"x".repeat(1001)}"/>
      </imsss:primaryObjective></imsss:objectives>`,
    ],
  ])("cuts %s with a warning", (_, own) => {
    const { first, warnings } = read("", `>${own}`);
    expect(warnings).toContain("sequencingCut");
    expect(first?.pre?.length ?? 0).toBeLessThanOrEqual(sequencingLimits.rulesPerActivity);
  });

  test("does not follow a tree that is too large", () => {
    const items = Array.from({ length: 500 }, (_, n) => oneItem.replace('"I"', `"I${n}"`)).join("");
    const organizations = organizationsXml(
      `${items}<imsss:sequencing><imsss:controlMode choice="false"/></imsss:sequencing>`,
    );
    const { sequencing, warnings } = parse(
      buildManifest({ version: "2004 4th Edition", root: xmlns2004, organizations }),
    );
    expect([sequencing, warnings]).toEqual([null, ["sequencingTooLarge"]]);
  });

  test("does not follow rules that together are too many", () => {
    const twenty = (n: number) =>
      Array.from({ length: 20 }, (_, k) => `<imsss:mapInfo targetObjectiveID="g${n}-${k}"/>`).join("");
    const objective = (n: number) => `<imsss:objective objectiveID="o${n}">${twenty(n)}</imsss:objective>`;
    const list = Array.from({ length: 100 }, (_, n) => objective(n)).join("");
    const items = Array.from({ length: 3 }, (_, n) =>
      oneItem.replace('"I"', `"I${n}"`).replace(
        "</item>",
        `<imsss:sequencing><imsss:objectives><imsss:primaryObjective/>${list}</imsss:objectives>
          </imsss:sequencing></item>`,
      ),
    );
    const organizations = organizationsXml(
      `${items.join("")}<imsss:sequencing><imsss:controlMode choice="false"/></imsss:sequencing>`,
    );
    const { sequencing, warnings } = parse(
      buildManifest({ version: "2004 4th Edition", root: xmlns2004, organizations }),
    );
    expect([sequencing, warnings]).toEqual([null, ["sequencingTooLarge"]]);
  });

  test("names the root as no item is named", () => {
    const organizations = organizationsXml(
      `${oneItem.replace('"I"', '"O"')}${second}
      <imsss:sequencing><imsss:controlMode choice="false"/></imsss:sequencing>`,
    );
    const { sequencing } = parse(buildManifest({ version: "2004 4th Edition", root: xmlns2004, organizations }));
    expect(sequencing?.root).toMatchObject({ id: "O-", children: [{ id: "O" }, { id: "J" }] });
  });
});
