import { useParams } from "react-router";
import { CourseDesk } from "#web/courses/admin/CourseAdmin.tsx";
import { OwnCourse } from "#web/courses/learner/MyCourse.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { canManageCourses } from "#shared/courses.ts";

/** `/courses/:id`: the desk of a course for admins, its door for learners. */
export function CoursePage() {
  const { id = "" } = useParams();
  return canManageCourses(useUser()) ? <CourseDesk key={id} id={id} /> : <OwnCourse key={id} id={id} />;
}
