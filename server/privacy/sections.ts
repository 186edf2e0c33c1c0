import { type RawBuilder, sql } from "kysely";
import { REDACTED_BODY } from "#server/mails/service.ts";
import type { Person } from "#server/privacy/registryEntry.ts";
import { addressedTo, ownRegistrations } from "#server/privacy/registry.ts";
import { SHORT_LIVED_DAYS } from "#shared/audit.ts";

/**
 * A section of the export: rows of one table. Every column is exported, those added later too, except the ones that `omit` names
 * with the reason; `only` is for tables in which the person is merely mentioned. `keys` order and page the rows.
 */
export type Section = {
  key: string;
  purpose: string;
  basis: string;
  retention: string;
  table: string;
  /** Joins for `extra` and `where`. */
  joins?: string;
  /** Further select expressions, such as the title of a course in place of its id alone. */
  extra?: string;
  omit?: Record<string, string>;
  only?: string[];
  keys: string[];
  where: (person: Person) => RawBuilder<boolean>;
};

const SECRET = "a secret, or derived from one";
const SAME_PERSON = "the person of the export";
const OTHER_PERSON = "another person";
const COUNTER = "a counter for concurrent changes";
const contract = "Contract (GDPR Art. 6(1)(b))";
const interest = "Legitimate interest (GDPR Art. 6(1)(f))";
const training = "Contract, or the employer's interest in training (GDPR Art. 6(1)(b), (f))";
const untilErased = "Until the data is deleted";
const shortLived = `${untilErased}; logins and login attempts for ${SHORT_LIVED_DAYS} days`;
const ownedBy =
  (column: string) =>
  ({ id }: Person) =>
    sql<boolean>`${sql.ref(column)} = ${id}`;
const ofAttempts = ({ id }: Person) => sql<boolean>`attempt_id in (select id from attempts where user_id = ${id})`;
const ofRegistrations = (person: Person) =>
  sql<boolean>`registration_id in (select id from event_registrations where ${ownRegistrations(person)})`;

export const sections: Section[] = [
  {
    key: "profile",
    purpose: "Logging in and assigning courses",
    basis: contract,
    retention: untilErased,
    table: "users",
    joins: "left join companies on companies.id = users.company_id",
    extra: "companies.name as company",
    omit: { token_valid_after: COUNTER, invitation_hash: SECRET, invited_by: OTHER_PERSON, version: COUNTER },
    keys: ["id"],
    where: ownedBy("users.id"),
  },
  {
    key: "signInMethods",
    purpose: "Logging in",
    basis: contract,
    retention: untilErased,
    table: "auth_accounts",
    extra: "password is not null as has_password",
    omit: { user_id: SAME_PERSON, password: SECRET, access_token: SECRET, refresh_token: SECRET, id_token: SECRET },
    keys: ["id"],
    where: ownedBy("user_id"),
  },
  {
    key: "signIns",
    purpose: "Staying logged in; detecting misuse",
    basis: interest,
    retention: "14 days after the last visit, at most 30 days after the login; at most 12 hours after a company login",
    table: "auth_sessions",
    omit: { user_id: SAME_PERSON, token: SECRET },
    keys: ["id"],
    where: ownedBy("user_id"),
  },
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
  {
    key: "attempts",
    purpose: "Learning record",
    basis: training,
    retention: untilErased,
    table: "attempts",
    joins: "join courses on courses.id = attempts.course_id",
    extra: "courses.title as course",
    omit: { user_id: SAME_PERSON, rev: COUNTER },
    keys: ["id"],
    where: ownedBy("attempts.user_id"),
  },
  {
    key: "resumeStates",
    purpose: "Resuming courses",
    basis: contract,
    retention: untilErased,
    table: "part_states",
    keys: ["attempt_id", "sco"],
    where: ofAttempts,
  },
  {
    key: "answers",
    purpose: "Learning record",
    basis: training,
    retention: untilErased,
    table: "answers",
    keys: ["attempt_id", "sco", "n"],
    where: ofAttempts,
  },
  {
    key: "sessions",
    purpose: "Learning record and technical support",
    basis: training,
    retention: untilErased,
    table: "sessions",
    omit: { user_id: SAME_PERSON, token_hash: SECRET },
    keys: ["id"],
    where: ownedBy("user_id"),
  },
  {
    key: "sessionEvents",
    purpose: "Evidence of progress",
    basis: training,
    retention: untilErased,
    table: "session_events",
    keys: ["session_id", "first_seq"],
    where: ({ id }) => sql`session_id in (select id from sessions where user_id = ${id})`,
  },
  {
    key: "mails",
    purpose: "Documenting sent emails",
    basis: contract,
    retention: untilErased,
    table: "mails",
    extra: `${REDACTED_BODY} as body`,
    omit: {
      user_id: SAME_PERSON,
      body: "exported without its links, which are secrets",
      html: "the same text with its links",
      attachments: "tickets and calendar entries hold links",
    },
    keys: ["id"],
    where: (person) => sql`user_id = ${person.id} or ${addressedTo("recipient", person)}`,
  },
  {
    key: "consents",
    purpose: "Evidence of cookie choices",
    basis: "Legal obligation (GDPR Art. 6(1)(c), 7(1))",
    retention: "While valid, and three more years",
    table: "consent_records",
    omit: { user_id: SAME_PERSON },
    keys: ["id"],
    where: ownedBy("user_id"),
  },
  {
    key: "actionsAboutMe",
    purpose: "Showing who viewed or changed these records, or tried to log in",
    basis: interest,
    retention: shortLived,
    table: "audit_entries",
    omit: { actor_id: OTHER_PERSON, person_id: SAME_PERSON },
    keys: ["id"],
    where: ({ id }) => sql`person_id = ${id} and actor_id is distinct from ${id}`,
  },
  {
    key: "myActions",
    purpose: "Detecting misuse of the account; accountability of admins",
    basis: interest,
    retention: shortLived,
    table: "audit_entries",
    omit: { actor_id: SAME_PERSON, person_id: OTHER_PERSON },
    keys: ["id"],
    where: ownedBy("actor_id"),
  },
  {
    key: "contacts",
    purpose: "Contact person of a company",
    basis: interest,
    retention: untilErased,
    table: "companies",
    only: ["name", "contact_name", "contact_email"],
    keys: ["id"],
    where: (person) => addressedTo("contact_email", person),
  },
  {
    key: "files",
    purpose: "Storing uploaded files",
    basis: contract,
    retention: untilErased,
    table: "files",
    omit: { owner_id: SAME_PERSON, storage_key: SECRET, tokens: SECRET, revoked_tokens: SECRET },
    keys: ["id"],
    where: ownedBy("owner_id"),
  },
  {
    key: "eventRegistrations",
    purpose: "Taking part in events",
    basis: contract,
    retention: "For the period stated in the event's privacy notice",
    table: "event_registrations",
    joins: "join events on events.id = event_registrations.event_id",
    extra: "events.title as event, events.starts_at, events.timezone as event_timezone",
    omit: { user_id: SAME_PERSON, manage_token_hash: SECRET, version: COUNTER },
    keys: ["id"],
    where: ownRegistrations,
  },
  {
    key: "eventRegistrationLog",
    purpose: "Tracing what happened to a registration",
    basis: interest,
    retention: "Until the retention period of the event ends",
    table: "event_registration_log",
    omit: { by_user: OTHER_PERSON },
    keys: ["id"],
    where: ofRegistrations,
  },
  {
    key: "eventCheckIns",
    purpose: "Attendance at events",
    basis: contract,
    retention: "Until the retention period of the event ends",
    table: "event_check_ins",
    omit: { by_user: OTHER_PERSON },
    keys: ["id"],
    where: ofRegistrations,
  },
  {
    key: "unfinishedUploads",
    purpose: "Resuming uploads",
    basis: contract,
    retention: "7 days after the last byte",
    table: "upload_sessions",
    omit: { user_id: SAME_PERSON, storage_key: SECRET, part_state: "the state of the file store" },
    keys: ["id"],
    where: ownedBy("user_id"),
  },
  {
    key: "secondFactor",
    purpose: "Logging in",
    basis: contract,
    retention: untilErased,
    table: "auth_factors",
    omit: { secret: SECRET, last_step: SECRET },
    keys: ["user_id"],
    where: ownedBy("user_id"),
  },
  {
    key: "passkeys",
    purpose: "Logging in",
    basis: contract,
    retention: untilErased,
    table: "auth_passkeys",
    omit: { user_id: SAME_PERSON, credential_id: SECRET, public_key: SECRET },
    keys: ["id"],
    where: ownedBy("user_id"),
  },
];

const SHORT_LIVED_SECRET = "a secret that works for minutes or hours";
/** Tables with personal data but without a section of the export, each with the reason. */
export const notExported: Record<string, string> = {
  events: "published; the host's name and address are the organiser's",
  settings: "published: the contact address of the academy",
  auth_challenges: SHORT_LIVED_SECRET,
  auth_oauth_flows: SHORT_LIVED_SECRET,
  auth_one_time_tokens: SHORT_LIVED_SECRET,
  auth_recovery_codes: SHORT_LIVED_SECRET,
  undo_steps: "deleted after a day; the changes themselves are in the audit log",
  undo_suspensions: "deleted after a day; the suspension itself is in the audit log",
  auth_verifications: SHORT_LIVED_SECRET,
};
