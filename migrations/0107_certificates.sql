-- Certificates of courses: designs that are kept as versions, certificates with the facts they were issued with, and a
-- Merkle tree for each issuer (docs/decisions/0055-certificates.md).

create table certificate_designs (
  course_id uuid primary key references courses (id) on delete cascade,
  -- Whether completions get a certificate.
  enabled boolean not null default false,
  -- The version in use.
  number integer not null,
  -- Incremented with every change (optimistic locking).
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null
);

-- Pictures of designs and logos of companies, by the SHA-256 of their bytes.
create table certificate_pictures (
  hash text primary key,
  type text not null,
  bytes bytea not null,
  created_at timestamptz not null default now()
);

-- A version never changes: certificates that were issued keep their design.
create table certificate_design_versions (
  id uuid primary key default gen_random_uuid(),
  course_id uuid not null,
  number integer not null,
  content jsonb not null,
  created_at timestamptz not null default now(),
  created_by uuid references users (id) on delete set null,
  unique (course_id, number)
);

create table certificates (
  id uuid primary key default gen_random_uuid(),
  number text not null unique,
  -- The issuer.
  company_id uuid not null references companies (id),
  course_id uuid not null,
  design_id uuid not null references certificate_design_versions (id),
  -- What was completed; null after an erasure, as is the person.
  completion_id bigint,
  person_id uuid references users (id) on delete set null,
  -- As on the certificate. The sealed facts contain only their salted hashes.
  name text,
  score_percent real,
  minutes integer,
  -- The sealed facts, which anybody may see, and the issuer's name, colour and logo of that day.
  facts jsonb not null,
  brand jsonb not null,
  salt bytea,
  -- SHA-256 of the facts with the prefix of a leaf (RFC 6962), and the position in the tree of the issuer.
  leaf bytea not null,
  position bigint,
  completed_on date not null,
  valid_until date,
  issued_at timestamptz not null default now(),
  -- What the holder allows on the public page.
  show_name boolean not null default false,
  show_score boolean not null default false,
  show_minutes boolean not null default false,
  revoked_at timestamptz,
  revoked_by uuid references users (id) on delete set null,
  revoked_reason text,
  -- The certificate that this one was issued in place of.
  replaces uuid unique references certificates (id) on delete set null,
  -- The day of an erasure that has kept it without the name, and until when and why it is kept.
  nameless_since date,
  keep_until date,
  keep_ground text
);
create unique index certificates_completion on certificates (completion_id)
  where replaces is null;
create index certificates_person on certificates (person_id, issued_at desc);
create index certificates_issued on certificates (issued_at desc, id);
create index certificates_company on certificates (company_id, issued_at desc, id);
create index certificates_course on certificates (course_id, issued_at desc, id);
create index certificates_design on certificates (design_id);
create index certificates_unsealed on certificates (company_id, id)
  where position is null;
create unique index certificates_position on certificates (company_id, position)
  where position is not null;
create index certificates_keep_until on certificates (keep_until)
  where keep_until is not null;

-- The tree of an issuer. Nodes of level 0 are leaves; a node of a higher level covers two of the level below, and is
-- written once both are there.
create table certificate_trees (
  company_id uuid primary key references companies (id),
  size bigint not null default 0
);
create table certificate_nodes (
  company_id uuid not null,
  level smallint not null,
  position bigint not null,
  hash bytea not null,
  primary key (company_id, level, position)
);
-- Leaves whose certificate was deleted, as an erasure or the end of a retention demands.
create table certificate_gaps (
  company_id uuid not null,
  position bigint not null,
  deleted_on date not null default current_date,
  primary key (company_id, position)
);

-- Ed25519; the private key is encrypted as other secrets are.
create table certificate_keys (
  id text primary key,
  public_key text not null,
  sealed_key text not null,
  created_at timestamptz not null default now()
);
-- The root of a tree at the end of each day on which it has grown, signed.
create table certificate_heads (
  company_id uuid not null,
  day date not null,
  size bigint not null,
  root bytea not null,
  key_id text not null references certificate_keys (id),
  signature bytea not null,
  primary key (company_id, day)
);

create function refuse_certificate_change() returns trigger language plpgsql as $$
declare
  -- What follows the issue, or goes with the person.
  changing text[] := array[
    'position', 'person_id', 'show_name', 'show_score', 'show_minutes', 'revoked_at', 'revoked_by', 'revoked_reason',
    'replaces'
  ];
  erased text[] := array[
    'name', 'score_percent', 'minutes', 'salt', 'completion_id', 'issued_at', 'nameless_since', 'keep_until',
    'keep_ground'
  ];
begin
  if current_setting('lyceum.rewrite', true) = 'allowed' then
    changing := changing || erased;
  elsif tg_op = 'DELETE' then
    raise exception 'certificates are deleted by erasures only';
  end if;
  if tg_op = 'DELETE' then
    if old.position is not null then
      insert into certificate_gaps (company_id, position) values (old.company_id, old.position);
    end if;
    return old;
  end if;
  if to_jsonb(new) - changing <> to_jsonb(old) - changing
    or (old.position is not null and new.position is distinct from old.position) then
    raise exception 'an issued certificate never changes';
  end if;
  return new;
end $$;
create trigger certificates_frozen before update or delete on certificates
  for each row
  execute function refuse_certificate_change();

do $$ declare name text; begin
  foreach name in array array['certificate_nodes', 'certificate_design_versions'] loop
    execute format(
      'create trigger %I before delete on %I for each row execute function refuse_rewriting()',
      name || '_append_only', name
    );
  end loop;
end $$;
