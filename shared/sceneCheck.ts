import type { SceneStep } from "#shared/botSettings.ts";

/** What is wrong with a scene; ids of steps. */
export type SceneFaults = {
  /** Ids that several steps have. */
  repeated: string[];
  /** Steps with a choice that leads nowhere. */
  broken: string[];
  /** Steps to which no choice leads from the first one. */
  unreachable: string[];
  /** Steps from which no end can be reached. */
  endless: string[];
};

/** Checks that every choice leads to a step, that every step is reached, and that each of them can reach an end. */
export function checkScene(scene: Pick<SceneStep, "id" | "choices">[]): SceneFaults {
  const ids = scene.map(({ id }) => id);
  const known = new Set(ids);
  const reached = new Set(ids.slice(0, 1));
  const ending = new Set(scene.filter(({ choices }) => choices.length === 0).map(({ id }) => id));
  // A path visits each step at most once.
  for (let round = 0; round < scene.length; round++)
    for (const { id, choices } of scene) {
      if (reached.has(id)) for (const { to } of choices) if (known.has(to)) reached.add(to);
      if (choices.some(({ to }) => ending.has(to))) ending.add(id);
    }
  return {
    repeated: [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))],
    broken: scene.filter(({ choices }) => choices.some(({ to }) => !known.has(to))).map(({ id }) => id),
    unreachable: ids.filter((id) => !reached.has(id)),
    endless: ids.filter((id) => !ending.has(id)),
  };
}
