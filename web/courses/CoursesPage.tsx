import { CourseList } from "#web/courses/admin/CourseList.tsx";
import { MyCourseList } from "#web/courses/learner/MyCourseList.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { canManageCourses } from "#shared/courses/courses.ts";

/** `/courses`: all courses for admins, their own courses for learners. */
export function CoursesPage() {
  return canManageCourses(useUser()) ? <CourseList /> : <MyCourseList />;
}
