import { z } from "zod";
import { blockId, richText } from "#shared/lessons/richText.ts";

// A scenario: steps that learners walk through by their choices, up to an ending

export const MAX_STEPS = 60;
export const MAX_STEP_CHOICES = 8;
export const MAX_POINTS = 100;

const choice = z.object({
  id: blockId,
  text: richText,
  /** What the learner reads after the choice, before the next step. */
  feedback: richText.nullable(),
  /** The key of the step that it leads to; null, or the key of a step that is gone, leads nowhere. */
  to: blockId.nullable(),
  points: z.int().min(-MAX_POINTS).max(MAX_POINTS),
});

export const tone = z.enum(["best", "fair", "poor"]);
export type EndingTone = z.infer<typeof tone>;

/** `key` is unique in its scenario and stays in a copy, so that choices keep leading to the same steps. */
export const scenarioStep = z.object({
  id: blockId,
  key: blockId,
  title: z.string().max(200),
  text: z.array(richText).max(20),
  /** How the scenario ends here; null: it goes on. */
  ending: tone.nullable(),
  /** The variable that gets the text of what the learner chooses here. */
  variable: z.string().max(100),
  /** Where the author has put the step in the graph, in px; otherwise the graph lays it out. */
  at: z.object({ x: z.int(), y: z.int() }).nullable(),
  choices: z.array(choice).max(MAX_STEP_CHOICES),
});
export type ScenarioStep = z.infer<typeof scenarioStep>;
export type ScenarioChoice = ScenarioStep["choices"][number];

/** The first step is the start. */
export const scenarioShape = {
  title: z.string().max(200),
  steps: z.array(scenarioStep).min(1).max(MAX_STEPS),
  shuffle: z.boolean(),
  mayGoBack: z.boolean(),
  /** The lesson is complete only when an ending was reached. */
  required: z.boolean(),
};
export type Scenario = { steps: ScenarioStep[] };

export const stepByKey = ({ steps }: Scenario, key: string | null) =>
  key === null ? undefined : steps.find((step) => step.key === key);
/** The choices that lead nowhere, with their step. */
export const looseChoices = (scenario: Scenario) =>
  scenario.steps.flatMap((step) =>
    step.ending ? [] : step.choices.filter(({ to }) => !stepByKey(scenario, to)).map((one) => ({ step, choice: one })),
  );

/** The steps that can be reached from the start. */
export function reachableSteps(scenario: Scenario): Set<ScenarioStep> {
  const reached = new Set<ScenarioStep>();
  const open = scenario.steps.slice(0, 1);
  for (let step = open.pop(); step; step = open.pop()) {
    if (reached.has(step)) continue;
    reached.add(step);
    if (!step.ending) open.push(...step.choices.flatMap(({ to }) => stepByKey(scenario, to) ?? []));
  }
  return reached;
}

export const hasReachableEnding = (scenario: Scenario) =>
  [...reachableSteps(scenario)].some(({ ending }) => ending !== null);
