-- A document: what people know it by, and who may have it quoted. Its contents are in its versions, which never change.
create table documents (
  id uuid primary key default gen_random_uuid(),
  title text not null,
  folder text not null default '',
  tags text[] not null default '{}',
  source text not null check (source in ('upload', 'web', 'text')),
  -- The address of a web page
  url text,
  -- The company whose admins may change it; null for documents of the academy
  company_id uuid references companies (id) on delete cascade,
  -- Who may have it quoted: every company, or those of document_companies
  all_companies boolean not null default true,
  owner_id uuid references users (id) on delete set null,
  review_by date,
  -- ISO 639 code chosen by a person; null: as detected
  language text,
  status text not null default 'active' check (status in ('active', 'archived')),
  live_version_id uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null
);
create index documents_title on documents (status, lower(title), id);
create index documents_updated on documents (status, updated_at, id);
create index documents_folder on documents (folder);
create index documents_company on documents (company_id);
create index documents_owner on documents (owner_id);
create index documents_updated_by on documents (updated_by);

create table document_companies (
  document_id uuid not null references documents (id) on delete cascade,
  company_id uuid not null references companies (id) on delete cascade,
  primary key (document_id, company_id)
);
create index document_companies_company on document_companies (company_id);

create table document_courses (
  document_id uuid not null references documents (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  primary key (document_id, course_id)
);
create index document_courses_course on document_courses (course_id);

-- One version of a document, and how far the pipeline has come with it.
create table document_versions (
  id uuid primary key default gen_random_uuid(),
  document_id uuid not null references documents (id) on delete cascade,
  number integer not null,
  file_id uuid references files (id),
  -- The name of the file, or the address of the page
  name text not null,
  kind text not null default 'unknown'
    check (kind in ('unknown', 'pdf', 'docx', 'pptx', 'xlsx', 'odt', 'html', 'markdown', 'text', 'subtitles')),
  bytes bigint not null default 0,
  state text not null default 'waiting'
    check (state in ('waiting', 'checking', 'reading', 'splitting', 'indexing', 'testing', 'ready', 'held', 'failed', 'replaced')),
  -- Why it failed, and on which page
  code text,
  page integer,
  -- Progress within the state
  done integer not null default 0,
  total integer not null default 0,
  tries integer not null default 0,
  lease uuid,
  leased_until timestamptz,
  next_try_at timestamptz not null default now(),
  language text not null default '',
  pages integer not null default 0,
  chars integer not null default 0,
  passages integer not null default 0,
  -- Weighted words of all its passages, for the average length
  words double precision not null default 0,
  created_at timestamptz not null default now(),
  created_by uuid references users (id) on delete set null,
  ready_at timestamptz,
  unique (document_id, number)
);
create index document_versions_file on document_versions (file_id);
create index document_versions_created_by on document_versions (created_by);
create index document_versions_open on document_versions (next_try_at)
  where state in ('waiting', 'checking', 'reading', 'splitting', 'indexing', 'testing');
alter table documents add foreign key (live_version_id) references document_versions (id) on delete set null;
create index documents_live on documents (live_version_id);

-- What the parser read: passages and citations are offsets into the text.
create table document_texts (
  version_id uuid primary key references document_versions (id) on delete cascade,
  text text not null,
  -- Blocks in order: text offsets, page, level of a heading (0: none)
  blocks jsonb not null
);

create table passages (
  id bigint generated always as identity primary key,
  version_id uuid not null references document_versions (id) on delete cascade,
  number integer not null,
  heading text not null default '',
  page_from integer,
  page_to integer,
  char_from integer not null,
  char_to integer not null,
  text text not null,
  -- The stems of heading and text in order, for ranking by distance
  stems text not null default '',
  unique (version_id, number)
);

-- Postings: the stems of a passage with their language, their weighted frequency, and the weighted length of the passage.
create table passage_terms (
  term text not null,
  version_id uuid not null,
  passage_id bigint not null references passages (id) on delete cascade,
  frequency real not null,
  length real not null
);
create index passage_terms_term on passage_terms (term) include (version_id, passage_id, frequency, length);
create index passage_terms_passage on passage_terms (passage_id);
