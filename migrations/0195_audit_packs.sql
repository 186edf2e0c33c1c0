-- Evidence for auditors: what a company required, who held it, and how that was completed, as of an instant
-- (docs/decisions/0085-audit-packs.md). A pack is a definition and the sums of its files. The files are made from the
-- history each time they are asked for, so that nothing personal is stored twice.
create table audit_packs (
  id uuid primary key default gen_random_uuid(),
  number text not null unique,
  company_id uuid not null references companies (id) on delete cascade,
  -- The required courses that it is about, chosen among those of the instant.
  course_ids uuid[] not null,
  -- The first and the last day of the period, in the zone that the company had.
  from_day date not null,
  to_day date not null,
  as_of timestamptz not null,
  -- The day of `as_of`, or the day before if that is midnight.
  as_of_day date not null,
  zone text not null,
  state text not null default 'waiting' check (state in ('waiting', 'made', 'checking', 'failed')),
  -- How many people must hold something, and of each course how many are in which state.
  counts jsonb,
  -- Of each file: path, rows, bytes, and SHA-256 of the whole file and of its rows without names.
  files jsonb,
  -- The files when they were last made again, and when.
  checked_files jsonb,
  checked_at timestamptz,
  made_at timestamptz,
  requested_by uuid references users (id) on delete set null,
  created_at timestamptz not null default now(),
  leased_until timestamptz,
  tries integer not null default 0
);
create index audit_packs_company on audit_packs (company_id, created_at desc);
create index audit_packs_requested_by on audit_packs (requested_by) where requested_by is not null;
create index audit_packs_waiting on audit_packs (created_at) where state in ('waiting', 'checking');

-- An auditor's access to a pack, by a link that ends.
create table audit_links (
  id uuid primary key default gen_random_uuid(),
  pack_id uuid not null references audit_packs (id) on delete cascade,
  -- For whom it is, as the admin says.
  label text not null,
  may_download boolean not null,
  -- Random, from when the link was made: samples are drawn by it, so that neither side chooses who is in them.
  seed text not null,
  until timestamptz not null,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index audit_links_pack on audit_links (pack_id, created_at desc);
create index audit_links_created_by on audit_links (created_by) where created_by is not null;

-- Samples that were drawn by a link. Who is in one follows from the seed, its number and its choice. `keys`: the first
-- requirement of each person, which an erasure leaves.
create table audit_samples (
  link_id uuid not null references audit_links (id) on delete cascade,
  no integer not null,
  size integer not null,
  course_id uuid,
  state text,
  -- Of how many people it was drawn.
  population integer not null,
  keys uuid[] not null,
  drawn_at timestamptz not null default now(),
  primary key (link_id, no)
);

-- What was opened by a link.
create table audit_openings (
  id bigint generated always as identity primary key,
  link_id uuid not null references audit_links (id) on delete cascade,
  what text not null check (what in ('overview', 'sample', 'person', 'download')),
  sample_no integer,
  person_id uuid references users (id) on delete set null,
  opened_at timestamptz not null default now()
);
create index audit_openings_link on audit_openings (link_id, id desc);
create index audit_openings_person on audit_openings (person_id) where person_id is not null;

-- Settings of a company about recordings and records, and since when they apply.
create table company_privacy_history (
  id bigint generated always as identity primary key,
  company_id uuid not null,
  erasure_policy text not null,
  retention_years integer not null,
  mask_names boolean not null,
  record_pages boolean not null,
  recording_days integer not null,
  managers_see_people boolean not null,
  actor_id uuid,
  recorded_at timestamptz not null,
  backfilled boolean not null default false
);
create index company_privacy_history_company on company_privacy_history (company_id, id);
create index company_privacy_history_actor on company_privacy_history (actor_id) where actor_id is not null;
create trigger company_privacy_history_append_only before update or delete on company_privacy_history
  for each row
  execute function refuse_history_change();
create trigger company_privacy_history_no_truncate before truncate on company_privacy_history
  for each statement
  execute function refuse_history_change();

create function write_company_privacy_history() returns trigger language plpgsql as $$
begin
  insert into company_privacy_history (
    company_id, erasure_policy, retention_years, mask_names, record_pages, recording_days, managers_see_people,
    actor_id, recorded_at
  )
  values (
    new.id, new.erasure_policy, new.retention_years, new.mask_names, new.record_pages, new.recording_days,
    new.managers_see_people, history_actor(), clock_timestamp()
  );
  return null;
end $$;
create trigger write_privacy_history_insert after insert on companies
  for each row
  execute function write_company_privacy_history();
create trigger write_privacy_history_update after update on companies
  for each row
  when (
    (
      old.erasure_policy, old.retention_years, old.mask_names, old.record_pages, old.recording_days,
      old.managers_see_people
    ) is distinct from (
      new.erasure_policy, new.retention_years, new.mask_names, new.record_pages, new.recording_days,
      new.managers_see_people
    )
  )
  execute function write_company_privacy_history();
insert into company_privacy_history (
  company_id, erasure_policy, retention_years, mask_names, record_pages, recording_days, managers_see_people,
  recorded_at, backfilled
)
select
  id, erasure_policy, retention_years, mask_names, record_pages, recording_days, managers_see_people,
  clock_timestamp(), true
from companies;

-- A time of an erased person, cut to the quarter of an hour, but not to before the instant of an audit pack that it was
-- after: what a pack says does not change by an erasure.
create function cut_time(company uuid, at timestamptz) returns timestamptz language sql stable
  return greatest(
    date_bin('15 minutes', at, '2000-01-01'),
    (select max(as_of) from audit_packs where company_id = company and as_of <= at)
  );

-- A user who goes is replaced in the new tables by the same number as in the others.
create or replace function replace_person_in_history() returns trigger language plpgsql as $$
declare
  pseudonym uuid := gen_random_uuid();
  quarter interval := '15 minutes';
  epoch timestamptz := '2000-01-01';
  before text := coalesce(current_setting('lyceum.rewrite', true), '');
begin
  perform set_config('lyceum.rewrite', 'allowed', true);
  update enrolment_activity
    set recorded_at = date_bin(quarter, recorded_at, epoch)
    where enrolment_id in (select enrolment_id from enrolment_history where person_id = old.id);
  update part_history
    set recorded_at = date_bin(quarter, recorded_at, epoch)
    where enrolment_id in (select enrolment_id from enrolment_history where person_id = old.id);
  update requirement_history
    set recorded_at = cut_time(company_id, recorded_at)
    where enrolment_id in (select enrolment_id from enrolment_history where person_id = old.id);
  update enrolment_history
    set person_id = pseudonym,
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = cut_time(company_id, recorded_at),
      assigned_at = date_bin(quarter, assigned_at, epoch),
      first_started_at = date_bin(quarter, first_started_at, epoch),
      completed_at = date_bin(quarter, completed_at, epoch)
    where person_id = old.id;
  update membership_history
    set person_id = pseudonym,
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = cut_time(company_id, recorded_at)
    where person_id = old.id;
  update completion_history
    set person_id = pseudonym,
      first_started_at = date_bin(quarter, first_started_at, epoch),
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = cut_time(company_id, recorded_at)
    where person_id = old.id;
  update reminder_log
    set person_id = pseudonym,
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = date_bin(quarter, recorded_at, epoch)
    where person_id = old.id;
  update group_members
    set until = date_bin(quarter, coalesce(until, clock_timestamp()), epoch),
      since = date_bin(quarter, since, epoch),
      person_id = pseudonym
    where person_id = old.id;
  update manager_history
    set person_id = pseudonym,
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = date_bin(quarter, recorded_at, epoch)
    where person_id = old.id;
  update manager_history set manager_id = pseudonym where manager_id = old.id;
  update manager_history set actor_id = pseudonym where actor_id = old.id;
  update enrolment_history set actor_id = pseudonym where actor_id = old.id;
  update membership_history set actor_id = pseudonym where actor_id = old.id;
  update company_history set actor_id = pseudonym where actor_id = old.id;
  update course_history set actor_id = pseudonym where actor_id = old.id;
  update completion_history set actor_id = pseudonym where actor_id = old.id;
  update completion_rule_history set actor_id = pseudonym where actor_id = old.id;
  update completion_withdrawals set actor_id = pseudonym where actor_id = old.id;
  update course_requirement_history set actor_id = pseudonym where actor_id = old.id;
  update company_privacy_history set actor_id = pseudonym where actor_id = old.id;
  update reminder_log set actor_id = pseudonym where actor_id = old.id;
  update issued_reports set person_id = pseudonym where person_id = old.id;
  delete from saved_views where path = '/learners/report/' || old.id;
  perform set_config('lyceum.rewrite', before, true);
  return null;
end $$;
