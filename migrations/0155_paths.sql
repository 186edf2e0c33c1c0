-- Learning paths: courses in an order, with a due day for each step (docs/decisions/0074-learning-paths.md).
create table paths (
  id uuid primary key default gen_random_uuid(),
  title text not null,
  description text not null default '',
  status text not null default 'draft' check (status in ('draft', 'published', 'archived')),
  -- The steps that are being edited.
  draft jsonb not null default '[]',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null
);
create index paths_title on paths (lower(title), id);
create index paths_updated on paths (updated_at, id);
create index paths_updated_by on paths (updated_by) where updated_by is not null;

-- What was published never changes.
create table path_versions (
  path_id uuid not null references paths (id) on delete cascade,
  no integer not null,
  steps jsonb not null,
  -- Whether those who have not completed an earlier version move to this one.
  moves boolean not null,
  published_at timestamptz not null default now(),
  published_by uuid references users (id) on delete set null,
  primary key (path_id, no)
);
create index path_versions_published_by on path_versions (published_by) where published_by is not null;

-- A person on a path, in one company.
create table path_enrolments (
  id uuid primary key default gen_random_uuid(),
  path_id uuid not null references paths (id) on delete cascade,
  version_no integer not null,
  user_id uuid not null references users (id) on delete cascade,
  company_id uuid not null references companies (id) on delete cascade,
  joined_at timestamptz not null default now(),
  -- The day of that in the time zone of the company.
  joined_on date not null,
  notify boolean not null default false,
  completed_at timestamptz,
  withdrawn_at timestamptz,
  made_by uuid references users (id) on delete set null,
  unique (path_id, user_id, company_id)
);
create index path_enrolments_user on path_enrolments (user_id);
create index path_enrolments_company on path_enrolments (company_id);
create index path_enrolments_made_by on path_enrolments (made_by) where made_by is not null;

-- The steps that are open or done; a locked step has no row.
create table path_steps (
  enrolment_id uuid not null references path_enrolments (id) on delete cascade,
  step_id uuid not null,
  due_date date,
  opened_at timestamptz not null default now(),
  done_at timestamptz,
  -- The version by whose terms the step was done.
  done_version integer,
  primary key (enrolment_id, step_id),
  check ((done_at is null) = (done_version is null))
);

-- People whose steps have to be computed, until a job has done so.
create table path_changes (
  id bigint generated always as identity primary key,
  enrolment_id uuid not null references path_enrolments (id) on delete cascade,
  -- 0: what somebody has done; 1: an assignment or a new version; 2: the daily check. Lower ones come first.
  priority integer not null default 0,
  due_at timestamptz not null default now(),
  failures integer not null default 0
);
create index path_changes_due on path_changes (priority, due_at, id);
create index path_changes_enrolment on path_changes (enrolment_id);

create function refuse_path_version_change() returns trigger language plpgsql as $$
begin
  if (new.path_id, new.no, new.steps, new.moves, new.published_at)
    is distinct from (old.path_id, old.no, old.steps, old.moves, old.published_at) then
    raise exception 'a published version of a path does not change';
  end if;
  return new;
end $$;
create trigger refuse_path_version_change before update on path_versions for each row
  execute function refuse_path_version_change();

-- Orders the job once in a transaction.
create function wake_paths() returns void language plpgsql as $$
begin
  if current_setting('lyceum.paths_woken', true) is distinct from pg_current_xact_id()::text then
    perform set_config('lyceum.paths_woken', pg_current_xact_id()::text, true);
    perform graphile_worker.add_job('paths:follow', '{}', queue_name := 'paths');
  end if;
end $$;

-- Follows a course that was completed, taken back or given back. Courses that an admin withdraws stay withdrawn, and paths
-- and rules follow what they give themselves. After a commit of the player, server/paths/domain.ts orders the job.
create function follow_enrolment_for_paths() returns trigger language plpgsql as $$
begin
  if new.user_id is null then return null; end if;
  if tg_op = 'UPDATE' and 'completed' not in (old.status, new.status) and (
    (new.status = 'withdrawn' and history_reason() is distinct from 'courses.undo')
    or coalesce(current_setting('lyceum.enrolment_reason', true), '') = 'rule'
  ) then
    return null;
  end if;
  insert into path_changes (enrolment_id)
    select id
    from path_enrolments
    where user_id = new.user_id
      and company_id = new.company_id
      and withdrawn_at is null;
  if found and (tg_op = 'INSERT' or new.happened_at is not distinct from old.happened_at) then
    perform wake_paths();
  end if;
  return null;
end $$;
create trigger follow_enrolment_for_paths_made after insert on enrolments for each row
  when (new.status = 'completed') execute function follow_enrolment_for_paths();
create trigger follow_enrolment_for_paths_changed after update on enrolments for each row
  when (
    old.status <> new.status
    and ('completed' in (old.status, new.status) or 'withdrawn' in (old.status, new.status))
  )
  execute function follow_enrolment_for_paths();

-- A due day that an admin or a rule has changed is that of the step too.
create function follow_due_day_for_paths() returns trigger language plpgsql as $$
begin
  if history_reason() is not distinct from 'paths:follow' then return null; end if;
  insert into path_changes (enrolment_id, priority)
    select id, 1
    from path_enrolments
    where user_id = new.user_id
      and company_id = new.company_id
      and withdrawn_at is null
      and completed_at is null;
  if found then perform wake_paths(); end if;
  return null;
end $$;
create trigger follow_due_day_for_paths after update of due_date on enrolments for each row
  when (old.due_date is distinct from new.due_date and new.user_id is not null)
  execute function follow_due_day_for_paths();

-- Who returns to a company continues there.
create function follow_person_for_paths() returns trigger language plpgsql as $$
begin
  insert into path_changes (enrolment_id)
    select id
    from path_enrolments
    where user_id = new.id
      and company_id = new.company_id
      and withdrawn_at is null;
  if found then perform wake_paths(); end if;
  return null;
end $$;
create trigger follow_person_for_paths after update on users for each row
  when (old.company_id is distinct from new.company_id) execute function follow_person_for_paths();
