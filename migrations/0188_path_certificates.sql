-- Certificates of learning paths: every design and every certificate belongs to a course or to a path
-- (docs/decisions/0086-certificates-of-paths.md).

alter table certificate_designs drop constraint certificate_designs_pkey;
alter table certificate_designs alter column course_id drop not null;
alter table certificate_designs
  add column id uuid primary key default gen_random_uuid(),
  add column path_id uuid references paths (id) on delete cascade;
alter table certificate_designs
  add constraint certificate_designs_one check (num_nonnulls(course_id, path_id) = 1) not valid;

alter table certificate_design_versions alter column course_id drop not null;
alter table certificate_design_versions add column path_id uuid;
alter table certificate_design_versions
  add constraint certificate_design_versions_one check (num_nonnulls(course_id, path_id) = 1) not valid;

alter table certificates alter column course_id drop not null;
alter table certificates
  add column path_id uuid,
  -- The completion of a path: who was on it, and when it was completed; null after an erasure.
  add column path_enrolment_id uuid,
  add column path_completed_at timestamptz,
  -- Since when the path is not completed any more. The certificate stays valid until a person revokes it.
  add column taken_back_at timestamptz;
alter table certificates
  add constraint certificates_one check (num_nonnulls(course_id, path_id) = 1) not valid;

create or replace function refuse_certificate_change() returns trigger language plpgsql as $$
declare
  -- What follows the issue, or goes with the person.
  changing text[] := array[
    'position', 'person_id', 'show_name', 'show_score', 'show_minutes', 'revoked_at', 'revoked_by', 'revoked_reason',
    'replaces', 'taken_back_at'
  ];
  erased text[] := array[
    'name', 'score_percent', 'minutes', 'salt', 'completion_id', 'issued_at', 'nameless_since', 'keep_until',
    'keep_ground', 'path_enrolment_id', 'path_completed_at'
  ];
begin
  if current_setting('lyceum.rewrite', true) = 'allowed' then
    changing := changing || erased;
  elsif tg_op = 'DELETE' then
    raise exception 'certificates are deleted by erasures only';
  end if;
  if tg_op = 'DELETE' then
    if old.position is not null then
      insert into certificate_gaps (company_id, position) values (old.company_id, old.position);
    end if;
    return old;
  end if;
  if to_jsonb(new) - changing <> to_jsonb(old) - changing
    or (old.position is not null and new.position is distinct from old.position) then
    raise exception 'an issued certificate never changes';
  end if;
  return new;
end $$;
