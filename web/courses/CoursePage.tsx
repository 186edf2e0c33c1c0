import { useParams } from "react-router";
import { CourseAdmin } from "#web/courses/admin/CourseAdmin.tsx";
import { MyCourse } from "#web/courses/learner/MyCourse.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { canManageCourses } from "#shared/courses.ts";

/** `/courses/:id`: course administration for admins, the course page for learners. */
export function CoursePage() {
  const { id = "" } = useParams();
  return canManageCourses(useUser()) ? <CourseAdmin key={id} id={id} /> : <MyCourse key={id} id={id} />;
}
