import type { Activity, ActivityTree } from "#shared/packages/activityTree.ts";
import { loadLibrary } from "#shared/sequencing/library.ts";
import type { EngineState } from "#shared/sequencing/engineState.ts";
import { type Content, storedContent } from "#shared/sequencing/contentValues.ts";
import { createSequencer, type NavigationRequest } from "#shared/sequencing/sequencer.ts";

// Packages with sequencing rules: their trees for the engine, and their files

export const Engine = await loadLibrary();

/** What content reports: `passed`, `failed`, `completed`, `incomplete`, a scaled score such as `0.8`, or `suspend`. */
const elementOf = (word: string): [string, string] => {
  if (word === "suspend") return ["cmi.exit", "suspend"];
  if (word === "passed" || word === "failed") return ["cmi.success_status", word];
  return Number.isNaN(Number(word)) ? ["cmi.completion_status", word] : ["cmi.score.scaled", word];
};

/**
 * A run through a tree. Before every step, the engine is rebuilt from its stored state. `unopened` stands for content
 * that was never initialized.
 */
export function runTree(root: Activity, isGlobalToSystem = false) {
  const tree: ActivityTree = { root, isGlobalToSystem };
  let state: EngineState | null = null;
  const contentOf = (said: string | null): Content | null => {
    if (said === null) return null;
    if (said === "unopened") return storedContent({});
    const values = said.split(" ").filter(Boolean).map(elementOf);
    const exit = said.includes("suspend") ? "suspend" : "normal";
    return { values: Object.fromEntries(values), set: new Set(values.map(([name]) => name)), exit };
  };
  const load = () => createSequencer(Engine, tree, state && (JSON.parse(JSON.stringify(state)) as EngineState));
  return {
    /** The activity that a request delivers, or null; `said`: what the content of the current one has reported. */
    go(request: NavigationRequest, target: string | null = null, said: string | null = null): string | null {
      const sequencer = load();
      const { delivered } = sequencer.navigate(request, target, contentOf(said));
      state = sequencer.state();
      return delivered;
    },
    view: (said: string | null = null) => load().view(contentOf(said)),
    wouldRefuse: (request: NavigationRequest, said: string) => load().wouldRefuse(request, null, contentOf(said)),
    reopen(): string | null {
      const sequencer = load();
      const outcome = sequencer.reopen();
      state = sequencer.state();
      return outcome?.delivered ?? null;
    },
    choice: (id: string) =>
      load()
        .view()
        .choices.find((one) => one.id === id),
    values: (id: string) => load().launchValues(id, null),
    state: () => state,
    restore(given: EngineState | null) {
      state = given;
    },
    isSuspended: () => load().isSuspended(),
    hasEnded: () => load().hasEnded(),
  };
}

/** Conditions that must all be met; `!` turns one around. */
export const when = (...conditions: string[]) => ({
  combination: "all" as const,
  conditions: conditions.map((text) => ({
    condition: text.replace("!", "") as "satisfied",
    isNot: text.startsWith("!"),
  })),
});
export const pre = (
  action: "skip" | "disabled" | "hiddenFromChoice" | "stopForwardTraversal",
  ...conditions: string[]
) => ({
  pre: [{ action, ...when(...conditions) }],
});
export const post = (
  action: "retry" | "exitAll" | "exitParent" | "continue" | "previous",
  ...conditions: string[]
) => ({
  post: [{ action, ...when(...conditions) }],
});
/** A shared objective that an activity writes, and one that another reads. */
export const writes = { primary: { id: "p", maps: [{ target: "g", reads: [], writes: ["satisfiedStatus"] }] } };
export const reads = { primary: { id: "p", maps: [{ target: "g", reads: ["satisfiedStatus"], writes: [] }] } };

export const leaf = (id: string, definition: Omit<Activity, "id"> = {}): Activity => ({ id, ...definition });
export const group = (
  id: string,
  children: Activity[],
  definition: Omit<Activity, "id" | "children"> = {},
): Activity => ({
  id,
  control: { flow: true },
  ...definition,
  children,
});
export const leaves = (...ids: string[]) => ids.map((id) => leaf(id));

/** The page of a part: it calls nothing by itself but Initialize, and ends when it is told to, or closed. */
const page = (id: string) => `<!doctype html><meta charset="utf-8"><title>${id}</title><body data-sco="${id}">
<main><h1>${id}</h1><p id="entry"></p></main><script>
let w = window
while (w && !w.API_1484_11 && w !== w.parent) w = w.parent
const api = (window.api = w.API_1484_11)
api.Initialize("")
document.getElementById("entry").textContent = "entry: " + api.GetValue("cmi.entry")
window.finish = (status, request) => {
  const isSuccess = status === "passed" || status === "failed"
  if (status) api.SetValue(isSuccess ? "cmi.success_status" : "cmi.completion_status", status)
  if (request) api.SetValue("adl.nav.request", request)
  api.SetValue("cmi.exit", "normal")
  api.Terminate("")
}
</script></body>`;

/**
 * The files of a package: `items` as lines of an identifier and the sequencing of its item, `root` the sequencing of
 * the package.
 */
export function ruledFiles(title: string, items: [id: string, sequencing: string][], root: string) {
  const list = items.map(
    ([id, sequencing]) =>
      `<item identifier="${id}" identifierref="r-${id}"><title>Part ${id}</title>${sequencing}</item>`,
  );
  const resources = items.map(
    ([id]) => `<resource identifier="r-${id}" type="webcontent" adlcp:scormType="sco" href="${id}.html"/>`,
  );
  const manifest = `<?xml version="1.0"?><manifest identifier="m" xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"
xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3" xmlns:imsss="http://www.imsglobal.org/xsd/imsss"
xmlns:adlnav="http://www.adlnet.org/xsd/adlnav_v1p3">
<metadata><schema>ADL SCORM</schema><schemaversion>2004 4th Edition</schemaversion></metadata>
<organizations default="o"><organization identifier="o" adlseq:objectivesGlobalToSystem="false"
xmlns:adlseq="http://www.adlnet.org/xsd/adlseq_v1p3"><title>${title}</title>${list.join("")}${root}</organization>
</organizations><resources>${resources.join("")}</resources></manifest>`;
  return { "imsmanifest.xml": manifest, ...Object.fromEntries(items.map(([id]) => [`${id}.html`, page(id)])) };
}

export const sequencing = (inner: string) => `<imsss:sequencing>${inner}</imsss:sequencing>`;
/** Closed until the objective `of` is satisfied; `of` is written by the part of that name. */
export const closedUntil = (of: string) =>
  `<imsss:sequencingRules><imsss:preConditionRule><imsss:ruleConditions conditionCombination="any">
<imsss:ruleCondition referencedObjective="${of}" operator="not" condition="satisfied"/>
<imsss:ruleCondition referencedObjective="${of}" operator="not" condition="objectiveStatusKnown"/>
</imsss:ruleConditions><imsss:ruleAction action="disabled"/></imsss:preConditionRule></imsss:sequencingRules>`;
export const objectives = (own: string, read = "") =>
  `<imsss:objectives><imsss:primaryObjective objectiveID="own">
<imsss:mapInfo targetObjectiveID="${own}" writeSatisfiedStatus="true"/></imsss:primaryObjective>${
    read && `<imsss:objective objectiveID="${read}"><imsss:mapInfo targetObjectiveID="${read}"/></imsss:objective>`
  }</imsss:objectives>`;
export const setByContent = '<imsss:deliveryControls completionSetByContent="true" objectiveSetByContent="true"/>';
