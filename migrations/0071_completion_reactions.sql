-- What follows from a completion, outside of its transaction: one row for each domain that has asked for it, until the
-- domain has handled it (server/player/completionReactions.ts). Written by a trigger, as the completions are, because
-- they come from commits, imports and restored data.

create table completion_followers (
  domain text primary key,
  since timestamptz not null default now()
);

create table completion_queue (
  domain text not null references completion_followers (domain) on delete cascade,
  completion_id bigint not null,
  failures integer not null default 0,
  due_at timestamptz not null default now(),
  primary key (domain, completion_id)
);
create index completion_queue_due on completion_queue (domain, due_at);

create function queue_completion() returns trigger language plpgsql as $$
begin
  insert into completion_queue (domain, completion_id)
  select domain, new.id
  from completion_followers;
  return null;
end $$;
create trigger queue_completion after insert on completion_history
  for each row
  when (not new.backfilled)
  execute function queue_completion();
