-- Packages with sequencing rules (docs/decisions/0088-scorm-2004-sequencing.md). Whether a version has rules is a column,
-- so that commits need not read its manifest.
alter table course_versions add column is_sequenced boolean not null default false;

-- The activity tree of an attempt: about 300 bytes for each part that was opened, written when another part is opened.
alter table attempts add column sequencing jsonb;
