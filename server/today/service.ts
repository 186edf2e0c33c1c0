import { hasOffers } from "#server/catalogue/browse.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { readMyCourses } from "#server/courses/myCourses.ts";
import { listDates } from "#server/outlook/dates.ts";
import { getPerson } from "#server/outlook/person.ts";
import { listMyPaths } from "#server/paths/myPaths.ts";
import { listEarned } from "#server/today/earned.ts";
import { addDays } from "#shared/core/dates.ts";
import { isLearner, type User } from "#shared/core/users.ts";
import { findNext, isOpen, minutesLeft } from "#shared/courses/nextCourse.ts";
import type { MyPath } from "#shared/paths/myPaths.ts";
import {
  type DueItem,
  type ExpiringItem,
  MAX_DUE,
  MAX_EARNED,
  MAX_EXPIRING,
  NEAR_DAYS,
  type NextCourse,
  type Today,
} from "#shared/today/today.ts";

type OwnCourse = Awaited<ReturnType<typeof readMyCourses>>[number];

const nothing: Today = {
  next: null,
  due: { items: [], total: 0 },
  expiring: { items: [], total: 0 },
  earned: { items: [], total: 0 },
  hasCourses: false,
  hasCatalogue: false,
};
const firstOf = <Row>(rows: Row[], most: number) => ({ items: rows.slice(0, most), total: rows.length });

/** What the signed-in learner does next, and what is near. Nothing for people without a company. */
export async function readToday(ctx: Ctx<User>): Promise<Today> {
  if (!isLearner(ctx.user) || ctx.user.companyId === null) return nothing;
  const person = await getPerson(ctx, ctx.user.id);
  const until = addDays(person.today, NEAR_DAYS);
  const [courses, { items: paths }, { dates }, hasCatalogue] = await Promise.all([
    readMyCourses(ctx),
    listMyPaths(ctx),
    listDates(ctx.db, person, until),
    hasOffers(ctx.db, ctx.user),
  ]);
  const earned = await listEarned(ctx.db, person, addDays(person.today, -NEAR_DAYS));
  const next = findNext(courses);
  return {
    next: next && describeNext(next),
    due: firstOf(listDue({ courses, paths, next, until }), MAX_DUE),
    expiring: firstOf(listExpiring(dates, courses), MAX_EXPIRING),
    earned: firstOf(earned, MAX_EARNED),
    hasCourses: courses.length > 0,
    hasCatalogue,
  };
}

function describeNext(course: OwnCourse): NextCourse {
  const { titles, currentPart, status } = course;
  // Who starts, or starts again, begins with the first part.
  const first = status === "in_progress" ? null : 0;
  const index = status === "failed" ? 0 : (currentPart ?? first);
  const title = index === null ? undefined : titles[index];
  const part = title === undefined || titles.length < 2 ? null : { number: (index ?? 0) + 1, title };
  return { ...course, part, minutesLeft: minutesLeft(course) };
}

type Own = { courses: OwnCourse[]; paths: MyPath[]; next: OwnCourse | null; until: string };

function listDue({ courses, paths, next, until }: Own): DueItem[] {
  const isNear = (dueDate: string | null): dueDate is string => dueDate !== null && dueDate <= until;
  const openSteps = paths.flatMap((path) =>
    path.steps.flatMap((step) => (step.state === "open" && path.completedAt === null ? [{ path, step }] : [])),
  );
  const due = courses.flatMap((course): DueItem[] => {
    const { courseId: id, title, code, dueDate, overdue, status } = course;
    if (id === next?.courseId || !isOpen(course) || !isNear(dueDate)) return [];
    const given = openSteps.find(({ step }) => step.courses.some(({ courseId }) => courseId === id));
    const about = { path: given?.path.title ?? null, isStarted: status === "in_progress" };
    return [{ kind: "course", id, title, code, dueDate, overdue, minutesLeft: minutesLeft(course), ...about }];
  });
  const shown = new Set([...due.map(({ id }) => id), next?.courseId]);
  const steps = openSteps.flatMap(({ path: { id, title: path }, step }): DueItem[] => {
    const { title, dueDate, overdue } = step;
    if (!isNear(dueDate) || step.courses.some(({ courseId }) => shown.has(courseId))) return [];
    return [{ kind: "step", id, title, code: id, path, dueDate, overdue, minutesLeft: null, isStarted: false }];
  });
  return [...due, ...steps].toSorted(
    (a, b) =>
      Number(b.overdue) - Number(a.overdue) || a.dueDate.localeCompare(b.dueDate) || a.title.localeCompare(b.title),
  );
}

type Dates = Awaited<ReturnType<typeof listDates>>["dates"];

function listExpiring(dates: Dates, courses: OwnCourse[]): ExpiringItem[] {
  // Their due date is the day on which the validity ends.
  const open = new Set(
    courses.flatMap((course) => (course.isRenewal && isOpen(course) && course.dueDate ? [course.courseId] : [])),
  );
  const opens = new Map(dates.flatMap(({ kind, courseId, day }) => (kind === "opens" ? [[courseId, day]] : [])));
  return dates.flatMap(({ kind, courseId, course, day }) =>
    kind === "expires" && !open.has(courseId)
      ? [{ courseId, title: course, validUntil: day, opensOn: opens.get(courseId) ?? null }]
      : [],
  );
}
