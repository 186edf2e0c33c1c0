-- Drafts of courses that are written here. Each lesson is a Yjs document: the updates of browsers, in their order.
create table course_drafts (
  course_id uuid primary key references courses (id) on delete cascade,
  language text not null,
  outline jsonb not null,
  version integer not null default 1
);

create table lesson_drafts (
  id uuid primary key,
  course_id uuid not null references course_drafts (course_id) on delete cascade,
  -- The number of the last update; numbers of merged updates are skipped.
  updates integer not null default 0,
  bytes integer not null default 0
);
create index lesson_drafts_course on lesson_drafts (course_id);

create table lesson_updates (
  lesson_id uuid not null references lesson_drafts (id) on delete cascade,
  number integer not null,
  -- Given by the browser, so that an update that is sent again is stored once; null when merged.
  key uuid,
  content bytea not null,
  primary key (lesson_id, number)
);
create unique index lesson_updates_key on lesson_updates (lesson_id, key);

create table lesson_authors (
  lesson_id uuid not null references lesson_drafts (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  seen_at timestamptz not null default now(),
  primary key (lesson_id, user_id)
);
create index lesson_authors_user on lesson_authors (user_id);

-- Files that lessons use or used; they are kept as long as the draft.
create table lesson_files (
  lesson_id uuid not null references lesson_drafts (id) on delete cascade,
  file_id uuid not null references files (id) on delete cascade,
  primary key (lesson_id, file_id)
);
create index lesson_files_file on lesson_files (file_id);
