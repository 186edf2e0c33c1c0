const declare = (table: string, reason: string, columns: string) =>
  Object.fromEntries(columns.split(" ").map((column) => [`${table}.${column}`, reason]));

/** Columns of text, JSON or bytes in rows that outlive a person, and why they hold nothing about people. */
export const nonPersonalColumns: Record<string, string> = {
  ...declare("audit_entries", "role, counts, field names and states", "actor_role details"),
  ...declare("auth_keys", "keys of the server", "alg crv public_key private_key"),
  ...declare("companies", "the company", "name slug logo logo_type color welcome timezone allowed_domains"),
  ...declare("companies", "access codes of the company", "access_code previous_code"),
  ...declare("companies", "notes of admins about the company", "notes"),
  ...declare("consent_records", "the decision itself", "kind preferences"),
  ...declare("consent_texts", "published text", "body locale sha256"),
  ...declare("courses", "the course", "title code summary completion_rule"),
  ...declare("course_versions", "the package", "file_name title kind manifest parts sha256 warnings"),
  ...declare("erasures", "a keyed hash, counts and random ids", "subject_hash receipt"),
  ...declare("event_check_ins", "name of the check-in device", "device"),
  ...declare("event_mail_log", "kind of email", "key"),
  ...declare("event_privacy_notices", "published text", "text sha256"),
  ...declare("event_question_versions", "questions of the form, not answers", "questions"),
  ...declare("event_registration_log", "self, admin or system, and what was done", "actor action"),
  ...declare("event_registration_log", "a reason or count by an organiser; deleted with the registration", "detail"),
  ...declare("event_slugs", "address of the event", "slug"),
  ...declare(
    "events",
    "published text about the event",
    "title slug summary description category cancel_reason search",
  ),
  ...declare("events", "place, times and language", "venue timezone language starts_local ends_local"),
  ...declare("events", "registration settings", "registration_opens_local registration_closes_local questions"),
  ...declare("events", "addresses and codes of the event", "external_url online_url access_code_hash cover"),
  ...declare("events", "programme and privacy notice as published by the organiser", "agenda speakers privacy_notice"),
  ...declare("retained_training_records", "result and legal basis under a random number", "course success basis"),
  ...declare("settings", "the academy", "academy_name about color headline tagline"),
  ...declare("sso_connections", "the provider", "client_id client_secret certificates entry_point issuer"),
  ...declare("sso_domains", "domain of the company", "domain"),
  ...declare("undo_enrolments", "state of an enrolment", "status"),
  ...declare("throttles", "a hash; deleted after its time window", "key subject"),
};
