import { z } from "zod";
import type { AnswerFact } from "#shared/conditions/evaluate.ts";
import { blockId } from "#shared/lessons/richText.ts";
import { type Scenario, type ScenarioStep, stepByKey, tone } from "#shared/lessons/scenarios.ts";

// How far a learner has come in a scenario

/** A scenario may lead in circles. */
export const MAX_PATH = 200;
const MAX_RUNS = 1000;

export const scenarioState = z.object({
  /** The choices since the start, by the ids of step and choice. */
  path: z.array(z.object({ step: blockId, choice: blockId })).max(MAX_PATH),
  /** The ids of all endings that were reached. */
  endings: z.array(blockId),
  /** How often an ending was reached, and the most points at one. */
  runs: z.int(),
  best: z.number(),
  /** The latest ending, and the choices on the way to it. */
  last: z.object({ ending: blockId, tone, chosen: z.array(blockId) }).nullable(),
});
export type ScenarioState = z.infer<typeof scenarioState>;
export const newScenarioState = (): ScenarioState => ({ path: [], endings: [], runs: 0, best: 0, last: null });

const choiceAt = ({ steps }: Scenario, { step, choice }: ScenarioState["path"][number]) =>
  steps.find(({ id }) => id === step)?.choices.find(({ id }) => id === choice);

/** The step at which the learner is. */
export function currentStep(scenario: Scenario, { path }: ScenarioState): ScenarioStep {
  const last = path.at(-1);
  const reached = last && stepByKey(scenario, choiceAt(scenario, last)?.to ?? null);
  return reached ?? (scenario.steps[0] as ScenarioStep);
}

export const pointsOf = (scenario: Scenario, { path }: Pick<ScenarioState, "path">) =>
  path.reduce((sum, one) => sum + (choiceAt(scenario, one)?.points ?? 0), 0);

/**
 * The state after a choice; null if the step does not offer it to a learner who is there. A choice that leads nowhere
 * changes nothing: the learner chooses again.
 */
export function chooseIn(
  scenario: Scenario,
  state: ScenarioState,
  chosen: ScenarioState["path"][number],
): ScenarioState | null {
  const step = currentStep(scenario, state);
  const choice = choiceAt(scenario, chosen);
  if (step.id !== chosen.step || step.ending || !choice) return null;
  const next = stepByKey(scenario, choice.to);
  if (!next) return state;
  if (state.path.length >= MAX_PATH) return null;
  const path = [...state.path, { step: chosen.step, choice: chosen.choice }];
  if (!next.ending) return { ...state, path };
  const points = pointsOf(scenario, { path });
  return {
    path,
    endings: state.endings.includes(next.id) ? state.endings : [...state.endings, next.id],
    runs: Math.min(MAX_RUNS, state.runs + 1),
    best: state.runs === 0 ? points : Math.max(state.best, points),
    last: { ending: next.id, tone: next.ending, chosen: path.map((one) => one.choice) },
  };
}

/** One step back; null where the learner may not go back. */
export function backIn(scenario: Scenario & { mayGoBack: boolean }, state: ScenarioState): ScenarioState | null {
  const isOver = currentStep(scenario, state).ending !== null;
  if (!scenario.mayGoBack || isOver || state.path.length === 0) return null;
  return { ...state, path: state.path.slice(0, -1) };
}

const results = { best: "right", fair: "partly", poor: "wrong" } as const;
/** What conditions know of a scenario: how it last ended, and the choices on the way there. */
export const scenarioFact = ({ last }: ScenarioState): AnswerFact | null =>
  last && { result: results[last.tone], chosen: [...last.chosen, last.ending] };
