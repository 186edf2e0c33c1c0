import { sql } from "kysely";
import type { Entry, Person, Section } from "#server/core/domains/personalData.ts";

// Personal data of the append-only history that reports are computed from (docs/decisions/0020-history.md)

/** Rows are counted only: a trigger on `users` replaces the person in them, however the user is deleted. */
export const inHistory = (key: string, table: string, what: string, where: Entry["where"]): Entry => ({
  key,
  table,
  what,
  fate: "anonymise",
  why:
    "Reports of earlier days must stay as they were; you are replaced by a random number, " +
    "which nothing leads back to you",
  where,
});
export const madeInHistory = (table: string, what: string) =>
  inHistory(`${table}.actor`, table, what, ({ id }) => sql`actor_id = ${id}`);

export const isSubject = ({ id }: Person) => sql<boolean>`person_id = ${id}`;
export const inOwnEnrolments = ({ id }: Person) =>
  sql<boolean>`enrolment_id in (select enrolment_id from enrolment_history where person_id = ${id})`;

const BY_SELF = "coalesce(actor_id = person_id, false) as by_self";
const statement = {
  purpose: "Reports of earlier days",
  basis: "Contract, or the employer's interest in training (GDPR Art. 6(1)(b), (f))",
  retention: "Under a random number without the person after the data is deleted",
};

/** A section of a history with `person_id`; with `hasCourse` the rows name the title of their course. */
export const historySection = (key: string, table: string, { hasCourse = false } = {}): Section => ({
  ...statement,
  key,
  table,
  extra: hasCourse ? `${BY_SELF}, (select title from courses where courses.id = course_id) as course` : BY_SELF,
  omit: {
    person_id: "the person of the export",
    actor_id: "another person; by_self says whether it was oneself",
  },
  keys: ["id"],
  where: isSubject,
});

/** A section of a history of enrolments that names no person itself. */
export const enrolmentSection = (key: string, table: string): Section => ({
  ...statement,
  key,
  table,
  keys: ["id"],
  where: inOwnEnrolments,
});

export const issuedReportSection: Section = {
  ...statement,
  key: "issuedReports",
  table: "issued_reports",
  omit: { person_id: "the person of the export", issued_by: "another person, or oneself" },
  keys: ["number"],
  where: isSubject,
};
