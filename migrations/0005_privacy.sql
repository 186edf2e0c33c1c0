-- Consent, the audit log, erasure, and the settings of the academy.

-- What people were shown: the cookie texts and the privacy policy, each version once and never changed.
create table consent_texts (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('cookies', 'policy')),
  version integer not null,
  locale text not null default 'en',
  body text not null,
  sha256 text not null,
  published_at timestamptz not null default now(),
  published_by uuid references users (id) on delete set null,
  unique (kind, version, locale)
);

-- One row a decision. No network address. `user_id` is taken off when the person is erased; the row stays as proof.
create table consent_records (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references users (id) on delete set null,
  consent_id uuid not null,
  kind text not null default 'cookies' check (kind in ('cookies')),
  status text not null check (status in ('accept_all', 'reject_all', 'customized')),
  preferences jsonb not null,
  policy_version integer not null,
  text_id uuid not null references consent_texts (id),
  via text not null check (via in ('banner', 'dialog', 'settings', 'sync')),
  gpc boolean not null default false,
  browser text,
  decided_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  expires_at timestamptz not null,
  supersedes uuid references consent_records (id) on delete set null
);
create index consent_records_user on consent_records (user_id, recorded_at desc);

-- Who did what, by ids: names are looked up when it is read. `person_id` is whom it was about.
create table audit_entries (
  id uuid primary key default gen_random_uuid(),
  at timestamptz not null default clock_timestamp(),
  act text not null,
  actor_id uuid references users (id) on delete set null,
  actor_role text not null,
  person_id uuid references users (id) on delete set null,
  company_id uuid references companies (id) on delete set null,
  course_id uuid references courses (id) on delete set null,
  details jsonb not null default '{}'
);
create index audit_entries_at on audit_entries (at desc);
create index audit_entries_actor on audit_entries (actor_id, at desc);
create index audit_entries_person on audit_entries (person_id, at desc);
create index audit_entries_company on audit_entries (company_id, at desc);

-- Both are written once. What may happen later: a person, company or course that goes away takes its reference off. More
-- only in a transaction that says so: an erasure, or the clean-up of what is past its date.
create function refuse_rewriting() returns trigger language plpgsql as $$
declare
  links text[] := array['user_id', 'actor_id', 'person_id', 'company_id', 'course_id', 'published_by', 'supersedes'];
begin
  if current_setting('lyceum.rewrite', true) = 'allowed' then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  if tg_op = 'UPDATE' and to_jsonb(new) - links = to_jsonb(old) - links and jsonb_strip_nulls(to_jsonb(new)) <@ to_jsonb(old) then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger consent_records_append_only before update or delete on consent_records for each row execute function refuse_rewriting();
create trigger audit_entries_append_only before update or delete on audit_entries for each row execute function refuse_rewriting();
create trigger consent_texts_append_only before update or delete on consent_texts for each row execute function refuse_rewriting();

-- What an erasure did. The person is known by a keyed hash of the id, so that a second call finds the same receipt.
create table erasures (
  id uuid primary key default gen_random_uuid(),
  subject_hash text not null unique,
  receipt jsonb not null,
  erased_at timestamptz not null default now()
);

-- Training proof that an employer must hold (GDPR Art. 17(3)(b) and (e)), under a random id, without the person.
create table retained_proofs (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references companies (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  course text not null,
  completed_on date not null,
  success text not null,
  score_percent real,
  basis text not null,
  keep_until date not null
);
create index retained_proofs_until on retained_proofs (keep_until);

alter table companies add column erasure_policy text not null default 'anonymise' check (erasure_policy in ('delete', 'anonymise', 'proof'));
alter table companies add column proof_years integer not null default 5 check (proof_years between 1 and 30);

-- Results whose person is gone count on in figures.
alter table enrolments alter column user_id drop not null;
alter table attempts alter column user_id drop not null;

-- One row for the whole academy.
create table settings (
  id boolean primary key default true check (id),
  academy_name text not null default 'Lyceum',
  headline text not null default '',
  tagline text not null default '',
  about text not null default '',
  color text,
  support_email text not null default '',
  backup_days integer check (backup_days between 0 and 3650),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null
);
insert into settings default values;
