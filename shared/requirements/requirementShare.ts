import { shareOf } from "#shared/core/percent.ts";
import type { StateCounts } from "#shared/requirements/requirements.ts";

/** The share of valid requirements in percent, of those from which nobody is exempt; null if there are none. */
export function shareValid(counts: StateCounts[]) {
  const sum = (numberOf: (one: StateCounts) => number) => counts.reduce((total, one) => total + numberOf(one), 0);
  return shareOf(
    sum(({ valid, ending }) => valid + ending),
    sum(({ valid, ending, missing, overdue, expired }) => valid + ending + missing + overdue + expired),
  );
}
