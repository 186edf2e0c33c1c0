-- Finished backups: when, and how much they contained. The files themselves are kept by the operator.
create table backups (
  id uuid primary key default gen_random_uuid(),
  started_at timestamptz not null,
  finished_at timestamptz not null default now(),
  bytes bigint not null,
  rows bigint not null,
  files integer not null
);
create index backups_finished on backups (finished_at desc);
