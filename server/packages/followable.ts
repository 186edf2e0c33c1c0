import type { ActivityTree } from "#shared/packages/activityTree.ts";
import type { Library } from "#shared/sequencing/engine.ts";
import { createSequencer } from "#shared/sequencing/sequencer.ts";

/** True if the engine accepts an activity tree, so that no learner meets one that it does not. */
export async function canBeFollowed(tree: ActivityTree): Promise<boolean> {
  const library = (await import("scorm-again/scorm2004")) as unknown as { Scorm2004API: Library };
  try {
    createSequencer(library.Scorm2004API, tree, null);
    return true;
  } catch {
    return false;
  }
}
