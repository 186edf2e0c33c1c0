import { sql } from "kysely";
import {
  enrolmentSection,
  historySection,
  inHistory,
  inOwnEnrolments,
  isSubject,
  madeInHistory,
} from "#server/core/domains/history.ts";
import {
  deleted,
  nullValue,
  OTHER_PERSON,
  ownedBy,
  type Person,
  type PersonalData,
  SAME_PERSON,
  training,
  untilErased,
} from "#server/core/domains/personalData.ts";

/** True for rows of companies with one of these erasure policies. */
const hasPolicy = (table: string, ...policies: string[]) =>
  sql<boolean>`${sql.ref(`${table}.company_id`)} in (
    select id
    from companies
    where erasure_policy in (${sql.join(policies)})
  )`;
/** Finished enrolments, which count in course statistics. */
const isResult = sql<boolean>`enrolments.status in ('completed', 'failed')`;
const day = (column: string) => sql`date_trunc('day', ${sql.ref(column)})`;
export const KEPT_FOR_STATISTICS = "Your company keeps results without names for statistics";

/** Results that are anonymised: finished enrolments in companies that keep statistics. */
export const isAnonymisedResult = (person: Person) =>
  sql<boolean>`enrolments.user_id = ${person.id}
    and ${isResult}
    and ${hasPolicy("enrolments", "anonymise", "retain")}`;

/**
 * Finished training that the company must be able to prove, also in an earlier cycle: `privacy` copies it without a
 * name.
 */
export const isRetained = ({ id }: Person) =>
  sql<boolean>`enrolments.user_id = ${id}
    and (
      enrolments.status = 'completed'
      or exists (
        select from enrolment_cycles
        where enrolment_cycles.enrolment_id = enrolments.id
      )
    )
    and ${hasPolicy("enrolments", "retain")}`;
export const retainedUntil = sql<string>`(current_date + make_interval(years => (
  select retention_years
  from companies
  where companies.id = enrolments.company_id
)))::date`;

export const personalData: PersonalData = {
  entries: [
    inHistory(
      "history.enrolments",
      "enrolment_history",
      "History of your courses: assigned, due, completed",
      isSubject,
    ),
    inHistory(
      "history.activity",
      "enrolment_activity",
      "History of your progress and time in courses",
      inOwnEnrolments,
    ),
    inHistory("history.reminders", "reminder_log", "Reminders of courses that were written to you", isSubject),
    madeInHistory("enrolment_history", "Changes of course assignments that you made"),
    madeInHistory("course_history", "Changes of courses that you made"),
    madeInHistory("completion_rule_history", "Completion rules that you chose"),
    madeInHistory("reminder_log", "Reminders that you had sent"),
    deleted(
      "undoSteps",
      "undo_steps",
      "Changes of enrolments and suspensions that you can still undo",
      ownedBy("made_by"),
    ),
    deleted("undoSuspensions", "undo_suspensions", "Your suspension, as long as it can be undone", ownedBy("user_id")),
    {
      key: "retainedRecords",
      table: "enrolments",
      what: "Records of finished training",
      fate: "keep",
      why:
        "Your company must be able to prove the training (GDPR Art. 17(3)(b) and (e)); stored separately under a " +
        "random number, without your name",
      where: isRetained,
      until: retainedUntil,
    },
    {
      key: "results",
      table: "enrolments",
      what: "Results of finished courses",
      fate: "anonymise",
      why: KEPT_FOR_STATISTICS,
      where: isAnonymisedResult,
      set: {
        user_id: nullValue,
        assigned_by: nullValue,
        due_date: nullValue,
        current_part: nullValue,
        assigned_at: day("assigned_at"),
        first_started_at: day("first_started_at"),
        completed_at: day("completed_at"),
        last_activity_at: day("last_activity_at"),
        happened_at: nullValue,
      },
    },
    deleted(
      "enrolments",
      "enrolments",
      "Courses assigned to you",
      (person) => sql`user_id = ${person.id} and not (${isAnonymisedResult(person)})`,
    ),
  ],
  sections: [
    {
      key: "enrolments",
      purpose: "Learning record",
      basis: training,
      retention: untilErased,
      table: "enrolments",
      joins: "join courses on courses.id = enrolments.course_id join companies on companies.id = enrolments.company_id",
      extra: "courses.title as course, courses.code as course_code, companies.name as company",
      omit: { user_id: SAME_PERSON, assigned_by: OTHER_PERSON },
      keys: ["id"],
      where: ownedBy("enrolments.user_id"),
    },
    historySection("enrolmentHistory", "enrolment_history", { hasCourse: true }),
    enrolmentSection("activityHistory", "enrolment_activity"),
    historySection("reminderLog", "reminder_log", { hasCourse: true }),
  ],
};
