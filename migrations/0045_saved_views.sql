-- What a list or report shows, saved under a name. A view of the whole academy has no company.
create table saved_views (
  id uuid primary key default gen_random_uuid(),
  version integer not null default 1,
  owner_id uuid not null references users (id) on delete cascade,
  company_id uuid references companies (id) on delete cascade,
  name text not null,
  path text not null,
  query text not null,
  is_shared boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index saved_views_name on saved_views (owner_id, path, lower(name));
create index saved_views_path on saved_views (path);
create index saved_views_company on saved_views (company_id);

-- Who gets the figures of a view by email, and when next. `zone` decides when a week or a month begins.
create table view_mails (
  view_id uuid not null references saved_views (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  rhythm text not null check (rhythm in ('weekly', 'monthly')),
  zone text not null,
  next_at timestamptz not null,
  primary key (view_id, user_id)
);
create index view_mails_due on view_mails (next_at);
create index view_mails_user on view_mails (user_id);
