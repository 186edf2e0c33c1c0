import { type RawBuilder, sql } from "kysely";
import { REDACTED_BODY } from "#server/mails/service.ts";
import type { Person } from "#server/privacy/registryEntry.ts";
import { addressedTo, ownRegistrations } from "#server/privacy/registry.ts";
import { SHORT_LIVED_DAYS } from "#shared/audit.ts";

/** A section of the export. Rows are ordered and paged by `keys`, which are also exported. `columns` must not contain hashes, secrets or tokens. */
export type Section = {
  key: string;
  purpose: string;
  basis: string;
  retention: string;
  from: string;
  columns: string;
  keys: string[];
  where: (person: Person) => RawBuilder<boolean>;
};

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

export const sections: Section[] = [
  {
    key: "profile",
    purpose: "Logging in and assigning courses",
    basis: contract,
    retention: untilErased,
    from: "users left join companies on companies.id = users.company_id",
    keys: ["users.id"],
    where: ownedBy("users.id"),
    columns:
      "users.email, users.email_verified, users.name, users.role, users.status, companies.name as company, users.company_id, users.created_at, users.updated_at, users.last_active, users.last_login_at, users.invited_at, users.invitation_expires_at, users.activated_via, users.suspended_at, users.suspended_reason",
  },
  {
    key: "signInMethods",
    purpose: "Logging in",
    basis: contract,
    retention: untilErased,
    from: "auth_accounts",
    keys: ["id"],
    where: ownedBy("user_id"),
    columns: "provider_id, password is not null as has_password, created_at, updated_at",
  },
  {
    key: "signIns",
    purpose: "Staying logged in; detecting misuse",
    basis: interest,
    retention: "14 days after the last visit; at most 12 hours after a company login",
    from: "auth_sessions",
    keys: ["id"],
    where: ownedBy("user_id"),
    columns: "created_at, updated_at, expires_at, ends_at, reauthenticated_at, ip_address, user_agent",
  },
  {
    key: "enrolments",
    purpose: "Learning record",
    basis: training,
    retention: untilErased,
    from: "enrolments join courses on courses.id = enrolments.course_id join companies on companies.id = enrolments.company_id",
    keys: ["enrolments.id"],
    where: ownedBy("enrolments.user_id"),
    columns:
      "courses.title as course, courses.code as course_code, companies.name as company, cycle, source, assigned_at, due_date, enrolments.status, enrolments.progress, enrolments.success, enrolments.score_percent, enrolments.current_part, parts_done, active_seconds, reported_seconds, first_started_at, completed_at, last_activity_at",
  },
  {
    key: "attempts",
    purpose: "Learning record",
    basis: training,
    retention: untilErased,
    from: "attempts join courses on courses.id = attempts.course_id",
    keys: ["attempts.id"],
    where: ownedBy("attempts.user_id"),
    columns:
      "attempts.enrolment_id, courses.title as course, no, preview, completion, attempts.success, attempts.progress, attempts.score_percent, attempts.current_part, active_seconds, reported_seconds, started_at, last_activity_at, completed_at",
  },
  {
    key: "places",
    purpose: "Resuming courses",
    basis: contract,
    retention: untilErased,
    from: "part_states",
    keys: ["attempt_id", "sco"],
    where: ofAttempts,
    columns: "cmi, suspend_data, completion, success, score_percent, progress, visits, reported_seconds, updated_at",
  },
  {
    key: "answers",
    purpose: "Learning record",
    basis: training,
    retention: untilErased,
    from: "answers",
    keys: ["attempt_id", "sco", "n"],
    where: ofAttempts,
    columns: "session_id, t, fields, updated_at",
  },
  {
    key: "visits",
    purpose: "Learning record; technical support",
    basis: training,
    retention: untilErased,
    from: "sessions",
    keys: ["id"],
    where: ownedBy("user_id"),
    columns:
      "attempt_id, device, started_at, last_seen_at, ended_at, end_reason, active_ms, reported, commits, failed_commits",
  },
  {
    key: "events",
    purpose: "Evidence of progress",
    basis: training,
    retention: untilErased,
    from: "session_events",
    keys: ["session_id", "first_seq"],
    where: ({ id }) => sql`session_id in (select id from sessions where user_id = ${id})`,
    columns: "last_seq, received_at, events",
  },
  {
    key: "mails",
    purpose: "Documenting sent emails",
    basis: contract,
    retention: untilErased,
    from: "mails",
    keys: ["id"],
    where: (person) => sql`user_id = ${person.id} or ${addressedTo("recipient", person)}`,
    // Links give access to the account or a registration, so their tokens are removed.
    columns: `recipient, subject, ${REDACTED_BODY} as body, reason, status, created_at, sent_at`,
  },
  {
    key: "consents",
    purpose: "Evidence of cookie choices",
    basis: "Legal obligation (GDPR Art. 6(1)(c), 7(1))",
    retention: "While valid, and three more years",
    from: "consent_records",
    keys: ["id"],
    where: ownedBy("user_id"),
    columns:
      "consent_id, kind, status, preferences, policy_version, via, gpc, browser, decided_at, recorded_at, expires_at",
  },
  {
    key: "actsAboutMe",
    purpose: "Showing who viewed or changed these records, or tried to log in",
    basis: interest,
    retention: shortLived,
    from: "audit_entries",
    keys: ["id"],
    where: ({ id }) => sql`person_id = ${id} and actor_id is distinct from ${id}`,
    columns: "at, action, actor_role, details",
  },
  {
    key: "ownActs",
    purpose: "Detecting misuse of the account; accountability of admins",
    basis: interest,
    retention: shortLived,
    from: "audit_entries",
    keys: ["id"],
    where: ownedBy("actor_id"),
    columns: "at, action, details",
  },
  {
    key: "contacts",
    purpose: "Contact person of a company",
    basis: interest,
    retention: untilErased,
    from: "companies",
    keys: ["id"],
    where: (person) => addressedTo("contact_email", person),
    columns: "name as company, contact_name, contact_email",
  },
  {
    key: "files",
    purpose: "Storing uploaded files",
    basis: contract,
    retention: untilErased,
    from: "files",
    keys: ["id"],
    where: ownedBy("owner_id"),
    columns:
      "full_path, size, content_type, md5_hash, purpose, visibility, custom_metadata, created_at, updated_at, deleted_at",
  },
  {
    key: "eventRegistrations",
    purpose: "Taking part in events",
    basis: contract,
    retention: "For the period stated in the event's privacy notice",
    from: "event_registrations join events on events.id = event_registrations.event_id",
    keys: ["event_registrations.id"],
    where: ownRegistrations,
    columns:
      "events.title as event, events.starts_at, events.timezone as event_timezone, reference, state, event_registrations.email, email_verified_at, name, event_registrations.company, attendance, answers, event_registrations.timezone, event_registrations.notice_version, privacy_accepted_at, marketing_opt_in, source, confirmed_at, event_registrations.cancelled_at, attended_at, event_registrations.created_at",
  },
  {
    key: "secondFactor",
    purpose: "Logging in",
    basis: contract,
    retention: untilErased,
    from: "auth_factors",
    keys: ["user_id"],
    where: ownedBy("user_id"),
    columns: "confirmed_at, created_at",
  },
  {
    key: "passkeys",
    purpose: "Logging in",
    basis: contract,
    retention: untilErased,
    from: "auth_passkeys",
    keys: ["id"],
    where: ownedBy("user_id"),
    columns: "name, created_at, last_used_at",
  },
];
