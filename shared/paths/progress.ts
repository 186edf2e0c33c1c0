import type { PathStep } from "#shared/paths/steps.ts";

// How far a learner is on a path: pure, and the same for the server and its previews

/** Times are ISO strings in UTC, so their alphabetical order is their order in time. */
export type StepProgress = {
  stepId: string;
  doneAt: string | null;
  /** The version under which the step was done. */
  doneVersion: number | null;
};
type Person = {
  joinedAt: string;
  /** Completion times, by course. */
  completions: ReadonlyMap<string, readonly string[]>;
  /** Steps already done; they stay done while the terms of that version are met. */
  done: ReadonlyMap<string, { at: string; version: number }>;
};

/** `months` before `time`; a day that the month lacks becomes its last day. */
export function monthsBefore(time: string, months: number) {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.toISOString();
}

export const daysAfter = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** When the needed number of courses of a step was completed; null if it was not. */
function metAt(step: PathStep, { joinedAt, completions }: Person) {
  const since = step.earlierMonths === null ? "" : monthsBefore(joinedAt, step.earlierMonths);
  const times = step.courseIds.flatMap((course) => {
    const counting = (completions.get(course) ?? []).filter((time) => time >= since);
    return counting.length > 0 ? [counting.toSorted()[0] as string] : [];
  });
  return times.toSorted()[step.needed - 1] ?? null;
}

const latest = (times: string[]) => times.toSorted().at(-1) as string;

/** The steps that are open or done in `version`. Expects every step after those that it waits for. */
export function progressOf(version: number, versions: ReadonlyMap<number, PathStep[]>, person: Person): StepProgress[] {
  const shown = new Map<string, StepProgress>();
  for (const step of versions.get(version) ?? []) {
    const before = step.after.map((id) => shown.get(id)?.doneAt ?? null);
    const isOpen = before.every((time) => time !== null);
    const earlier = person.done.get(step.id);
    const terms = earlier && versions.get(earlier.version)?.find(({ id }) => id === step.id);
    // A done step stays done even if a new version puts another step before it, or an earlier step is open again.
    if (earlier && terms && metAt(terms, person) !== null)
      shown.set(step.id, { stepId: step.id, doneAt: earlier.at, doneVersion: earlier.version });
    else if (isOpen) {
      const met = metAt(step, person);
      const doneAt = met && latest([met, person.joinedAt, ...before.flatMap((time) => time ?? [])]);
      shown.set(step.id, { stepId: step.id, doneAt, doneVersion: doneAt === null ? null : version });
    }
  }
  return [...shown.values()];
}

/** When the last step was done; null until all are. */
export function completedAt(steps: PathStep[], progress: StepProgress[]): string | null {
  const times = progress.map(({ doneAt }) => doneAt);
  if (times.length < steps.length || times.length === 0 || times.includes(null)) return null;
  return latest(times as string[]);
}
