-- A reason of its own: the company has recorded that the course was completed elsewhere. Checked in 0203.
alter table enrolment_reasons
  add constraint enrolment_reasons_every_kind
    check (
      kind in (
        'person', 'company', 'rule', 'path', 'self', 'code', 'invitation', 'import', 'event', 'kept', 'elsewhere'
      )
    )
    not valid,
  drop constraint enrolment_reasons_all_kinds;

-- Completions that an admin records by hand come from no file.
alter table external_completions
  alter column file_name drop not null,
  alter column row_number drop not null;
