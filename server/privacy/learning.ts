import { type RawBuilder, sql } from "kysely";
import type { Entry, Person } from "#server/privacy/registryEntry.ts";

/** Why rows of a company whose policy says so go, lose their person, or leave proof behind. */
const policyOf = (table: string, ...policies: string[]) =>
  sql<boolean>`${sql.ref(`${table}.company_id`)} in (select id from companies where erasure_policy in (${sql.join(policies)}))`;
/** Passed or failed: what counts in the figures of a course. The rest is only a plan. */
const isResult = sql<boolean>`enrolments.status in ('completed', 'failed')`;
const ofPerson = (inner: RawBuilder<unknown>) => sql<boolean>`attempt_id in (${inner})`;
const attemptsOf = ({ id }: Person) => ofPerson(sql`select id from attempts where user_id = ${id}`);
const inSessions = ({ id }: Person) => sql<boolean>`session_id in (select id from sessions where user_id = ${id})`;
const day = (column: string) => sql`date_trunc('day', ${sql.ref(column)})`;
const resultsStay = "Your company counts results without names";

/** Results that stay without their person: an enrolment that ended, in a company that wants its figures to stay. */
const staying = (person: Person) =>
  sql<boolean>`enrolments.user_id = ${person.id} and ${isResult} and ${policyOf("enrolments", "anonymise", "retain")}`;

export const learning: Entry[] = [
  {
    key: "events",
    table: "session_events",
    what: "What happened in your courses, step by step",
    fate: "delete",
    why: "Only needed for your account",
    where: inSessions,
  },
  {
    key: "answers",
    table: "answers",
    what: "Your answers",
    fate: "delete",
    why: "Only needed for your account",
    where: attemptsOf,
  },
  {
    key: "states",
    table: "part_states",
    what: "Where you stopped in courses",
    fate: "delete",
    why: "Only needed for your account",
    where: attemptsOf,
  },
  {
    key: "sessions",
    table: "sessions",
    what: "Visits to courses, with browser and times",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  {
    key: "results.attempts",
    table: "attempts",
    what: "Attempts of finished courses",
    fate: "anonymise",
    why: resultsStay,
    where: (person) => sql`attempts.enrolment_id in (select id from enrolments where ${staying(person)})`,
    set: {
      user_id: sql`null`,
      current_part: sql`null`,
      started_at: day("started_at"),
      last_activity_at: day("last_activity_at"),
      completed_at: day("completed_at"),
    },
  },
  {
    key: "attempts",
    table: "attempts",
    what: "Attempts",
    fate: "delete",
    why: "Only needed for your account",
    where: (person) =>
      sql`user_id = ${person.id} and not coalesce(enrolment_id in (select id from enrolments where ${staying(person)}), false)`,
  },
  {
    key: "retainedRecords",
    table: "enrolments",
    what: "Proof of finished training",
    fate: "keep",
    why: "Your company must be able to prove it (GDPR Art. 17(3)(b) and (e)); kept apart, under a random number, without your name",
    where: ({ id }) =>
      sql`enrolments.user_id = ${id} and enrolments.status = 'completed' and ${policyOf("enrolments", "retain")}`,
    until: sql`(current_date + make_interval(years => (select retention_years from companies where companies.id = enrolments.company_id)))::date`,
  },
  {
    key: "results",
    table: "enrolments",
    what: "Results of finished courses",
    fate: "anonymise",
    why: resultsStay,
    where: staying,
    set: {
      user_id: sql`null`,
      assigned_by: sql`null`,
      due_date: sql`null`,
      current_part: sql`null`,
      assigned_at: day("assigned_at"),
      first_started_at: day("first_started_at"),
      completed_at: day("completed_at"),
      last_activity_at: day("last_activity_at"),
    },
  },
  {
    key: "enrolments",
    table: "enrolments",
    what: "Courses you were given",
    fate: "delete",
    why: "Only needed for your account",
    where: (person) => sql`user_id = ${person.id} and not (${staying(person)})`,
  },
];
