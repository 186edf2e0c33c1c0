import * as library from "scorm-again/scorm2004";
import type { Activity, ActivityTree } from "#shared/packages/activityTree.ts";
import type { Library } from "#shared/sequencing/engine.ts";
import type { EngineState } from "#shared/sequencing/engineState.ts";
import { createSequencer, type NavigationRequest } from "#shared/sequencing/sequencer.ts";

// Packages with sequencing rules: their trees for the engine, and their files

export const Engine = (library as unknown as { Scorm2004API: Library }).Scorm2004API;

/** What content reports: `passed`, `failed`, `completed`, `incomplete`, a scaled score such as `0.8`, or `suspend`. */
const elementOf = (word: string): [string, string] => {
  if (word === "suspend") return ["cmi.exit", "suspend"];
  if (word === "passed" || word === "failed") return ["cmi.success_status", word];
  return Number.isNaN(Number(word)) ? ["cmi.completion_status", word] : ["cmi.score.scaled", word];
};

/** A run through a tree; the engine is built anew from its stored state before every step. */
export function runTree(root: Activity, isGlobalToSystem = false) {
  const tree: ActivityTree = { root, isGlobalToSystem };
  let state: EngineState | null = null;
  const load = () => createSequencer(Engine, tree, state && (JSON.parse(JSON.stringify(state)) as EngineState));
  return {
    /** The activity that a request delivers, or null; `said`: what the content of the current one has reported. */
    go(request: NavigationRequest, target: string | null = null, said: string | null = null): string | null {
      const sequencer = load();
      const values = (said ?? "").split(" ").filter(Boolean).map(elementOf);
      const content =
        said === null
          ? null
          : {
              values: Object.fromEntries(values),
              set: new Set(values.map(([name]) => name)),
              exit: said.includes("suspend") ? "suspend" : "normal",
            };
      const { delivered } = sequencer.navigate(request, target, content);
      state = sequencer.state();
      return delivered;
    },
    view: () => load().view(),
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
  };
}

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
