-- What a person has completed in a company, as it was when they asked for it. `facts` and `digest` never change.
create table transcripts (
  id uuid primary key default gen_random_uuid(),
  number text not null unique,
  company_id uuid not null references companies (id) on delete cascade,
  person_id uuid not null references users (id) on delete cascade,
  facts jsonb not null,
  -- The enrolment and the cycle of each entry of `facts`, in its order, so that a check finds today's record of it.
  sources jsonb not null,
  digest text not null,
  issued_at timestamptz not null default now(),
  -- Until then, everyone with the link reads the transcript; null if it is not shared.
  link_until timestamptz,
  -- Part of the link's signature: a new link ends the one before.
  link_no integer not null default 0,
  opened integer not null default 0,
  last_opened_at timestamptz
);
create index transcripts_person on transcripts (person_id, issued_at desc);
create index transcripts_company on transcripts (company_id);
