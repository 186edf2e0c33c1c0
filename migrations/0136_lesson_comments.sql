-- Comments of authors on a lesson or a block of a draft. `thread_id` is the first comment of the thread, which is
-- resolved as a whole. `about`: the beginning of the block when the comment was written.
create table lesson_comments (
  id uuid primary key,
  thread_id uuid not null references lesson_comments (id) on delete cascade,
  lesson_id uuid not null references lesson_drafts (id) on delete cascade,
  block_id text,
  about text not null,
  text text not null,
  author_id uuid references users (id) on delete set null,
  created_at timestamptz not null default now(),
  edited_at timestamptz,
  resolved_at timestamptz,
  resolved_by uuid references users (id) on delete set null
);
create index lesson_comments_lesson on lesson_comments (lesson_id, created_at);
create index lesson_comments_thread on lesson_comments (thread_id);
create index lesson_comments_author on lesson_comments (author_id) where author_id is not null;
create index lesson_comments_resolver on lesson_comments (resolved_by) where resolved_by is not null;

create table comment_mentions (
  comment_id uuid not null references lesson_comments (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  primary key (comment_id, user_id)
);
create index comment_mentions_user on comment_mentions (user_id);
