import { z } from "zod";
import { defineContracts, get } from "#shared/core/route.ts";
import { isSignedIn } from "#shared/core/users.ts";
import { enrolment, myCourse } from "#shared/courses/enrolments.ts";

// What a learner does next, and what is near. Days are those of the company

/** Days until which due dates and ends of validity are near, and for which what was earned is recent. */
export const NEAR_DAYS = 90;
/** The most rows of each list. */
export const MAX_DUE = 6;
export const MAX_EXPIRING = 4;
export const MAX_EARNED = 4;

/** A list whose further rows are on another page; `total` counts them too. */
const firstOf = <Row extends z.ZodType>(row: Row, most: number) =>
  z.object({ items: z.array(row).max(most), total: z.int() });

const nextCourse = myCourse.extend({
  /** The part that opens, counted from 1; null for a course with one part, and if it cannot be told. */
  part: z.object({ number: z.int(), title: z.string() }).nullable(),
  minutesLeft: z.int().nullable(),
});
export type NextCourse = z.infer<typeof nextCourse>;

const dueItem = z.object({
  /** `step`: an open step of a learning path none of whose courses is listed. */
  kind: z.enum(["course", "step"]),
  /** Of the course, or of the learning path. */
  id: z.uuid(),
  title: z.string(),
  /** Of the course, for its cover; of a step the id of its learning path. */
  code: z.string(),
  /** Title of the learning path. */
  path: z.string().nullable(),
  dueDate: z.string(),
  overdue: z.boolean(),
  isStarted: z.boolean(),
  minutesLeft: z.int().nullable(),
});
export type DueItem = z.infer<typeof dueItem>;

const expiringItem = z.object({
  courseId: z.uuid(),
  title: z.string(),
  validUntil: z.string(),
  /** The day on which the course opens again; null if it does not. */
  opensOn: z.string().nullable(),
});
export type ExpiringItem = z.infer<typeof expiringItem>;

const earnedItem = z.object({
  kind: z.enum(["course", "path"]),
  /** Of the course or the learning path; null for a course that is known only by its title. */
  id: z.uuid().nullable(),
  title: z.string(),
  completedOn: z.string(),
  success: enrolment.shape.success,
  scorePercent: z.number().nullable(),
  validUntil: z.string().nullable(),
  /** The number of the certificate. */
  certificate: z.string().nullable(),
});
export type EarnedItem = z.infer<typeof earnedItem>;

export const today = z.object({
  next: nextCourse.nullable(),
  /** Open courses and steps that are overdue or soon due, without the next course; the earliest first. */
  due: firstOf(dueItem, MAX_DUE),
  /** Completions whose validity ends soon, unless the course is already open again. */
  expiring: firstOf(expiringItem, MAX_EXPIRING),
  /** What was completed lately, the newest first. */
  earned: firstOf(earnedItem, MAX_EARNED),
  hasCourses: z.boolean(),
  /** Whether the catalogue of the company offers anything. */
  hasCatalogue: z.boolean(),
});
export type Today = z.infer<typeof today>;

export const canReadToday = isSignedIn;

export const todays = defineContracts("today", {
  read: get("/api/today", {
    does: "Get the next course of the learner, what is due, what expires and what was completed lately",
    reply: today,
  }),
});
