import type { PathStep } from "#shared/paths/steps.ts";

/**
 * Moved steps in their new order. If each step opened after the one before it, they are such a row again. Otherwise a
 * step that would wait for a later one waits for the one that is before it now.
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
