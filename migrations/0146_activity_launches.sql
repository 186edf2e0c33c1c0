-- Launches of activities that report by statements: units of cmi5, and activities of xAPI packages.
create table activity_launches (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references sessions on delete cascade,
  attempt_id uuid not null references attempts on delete cascade,
  user_id uuid not null references users on delete cascade,
  company_id uuid not null references companies,
  sco text not null,
  mode text not null check (mode in ('Normal', 'Browse', 'Review')),
  fetch_hash text,
  token_hash text,
  said text[] default '{}' not null,
  launched_at timestamptz default clock_timestamp() not null,
  preferences_read_at timestamptz,
  last_said_at timestamptz,
  terminated_at timestamptz,
  abandoned_at timestamptz
);
create index activity_launches_attempt on activity_launches (attempt_id, launched_at);
create index activity_launches_session on activity_launches (session_id);
create index activity_launches_user on activity_launches (user_id);
create index activity_launches_company on activity_launches (company_id);
