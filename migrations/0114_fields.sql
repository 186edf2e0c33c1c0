-- Custom fields: what an academy or a company wants to know about its people, such as department, site or entry date.
create table fields (
  id uuid primary key default gen_random_uuid(),
  -- Null: for the people of all companies.
  company_id uuid references companies (id) on delete cascade,
  key text not null,
  name text not null,
  kind text not null check (kind in ('text', 'choice', 'date', 'number')),
  -- Of a choice: `[{ id, name }]` in their order. Values are ids, so that a choice can be renamed.
  choices jsonb not null default '[]',
  visible_to text not null default 'admins' check (visible_to in ('admins', 'learner')),
  -- Archived fields are offered nowhere, and keep their values.
  archived_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null
);
create unique index fields_key on fields (coalesce(company_id, '00000000-0000-0000-0000-000000000000'), key);
create index fields_company on fields (company_id);

-- The value of a person: one of the three columns, by the kind of the field. A choice is stored as its id.
create table field_values (
  user_id uuid not null references users (id) on delete cascade,
  field_id uuid not null references fields (id) on delete cascade,
  text text check (length(text) <= 1000),
  day date,
  number double precision,
  primary key (user_id, field_id),
  check (num_nonnulls(text, day, number) = 1)
);
create index field_values_text on field_values (field_id, lower(text));
create index field_values_day on field_values (field_id, day) where day is not null;
create index field_values_number on field_values (field_id, number) where number is not null;

-- Every change of a value, as of enrolments (0014). The values go with the person; that something was changed stays.
create table field_value_history (
  id bigint generated always as identity primary key,
  person_id uuid not null,
  company_id uuid,
  field_id uuid not null,
  change text not null check (change in ('set', 'removed')),
  value jsonb,
  actor_id uuid,
  reason text,
  happened_at timestamptz not null,
  recorded_at timestamptz not null
);
create index field_value_history_person on field_value_history (person_id, id);
create index field_value_history_field on field_value_history (field_id, id);
create index field_value_history_actor on field_value_history (actor_id) where actor_id is not null;

create function write_field_value_history() returns trigger language plpgsql as $$
declare
  one field_values;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  -- Deleted with the person.
  if tg_op = 'DELETE' and not exists (select from users where id = old.user_id) then return null; end if;
  insert into field_value_history (person_id, company_id, field_id, change, value, actor_id, reason, happened_at,
    recorded_at)
  values (
    one.user_id,
    (select company_id from users where id = one.user_id),
    one.field_id,
    case when tg_op = 'DELETE' then 'removed' else 'set' end,
    case when tg_op <> 'DELETE' then coalesce(to_jsonb(one.text), to_jsonb(one.day), to_jsonb(one.number)) end,
    history_actor(),
    history_reason(),
    coalesce(history_time(), clock_timestamp()),
    clock_timestamp()
  );
  return null;
end $$;
create trigger write_history_insert after insert on field_values
  for each row execute function write_field_value_history();
create trigger write_history_delete after delete on field_values
  for each row execute function write_field_value_history();
create trigger write_history_update after update on field_values
  for each row
  when (old.text is distinct from new.text or old.day is distinct from new.day
    or old.number is distinct from new.number)
  execute function write_field_value_history();

create function refuse_field_history_change() returns trigger language plpgsql as $$
declare
  replaced text[] := array['person_id', 'actor_id', 'happened_at', 'recorded_at', 'value'];
begin
  if tg_op = 'UPDATE' and current_setting('lyceum.rewrite', true) = 'allowed' then
    if to_jsonb(new) - replaced = to_jsonb(old) - replaced and (new.value is null or new.value = old.value) then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger field_value_history_append_only before update or delete on field_value_history
  for each row execute function refuse_field_history_change();
create trigger field_value_history_no_truncate before truncate on field_value_history
  for each statement execute function refuse_field_history_change();

-- Values of fields of a company are forgotten when a person moves to another one.
create function forget_field_values() returns trigger language plpgsql as $$
begin
  delete from field_values
  using fields
  where fields.id = field_values.field_id
    and field_values.user_id = new.id
    and fields.company_id is distinct from new.company_id
    and fields.company_id is not null;
  return null;
end $$;
create trigger forget_field_values after update of company_id on users for each row
  when (old.company_id is distinct from new.company_id) execute function forget_field_values();

-- A user who goes takes the values along. What is left has a number of its own, because nothing is counted by it.
create function forget_field_history() returns trigger language plpgsql as $$
declare
  before text := coalesce(current_setting('lyceum.rewrite', true), '');
  pseudonym uuid := gen_random_uuid();
begin
  perform set_config('lyceum.rewrite', 'allowed', true);
  update field_value_history
    set person_id = pseudonym,
      value = null,
      happened_at = date_bin('15 minutes', happened_at, '2000-01-01'),
      recorded_at = date_bin('15 minutes', recorded_at, '2000-01-01')
    where person_id = old.id;
  update field_value_history set actor_id = pseudonym where actor_id = old.id;
  perform set_config('lyceum.rewrite', before, true);
  return null;
end $$;
create trigger write_history_of_fields after delete on users for each row execute function forget_field_history();
