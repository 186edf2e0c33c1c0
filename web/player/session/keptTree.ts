import type { Launch, SessionEvent } from "#shared/player/player.ts";
import { listActivities } from "#shared/packages/activityTree.ts";
import { applySequenceEvent, type SequenceEvent, type StoredSequencing } from "#shared/sequencing/sequenceEvents.ts";

/**
 * The activity tree of the attempt as the events of this session change it, so that a shell that is loaded again
 * continues with it. The server derives the same from the same events (server/player/sequencing/fold.ts).
 */
export function keepTree({ sequencing }: Pick<Launch, "sequencing">) {
  let stored: StoredSequencing | null = sequencing?.stored ?? null;
  return {
    stored: () => stored,
    /** The part that is current in it. */
    current: () => (sequencing && listActivities(sequencing.tree.root)[stored?.state.current ?? -1]?.id) ?? null,
    apply({ type, value = "" }: SessionEvent) {
      if (type !== "sequence" || !sequencing) return;
      try {
        stored = applySequenceEvent(stored, JSON.parse(value) as SequenceEvent);
      } catch {
        // The shell shares its origin with the package, which may have written this.
      }
    },
  };
}
