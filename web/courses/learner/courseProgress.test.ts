import { expect, test } from "vitest";
import { partsDoneInOrder } from "#web/courses/learner/CourseProgress.tsx";
import type { MyCourse } from "#shared/courses/enrolments.ts";

const course = (of: Partial<MyCourse>) => ({ parts: 4, partsDone: 0, status: "in_progress", ...of }) as MyCourse;

test("parts are marked as completed only if they were taken in order", () => {
  expect(partsDoneInOrder(course({ currentPart: 2, partsDone: 2 }))).toBe(2);
  expect(partsDoneInOrder(course({ currentPart: 1, partsDone: 3 }))).toBe(0);
  expect(partsDoneInOrder(course({ currentPart: null, partsDone: 1 }))).toBe(0);
  expect(partsDoneInOrder(course({ currentPart: 1, partsDone: 1, status: "completed" }))).toBe(4);
});
