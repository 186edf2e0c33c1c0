import { sql } from "kysely";
import type { Entry, Person, Section } from "#server/privacy/registryEntry.ts";

// The append-only history that reports are computed from (migrations/0014_history.sql)

const isSubject = ({ id }: Person) => sql<boolean>`person_id = ${id}`;
const inOwnEnrolments = ({ id }: Person) =>
  sql<boolean>`enrolment_id in (select enrolment_id from enrolment_history where person_id = ${id})`;
const WHY =
  "Reports of earlier days must stay as they were; you are replaced by a random number, which nothing leads back to you";

/** Rows are counted only: a trigger on `users` replaces the person in them, by whatever way the user is deleted. */
const anonymised = (key: string, table: string, what: string, where: Entry["where"]): Entry => ({
  key,
  table,
  what,
  fate: "anonymise",
  why: WHY,
  where,
});
const actedOn = (table: string, what: string) =>
  anonymised(`${table}.actor`, table, what, ({ id }) => sql`actor_id = ${id}`);

export const historyEntries: Entry[] = [
  anonymised("history.enrolments", "enrolment_history", "History of your courses: assigned, due, completed", isSubject),
  anonymised("history.activity", "enrolment_activity", "History of your progress and time in courses", inOwnEnrolments),
  anonymised("history.parts", "part_history", "History of the parts of your courses", inOwnEnrolments),
  anonymised("history.completions", "completion_history", "What you have completed, and by which rule", isSubject),
  anonymised("history.reminders", "reminder_log", "Reminders of courses that were written to you", isSubject),
  anonymised("history.membership", "membership_history", "History of your company, role and access", isSubject),
  anonymised("history.reports", "issued_reports", "Reports on you that were issued", isSubject),
  {
    key: "history.views",
    table: "saved_views",
    what: "Saved views of your report, of admins",
    fate: "delete",
    why: "They lead nowhere without you, and their names may contain yours",
    where: ({ id }) => sql`path = ${`/learners/report/${id}`}`,
  },
  actedOn("enrolment_history", "Changes of course assignments that you made"),
  actedOn("membership_history", "Changes of companies and access of people that you made"),
  actedOn("company_history", "Changes of companies that you made"),
  actedOn("course_history", "Changes of courses that you made"),
  actedOn("completion_history", "Completions that you recorded"),
  actedOn("completion_rule_history", "Completion rules that you chose"),
  actedOn("reminder_log", "Reminders that you had sent"),
];

const history = {
  purpose: "Reports of earlier days",
  basis: "Contract, or the employer's interest in training (GDPR Art. 6(1)(b), (f))",
  retention: "Under a random number without the person after the data is deleted",
};
const BY_SELF = "coalesce(actor_id = person_id, false) as by_self";
const omit = { person_id: "the person of the export", actor_id: "another person; by_self says whether it was oneself" };

export const historySections: Section[] = [
  {
    ...history,
    key: "enrolmentHistory",
    table: "enrolment_history",
    extra: `${BY_SELF}, (select title from courses where courses.id = course_id) as course`,
    omit,
    keys: ["id"],
    where: isSubject,
  },
  {
    ...history,
    key: "activityHistory",
    table: "enrolment_activity",
    keys: ["id"],
    where: inOwnEnrolments,
  },
  {
    ...history,
    key: "partHistory",
    table: "part_history",
    keys: ["id"],
    where: inOwnEnrolments,
  },
  {
    ...history,
    key: "completionHistory",
    table: "completion_history",
    extra: `${BY_SELF}, (select title from courses where courses.id = course_id) as course`,
    omit,
    keys: ["id"],
    where: isSubject,
  },
  {
    ...history,
    key: "reminderLog",
    table: "reminder_log",
    extra: `${BY_SELF}, (select title from courses where courses.id = course_id) as course`,
    omit,
    keys: ["id"],
    where: isSubject,
  },
  {
    ...history,
    key: "issuedReports",
    table: "issued_reports",
    omit: { person_id: "the person of the export", issued_by: "another person, or oneself" },
    keys: ["number"],
    where: isSubject,
  },
  {
    ...history,
    key: "membershipHistory",
    table: "membership_history",
    extra: BY_SELF,
    omit,
    keys: ["id"],
    where: isSubject,
  },
];
