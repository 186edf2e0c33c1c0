import { sql } from "kysely";
import type { Entry, Person } from "#server/privacy/registryEntry.ts";
import { learning } from "#server/privacy/learning.ts";

const nullValue = sql`null`;
const emptyText = sql`''`;
const lower = (person: Person) => person.email.toLowerCase();

/** A reference of somebody else's row to this person as its author: it is taken off, the row stays. */
const authored = (table: string, column: string, what: string): Entry => ({
  key: `${table}.${column}`,
  table,
  what,
  fate: "anonymise",
  why: "Belongs to the company or the academy; only the author is taken off",
  where: ({ id }) => sql`${sql.ref(column)} = ${id}`,
  set: { [column]: nullValue },
});

/** True where a column holds the person's address and the mailbox is proven: an address alone may be anybody's. */
export const addressedTo = (column: string, { id }: Person) =>
  sql<boolean>`lower(${sql.ref(column)}) = (select lower(users.email) from users where users.id = ${id} and users.email_verified)`;

/** What a person did to the own account, and tries of strangers to get into it: nobody else's log. */
const isOwnEntry = (id: string) =>
  sql<boolean>`(person_id is not distinct from ${id} and (actor_id is not distinct from ${id} or action like 'account.%'))`;

/** Registrations of the account, and those of its proven address. */
export const ownRegistrations = (
  person: Person,
) => sql<boolean>`purged_at is null and (event_registrations.user_id = ${person.id}
  or ${addressedTo("event_registrations.email", person)})`;

export const registry: Entry[] = [
  ...learning,
  {
    key: "files",
    table: "files",
    what: "Your portrait and the exports that were made for you",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`owner_id = ${id} and purpose in ('avatar', 'export')`,
  },
  authored("files", "owner_id", "Course files, documents and pictures you uploaded for others"),
  {
    key: "uploads",
    table: "upload_sessions",
    what: "Uploads that were not finished",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  {
    key: "mails",
    table: "mails",
    what: "Mails that were written to you",
    fate: "delete",
    why: "Only needed for your account",
    where: (person) => sql`user_id = ${person.id} or ${addressedTo("recipient", person)}`,
  },
  {
    key: "consents",
    table: "consent_records",
    what: "Your cookie decisions",
    fate: "keep",
    why: "Proof of consent without your name (GDPR Art. 7(1), 5(2)), under a random number",
    where: ({ id }) => sql`user_id = ${id}`,
    set: { user_id: nullValue, browser: nullValue },
    until: sql`(greatest(expires_at, now()) + interval '3 years')::date`,
  },
  {
    key: "audit.own",
    table: "audit_entries",
    what: "Log of your logins, your exports and changes to your account",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`person_id = ${id} and ${isOwnEntry(id)}`,
  },
  {
    key: "audit.person",
    table: "audit_entries",
    what: "Log of who opened or changed your records",
    fate: "anonymise",
    why: "The log of admins stays complete; you are taken off",
    where: ({ id }) => sql`person_id = ${id} and not ${isOwnEntry(id)}`,
    set: { person_id: nullValue },
  },
  {
    key: "audit.actor",
    table: "audit_entries",
    what: "Log of what you did as an admin",
    fate: "anonymise",
    why: "The log of admins stays complete; you are taken off",
    where: ({ id }) => sql`actor_id = ${id} and not ${isOwnEntry(id)}`,
    set: { actor_id: nullValue },
  },
  {
    key: "contacts",
    table: "companies",
    what: "You as the contact of a company",
    fate: "delete",
    why: "Nobody can be reached there any more",
    where: (person) => addressedTo("contact_email", person),
    set: { contact_email: emptyText, contact_name: emptyText },
  },
  {
    key: "support",
    table: "settings",
    what: "Your address as the public contact of the academy",
    fate: "delete",
    why: "Nobody can be reached there any more",
    where: (person) => addressedTo("support_email", person),
    set: { support_email: emptyText },
  },
  {
    key: "guest",
    table: "event_registrations",
    what: "Events you registered for",
    fate: "delete",
    why: "Only needed for your account; a seat goes to the next",
    where: ownRegistrations,
  },
  {
    key: "events.host",
    table: "events",
    what: "You as the host of an event",
    fate: "delete",
    why: "Nobody can be reached there any more",
    where: (person) => addressedTo("organiser_email", person),
    set: { organiser_email: emptyText, organiser_name: emptyText },
  },
  {
    key: "mails.reply",
    table: "mails",
    what: "Your address for replies to mails",
    fate: "delete",
    why: "Nobody can be reached there any more",
    where: (person) => addressedTo("reply_to", person),
    set: { reply_to: nullValue },
  },
  authored("events", "created_by", "Events you set up"),
  authored("events", "updated_by", "Events you changed last"),
  authored("event_check_ins", "by_user", "People you checked in"),
  authored("event_registration_log", "by_user", "What you did with registrations"),
  authored("companies", "updated_by", "Companies you changed last"),
  authored("courses", "updated_by", "Courses you changed last"),
  authored("course_versions", "created_by", "Course packages you uploaded"),
  authored("company_courses", "assigned_by", "Courses you gave to a company"),
  authored("enrolments", "assigned_by", "Courses you assigned to learners"),
  authored("users", "invited_by", "People you invited"),
  authored("consent_texts", "published_by", "Privacy policies you published"),
  authored("settings", "updated_by", "Settings you changed last"),
  {
    key: "verifications",
    table: "auth_verifications",
    what: "Open links for logging in",
    fate: "delete",
    why: "Only needed for your account",
    where: (person) =>
      sql`position(${person.id} in value) > 0 or position(${lower(person)} in lower(value)) > 0 or position(${lower(person)} in lower(identifier)) > 0`,
  },
  {
    key: "links.tickets",
    table: "auth_one_time_tokens",
    what: "Open links for setting a password or proving your mailbox",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  {
    key: "links.flows",
    table: "auth_oauth_flows",
    what: "Logins that are under way at Google or your company",
    fate: "delete",
    why: "Only needed for your account",
    where: (person) =>
      sql`user_id = ${person.id} or position(${lower(person)} in lower(concat(profile::text, request::text))) > 0`,
  },
  {
    key: "links.challenges",
    table: "auth_challenges",
    what: "Questions to your passkeys",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  {
    key: "factors",
    table: "auth_factors",
    what: "Your authenticator app",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  {
    key: "factors.codes",
    table: "auth_recovery_codes",
    what: "Your recovery codes",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  {
    key: "passkeys",
    table: "auth_passkeys",
    what: "Your passkeys",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  authored("sso_connections", "updated_by", "Single sign-on you set up for a company"),
  {
    key: "signIns",
    table: "auth_sessions",
    what: "Logins, with network address and browser",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  {
    key: "accounts",
    table: "auth_accounts",
    what: "Ways to log in",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  {
    key: "profile",
    table: "users",
    what: "Name, email and membership",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`id = ${id}`,
  },
];

/** Columns that look as if they held a person and do not, with the reason. */
export const nonPersonalColumns: Record<string, string> = {
  "companies.name": "the company",
  "companies.logo": "the company",
  "companies.logo_type": "the company",
  "companies.notes": "about the company, by admins",
  "course_versions.file_name": "the package",
  "course_versions.title": "the package",
  "companies.learner_limit": "a number",
  "audit_entries.actor_role": "admin, learner or nobody",
  "courses.title": "the course",
  "auth_keys.public_key": "the server",
  "auth_keys.private_key": "the server",
  "settings.academy_name": "the academy",
  "consent_texts.body": "published text",
  "consent_records.text_id": "published text",
  "events.title": "the event",
  "events.require_email_confirmation": "a switch",
  "events.cancel_reason": "about the event, published",
  "event_privacy_notices.text": "published text",
  "event_check_ins.device": "a name for the phone at the door",
  "event_registration_log.actor": "self, admin or system",
  "event_mail_log.key": "which letter it was",
  "sso_connections.client_id": "the provider",
  "sso_connections.client_secret": "the provider, encrypted",
  "throttles.subject": "a hash; swept with its row",
  "throttles.key": "a hash of what was tried; swept when its quarter of an hour is over",
  "erasures.subject_hash": "a keyed hash of an id that exists nowhere else",
  "erasures.receipt": "counts and random ids",
  "audit_entries.details": "counts, field names and states",
  "retained_training_records.course": "the course",
};
