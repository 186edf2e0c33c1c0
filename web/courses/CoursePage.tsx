import { useParams } from "react-router";
import { lazyWithPreload } from "#web/core/rendering/lazyWithPreload.tsx";
import { readStoredUser } from "#web/core/storage/storedUser.ts";
import { useUser } from "#web/core/session/session.tsx";
import { canManageCourses } from "#shared/courses/courses.ts";
import { isAdmin } from "#shared/core/users.ts";

const CourseAdmin = lazyWithPreload(() =>
  import("#web/courses/admin/CourseAdmin.tsx").then(({ CourseAdmin }) => CourseAdmin),
);
const MyCourse = lazyWithPreload(() => import("#web/courses/learner/MyCourse.tsx").then(({ MyCourse }) => MyCourse));
// Preloads the variant for the role that was signed in last.
void (isAdmin(readStoredUser()) ? CourseAdmin : MyCourse).preload().catch(() => {});

/** `/courses/:id`: course administration for admins, the course page for learners. */
export function CoursePage() {
  const { id = "" } = useParams();
  return canManageCourses(useUser()) ? <CourseAdmin key={id} id={id} /> : <MyCourse key={id} id={id} />;
}
