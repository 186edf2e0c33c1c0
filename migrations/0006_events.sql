-- Events, those who come, and the mails about it.

-- The order in which people asked: a place in the waiting list is a number of this sequence.
create sequence event_queue;

create table events (
  id uuid primary key default gen_random_uuid(),
  slug text not null unique,
  status text not null default 'draft' check (status in ('draft', 'published', 'cancelled', 'archived')),
  title text not null,
  summary text not null default '',
  description text not null default '',
  category text not null default '',
  language text not null default 'en',
  cover text,
  -- Wall time and zone are what was meant; the instants are worked out from them.
  timezone text not null,
  starts_local text not null,
  ends_local text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  attendance_mode text not null default 'in_person' check (attendance_mode in ('in_person', 'online', 'hybrid')),
  venue jsonb not null,
  online_url text not null default '',
  join_opens_minutes integer not null default 30,
  visibility text not null default 'public' check (visibility in ('public', 'unlisted', 'company', 'code')),
  company_id uuid references companies (id),
  -- Keyed with the server's secret: codes are short, a plain hash of them could be guessed.
  access_code_hash text,
  registration_mode text not null default 'open' check (registration_mode in ('open', 'approval', 'closed', 'external')),
  external_url text not null default '',
  registration_opens_local text,
  registration_opens_at timestamptz,
  registration_closes_local text,
  registration_closes_at timestamptz,
  capacity integer,
  capacity_online integer,
  seats_taken integer not null default 0 check (seats_taken >= 0),
  seats_taken_online integer not null default 0 check (seats_taken_online >= 0),
  waitlist_enabled boolean not null default true,
  waitlist_mode text not null default 'auto_offer' check (waitlist_mode in ('auto_offer', 'manual')),
  offer_minutes integer not null default 720,
  require_email_confirmation boolean not null default true,
  challenge text not null default 'none' check (challenge in ('none', 'pow')),
  modification_mode text not null default 'until_close' check (modification_mode in ('always', 'until_close', 'never')),
  questions jsonb not null default '[]',
  question_version integer not null default 1,
  agenda jsonb not null default '[]',
  speakers jsonb not null default '[]',
  privacy_notice text not null default '',
  notice_version integer not null default 1,
  retention_days integer not null default 180,
  organiser_name text not null default '',
  organiser_email text not null default '',
  indexable boolean not null default true,
  reminders boolean not null default true,
  follow_up_course_id uuid references courses (id),
  follow_up_company_id uuid references companies (id),
  ics_sequence integer not null default 0,
  published_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text not null default '',
  created_by uuid references users (id) on delete set null,
  updated_by uuid references users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  search text not null generated always as (
    title || ' ' || summary || ' ' || category || ' ' || coalesce(venue ->> 'name', '') || ' ' || coalesce(venue ->> 'city', '') || ' ' || coalesce(venue ->> 'country', '')
  ) stored
) with (fillfactor = 80);
create index events_start on events (status, starts_at);
create index events_end on events (ends_at);
-- What everybody sees, without reading the wide rows themselves: counts, categories and languages come from here.
create index events_public on events (ends_at, starts_at) include (category, language) where status in ('published', 'cancelled') and visibility = 'public';
create index events_company on events (company_id) where company_id is not null;

-- Every address an event ever had. None is given to another event, also not after a deletion.
create table event_slugs (
  slug text primary key,
  event_id uuid references events (id) on delete set null,
  created_at timestamptz not null default now()
);
create index event_slugs_event on event_slugs (event_id);

-- The form as it was: old answers keep their labels.
create table event_question_versions (
  event_id uuid not null references events (id) on delete cascade,
  version integer not null,
  questions jsonb not null,
  created_at timestamptz not null default now(),
  primary key (event_id, version)
);

-- The privacy notice as it was agreed to.
create table event_notices (
  event_id uuid not null references events (id) on delete cascade,
  version integer not null,
  text text not null,
  sha256 text not null,
  created_at timestamptz not null default now(),
  primary key (event_id, version)
);

create table event_registrations (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references events (id) on delete cascade,
  reference text not null unique,
  state text not null check (state in ('pending_email', 'pending_approval', 'confirmed', 'waitlisted', 'offered', 'rejected', 'offer_declined', 'offer_expired', 'expired', 'cancelled')),
  email text not null check (email = lower(email)),
  email_verified_at timestamptz,
  name text not null,
  company text not null default '',
  user_id uuid references users (id) on delete set null,
  attendance text not null check (attendance in ('in_person', 'online')),
  answers jsonb not null default '{}',
  question_version integer not null,
  timezone text not null default 'UTC',
  notice_version integer,
  privacy_accepted_at timestamptz,
  marketing_opt_in boolean not null default false,
  manage_token_hash text unique,
  ticket_version integer not null default 1,
  queue_number bigint not null default nextval('event_queue'),
  confirm_until timestamptz,
  offered_at timestamptz,
  offer_expires_at timestamptz,
  source text not null check (source in ('web', 'admin', 'invite')),
  confirmed_at timestamptz,
  cancelled_at timestamptz,
  cancelled_by text check (cancelled_by in ('self', 'admin', 'event')),
  -- What the last row of event_check_ins says.
  attended_at timestamptz,
  followed_up_at timestamptz,
  purged_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
);
create unique index event_registrations_active on event_registrations (event_id, lower(email))
  where state in ('pending_email', 'pending_approval', 'confirmed', 'waitlisted', 'offered') and purged_at is null;
create index event_registrations_event on event_registrations (event_id, state, queue_number);
create index event_registrations_email on event_registrations (lower(email)) where purged_at is null;
create index event_registrations_user on event_registrations (user_id) where user_id is not null;
create index event_registrations_offers on event_registrations (offer_expires_at) where state = 'offered';
create index event_registrations_unconfirmed on event_registrations (confirm_until) where state = 'pending_email';

create table event_check_ins (
  id bigint generated always as identity primary key,
  registration_id uuid not null references event_registrations (id) on delete cascade,
  direction text not null check (direction in ('in', 'undo')),
  at timestamptz not null,
  recorded_at timestamptz not null default now(),
  by_user uuid references users (id) on delete set null,
  device text not null default ''
);
create index event_check_ins_registration on event_check_ins (registration_id);

create table event_registration_log (
  id bigint generated always as identity primary key,
  registration_id uuid not null references event_registrations (id) on delete cascade,
  at timestamptz not null default now(),
  act text not null,
  actor text not null check (actor in ('self', 'admin', 'system')),
  by_user uuid references users (id) on delete set null,
  detail text not null default ''
);
create index event_registration_log_registration on event_registration_log (registration_id);

-- One row a letter that goes to many: whoever is in here has got it, however often the job runs.
create table event_letters (
  registration_id uuid not null references event_registrations (id) on delete cascade,
  key text not null,
  at timestamptz not null default now(),
  primary key (registration_id, key)
);

-- What goes with a mail, whom to answer, and what it is about (so that it goes when that goes).
alter table mails add column attachments jsonb not null default '[]';
alter table mails add column reply_to text;
alter table mails add column about uuid;
create index mails_about on mails (about) where about is not null;
