-- People and groups of a company that its directory maintains by SCIM (docs/decisions/0079-provisioning.md).
create table provisioning_keys (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references companies (id) on delete cascade,
  name text not null,
  prefix text not null,
  key_hash text not null unique,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index provisioning_keys_company on provisioning_keys (company_id, created_at desc);
create index provisioning_keys_created_by on provisioning_keys (created_by) where created_by is not null;

create table provisioning_settings (
  company_id uuid primary key references companies (id) on delete cascade,
  -- What follows when the directory deletes a person: they are suspended, or only their link to the directory ends.
  removal text not null default 'suspend' check (removal in ('suspend', 'leave')),
  -- New people with an address are invited by email.
  invites boolean not null default false,
  -- The field of the company in which the value of an attribute is stored, by attribute.
  mapping jsonb not null default '{}',
  -- Suspensions before this moment do not count: an admin has decided about them.
  counted_from timestamptz not null default '-infinity',
  version integer not null default 0,
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null
);
create index provisioning_settings_updated_by on provisioning_settings (updated_by) where updated_by is not null;

create table provisioned_people (
  user_id uuid primary key references users (id) on delete cascade,
  company_id uuid not null references companies (id) on delete cascade,
  user_name text not null,
  external_id text,
  -- What the directory says about a person and what has no place elsewhere: the parts of a name, a title, a phone.
  attributes jsonb not null default '{}',
  -- The address that the directory last named, otherwise that of the person when they were linked; and whether another
  -- one stays: an admin has set it since, or the person was there before the directory.
  email text,
  email_held boolean not null default false,
  -- When the directory last suspended the person, and when it deleted them.
  suspended_at timestamptz,
  removed_at timestamptz,
  -- `users.suspended_at` of a suspension by the directory: it ends only its own ones.
  inactive_since timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index provisioned_people_user_name on provisioned_people (company_id, lower(user_name))
  where removed_at is null;
create unique index provisioned_people_external_id on provisioned_people (company_id, external_id)
  where removed_at is null and external_id is not null;
create index provisioned_people_removed on provisioned_people (company_id, external_id) where removed_at is not null;
create index provisioned_people_removed_name on provisioned_people (company_id, lower(user_name))
  where removed_at is not null;
-- Further addresses; that of the account is in `users`.
create index provisioned_people_emails on provisioned_people
  using gin ((lower(attributes->>'emails')::jsonb) jsonb_path_ops);
create index provisioned_people_suspended on provisioned_people (company_id, suspended_at)
  where suspended_at is not null;

-- Suspensions beyond the limit, until an admin decides; refused ones are kept for a day.
create table provisioning_holds (
  user_id uuid primary key references users (id) on delete cascade,
  company_id uuid not null references companies (id) on delete cascade,
  kind text not null check (kind in ('suspend', 'remove')),
  key_id uuid references provisioning_keys (id) on delete set null,
  asked_at timestamptz not null default now(),
  refused_at timestamptz,
  refused_by uuid references users (id) on delete set null
);
create index provisioning_holds_company on provisioning_holds (company_id, asked_at);
create index provisioning_holds_key on provisioning_holds (key_id) where key_id is not null;
create index provisioning_holds_refused_by on provisioning_holds (refused_by) where refused_by is not null;

-- The last calls of the directory, with their result. The result is the code of a text.
create table provisioning_calls (
  id bigint generated always as identity primary key,
  company_id uuid not null references companies (id) on delete cascade,
  key_id uuid references provisioning_keys (id) on delete set null,
  at timestamptz not null default clock_timestamp(),
  method text not null,
  resource text not null,
  person_id uuid references users (id) on delete set null,
  group_id uuid references groups (id) on delete set null,
  status integer not null,
  result text not null
);
create index provisioning_calls_company on provisioning_calls (company_id, id desc);
create index provisioning_calls_at on provisioning_calls (at);
create index provisioning_calls_key on provisioning_calls (key_id) where key_id is not null;
create index provisioning_calls_person on provisioning_calls (person_id) where person_id is not null;
create index provisioning_calls_group on provisioning_calls (group_id) where group_id is not null;

-- Groups whose members the directory names. By hand and kept out win over it, as over a rule.
alter table groups add column provided boolean not null default false;
alter table groups add column external_id text;
create table group_provided_members (
  group_id uuid not null references groups (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  primary key (group_id, user_id)
);
create index group_provided_members_user on group_provided_members (user_id);
alter table group_members drop constraint group_members_why_check;
alter table group_members add constraint group_members_why_check check (why in ('rule', 'hand', 'provided')) not valid;

-- A person who moves to another company, or becomes an admin, is no longer one of the old company's directory.
create function end_provisioning() returns trigger language plpgsql as $$
begin
  delete from provisioned_people where user_id = new.id;
  delete from provisioning_holds where user_id = new.id;
  delete from group_provided_members where user_id = new.id;
  return null;
end $$;
create trigger users_end_provisioning after update on users for each row
  when (old.company_id is distinct from new.company_id or old.role <> new.role)
  execute function end_provisioning();

-- Who is suspended otherwise waits for no decision.
create function end_hold() returns trigger language plpgsql as $$
begin
  delete from provisioning_holds where user_id = new.id and refused_at is null;
  return null;
end $$;
create trigger users_end_hold after update of status on users for each row
  when (new.status = 'suspended' and old.status <> 'suspended')
  execute function end_hold();

-- The address that an admin gives a person holds against the directory, until an admin sets the directory's again.
create function hold_email() returns trigger language plpgsql as $$
begin
  update provisioned_people
  set email_held = lower(new.email) is distinct from coalesce(provisioned_people.email, lower(old.email))
    and exists (
      select from users
      where users.id = nullif(current_setting('lyceum.actor', true), '')::uuid
        and users.role = 'admin'
    )
  where user_id = new.id;
  return null;
end $$;
create trigger users_hold_email after update of email on users for each row
  when (old.email is distinct from new.email)
  execute function hold_email();
