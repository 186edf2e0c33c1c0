import type { ActivityTree } from "#shared/packages/activityTree.ts";
import { loadLibrary } from "#shared/sequencing/library.ts";
import { createSequencer } from "#shared/sequencing/sequencer.ts";

/** True if the engine accepts an activity tree, so that no learner meets one that it does not. */
export async function canBeFollowed(tree: ActivityTree): Promise<boolean> {
  const Library = await loadLibrary();
  try {
    createSequencer(Library, tree, null);
    return true;
  } catch {
    return false;
  }
}
