import type { OpenLesson } from "#web/lessons/learner/lessonBook.ts";
import type { Facts } from "#shared/conditions/evaluate.ts";
import { isMet } from "#shared/lessons/lessonEvents.ts";
import { isShown, type ShownBlock } from "#shared/lessons/shownLesson.ts";

export type VisibleBlocks = {
  blocks: ShownBlock[];
  /** The "Continue" after which more follows; null if everything is shown. */
  gate: string | null;
  /** Blocks that still keep the lesson from being done. */
  missing: ShownBlock[];
};

/** The blocks that the learner sees: those whose condition holds, up to the first "Continue" that was not pressed. */
export function visibleBlocks({ document, state, pending }: OpenLesson, facts: Facts): VisibleBlocks {
  const shown = document.blocks.filter((block) => isShown(block, facts));
  const seen = new Set(state.seen);
  const isGate = (block: ShownBlock) => block.kind === "divider" && block.style === "continue" && !seen.has(block.id);
  const gateAt = shown.findIndex(isGate);
  return {
    blocks: gateAt < 0 ? shown : shown.slice(0, gateAt),
    gate: gateAt < 0 ? null : (shown[gateAt]?.id ?? null),
    missing: shown.filter((block) => !isMet(block, state) && !pending[block.id]),
  };
}
