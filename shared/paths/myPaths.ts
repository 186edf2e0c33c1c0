import { z } from "zod";
import { courseKind } from "#shared/courses/completionRules.ts";
import { enrolmentStatus } from "#shared/courses/enrolments.ts";

// A learning path, as the learner on it sees it

export const myPathCourse = z.object({
  courseId: z.uuid(),
  title: z.string(),
  code: z.string(),
  kind: courseKind,
  minutes: z.int().nullable(),
  /** Null if the learner does not have the course: the step is locked, or an admin has withdrawn it. */
  status: enrolmentStatus.exclude(["withdrawn"]).nullable(),
  progress: z.number().nullable(),
  completedAt: z.string().nullable(),
  /** Nobody is given the course any more. */
  isArchived: z.boolean(),
});
export type MyPathCourse = z.infer<typeof myPathCourse>;

export const myPathStep = z.object({
  id: z.uuid(),
  title: z.string(),
  needed: z.int(),
  state: z.enum(["done", "open", "locked"]),
  courses: z.array(myPathCourse),
  /** Titles of the steps that are not done yet and that it opens after; for locked steps only. */
  opensAfter: z.array(z.string()),
  dueDate: z.string().nullable(),
  overdue: z.boolean(),
  doneAt: z.string().nullable(),
});
export type MyPathStep = z.infer<typeof myPathStep>;

export const myPath = z.object({
  id: z.uuid(),
  companyId: z.uuid(),
  title: z.string(),
  description: z.string(),
  joinedAt: z.string(),
  completedAt: z.string().nullable(),
  steps: z.array(myPathStep),
});
export type MyPath = z.infer<typeof myPath>;
