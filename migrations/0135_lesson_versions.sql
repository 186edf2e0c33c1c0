-- Who wrote what in a draft, and what was restored from a version (docs/decisions/0068-versions-and-comments.md).

-- `origin`: `author`: written by `author_id`, who was erased if it is null; `merged`: of several updates, whose authors
-- are in lesson_block_authors; `unknown`: written or merged before authors were stored.
alter table lesson_updates
  add column author_id uuid references users (id) on delete set null,
  add column written_at timestamptz not null default now(),
  add column origin text not null default 'unknown' check (origin in ('unknown', 'author', 'merged'));

-- Who wrote in a block last, as of the last merge of its updates.
create table lesson_block_authors (
  lesson_id uuid not null references lesson_drafts (id) on delete cascade,
  block_id text not null,
  author_id uuid references users (id) on delete set null,
  is_known boolean not null,
  written_at timestamptz not null,
  primary key (lesson_id, block_id)
);
create index lesson_block_authors_author on lesson_block_authors (author_id) where author_id is not null;

-- Who wrote for which version. `number` is that of the next version at that time.
create table course_writers (
  id uuid primary key default gen_random_uuid(),
  course_id uuid not null references course_drafts (course_id) on delete cascade,
  number integer not null,
  author_id uuid references users (id) on delete set null,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  unique (course_id, number, author_id)
);
create index course_writers_author on course_writers (author_id) where author_id is not null;
-- Writers are known from then on.
alter table course_drafts add column writers_since timestamptz not null default now();

-- What was restored, and the contents before and after, by which it is undone.
create table lesson_restores (
  id uuid primary key default gen_random_uuid(),
  course_id uuid not null references course_drafts (course_id) on delete cascade,
  version_number integer not null,
  scope text not null check (scope in ('block', 'lesson', 'version')),
  title text not null,
  outline_before jsonb not null,
  outline_after jsonb not null,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz not null default now(),
  undone_at timestamptz
);
create index lesson_restores_course on lesson_restores (course_id, created_at);
create index lesson_restores_author on lesson_restores (created_by) where created_by is not null;
create table restored_lessons (
  restore_id uuid not null references lesson_restores (id) on delete cascade,
  lesson_id uuid not null references lesson_drafts (id) on delete cascade,
  before jsonb not null,
  after jsonb not null,
  primary key (restore_id, lesson_id)
);
create index restored_lessons_lesson on restored_lessons (lesson_id);
