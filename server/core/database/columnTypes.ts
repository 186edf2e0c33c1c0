import type { PartState } from "#server/core/storage/storage.ts";
import type { AuditAction, AuditDetails } from "#shared/audit/audit.ts";
import type { ButtonInput, VisibleWhen } from "#shared/prompts/buttonPrompts.ts";
import type {
  ConnectorErrorCode,
  ConnectorInput,
  ConnectorKind,
  ConnectorModel,
  Purpose,
  TestResult,
  UsageRow,
  VectorSize,
} from "#shared/connectors/connectors.ts";
import type { Sample } from "#shared/analysis/analysisRuns.ts";
import type { AnalyticsFilter } from "#shared/analysis/conversationAnalytics.ts";
import type { CriterionScore, Feedback } from "#shared/analysis/reviews.ts";
import type { CertificateBrand, DesignContent } from "#shared/certificates/designs.ts";
import type { SealedFacts } from "#shared/certificates/proof.ts";
import type { BotSettings } from "#shared/chatbots/botSettings.ts";
import type { TurnSource, TurnWhy } from "#shared/conversations/conversations.ts";
import type { Preferences } from "#shared/consent/consentPreferences.ts";
import type { Course } from "#shared/courses/courses.ts";
import type { TextBlock } from "#shared/documents/documentVersions.ts";
import type { Due } from "#shared/enrolmentRules/due.ts";
import type { EventInput } from "#shared/events/eventInput.ts";
import type { Answers, Question } from "#shared/events/eventQuestions.ts";
import type { RegistrationAction } from "#shared/events/eventPhases.ts";
import type { PersonCondition } from "#shared/conditions/conditions.ts";
import type { FieldChoice, FieldValue } from "#shared/fields/fields.ts";
import type { FilePurpose, FileVisibility, ObjectMetadata } from "#shared/files/files.ts";
import type { Transform } from "#shared/flows/flows.ts";
import type { ImportColumn, Reason } from "#shared/imports/importReasons.ts";
import type { FileFailure, PersonBefore, SaidOfPerson } from "#shared/imports/imports.ts";
import type { NodeJson } from "#shared/lessons/editing/nodeJson.ts";
import type { Outline } from "#shared/lessons/outline.ts";
import type { LessonDocument } from "#shared/lessons/lessonDocument.ts";
import type { LessonState } from "#shared/lessons/lessonState.ts";
import type { MailAttachment } from "#shared/mails/mails.ts";
import type { Notification, NotificationKind } from "#shared/notifications/notifications.ts";
import type { Finding, Manifest, PackageName } from "#shared/packages/packages.ts";
import type { Part, SessionEvent } from "#shared/player/player.ts";
import type { PathStep } from "#shared/paths/steps.ts";
import type { Receipt } from "#shared/privacy/privacy.ts";
import type { KeyScope } from "#shared/core/users.ts";
import type { TestOutcome } from "#shared/completionRules/ruleChanges.ts";
import type { CompletionRule, PackageKind } from "#shared/courses/completionRules.ts";
import type { PromptPurpose } from "#shared/prompts/prompts.ts";
import type { ClientScope } from "#shared/statements/statements.ts";
import type { Definition, StoredStatement } from "#shared/statements/xapi.ts";
import type { Questions } from "#shared/courses/questions.ts";
import type { ReportFigures } from "#shared/reports/reportFigures.ts";
import type { ReportFilters } from "#shared/reports/reportQueries.ts";
import type { Variable } from "#shared/variables/variables.ts";
import type { Constraints, FoldedValue, Refusal, VariableValue } from "#shared/variables/variableTypes.ts";

/**
 * Types of columns that the database does not state, by table and column: every JSON column, and texts with values from
 * a contract. scripts/db-types.ts reads the keys, one per line, and refers to them in db.types.ts. A JSON column is
 * read as this type and written as text (`JSON.stringify`), because the driver would send a JavaScript array as an SQL
 * array.
 */
export type ColumnTypes = {
  "ai_usage.code": ConnectorErrorCode;
  "ai_usage.passage_ids": string[];
  "ai_usage.purpose": Purpose;
  "ai_usage.status": UsageRow["status"];
  "answers.fields": Record<string, string>;
  "analysis_runs.filter": AnalyticsFilter;
  "analysis_runs.sample": Sample;
  "api_keys.scopes": KeyScope[];
  "audit_entries.action": AuditAction;
  "audit_entries.details": AuditDetails;
  "auth_oauth_flows.profile": { subject: string; email: string; verified: boolean; name: string; at?: number };
  "certificate_design_versions.content": DesignContent;
  "certificates.brand": CertificateBrand;
  "certificates.facts": SealedFacts;
  "auth_oauth_flows.request": {
    verifier?: string;
    nonce?: string;
    requestId?: string;
    accessCode?: string;
    sessionId?: string;
  };
  "auth_one_time_tokens.details": Record<string, string>;
  "button_prompts.outputs": ButtonInput["outputs"];
  "button_prompts.visible_when": VisibleWhen;
  "connectors.fallbacks": ConnectorInput["fallbacks"];
  "connectors.kind": ConnectorKind;
  "connectors.last_error_code": ConnectorErrorCode;
  "connectors.last_test": TestResult;
  "connectors.models": ConnectorModel[];
  "connectors.vector_sizes": Record<string, VectorSize>;
  "chatbot_versions.settings": BotSettings;
  "chatbots.settings": BotSettings;
  "completion_history.rule": CompletionRule;
  "completion_rule_history.rule": CompletionRule;
  "consent_records.preferences": Preferences;
  "conversation_feedback.content": Omit<Feedback, "model" | "createdAt" | "objection">;
  "course_drafts.outline": Outline;
  "course_versions.kind": Course["kind"];
  "course_versions.manifest": Manifest | null;
  "course_versions.parts": Part[];
  "course_versions.package_names": PackageName[];
  "course_versions.questions": Questions;
  "course_versions.warnings": Finding[];
  "courses.completion_rule": CompletionRule;
  "rule_changes.rule": CompletionRule;
  "rule_changes.rule_before": CompletionRule;
  "rule_change_rows.tests": TestOutcome[];
  "rule_change_rows.completed_before": { id: string; at: string }[];
  "document_texts.blocks": TextBlock[];
  "erasures.receipt": Receipt;
  "event_question_versions.questions": Question[];
  "event_registration_log.action": RegistrationAction;
  "event_registrations.answers": Answers;
  "events.agenda": EventInput["agenda"];
  "events.questions": Question[];
  "events.speakers": EventInput["speakers"];
  "events.venue": EventInput["venue"];
  "field_value_history.value": FieldValue;
  "fields.choices": FieldChoice[];
  "enrolment_rules.condition": PersonCondition;
  "enrolment_rules.due": Due;
  "groups.rule": PersonCondition;
  "files.custom_metadata": Record<string, string>;
  "flow_backfills.removed": Record<string, FoldedValue>;
  "flows.transform": Transform;
  "lesson_contents.document": LessonDocument;
  "lesson_contents.hashes": Record<string, string>;
  "lesson_restores.outline_before": Outline;
  "lesson_restores.outline_after": Outline;
  "restored_lessons.before": NodeJson;
  "restored_lessons.after": NodeJson;
  "issued_reports.figures": ReportFigures;
  "issued_reports.filters": ReportFilters;
  "mails.attachments": MailAttachment[];
  "notification_choices.kind": NotificationKind;
  "notifications.kind": NotificationKind;
  "notifications.params": Notification["params"];
  "path_versions.steps": PathStep[];
  "paths.draft": PathStep[];
  "packages.kind": PackageKind;
  "packages.package_names": PackageName[];
  "packages.parts": Part[];
  "packages.questions": Questions;
  "packages.warnings": Finding[];
  "part_states.cmi": Record<string, string>;
  "part_states.lesson": LessonState;
  "rubric_scores.scores": CriterionScore[];
  "session_events.events": SessionEvent[];
  "people_import_leavers.before": PersonBefore;
  "people_import_mappings.fields": Record<string, ImportColumn | null>;
  "people_import_rows.before": PersonBefore;
  "people_import_rows.cells": string[];
  "people_import_rows.faults": Reason[];
  "people_import_rows.reasons": Reason[];
  "people_import_rows.said": SaidOfPerson;
  "people_imports.code": FileFailure | "stopped";
  "people_imports.head": string[];
  "people_imports.mapping": (ImportColumn | null)[];
  "prompts.purpose": PromptPurpose;
  "sessions.device": { browser?: string; os?: string; viewport?: string };
  "sessions.reported": Record<string, number>;
  "turns.options": string[];
  "turns.sources": TurnSource[];
  "turns.why": TurnWhy;
  "upload_sessions.metadata": ObjectMetadata;
  "upload_sessions.part_state": PartState;
  "upload_sessions.purpose": FilePurpose;
  "upload_sessions.visibility": FileVisibility;
  "variable_checkpoints.folded": FoldedValue;
  "variable_courses.access": Variable["courses"][number]["access"];
  "activity_definitions.definition": Definition;
  "statement_clients.scopes": ClientScope[];
  "statement_documents.kind": "state" | "activity" | "agent";
  "statements.statement": StoredStatement;
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
