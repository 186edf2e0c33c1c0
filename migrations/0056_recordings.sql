-- Recordings of the page during sessions: switched on by a company, made only with the learner's consent, kept for its number of days.
alter table companies add column record_pages boolean not null default false;
alter table companies add column recording_days integer not null default 90 check (recording_days between 1 and 3650);

-- One row from the launch of a session that may be recorded. `chunks` is the number of the next chunk.
create table recordings (
  session_id uuid primary key references sessions (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  company_id uuid not null references companies (id) on delete cascade,
  started_at timestamptz not null default now(),
  chunks integer not null default 0,
  bytes bigint not null default 0
);
create index recordings_user on recordings (user_id);
create index recordings_company on recordings (company_id, started_at);

-- Events of the recorder as JSON, compressed with gzip by the browser. Written by a learner's browser: never trusted.
create table recording_chunks (
  session_id uuid not null references recordings (session_id) on delete cascade,
  number integer not null,
  received_at timestamptz not null default now(),
  body bytea not null,
  primary key (session_id, number)
);
-- It is compressed already.
alter table recording_chunks alter column body set storage external;
create index consent_records_decided on consent_records (user_id, decided_at desc);
-- True if the browser has named the text that was shown: only then it is known what was consented to.
alter table consent_records add column text_shown boolean not null default false;
