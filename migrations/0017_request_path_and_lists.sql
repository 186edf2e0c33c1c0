-- Whoever remembers the access of people hears of every change of it, whatever statement made it (server/core/database/accessChanges.ts).

-- Names these users on the channel `access_changes`, or everybody if there are many.
create function notify_access_changes(ids uuid[]) returns void language plpgsql as $$
begin
  if cardinality(ids) > 100 then
    perform pg_notify('access_changes', '*');
  else
    perform pg_notify('access_changes', id::text) from unnest(ids) id;
  end if;
end $$;

-- Every column counts, also those that are added later, except for those that only say when a person was here.
create function notify_changed_users() returns trigger language plpgsql as $$
declare
  passing text[] := array['last_active', 'last_login_at', 'updated_at', 'version'];
begin
  if tg_op = 'DELETE' then
    perform notify_access_changes(array(select id from old_rows limit 101));
  else
    perform notify_access_changes(array(select id from old_rows o left join new_rows n using (id)
      where to_jsonb(o) - passing is distinct from to_jsonb(n) - passing limit 101));
  end if;
  return null;
end $$;
create trigger users_access_update after update on users referencing old table as old_rows new table as new_rows
  for each statement execute function notify_changed_users();
create trigger users_access_delete after delete on users referencing old table as old_rows
  for each statement execute function notify_changed_users();

create function notify_changed_sessions() returns trigger language plpgsql as $$
declare
  passing text[] := array['expires_at', 'updated_at', 'seen_at', 'reauthenticated_at'];
begin
  if tg_op = 'DELETE' then
    perform notify_access_changes(array(select distinct user_id from old_rows limit 101));
  else
    perform notify_access_changes(array(select distinct o.user_id from old_rows o left join new_rows n using (id)
      where to_jsonb(o) - passing is distinct from to_jsonb(n) - passing limit 101));
  end if;
  return null;
end $$;
create trigger auth_sessions_access_update after update on auth_sessions referencing old table as old_rows new table as new_rows
  for each statement execute function notify_changed_sessions();
create trigger auth_sessions_access_delete after delete on auth_sessions referencing old table as old_rows
  for each statement execute function notify_changed_sessions();

create function notify_changed_companies() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changes', '*');
  return null;
end $$;
create trigger companies_access_update after update on companies for each row when (old.status is distinct from new.status)
  execute function notify_changed_companies();
create trigger companies_access_delete after delete on companies for each row execute function notify_changed_companies();

-- Lists: every search and every order that is offered has an index. None is on a column that commits change (progress, active_seconds,
-- last_activity_at): with such an index, every commit would have to write to all indexes of its enrolment.

create extension if not exists pg_trgm;
create index if not exists users_name_trgm on users using gin (name gin_trgm_ops);
create index if not exists users_email_trgm on users using gin (email gin_trgm_ops);
create index if not exists companies_name_trgm on companies using gin (name gin_trgm_ops);
create index if not exists courses_title_trgm on courses using gin (title gin_trgm_ops);

create index users_listed_name on users (lower(coalesce(nullif(name, ''), email)), id);
create index users_listed_email on users (lower(email), id) where role = 'learner';
create index users_last_active on users (last_active desc nulls last, id) where role = 'learner';
create index users_longest_inactive on users (last_active, id) where role = 'learner';
create index users_joined on users (created_at desc) where status = 'active' and activated_via is not null;
create index users_invited on users (company_id) where status = 'invited';
create index companies_listed_name on companies (lower(name), id);
create index courses_listed_title on courses (lower(title), id);

-- Open enrolments with a due date, for what is overdue; the rest of an enrolment is not read for it.
create index enrolments_due on enrolments (due_date) include (company_id, user_id, course_id, status)
  where due_date is not null and status in ('assigned', 'in_progress', 'failed');
create index enrolments_completed on enrolments (completed_at desc) include (company_id, status, due_date) where completed_at is not null;
create index enrolments_started on enrolments (first_started_at) include (company_id) where first_started_at is not null;
create index enrolments_failed on enrolments (company_id) where status = 'failed';
create index enrolments_counted on enrolments (course_id, company_id, status);
create index enrolments_user_status on enrolments (user_id, status);
create index sessions_started on sessions (started_at desc);
create index attempts_preview on attempts (id) where preview;
create index mails_failed on mails (company_id) where status = 'failed';
create index mails_user on mails (user_id);
create index audit_entries_course on audit_entries (course_id, at desc);
create index enrolments_next_due on enrolments (due_date, id) where user_id is not null and status <> 'withdrawn';
create index enrolments_last_due on enrolments (due_date desc nulls last, id) where user_id is not null and status <> 'withdrawn';
create index enrolments_assigned_by on enrolments (assigned_by) where assigned_by is not null;
create index mails_recipient on mails (lower(recipient));
