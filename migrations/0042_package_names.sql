-- What the authoring tool of a package calls its variables, read from its files at import: offered to admins, recorded only where one of
-- them is chosen for a variable (variable_courses.path).
alter table course_versions add column package_names jsonb not null default '[]';
