-- Open Badges of certificates: keys of the academy, status lists of issuers, and the badges that were made
-- (docs/decisions/0082-open-badges.md).

-- RSA; the private key is encrypted as other secrets are.
create table badge_keys (
  id text primary key,
  public_key jsonb not null,
  sealed_key text not null,
  created_at timestamptz not null default now()
);

-- Bitstring status lists of an issuer. A new one is started when half of the newest is taken.
create table badge_lists (
  company_id uuid not null references companies (id),
  number integer not null,
  size integer not null default 0,
  primary key (company_id, number)
);

-- A badge keeps its position when its certificate is deleted, so that no other badge ever gets it.
create table badges (
  id uuid primary key default gen_random_uuid(),
  certificate_id uuid unique references certificates (id) on delete set null,
  company_id uuid not null,
  list integer not null,
  position integer not null,
  -- The signed credential; null after an erasure, because the holder's name is in it.
  credential text,
  -- Whether its certificate was revoked or replaced when it was deleted.
  was_revoked boolean not null default false,
  made_at timestamptz not null default now(),
  foreign key (company_id, list) references badge_lists (company_id, number),
  unique (company_id, list, position)
);

create function follow_certificate_of_badge() returns trigger language plpgsql as $$
begin
  update badges
  set credential = null,
    made_at = date_trunc('day', made_at),
    was_revoked = tg_op = 'DELETE' and (
      old.revoked_at is not null
      or exists (
        select from certificates later
        where later.replaces = old.id
      )
    )
  where certificate_id = old.id;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger certificates_badge_deleted before delete on certificates
  for each row
  execute function follow_certificate_of_badge();
create trigger certificates_badge_nameless before update of name on certificates
  for each row
  when (new.name is null and old.name is not null)
  execute function follow_certificate_of_badge();
