import { defineDomain } from "#server/core/domains/domain.ts";
import { forGood, rows, untilRemoved, withAccount } from "#server/core/domains/tables.ts";
import { notifyAssigned } from "#server/courses/assignmentMails.ts";
import { checkPackages } from "#server/courses/checks/jobs.ts";
import { checkRoutes } from "#server/courses/checks/routes.ts";
import { personalData } from "#server/courses/personalData.ts";
import { mailReminders } from "#server/courses/reminders/reminderMails.ts";
import { courseRoutes } from "#server/courses/routes.ts";
import { deleteUndoSteps } from "#server/courses/undo.ts";

const aDay = "a day";

export const courses = defineDomain({
  name: "courses",
  uses: ["packages"],
  routes: [courseRoutes, checkRoutes],
  jobs: [notifyAssigned, mailReminders, deleteUndoSteps, checkPackages],
  openTo: { learners: ["courses.list", "courses.mine", "courses.get", "courses.enrolments", "courses.reasons"] },
  personalData,
  tables: {
    courses: {
      growth: rows(1, "course"),
      kept: "for good: courses are archived",
      authors: { updated_by: "Courses you last changed" },
      notPersonal: { "the course": "title code summary completion_rule" },
    },
    course_versions: {
      growth: rows(2, "course"),
      kept: "as long as the course",
      authors: { created_by: "Course packages you uploaded" },
      notPersonal: {
        "the package": "file_name title kind manifest parts sha256 warnings questions package_names",
      },
    },
    packages: {
      growth: rows(2, "course"),
      kept: "as long as the course",
      authors: { created_by: "Packages you uploaded" },
      notPersonal: { "the package": "file_name title kind parts warnings questions package_names" },
    },
    package_checks: {
      growth: rows(2, "course"),
      kept: "as long as the package",
      notPersonal: { "what the files of the package say": "reading" },
    },
    version_packages: {
      growth: rows(3, "course"),
      kept: "as long as the version",
      notPersonal: { "the lesson that the package stands for": "entry" },
    },
    answered_courses: { growth: rows(1, "course"), kept: "as long as the course" },
    company_courses: {
      growth: rows(10, "company"),
      kept: untilRemoved,
      authors: { assigned_by: "Courses you assigned to companies" },
    },
    enrolments: {
      growth: rows(8, "learner"),
      kept: withAccount,
      authors: { assigned_by: "Courses you assigned to learners" },
    },
    enrolment_reasons: {
      growth: rows(12, "learner"),
      kept: "as long as the enrolment",
      authors: { made_by: "Courses that learners have because of you", ended_by: "Courses you took from learners" },
    },
    enrolment_history: {
      growth: rows(40, "learner"),
      kept: forGood,
      notPersonal: { "the endpoint that changed the enrolment": "reason" },
    },
    enrolment_activity: { growth: rows(60, "learner"), kept: forGood },
    course_history: {
      growth: rows(5, "course"),
      kept: forGood,
      notPersonal: { "the endpoint that changed the course": "reason" },
    },
    completion_rule_history: {
      growth: rows(2, "course"),
      kept: forGood,
      notPersonal: { "the rule of the course, and the endpoint": "rule rule_text reason" },
    },
    reminder_log: {
      growth: rows(8, "learner"),
      kept: forGood,
      notPersonal: { "why, and the endpoint that sent the reminder": "step reason" },
    },
    undo_steps: {
      growth: rows(50, "admin"),
      kept: aDay,
      notExported: "deleted after a day; the changes themselves are in the audit log",
    },
    undo_enrolments: {
      growth: rows(8, "learner"),
      kept: aDay,
      notPersonal: { "state of an enrolment": "status" },
    },
    undo_company_courses: { growth: rows(10, "company"), kept: aDay },
    undo_suspensions: {
      growth: rows(0.1, "learner"),
      kept: aDay,
      notExported: "deleted after a day; the suspension itself is in the audit log",
    },
  },
});
