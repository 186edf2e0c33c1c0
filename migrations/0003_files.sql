-- Files: what is stored, and the uploads that are on their way.

create sequence file_generations;

create table files (
  id uuid primary key default gen_random_uuid(),
  bucket text not null,
  full_path text not null,
  generation bigint not null default nextval('file_generations'),
  metageneration bigint not null default 1,
  size bigint not null,
  md5_hash text not null,
  sha256 text not null,
  content_type text not null,
  detected_type text not null,
  cache_control text,
  content_disposition text,
  content_encoding text,
  content_language text,
  custom_metadata jsonb not null default '{}',
  storage_key text not null unique,
  purpose text not null check (purpose in ('course', 'document', 'event_cover', 'avatar', 'brand', 'export')),
  visibility text not null check (visibility in ('private', 'company', 'public')),
  owner_id uuid references users (id) on delete set null,
  company_id uuid references companies (id),
  -- Something of ours rests on this file (a course version): it cannot be deleted or replaced from outside.
  held boolean not null default false,
  -- Download tokens are made of these and the server's secret; the database alone opens nothing.
  tokens uuid[] not null default '{}',
  revoked_tokens uuid[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index files_path on files (bucket, full_path) where deleted_at is null;
create index files_owner on files (owner_id);
create index files_company on files (company_id);
create index files_deleted on files (deleted_at) where deleted_at is not null;

create table upload_sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  company_id uuid references companies (id),
  bucket text not null,
  full_path text not null,
  purpose text not null,
  visibility text not null,
  metadata jsonb not null,
  declared_size bigint not null check (declared_size >= 0),
  received bigint not null default 0,
  -- Where the last chunk began: the only place from which bytes may be sent again.
  chunk_start bigint not null default 0,
  storage_key text not null unique,
  part_state jsonb not null default '{}',
  status text not null default 'active' check (status in ('active', 'final', 'cancelled', 'expired')),
  file_id uuid references files (id) on delete set null,
  created_at timestamptz not null default now(),
  last_byte_at timestamptz,
  expires_at timestamptz not null
);
create index upload_sessions_user on upload_sessions (user_id, status);
create index upload_sessions_company on upload_sessions (company_id) where status = 'active';
create index upload_sessions_expiry on upload_sessions (expires_at);

-- The package as it was uploaded: it can be unpacked again wherever its files are missing.
alter table course_versions add column file_id uuid unique references files (id);
