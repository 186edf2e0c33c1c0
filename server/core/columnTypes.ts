import type { PartState } from "#server/core/storage.ts";
import type { AuditAction, AuditDetails } from "#shared/audit.ts";
import type { Preferences } from "#shared/consent.ts";
import type { CompletionRule, Course } from "#shared/courses.ts";
import type { EventInput } from "#shared/eventInput.ts";
import type { Answers, Question } from "#shared/eventQuestions.ts";
import type { RegistrationAction } from "#shared/eventStates.ts";
import type { FilePurpose, FileVisibility, ObjectMetadata } from "#shared/files.ts";
import type { MailAttachment } from "#shared/mails.ts";
import type { Finding, Manifest } from "#shared/packages.ts";
import type { Part, SessionEvent } from "#shared/player.ts";
import type { Receipt } from "#shared/privacy.ts";
import type { Questions } from "#shared/questions.ts";
import type { ReportFigures, ReportFilters } from "#shared/reportFigures.ts";
import type { Variable } from "#shared/variables.ts";
import type { Constraints, FoldedValue, Refusal, VariableValue } from "#shared/variableValues.ts";

/**
 * Types of columns that the database does not state, by table and column: every JSON column, and texts with values from a
 * contract. scripts/db-types.ts reads the keys, one per line, and refers to them in db.types.ts. A JSON column is read as
 * this type and written as text (`JSON.stringify`), because the driver would send a JavaScript array as an SQL array.
 */
export type ColumnTypes = {
  "answers.fields": Record<string, string>;
  "audit_entries.action": AuditAction;
  "audit_entries.details": AuditDetails;
  "auth_oauth_flows.profile": { subject: string; email: string; verified: boolean; name: string; at?: number };
  "auth_oauth_flows.request": {
    verifier?: string;
    nonce?: string;
    requestId?: string;
    accessCode?: string;
    sessionId?: string;
  };
  "auth_one_time_tokens.details": Record<string, string>;
  "consent_records.preferences": Preferences;
  "course_versions.kind": Course["kind"];
  "course_versions.manifest": Manifest;
  "course_versions.parts": Part[];
  "course_versions.questions": Questions;
  "course_versions.warnings": Finding[];
  "courses.completion_rule": CompletionRule;
  "erasures.receipt": Receipt;
  "event_question_versions.questions": Question[];
  "event_registration_log.action": RegistrationAction;
  "event_registrations.answers": Answers;
  "events.agenda": EventInput["agenda"];
  "events.questions": Question[];
  "events.speakers": EventInput["speakers"];
  "events.venue": EventInput["venue"];
  "files.custom_metadata": Record<string, string>;
  "issued_reports.figures": ReportFigures;
  "issued_reports.filters": ReportFilters;
  "mails.attachments": MailAttachment[];
  "part_states.cmi": Record<string, string>;
  "session_events.events": SessionEvent[];
  "sessions.device": { browser?: string; os?: string; viewport?: string };
  "sessions.reported": Record<string, number>;
  "upload_sessions.metadata": ObjectMetadata;
  "upload_sessions.part_state": PartState;
  "upload_sessions.purpose": FilePurpose;
  "upload_sessions.visibility": FileVisibility;
  "variable_checkpoints.folded": FoldedValue;
  "variable_courses.access": Variable["courses"][number]["access"];
  "variable_current.current": VariableValue;
  "variable_current.first": VariableValue;
  "variable_values.refusal": Refusal;
  "variable_values.value": VariableValue;
  "variables.constraints": Constraints;
  "variables.default_value": VariableValue;
  "variables.privacy": Variable["privacy"];
  "variables.scope": Variable["scope"];
  "variables.status": Variable["status"];
  "variables.type": Variable["type"];
  "variables.write_mode": Variable["writeMode"];
};
