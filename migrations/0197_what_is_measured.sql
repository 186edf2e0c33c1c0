-- What a company measures about its people (docs/decisions/0091-what-is-measured.md): one row for each version of its
-- choices, the one in force without `until`. Without a row, admins see everything.
create table company_measures (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references companies (id) on delete cascade,
  version integer not null check (version > 0),
  -- Who sees each kind of data, besides the person whom it is about.
  replay text not null check (replay in ('admins', 'nobody')),
  active_time text not null check (active_time in ('admins', 'nobody')),
  last_activity text not null check (last_activity in ('admins', 'nobody')),
  conversations text not null check (conversations in ('admins', 'nobody')),
  scores text not null check (scores in ('admins', 'nobody')),
  -- Figures about fewer people are not shown.
  smallest_group integer not null check (smallest_group between 10 and 50),
  reason text not null default '',
  changed_by uuid references users (id) on delete set null,
  since timestamptz not null default now(),
  until timestamptz,
  unique (company_id, version),
  -- A replay shows all of the others.
  check (replay = 'nobody' or 'nobody' not in (active_time, last_activity, conversations, scores))
);
create unique index company_measures_in_force on company_measures (company_id) where until is null;
create index company_measures_changed_by on company_measures (changed_by) where changed_by is not null;

-- The version that a person has been told of.
create table measures_seen (
  user_id uuid primary key references users (id) on delete cascade,
  company_id uuid not null references companies (id) on delete cascade,
  version integer not null,
  seen_at timestamptz not null default now()
);
create index measures_seen_company on measures_seen (company_id);
