import type { ShownBlock } from "#shared/lessons/shownLesson.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";

/** The keys of the variables that a block writes. */
export function writtenBy(block: LessonBlock | ShownBlock): string[] {
  switch (block.kind) {
    case "reflection":
    case "rating":
    case "slider":
      return [block.variable];
    case "scenario":
      return [...new Set(block.steps.flatMap(({ variable, ending }) => (variable && !ending ? [variable] : [])))];
    default:
      return [];
  }
}
