-- The words of questions and responses, from the file lyceum-questions.json of a package (docs/content-api.md). SCORM 1.2 sends only identifiers.
alter table course_versions add column questions jsonb not null default '{}';
