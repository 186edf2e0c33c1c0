-- outside a transaction
drop index concurrently if exists certificate_designs_path;
create unique index concurrently certificate_designs_path on certificate_designs (path_id);
drop index concurrently if exists certificate_design_versions_path;
create unique index concurrently certificate_design_versions_path on certificate_design_versions (path_id, number)
  where path_id is not null;
-- A completion of a path has one certificate.
drop index concurrently if exists certificates_path_completion;
create unique index concurrently certificates_path_completion on certificates (path_enrolment_id, path_completed_at)
  where replaces is null and path_enrolment_id is not null;
drop index concurrently if exists certificates_path_enrolment;
create index concurrently certificates_path_enrolment on certificates (path_enrolment_id)
  where path_enrolment_id is not null;
drop index concurrently if exists certificates_path;
create index concurrently certificates_path on certificates (path_id, issued_at desc, id)
  where path_id is not null;
-- Few are taken back.
drop index concurrently if exists certificates_taken_back;
create index concurrently certificates_taken_back on certificates (issued_at desc, id)
  where taken_back_at is not null;
alter table certificate_designs validate constraint certificate_designs_one;
alter table certificate_design_versions validate constraint certificate_design_versions_one;
alter table certificates validate constraint certificates_one;
