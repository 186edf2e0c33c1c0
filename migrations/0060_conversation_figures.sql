-- What conversations add up to is stored with each of them, in the transaction that changes a turn, so that figures of a period do not
-- read its messages. `npm run recount` computes it anew. There are no references: the rows go with the turns.
create table conversation_figures (
  conversation_id uuid primary key,
  -- As that of the conversation: figures of a period are next to each other in an index.
  started_at timestamptz not null,
  -- Messages of the person, and the answers to them. A refusal is an answer without one.
  questions integer not null default 0,
  answers integer not null default 0,
  refused integer not null default 0,
  -- Answers of chatbots that give hints first, with a part of the solution, with all of it.
  guided integer not null default 0,
  partial integer not null default 0,
  solutions integer not null default 0,
  ratings integer not null default 0,
  thumbs_up integer not null default 0,
  tokens bigint not null default 0,
  cost_micros bigint not null default 0,
  -- Calls of models without a price.
  unpriced integer not null default 0,
  -- When each message of the person, and each full solution, was written.
  asked_at timestamptz[] not null default '{}',
  solved_at timestamptz[] not null default '{}',
  -- Milliseconds until the first word and until the end, of answers with both a call and a first word.
  first_ms double precision[] not null default '{}',
  total_ms double precision[] not null default '{}',
  -- Documents that answers cite, once for each answer; and the turns without an answer.
  document_ids uuid[] not null default '{}',
  refused_ids uuid[] not null default '{}'
);

-- Answers of a conversation by what wrote them.
create table conversation_calls (
  conversation_id uuid not null,
  -- The model, or the connector if it has none.
  model text not null,
  prompt_version_id uuid,
  -- All of them, and those that count as answers.
  calls integer not null,
  answers integer not null,
  refused integer not null,
  ratings integer not null,
  thumbs_up integer not null,
  tokens bigint not null,
  cost_micros bigint not null
);
create index conversation_calls_conversation on conversation_calls (conversation_id);

-- The figures of conversations, from their turns. An answer that is being written does not count yet.
create function figures_of_turns(ids uuid[]) returns setof conversation_figures language sql stable as $$
  with t as (select *, turns.role = 'assistant' and turns.state in ('done', 'refused', 'stopped', 'cut') and turns.parent_id is not null as is_answer,
      turns.give_away is not null and turns.state in ('done', 'stopped', 'cut') as is_guided,
      turns.role = 'assistant' and turns.usage_id is not null and turns.first_at is not null as is_timed
    from turns where turns.conversation_id = any(ids) and turns.state not in ('waiting', 'streaming')),
  cited as (select conversation_id, array_agg(document_id order by number, document_id) as ids from (
      select distinct t.conversation_id, t.number, (s->>'documentId')::uuid as document_id from t cross join lateral jsonb_array_elements(t.sources) s) each
    where document_id is not null group by conversation_id)
  select conversation_id, (select started_at from conversations where id = conversation_id),
    (count(*) filter (where role = 'user'))::int, (count(*) filter (where is_answer))::int, (count(*) filter (where state = 'refused'))::int,
    (count(*) filter (where is_guided))::int, (count(*) filter (where is_guided and give_away = 'partial'))::int,
    (count(*) filter (where is_guided and give_away = 'full'))::int,
    (count(rating))::int, (count(*) filter (where rating = 'up'))::int,
    coalesce(sum(coalesce(tokens_in, 0) + coalesce(tokens_out, 0)), 0)::bigint, coalesce(sum(cost_micros), 0)::bigint,
    (count(*) filter (where usage_id is not null and cost_micros is null))::int,
    coalesce(array_agg(created_at order by number) filter (where role = 'user'), '{}'),
    coalesce(array_agg(created_at order by number) filter (where is_guided and give_away = 'full'), '{}'),
    coalesce(array_agg((extract(epoch from first_at - created_at) * 1000)::double precision order by number) filter (where is_timed), '{}'),
    coalesce(array_agg((extract(epoch from finished_at - created_at) * 1000)::double precision order by number) filter (where is_timed), '{}'),
    coalesce(cited.ids, '{}'),
    coalesce(array_agg(id order by number) filter (where state = 'refused'), '{}')
  from t left join cited using (conversation_id) group by conversation_id, cited.ids
$$;
create function calls_of_turns(ids uuid[]) returns setof conversation_calls language sql stable as $$
  select turns.conversation_id, coalesce(turns.model, turns.connector), u.prompt_version_id, count(*)::int,
    (count(*) filter (where turns.role = 'assistant' and turns.state in ('done', 'refused', 'stopped', 'cut') and turns.parent_id is not null))::int,
    (count(*) filter (where turns.state = 'refused'))::int, (count(turns.rating))::int, (count(*) filter (where turns.rating = 'up'))::int,
    coalesce(sum(coalesce(turns.tokens_in, 0) + coalesce(turns.tokens_out, 0)), 0)::bigint, coalesce(sum(turns.cost_micros), 0)::bigint
  from turns left join ai_usage u on u.id = turns.usage_id
  where turns.conversation_id = any(ids) and turns.connector is not null and turns.state not in ('waiting', 'streaming')
  group by turns.conversation_id, coalesce(turns.model, turns.connector), u.prompt_version_id
$$;

-- Stores them. Each statement sees what others have committed while this one waited for the rows.
create function count_conversations(ids uuid[]) returns void language plpgsql as $$
begin
  insert into conversation_figures (conversation_id, started_at) select id, started_at from conversations where id = any(ids)
    on conflict do nothing;
  perform from conversation_figures where conversation_id = any(ids) order by conversation_id for update;
  update conversation_figures f set (questions, answers, refused, guided, partial, solutions, ratings, thumbs_up, tokens, cost_micros, unpriced,
      asked_at, solved_at, first_ms, total_ms, document_ids, refused_ids)
    = (n.questions, n.answers, n.refused, n.guided, n.partial, n.solutions, n.ratings, n.thumbs_up, n.tokens, n.cost_micros, n.unpriced,
      n.asked_at, n.solved_at, n.first_ms, n.total_ms, n.document_ids, n.refused_ids)
    from figures_of_turns(ids) n where n.conversation_id = f.conversation_id;
  delete from conversation_calls where conversation_id = any(ids);
  insert into conversation_calls select * from calls_of_turns(ids);
end $$;

create function count_new_turns() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  select array_agg(distinct conversation_id) into ids from new_rows where state not in ('waiting', 'streaming');
  if ids is not null then perform count_conversations(ids); end if;
  return null;
end $$;
create function count_changed_turn() returns trigger language plpgsql as $$
begin
  perform count_conversations(array[new.conversation_id]);
  return null;
end $$;
-- A conversation without turns has no figures: none are left behind when it is deleted.
create function count_removed_turns() returns trigger language plpgsql as $$
declare ids uuid[]; kept uuid[];
begin
  select array_agg(distinct conversation_id) into ids from old_rows;
  if ids is null then return null; end if;
  select array_agg(one.id) into kept from unnest(ids) one(id)
    where exists (select from turns where turns.conversation_id = one.id and turns.state not in ('waiting', 'streaming'));
  delete from conversation_figures where conversation_id = any(ids) and conversation_id <> all(coalesce(kept, '{}'));
  delete from conversation_calls where conversation_id = any(ids) and conversation_id <> all(coalesce(kept, '{}'));
  if kept is not null then perform count_conversations(kept); end if;
  return null;
end $$;
create trigger turns_counted_insert after insert on turns referencing new table as new_rows
  for each statement execute function count_new_turns();
create trigger turns_counted_delete after delete on turns referencing old table as old_rows
  for each statement execute function count_removed_turns();
-- While an answer is written, its text changes many times and nothing is counted.
create trigger turns_counted_update after update on turns for each row
  when (new.state not in ('waiting', 'streaming') and
    (old.state, old.role, old.parent_id, old.rating, old.give_away, old.tokens_in, old.tokens_out, old.cost_micros, old.usage_id, old.connector,
      old.model, old.sources, old.created_at, old.first_at, old.finished_at)
    is distinct from (new.state, new.role, new.parent_id, new.rating, new.give_away, new.tokens_in, new.tokens_out, new.cost_micros, new.usage_id,
      new.connector, new.model, new.sources, new.created_at, new.first_at, new.finished_at))
  execute function count_changed_turn();

create function count_moved_conversation() returns trigger language plpgsql as $$
begin
  update conversation_figures set started_at = new.started_at where conversation_id = new.id;
  return null;
end $$;
create trigger conversations_counted_update after update on conversations for each row when (old.started_at is distinct from new.started_at)
  execute function count_moved_conversation();

-- Courses for which an answer to a question was ever stored. Whether one still is, is asked for these only.
create table answered_courses (course_id uuid primary key references courses (id) on delete cascade);
create function note_answered_courses() returns trigger language plpgsql as $$
begin
  insert into answered_courses select distinct a.course_id from new_rows n join attempts a on a.id = n.attempt_id
    where not exists (select from answered_courses known where known.course_id = a.course_id) on conflict do nothing;
  return null;
end $$;
create trigger answers_noted after insert on answers referencing new table as new_rows
  for each statement execute function note_answered_courses();

insert into conversation_figures select f.* from figures_of_turns((select array_agg(id) from conversations)) f;
insert into conversation_calls select c.* from calls_of_turns((select array_agg(id) from conversations)) c;
insert into answered_courses select distinct a.course_id from answers n join attempts a on a.id = n.attempt_id;

create index conversation_figures_started on conversation_figures (started_at);
create index conversations_started on conversations (started_at, id) where questions > 0 and not is_preview;

-- Where a question without an answer was asked: groups are counted without reading the turns.
alter table clustered_questions add column question_id uuid, add column conversation_id uuid;
update clustered_questions g set question_id = a.parent_id, conversation_id = a.conversation_id from turns a where a.id = g.turn_id;
delete from clustered_questions where question_id is null;
alter table clustered_questions alter column question_id set not null, alter column conversation_id set not null;
drop index clustered_questions_cluster;
create index clustered_questions_cluster on clustered_questions (cluster_id, question_id, asked_at);

-- Pages of conversations by their last message, and their number, are read from an index.
drop index conversations_last;
create index conversations_last on conversations (last_at, id) include (is_preview, questions);
drop index conversations_chatbot;
create index conversations_chatbot on conversations (chatbot_id, last_at, id) include (is_preview, questions);
do $$ begin
  if exists (select from pg_extension where extname = 'pg_trgm') then
    create index conversations_title_trigrams on conversations using gin (title gin_trgm_ops) with (gin_pending_list_limit = 64);
  end if;
end $$;
-- What the last days have cost.
create index turns_cost on turns (created_at) include (conversation_id, cost_micros) where cost_micros > 0;
