import { sql } from "kysely";
import type { Entry, Person } from "#server/privacy/registryEntry.ts";
import { historyEntries } from "#server/privacy/history.ts";
import { languageModels } from "#server/privacy/languageModels.ts";
import { connectionEntries } from "#server/privacy/connections.ts";
import { authored } from "#server/privacy/authored.ts";
import { recordingEntries } from "#server/privacy/recordings.ts";
import { learning } from "#server/privacy/learning.ts";

const nullValue = sql`null`;
const emptyText = sql`''`;
const lower = (person: Person) => person.email.toLowerCase();

/**
 * True if a column contains the person's email address and they have verified it; an unverified address may belong to
 * someone else.
 */
export const addressedTo = (column: string, { id }: Person) =>
  sql<boolean>`lower(${sql.ref(column)}) = (select lower(users.email) from users where users.id = ${id} and users.email_verified)`;

/** Entries that concern only the person: their actions on their own account, and attempts of others to access it. */
const isOwnEntry = (id: string) =>
  sql<boolean>`(person_id is not distinct from ${id} and (actor_id is not distinct from ${id} or action like 'account.%'))`;

/** Registrations of the account, and those with its verified email address. */
export const ownRegistrations = (
  person: Person,
) => sql<boolean>`purged_at is null and (event_registrations.user_id = ${person.id}
  or ${addressedTo("event_registrations.email", person)})`;

export const registry: Entry[] = [
  ...historyEntries,
  ...languageModels,
  ...recordingEntries,
  ...learning,
  ...connectionEntries,
  {
    key: "files",
    table: "files",
    what: "Your profile picture and exports created for you",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`owner_id = ${id} and purpose in ('avatar', 'export')`,
  },
  authored("issued_reports", "issued_by", "Reports you issued"),
  authored("files", "owner_id", "Course files, documents and images you uploaded"),
  {
    key: "uploads",
    table: "upload_sessions",
    what: "Unfinished uploads",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  {
    key: "mails",
    table: "mails",
    what: "Emails sent to you",
    fate: "delete",
    why: "Only needed for your account",
    where: (person) => sql`user_id = ${person.id} or ${addressedTo("recipient", person)}`,
  },
  {
    key: "consents",
    table: "consent_records",
    what: "Your cookie choices",
    fate: "keep",
    why: "Evidence of consent (GDPR Art. 7(1), 5(2)), stored under a random number without your name",
    where: ({ id }) => sql`user_id = ${id}`,
    set: { user_id: nullValue, browser: nullValue },
    until: sql`(greatest(expires_at, now()) + interval '3 years')::date`,
  },
  {
    key: "audit.own",
    table: "audit_entries",
    what: "Log of your logins, exports and account changes",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`person_id = ${id} and ${isOwnEntry(id)}`,
  },
  {
    key: "audit.person",
    table: "audit_entries",
    what: "Log of who viewed or changed your records",
    fate: "anonymise",
    why: "The audit log stays complete; your name is removed",
    where: ({ id }) => sql`person_id = ${id} and not ${isOwnEntry(id)}`,
    set: { person_id: nullValue },
  },
  {
    key: "audit.actor",
    table: "audit_entries",
    what: "Log of your actions as an admin",
    fate: "anonymise",
    why: "The audit log stays complete; your name is removed",
    where: ({ id }) => sql`actor_id = ${id} and not ${isOwnEntry(id)}`,
    set: { actor_id: nullValue },
  },
  {
    key: "contacts",
    table: "companies",
    what: "Your details as contact person of a company",
    fate: "delete",
    why: "Only your contact details are removed",
    where: (person) => addressedTo("contact_email", person),
    set: { contact_email: emptyText, contact_name: emptyText },
  },
  {
    key: "support",
    table: "settings",
    what: "Your address as public contact of the academy",
    fate: "delete",
    why: "Only your contact details are removed",
    where: (person) => addressedTo("support_email", person),
    set: { support_email: emptyText },
  },
  {
    key: "guest",
    table: "event_registrations",
    what: "Events you registered for",
    fate: "delete",
    why: "Only needed for your account; your seat is released",
    where: ownRegistrations,
  },
  {
    key: "events.host",
    table: "events",
    what: "Your details as organiser of an event",
    fate: "delete",
    why: "Only your contact details are removed",
    where: (person) => addressedTo("organiser_email", person),
    set: { organiser_email: emptyText, organiser_name: emptyText },
  },
  {
    key: "mails.reply",
    table: "mails",
    what: "Your reply address in emails",
    fate: "delete",
    why: "Only your contact details are removed",
    where: (person) => addressedTo("reply_to", person),
    set: { reply_to: nullValue },
  },
  authored("events", "created_by", "Events you created"),
  authored("events", "updated_by", "Events you last changed"),
  authored("event_check_ins", "by_user", "People you checked in"),
  authored("event_registration_log", "by_user", "Your changes to registrations"),
  authored("companies", "updated_by", "Companies you last changed"),
  authored("courses", "updated_by", "Courses you last changed"),
  authored("button_prompts", "updated_by", "Button prompts you last changed"),
  authored("prompts", "updated_by", "Prompts you last changed"),
  authored("prompt_versions", "created_by", "Versions of prompts that you wrote"),
  authored("connectors", "updated_by", "Connections you last changed"),
  authored("variables", "updated_by", "Variables you last changed"),
  authored("documents", "owner_id", "Documents that you own"),
  authored("documents", "updated_by", "Documents you last changed"),
  authored("document_versions", "created_by", "Versions of documents you added"),
  authored("test_questions", "created_by", "Test questions you saved"),
  authored("variable_values", "actor_id", "Values of variables that you corrected"),
  authored("variable_deletions", "deleted_by", "Deletions of course variables that you made"),
  authored("variable_deletions", "restored_by", "Deletions of course variables that you undid"),
  authored("course_versions", "created_by", "Course packages you uploaded"),
  {
    key: "undoSteps",
    table: "undo_steps",
    what: "Changes of enrolments and suspensions that you can still undo",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`made_by = ${id}`,
  },
  {
    key: "undoSuspensions",
    table: "undo_suspensions",
    what: "Your suspension, as long as it can be undone",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  authored("company_courses", "assigned_by", "Courses you assigned to companies"),
  authored("enrolments", "assigned_by", "Courses you assigned to learners"),
  authored("users", "invited_by", "People you invited"),
  authored("consent_texts", "published_by", "Privacy policies you published"),
  authored("settings", "updated_by", "Settings you last changed"),
  {
    key: "verifications",
    table: "auth_verifications",
    what: "Pending login links",
    fate: "delete",
    why: "Only needed for your account",
    where: (person) =>
      sql`position(${person.id} in value) > 0 or position(${lower(person)} in lower(value)) > 0 or position(${lower(person)} in lower(identifier)) > 0`,
  },
  {
    key: "links.tickets",
    table: "auth_one_time_tokens",
    what: "Pending links to set a password or confirm your email address",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  {
    key: "links.flows",
    table: "auth_oauth_flows",
    what: "Pending logins with Google or your company",
    fate: "delete",
    why: "Only needed for your account",
    where: (person) =>
      sql`user_id = ${person.id} or position(${lower(person)} in lower(concat(profile::text, request::text))) > 0`,
  },
  {
    key: "links.challenges",
    table: "auth_challenges",
    what: "Pending passkey challenges",
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
  authored("sso_connections", "updated_by", "Single sign-on you set up for companies"),
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
    what: "Login methods",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  {
    key: "profile",
    table: "users",
    what: "Name, email and company",
    fate: "delete",
    why: "Only needed for your account",
    where: ({ id }) => sql`id = ${id}`,
  },
];
