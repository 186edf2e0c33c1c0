import { type RawBuilder, sql } from "kysely";
import type { Entry, Person } from "#server/privacy/registryEntry.ts";

/** True for rows of companies with one of these erasure policies. */
const hasPolicy = (table: string, ...policies: string[]) =>
  sql<boolean>`${sql.ref(`${table}.company_id`)} in (select id from companies where erasure_policy in (${sql.join(policies)}))`;
/** Finished enrolments, which count in course statistics. */
const isResult = sql<boolean>`enrolments.status in ('completed', 'failed')`;
const ofAttempts = (inner: RawBuilder<unknown>) => sql<boolean>`attempt_id in (${inner})`;
const inAttempts = ({ id }: Person) => ofAttempts(sql`select id from attempts where user_id = ${id}`);
const inSessions = ({ id }: Person) => sql<boolean>`session_id in (select id from sessions where user_id = ${id})`;
const truncatedDay = (column: string) => sql`date_trunc('day', ${sql.ref(column)})`;
const anonymiseReason = "Your company keeps results without names for statistics";

/** Results that are anonymised: finished enrolments in companies that keep statistics. */
const anonymisedResults = (person: Person) =>
  sql<boolean>`enrolments.user_id = ${person.id} and ${isResult} and ${hasPolicy("enrolments", "anonymise", "retain")}`;

export const learning: Entry[] = [
  {
    key: "events",
    table: "session_events",
    what: "Your activity in courses, step by step",
    fate: "delete",
    why: "Only needed for your account",
    where: inSessions,
  },
  {
    key: "variables",
    table: "variable_values",
    what: "Your values of variables: ratings, choices and texts that courses have stored",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  {
    key: "variables.current",
    table: "variable_current",
    what: "The current values of your variables",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  {
    key: "answers",
    table: "answers",
    what: "Your answers",
    fate: "delete",
    why: "Only needed for your account",
    where: inAttempts,
  },
  {
    key: "states",
    table: "part_states",
    what: "Your position in courses",
    fate: "delete",
    why: "Only needed for your account",
    where: inAttempts,
  },
  {
    key: "sessions",
    table: "sessions",
    what: "Course sessions, with browser and times",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  {
    key: "results.attempts",
    table: "attempts",
    what: "Attempts at finished courses",
    fate: "anonymise",
    why: anonymiseReason,
    where: (person) => sql`attempts.enrolment_id in (select id from enrolments where ${anonymisedResults(person)})`,
    set: {
      user_id: sql`null`,
      current_part: sql`null`,
      started_at: truncatedDay("started_at"),
      last_activity_at: truncatedDay("last_activity_at"),
      completed_at: truncatedDay("completed_at"),
    },
  },
  {
    key: "attempts",
    table: "attempts",
    what: "Attempts at other courses",
    fate: "delete",
    why: "Only needed for your account",
    where: (person) =>
      sql`user_id = ${person.id} and not coalesce(enrolment_id in (select id from enrolments where ${anonymisedResults(person)}), false)`,
  },
  {
    key: "retainedRecords",
    table: "enrolments",
    what: "Records of finished training",
    fate: "keep",
    why: "Your company must be able to prove the training (GDPR Art. 17(3)(b) and (e)); stored separately under a random number, without your name",
    where: ({ id }) =>
      sql`enrolments.user_id = ${id} and enrolments.status = 'completed' and ${hasPolicy("enrolments", "retain")}`,
    until: sql`(current_date + make_interval(years => (select retention_years from companies where companies.id = enrolments.company_id)))::date`,
  },
  {
    key: "results",
    table: "enrolments",
    what: "Results of finished courses",
    fate: "anonymise",
    why: anonymiseReason,
    where: anonymisedResults,
    set: {
      user_id: sql`null`,
      assigned_by: sql`null`,
      due_date: sql`null`,
      current_part: sql`null`,
      assigned_at: truncatedDay("assigned_at"),
      first_started_at: truncatedDay("first_started_at"),
      completed_at: truncatedDay("completed_at"),
      last_activity_at: truncatedDay("last_activity_at"),
      happened_at: sql`null`,
    },
  },
  {
    key: "enrolments",
    table: "enrolments",
    what: "Courses assigned to you",
    fate: "delete",
    why: "Only needed for your account",
    where: (person) => sql`user_id = ${person.id} and not (${anonymisedResults(person)})`,
  },
];
