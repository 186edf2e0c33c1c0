-- Why a learner has a course: every reason with its time (docs/decisions/0067-enrolment-rules.md). An enrolment that is
-- not withdrawn has at least one reason that has not ended. Triggers write them, so that no way to enrol is forgotten;
-- the previous release, which knows nothing of reasons, writes them too.
create table enrolment_reasons (
  id bigint generated always as identity primary key,
  enrolment_id uuid not null references enrolments (id) on delete cascade,
  company_id uuid not null,
  -- `kept`: the rule no longer applies, and the learner keeps the course.
  kind text not null
    check (kind in ('person', 'company', 'rule', 'code', 'invitation', 'import', 'event', 'kept')),
  -- The rule of `rule` and `kept`. Without a foreign key: rules are only marked as removed.
  rule_id uuid,
  -- The day by which the rule asks for it.
  due_date date,
  since timestamptz not null default now(),
  made_by uuid references users (id) on delete set null,
  until timestamptz,
  -- `withdrawn`: by an admin, which rules respect. `left`: the rule no longer applies. `replaced`: a kept course got
  -- another reason.
  ended text check (ended in ('withdrawn', 'left', 'undone', 'removed', 'replaced')),
  ended_by uuid references users (id) on delete set null,
  check ((until is null) = (ended is null))
);
create unique index enrolment_reasons_open on enrolment_reasons (enrolment_id, kind, rule_id) nulls not distinct
  where until is null;
create index enrolment_reasons_enrolment on enrolment_reasons (enrolment_id, until);
create index enrolment_reasons_rule on enrolment_reasons (rule_id, enrolment_id) where rule_id is not null;
create index enrolment_reasons_made_by on enrolment_reasons (made_by, since) where made_by is not null;
create index enrolment_reasons_ended_by on enrolment_reasons (ended_by) where ended_by is not null;

-- The reason of a new enrolment: what `lyceum.enrolment_reason` says, or its source.
create function reason_of_enrolment(source text, assigned_by uuid) returns text language sql stable
  return coalesce(
    nullif(current_setting('lyceum.enrolment_reason', true), ''),
    case when source = 'company' or (source <> 'manual' and assigned_by is null) then source else 'person' end
  );

create function write_enrolment_reason() returns trigger language plpgsql as $$
declare
  earlier text;
  -- Rules write their reasons themselves, because several can enrol a learner at once.
  is_by_rule boolean := coalesce(current_setting('lyceum.enrolment_reason', true) = 'rule', false);
begin
  if tg_op = 'INSERT' then
    if new.status <> 'withdrawn' and new.user_id is not null and not is_by_rule then
      insert into enrolment_reasons (enrolment_id, company_id, kind, since, made_by)
        values (
          new.id, new.company_id, reason_of_enrolment(new.source, new.assigned_by), new.assigned_at,
          coalesce(new.assigned_by, history_actor())
        );
    end if;
    return null;
  end if;
  -- Results without a name have no reasons.
  if new.user_id is null then
    delete from enrolment_reasons where enrolment_id = new.id;
    return null;
  end if;
  if new.status = 'withdrawn' then
    -- Who undoes the return of a course is back at the withdrawal by an admin.
    select ended into earlier
      from enrolment_reasons
      where enrolment_id = new.id and until is not null
      order by until desc, id desc
      limit 1;
    update enrolment_reasons
      set until = greatest(now(), since),
        ended = case when history_reason() = 'courses.undo' and earlier is distinct from 'withdrawn'
          then 'undone' else 'withdrawn' end,
        ended_by = history_actor()
      where enrolment_id = new.id and until is null;
  elsif old.status = 'withdrawn' then
    -- An undone withdrawal brings the reasons back that it had ended.
    if history_reason() = 'courses.undo' then
      insert into enrolment_reasons (enrolment_id, company_id, kind, rule_id, due_date, since, made_by)
        select enrolment_id, company_id, kind, rule_id, due_date, since, made_by
        from enrolment_reasons
        where enrolment_id = new.id
          and ended = 'withdrawn'
          and until = (select max(until) from enrolment_reasons where enrolment_id = new.id)
        on conflict do nothing;
    end if;
    if not is_by_rule and not exists (
      select from enrolment_reasons where enrolment_id = new.id and until is null
    ) then
      insert into enrolment_reasons (enrolment_id, company_id, kind, made_by)
        values (new.id, new.company_id, 'person', coalesce(history_actor(), new.assigned_by));
    end if;
  end if;
  return null;
end $$;
create trigger write_enrolment_reason_insert after insert on enrolments
  for each row execute function write_enrolment_reason();
create trigger write_enrolment_reason_update after update on enrolments for each row
  when (
    (old.status = 'withdrawn') <> (new.status = 'withdrawn')
    or (old.user_id is not null and new.user_id is null)
  )
  execute function write_enrolment_reason();
