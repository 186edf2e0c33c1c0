import type { PathStep } from "#shared/paths/steps.ts";

/**
 * Adapts steps to their new order. If each step waited for the one before it, it does so again. Otherwise a step no
 * longer waits for later ones; if nothing else is left, it waits for the one before it.
 */
export function relinkSteps(before: PathStep[], moved: PathStep[]): PathStep[] {
  const isRow = before.every(({ after }, at) =>
    at === 0 ? after.length === 0 : after.length === 1 && after[0] === before[at - 1]?.id,
  );
  return moved.map((step, at) => {
    const previous = moved[at - 1];
    const after = previous ? [previous.id] : [];
    if (isRow) return { ...step, after };
    const earlier = moved.slice(0, at).map(({ id }) => id);
    const isLate = step.after.some((id) => !earlier.includes(id));
    if (!isLate) return step;
    const kept = step.after.filter((id) => earlier.includes(id));
    return { ...step, after: kept.length > 0 ? kept : after };
  });
}
