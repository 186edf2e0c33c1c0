import { z } from "zod";
import { courseKind } from "#shared/courses/completionRules.ts";
import { enrolmentStatus } from "#shared/courses/enrolments.ts";

// A learning path as its learner sees it

export const myPathCourse = z.object({
  courseId: z.uuid(),
  title: z.string(),
  code: z.string(),
  kind: courseKind,
  minutes: z.int().nullable(),
  /** Null if the learner does not have the course: the step is locked, or an admin has withdrawn the course. */
  status: enrolmentStatus.exclude(["withdrawn"]).nullable(),
  progress: z.number().nullable(),
  completedAt: z.string().nullable(),
  /** The course is no longer given to anyone. */
  isArchived: z.boolean(),
});
export type MyPathCourse = z.infer<typeof myPathCourse>;

export const myPathStep = z.object({
  id: z.uuid(),
  title: z.string(),
  needed: z.int(),
  state: z.enum(["done", "open", "locked"]),
  courses: z.array(myPathCourse),
  /** Titles of the steps still to be done first; only for locked steps. */
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
