-- A document may be the text of a course: each version is read from a version of the course, and its pages are the
-- parts of the course.
create table course_texts (
  version_id uuid primary key references document_versions (id) on delete cascade,
  document_id uuid not null references documents (id) on delete cascade,
  course_version_id uuid not null references course_versions (id) on delete cascade
);
create index course_texts_document on course_texts (document_id);
create index course_texts_course_version on course_texts (course_version_id);
alter table documents drop constraint documents_source_check;
alter table documents
add constraint documents_source_check check (source in ('upload', 'web', 'text', 'course')) not valid;
