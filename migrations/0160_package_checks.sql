-- What the files of a package say about it, so that it can be compared with what it reports later. `reader`: number of
-- the rules by which it was read; `number`: how often. Without a reading it could not be read.
create table package_checks (
  package_id uuid primary key references packages (id) on delete cascade,
  reading jsonb,
  reader int not null,
  number int not null default 1,
  took_ms int not null,
  checked_at timestamptz not null default now()
);
