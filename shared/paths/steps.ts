import { z } from "zod";

// The steps of a learning path: courses, or choices of courses, in order

export const MAX_STEPS = 40;
export const MAX_OPTIONS = 10;
export const MAX_STEP_DAYS = 3650;
export const MAX_EARLIER_MONTHS = 120;

const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, " ");
export const pathStep = z.object({
  /** The same in all versions. */
  id: z.uuid(),
  /** The heading of a choice; empty for a single course. */
  title: z.string().overwrite(oneLine).trim().max(120).default(""),
  courseIds: z.array(z.uuid()).min(1).max(MAX_OPTIONS),
  /** How many of the courses must be completed. */
  needed: z.int().min(1).max(MAX_OPTIONS).default(1),
  /** Ids of the steps that must be done before this one opens. */
  after: z.array(z.uuid()).max(MAX_STEPS).default([]),
  /** Due so many days after joining the path. */
  dueDays: z.int().min(1).max(MAX_STEP_DAYS).nullable().default(null),
  /** Completions count from so many months before joining; null: however old they are. */
  earlierMonths: z.int().min(1).max(MAX_EARLIER_MONTHS).nullable().default(null),
});
export type PathStep = z.infer<typeof pathStep>;
export const pathSteps = z.array(pathStep).max(MAX_STEPS);

/** The heading of a choice, or the titles of the courses. `titles`: by course id. */
export const titleOf = (step: PathStep, titles: ReadonlyMap<string, string>) =>
  step.title || step.courseIds.map((id) => titles.get(id) ?? "").join(" / ");

type StepProblem = {
  code: "sameStep" | "sameCourse" | "neededMore" | "circle" | "goneStep" | "afterLater";
  /** The steps concerned; the first is the one to change. */
  steps: PathStep[];
};

/** Why the steps cannot be taken; null if they can. */
export function findStepProblem(steps: PathStep[]): StepProblem | null {
  const places = new Map(steps.map((step, place) => [step.id, place]));
  if (places.size < steps.length) return { code: "sameStep", steps: steps.slice(0, 1) };
  const owners = new Map<string, PathStep>();
  for (const step of steps)
    for (const course of step.courseIds) {
      const other = owners.get(course);
      if (other) return { code: "sameCourse", steps: [step, other] };
      owners.set(course, step);
    }
  for (const step of steps) if (step.needed > step.courseIds.length) return { code: "neededMore", steps: [step] };
  for (const [place, step] of steps.entries())
    for (const id of step.after) {
      const before = places.get(id);
      if (before === undefined) return { code: "goneStep", steps: [step] };
      const other = steps[before] as PathStep;
      if (id === step.id || waitsFor(steps, other, step.id)) return { code: "circle", steps: [step, other] };
      if (before > place) return { code: "afterLater", steps: [step, other] };
    }
  return null;
}

/** Whether a step waits for the step `id`, directly or through others. */
function waitsFor(steps: PathStep[], step: PathStep, id: string, seen = new Set<string>()): boolean {
  if (seen.has(step.id)) return false;
  seen.add(step.id);
  return step.after.some((one) => {
    const other = steps.find((candidate) => candidate.id === one);
    return one === id || (other !== undefined && waitsFor(steps, other, id, seen));
  });
}
