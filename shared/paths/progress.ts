import type { PathStep } from "#shared/paths/steps.ts";

// How far a learner is on a path: one pure function for the server, its previews and its tests

/** Times are ISO strings in UTC, which sort as they follow each other. */
export type StepProgress = {
  stepId: string;
  doneAt: string | null;
  /** The version by whose terms the step is done. */
  doneVersion: number | null;
};
type Person = {
  joinedAt: string;
  /** When each course was completed, by course. */
  completions: ReadonlyMap<string, readonly string[]>;
  /** Steps that were done so far: they stay done as long as the terms of that version are met. */
  done: ReadonlyMap<string, { at: string; version: number }>;
};

/** A date some months before a time; the last day of a shorter month. */
export function monthsBefore(time: string, months: number) {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.toISOString();
}

/** A calendar day some days after another. */
export const daysAfter = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** When enough of the courses of a step were completed, or null. */
function metAt(step: PathStep, { joinedAt, completions }: Person) {
  const since = step.earlierMonths === null ? "" : monthsBefore(joinedAt, step.earlierMonths);
  const times = step.courseIds.flatMap((course) => {
    const counting = (completions.get(course) ?? []).filter((time) => time >= since);
    return counting.length > 0 ? [counting.toSorted()[0] as string] : [];
  });
  return times.toSorted()[step.needed - 1] ?? null;
}

const latest = (times: string[]) => times.toSorted().at(-1) as string;

/** The steps that are open or done in `version`. The steps stand after those that they wait for. */
export function progressOf(version: number, versions: ReadonlyMap<number, PathStep[]>, person: Person): StepProgress[] {
  const shown = new Map<string, StepProgress>();
  for (const step of versions.get(version) ?? []) {
    const before = step.after.map((id) => shown.get(id)?.doneAt ?? null);
    const isOpen = before.every((time) => time !== null);
    const earlier = person.done.get(step.id);
    const terms = earlier && versions.get(earlier.version)?.find(({ id }) => id === step.id);
    // What was done stays done, also if a version puts something before it, or that is taken back.
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

/** When the last of all steps was done; null as long as one is not. */
export function completedAt(steps: PathStep[], progress: StepProgress[]): string | null {
  const times = progress.map(({ doneAt }) => doneAt);
  if (times.length < steps.length || times.length === 0 || times.includes(null)) return null;
  return latest(times as string[]);
}
