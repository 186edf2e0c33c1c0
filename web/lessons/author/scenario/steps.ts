import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { NEW_STEP } from "#web/lessons/author/scenario/changes.ts";
import { i18n } from "#web/core/i18n.ts";

// The steps of a scenario as nodes of the editor

/** `at`: the place of the step in the scenario, from 0. `pos`: of its node, from the start of the scenario. */
export type Step = { key: string; at: number; pos: number; node: Node; ending: string | null; label: string };

const cache = new WeakMap<Node, Step[]>();
/** The steps of a scenario; the same list as long as nothing in it has changed. */
export function stepsOf(scenario: Node): Step[] {
  const known = cache.get(scenario);
  if (known) return known;
  const steps: Step[] = [];
  scenario.forEach((node, pos, at) => {
    const { key, ending } = node.attrs as { key: string | null; ending: string | null };
    steps.push({ key: key ?? "", at, pos: pos + 1, node, ending, label: labelOf(node, at) });
  });
  cache.set(scenario, steps);
  return steps;
}

const MAX_LABEL = 60;
export const nameOf = (step: Node) =>
  (String(step.attrs["title"]).trim() || step.firstChild?.textContent.trim() || "").slice(0, MAX_LABEL);
function labelOf(step: Node, at: number) {
  const name = nameOf(step);
  const place = { at: at + 1, name };
  if (step.attrs["ending"]) return i18n.t(name ? "scenarioDrafts.endingOf" : "scenarioDrafts.ending", place);
  return i18n.t(name ? "scenarioDrafts.stepOf" : "scenarioDrafts.step", place);
}

/** What a choice can lead to. */
export const targetsOf = (steps: Step[]) => [
  ...steps.map(({ key, label }) => ({ value: key, label })),
  { value: NEW_STEP, label: i18n.t("scenarioDrafts.newStep") },
];

export const optionsOf = (step: Node) => {
  const list: { node: Node; pos: number }[] = [];
  step.forEach((node, pos) => {
    if (node.type.name === "option") list.push({ node, pos: pos + 1 });
  });
  return list;
};
export const textOf = (option: Node) => option.firstChild?.textContent.trim() ?? "";

/** What conditions can ask of a scenario: its choices, and its endings. */
export const choicesOf = (scenario: Node) =>
  stepsOf(scenario).flatMap(({ node, ending, label }) =>
    ending
      ? [{ id: String(node.attrs["id"]), text: label }]
      : optionsOf(node).map(({ node: option }) => ({ id: String(option.attrs["id"]), text: textOf(option) || "…" })),
  );

/** A scenario and where it stands in the lesson. */
export type ScenarioPlace = { node: Node; pos: number };
export const endingKinds = ["goesOn", "best", "fair", "poor"] as const;

/** The scenario around a position; null if it is gone. */
export function scenarioAround({ state }: Editor, pos: number | null): ScenarioPlace | null {
  if (pos === null || pos > state.doc.content.size) return null;
  const $pos = state.doc.resolve(pos);
  const node = $pos.depth > 0 ? $pos.node(1) : state.doc.nodeAt(pos);
  return node?.type.name === "scenario" ? { node, pos: $pos.depth > 0 ? $pos.before(1) : pos } : null;
}

/** How many choices lead nowhere. */
export function countLoose(scenario: Node) {
  const steps = stepsOf(scenario);
  const keys = new Set(steps.map(({ key }) => key));
  return steps
    .filter(({ ending }) => !ending)
    .flatMap(({ node }) => optionsOf(node))
    .filter(({ node }) => textOf(node) !== "" && !keys.has(String(node.attrs["to"]))).length;
}
