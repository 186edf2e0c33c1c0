-- What happened and concerns a person: shown in the bar, and mailed if they want it.
create table notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  kind text not null,
  -- Values of its text.
  params jsonb not null default '{}',
  -- Path of the page that it leads to.
  link text not null,
  -- The same thing is notified once per person.
  key text not null,
  is_shown boolean not null default true,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  unique (user_id, key)
);
create index notifications_user on notifications (user_id, created_at desc);
create index notifications_created on notifications (created_at);

-- A person's choice for a kind of notification; without a row, its defaults hold.
create table notification_choices (
  user_id uuid not null references users (id) on delete cascade,
  kind text not null,
  is_shown boolean not null,
  is_mailed boolean not null,
  primary key (user_id, kind)
);
