-- When blocks of lessons came into view first in an attempt, and with an empty block its end: from the events of the
-- session, for the figures of authors. Hostile events add rows that no figure reads.
create table block_views (
  attempt_id uuid not null references attempts (id) on delete cascade,
  sco text not null,
  block_id text not null,
  session_id uuid not null references sessions (id) on delete cascade,
  seq int not null,
  t int not null,
  recorded_at timestamptz not null default now(),
  primary key (attempt_id, sco, block_id)
);
create index block_views_session on block_views (session_id);

create function store_block_views() returns trigger language plpgsql as $$
begin
  insert into block_views (attempt_id, sco, block_id, session_id, seq, t, recorded_at)
  select
    sessions.attempt_id, event ->> 'sco', coalesce(event ->> 'key', ''), sessions.id, (event ->> 'seq')::int,
    least((event ->> 't')::bigint, 2147483647)::int, new.received_at
  from sessions
  cross join json_array_elements(new.events) event
  where sessions.id = new.session_id
    and event ->> 'sco' is not null
    and (event ->> 'type' = 'block.seen' and event ->> 'key' <> '' or event ->> 'type' = 'lesson.end')
  order by (event ->> 'seq')::int
  on conflict do nothing;
  return null;
exception
  -- No figure may refuse a commit, such as one with a text that SQL cannot read.
  when data_exception then return null;
end $$;
create trigger store_block_views after insert on session_events for each row
  when (new.events::text like '%block.seen%' or new.events::text like '%lesson.end%')
  execute function store_block_views();
