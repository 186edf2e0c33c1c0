import type { Mount } from "#server/core/http/http.ts";
import { previewAssignmentMail } from "#server/courses/assignmentMails.ts";
import { assignCourses } from "#server/courses/assignments.ts";
import { restoreLearners, setDueDate, withdrawLearners } from "#server/courses/bulkChanges.ts";
import { listCourseChoices, listCourses } from "#server/courses/courseRows.ts";
import { listEnrolments } from "#server/courses/enrolments.ts";
import { importUpload } from "#server/courses/imports.ts";
import { listMyCourses } from "#server/courses/myCourses.ts";
import { listReasons } from "#server/courses/reasons.ts";
import { previewReminders, remindOverdue } from "#server/courses/reminders/service.ts";
import { getCourse, setCourseStatus, setLiveVersion, updateCourse } from "#server/courses/service.ts";
import { undoStep } from "#server/courses/undo.ts";
import { canManageCourses, canReadCourses, courses } from "#shared/courses/courses.ts";
import { isSignedIn } from "#shared/core/users.ts";

export function courseRoutes(on: Mount) {
  on(courses.importPackage, canManageCourses, (call) => importUpload(call, call.body));
  on(courses.list, canReadCourses, (call) => listCourses(call, call.query));
  on(courses.choices, canManageCourses, (call) => listCourseChoices(call, call.query));
  on(courses.mine, isSignedIn, (call) => listMyCourses(call));
  on(courses.get, canReadCourses, (call) => getCourse(call, call.params.id));
  on(courses.update, canManageCourses, (call) => updateCourse(call, call.params.id, call.body));
  on(courses.setStatus, canManageCourses, (call) => setCourseStatus(call, call.params.id, call.body));
  on(courses.setLive, canManageCourses, (call) => setLiveVersion(call, call.params.id, call.body));
  on(courses.assign, canManageCourses, (call) => assignCourses(call, [call.params.id], call.body));
  on(courses.assignMany, canManageCourses, ({ body: { courseIds, ...assignment }, ...call }) =>
    assignCourses(call, courseIds, assignment),
  );
  on(courses.previewAssignmentMail, canManageCourses, (call) => previewAssignmentMail(call, call.body));
  on(courses.withdraw, canManageCourses, (call) => withdrawLearners(call, call.params.id, call.body));
  on(courses.restore, canManageCourses, (call) => restoreLearners(call, call.params.id, call.body));
  on(courses.setDue, canManageCourses, (call) => setDueDate(call, call.params.id, call.body));
  on(courses.remindPreview, canManageCourses, (call) => previewReminders(call, call.body));
  on(courses.remind, canManageCourses, (call) => remindOverdue(call, call.body));
  on(courses.undo, canManageCourses, (call) => undoStep(call, call.params.id));
  on(courses.reasons, isSignedIn, (call) => listReasons(call, call.params.id, call.query));
  on(courses.enrolments, isSignedIn, (call) => listEnrolments(call, call.query));
}
