-- Courses that people of a company can take or ask for themselves (docs/decisions/0078-catalogue.md).
create table catalogue_offers (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references companies (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  is_visible boolean not null default true,
  way text not null check (way in ('self', 'request', 'none')),
  places integer check (places between 1 and 100000),
  -- In the smallest unit of the currency.
  price_minor bigint check (price_minor between 0 and 1000000000),
  currency text check (currency ~ '^[A-Z]{3}$'),
  cost_centre text not null default '',
  languages text[] not null default '{}',
  -- Where `places` is set: people who have the course by this offer with those who wait for an answer, and the waiting
  -- list. For lists: places are counted again under the lock of this row before one is given.
  held integer not null default 0,
  waiting integer not null default 0,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null,
  removed_at timestamptz,
  -- Since when the course has not been published, if people wait for it.
  paused_at timestamptz,
  unique (company_id, course_id),
  check ((price_minor is null) = (currency is null))
);
create index catalogue_offers_course on catalogue_offers (course_id);
create index catalogue_offers_updated_by on catalogue_offers (updated_by) where updated_by is not null;
create index catalogue_offers_waiting on catalogue_offers (id) where waiting > 0;

-- Courses that must be completed before a course of the catalogue.
create table catalogue_prerequisites (
  company_id uuid not null references companies (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  required_id uuid not null references courses (id) on delete cascade,
  primary key (company_id, course_id, required_id),
  check (course_id <> required_id)
);
create index catalogue_prerequisites_course on catalogue_prerequisites (course_id);
create index catalogue_prerequisites_required on catalogue_prerequisites (required_id);

-- One row for each person and offer: what they last asked for, and what became of it.
create table catalogue_requests (
  id uuid primary key default gen_random_uuid(),
  offer_id uuid not null references catalogue_offers (id) on delete cascade,
  company_id uuid not null references companies (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  -- `open`: waits for an answer. `closed`: ended by the system, `closed` says why.
  status text not null
    check (status in ('open', 'waiting', 'enrolled', 'declined', 'withdrawn', 'left', 'closed')),
  note text not null default '',
  asked_at timestamptz not null default now(),
  waiting_since timestamptz,
  decided_at timestamptz,
  decided_by uuid references users (id) on delete set null,
  -- What the learner reads of the answer.
  reason text not null default '',
  closed text check (closed in ('offer', 'person', 'has', 'taken')),
  -- As they were when the person asked.
  price_minor bigint,
  currency text,
  cost_centre text not null default '',
  -- Of an open request: the manager who was told of it, or whether admins were, and when; and when it was last seen
  -- who can answer.
  told_to uuid references users (id) on delete set null,
  told_admins boolean not null default false,
  told_at timestamptz,
  looked_at timestamptz,
  unique (offer_id, user_id),
  check ((status = 'waiting') <= (waiting_since is not null)),
  check ((status = 'closed') = (closed is not null))
);
create index catalogue_requests_company on catalogue_requests (company_id, asked_at, id);
create index catalogue_requests_status on catalogue_requests (company_id, status, asked_at, id);
create index catalogue_requests_open on catalogue_requests (offer_id, asked_at, id) where status = 'open';
create index catalogue_requests_waiting on catalogue_requests (offer_id, waiting_since, id) where status = 'waiting';
create index catalogue_requests_looked on catalogue_requests (looked_at nulls first, id) where status = 'open';
create index catalogue_requests_told_to on catalogue_requests (told_to) where told_to is not null;
create index catalogue_requests_user on catalogue_requests (user_id, status);
create index catalogue_requests_decided_by on catalogue_requests (decided_by) where decided_by is not null;

-- Emails about the catalogue: at most one a day for each person, kind and offer.
create table catalogue_notices (
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('asked', 'approved', 'declined', 'placed', 'closed')),
  -- The offer; for `asked`, which is about all requests, the company.
  about uuid not null,
  -- To a manager, about people without an address.
  of_people boolean not null default false,
  sent_at timestamptz not null default now(),
  primary key (user_id, kind, about, of_people)
);
create index catalogue_notices_sent on catalogue_notices (sent_at);

-- Offers, or people with all their offers, whose places have to be looked at, until a job has done so.
create table catalogue_changes (
  id bigint generated always as identity primary key,
  offer_id uuid,
  user_id uuid,
  due_at timestamptz not null default now()
);
create index catalogue_changes_due on catalogue_changes (due_at, id);

-- A reason of its own: the learner took the course from the catalogue; `rule_id` holds the offer. Checked in 0175.
alter table enrolment_reasons
  add constraint enrolment_reasons_all_kinds
    check (kind in ('person', 'company', 'rule', 'path', 'self', 'code', 'invitation', 'import', 'event', 'kept'))
    not valid,
  drop constraint enrolment_reasons_kinds;
comment on column enrolment_reasons.rule_id is 'The rule of `rule`, the path of `path`, the offer of `self`, any of `kept`';

-- The managers who can answer requests of a person now, the nearest first: those of whose people they are as people_of
-- (0124) says, found from below. `is_deputy`: they stand in for the manager of that step.
create function request_managers(person uuid, in_company uuid)
  returns table (user_id uuid, step integer, is_deputy boolean) language sql stable rows 2
  begin atomic
    with recursive above (id, step) as (
      select managers.manager_id, 1
      from managers
      join users on users.id = managers.user_id
        and users.company_id = managers.company_id
        and users.role = 'learner'
        and users.status <> 'suspended'
      where managers.user_id = person
        and managers.company_id = in_company
      union all
      select managers.manager_id, above.step + 1
      from above
      join managers on managers.user_id = above.id
        and managers.company_id = in_company
      join users on users.id = managers.user_id
        and users.company_id = managers.company_id
        and users.role = 'learner'
      where above.step < 100
    ),
    candidates (id, step, place, is_deputy) as (
      select above.id, above.step, above.id, false
      from above
      union all
      select manager_deputies.deputy_id, above.step, above.id, true
      from above
      join manager_deputies on manager_deputies.manager_id = above.id
        and manager_deputies.company_id = in_company
    )
    select candidates.id, candidates.step, candidates.is_deputy
    from candidates
    where candidates.id <> person
      and candidates.place in (select managers_in_place_of(candidates.id));
  end;

-- Orders the job once in a transaction.
create function wake_catalogue() returns void language plpgsql as $$
begin
  if current_setting('lyceum.catalogue_woken', true) is distinct from pg_current_xact_id()::text then
    perform set_config('lyceum.catalogue_woken', pg_current_xact_id()::text, true);
    perform graphile_worker.add_job('catalogue:follow', '{}', queue_name := 'catalogue');
  end if;
end $$;

-- A withdrawal, a completion and an erasure can free a place. A statement looks for offers once; the job counts places.
-- Grouped and not joined: the plan of a statement with one row would be used for one with many.
create function follow_enrolments_for_catalogue() returns trigger language plpgsql as $$
begin
  -- Most changes are progress.
  if not exists (select from new_rows where status in ('withdrawn', 'completed') or user_id is null)
    and not exists (select from old_rows where status in ('withdrawn', 'completed'))
  then return null; end if;
  insert into catalogue_changes (offer_id)
  select id
  from catalogue_offers
  where places is not null
    and (company_id, course_id) in (
      select company_id, course_id
      from (
        select id, company_id, course_id, status in ('withdrawn', 'completed') as is_over, user_id
        from old_rows
        union all
        select id, company_id, course_id, status in ('withdrawn', 'completed'), user_id
        from new_rows
      ) both_rows
      group by id, company_id, course_id
      having bool_or(is_over) <> bool_and(is_over) or count(user_id) = 1
    );
  if found then perform wake_catalogue(); end if;
  return null;
end $$;
create trigger follow_enrolments_for_catalogue after update on enrolments
  referencing old table as old_rows new table as new_rows
  for each statement
  execute function follow_enrolments_for_catalogue();

-- Who is suspended, moves or becomes an admin gives places and requests back.
create function follow_person_for_catalogue() returns trigger language plpgsql as $$
begin
  if exists (select from catalogue_offers where company_id in (old.company_id, new.company_id)) then
    insert into catalogue_changes (user_id) values (new.id);
    perform wake_catalogue();
  end if;
  return null;
end $$;
create trigger follow_person_for_catalogue after update on users for each row
  when (
    old.company_id is distinct from new.company_id
    or old.role <> new.role
    or (old.status = 'suspended') <> (new.status = 'suspended')
  )
  execute function follow_person_for_catalogue();

-- Nobody moves up in a company that is not active; when it is again, its offers are looked at.
create function follow_company_for_catalogue() returns trigger language plpgsql as $$
begin
  insert into catalogue_changes (offer_id)
  select id
  from catalogue_offers
  where company_id = new.id
    and exists (
      select from catalogue_requests
      where catalogue_requests.offer_id = catalogue_offers.id
        and catalogue_requests.status in ('open', 'waiting')
    );
  if found then perform wake_catalogue(); end if;
  return null;
end $$;
create trigger follow_company_for_catalogue after update on companies for each row
  when (old.status <> 'active' and new.status = 'active')
  execute function follow_company_for_catalogue();

-- An erasure deletes the requests of a person.
create function free_place_of_request() returns trigger language plpgsql as $$
begin
  insert into catalogue_changes (offer_id) values (old.offer_id);
  perform wake_catalogue();
  return null;
end $$;
create trigger free_place_of_request after delete on catalogue_requests for each row
  when (old.status in ('open', 'waiting', 'enrolled'))
  execute function free_place_of_request();
