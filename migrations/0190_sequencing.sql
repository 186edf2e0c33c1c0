-- The activity tree of an attempt on a package with sequencing rules (docs/decisions/0088-scorm-2004-sequencing.md):
-- about 300 bytes for each part that was opened, written when another part is opened.
alter table attempts add column sequencing jsonb;
