-- What a bulk change of enrolments replaced, so that the admin who made it can undo it. Deleted after a day.
create table undo_steps (
  id uuid primary key default gen_random_uuid(),
  made_by uuid not null references users (id) on delete cascade,
  made_at timestamptz not null default now(),
  undone_at timestamptz
);
create index undo_steps_made_at on undo_steps (made_at);
create index undo_steps_made_by on undo_steps (made_by);

-- An enrolment as it was before the step; without a status, the step created it.
create table undo_enrolments (
  step_id uuid not null references undo_steps (id) on delete cascade,
  enrolment_id uuid not null references enrolments (id) on delete cascade,
  status text check (status in ('assigned', 'in_progress', 'completed', 'failed', 'withdrawn')),
  due_date date,
  notified_at timestamptz,
  primary key (step_id, enrolment_id)
);
create index undo_enrolments_enrolment on undo_enrolments (enrolment_id);

-- The assignment of a course to a company before the step; `existed` is false if the step created it.
create table undo_company_courses (
  step_id uuid not null references undo_steps (id) on delete cascade,
  company_id uuid not null references companies (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  existed boolean not null,
  due_date date,
  primary key (step_id, company_id, course_id)
);
create index undo_company_courses_company on undo_company_courses (company_id);
create index undo_company_courses_course on undo_company_courses (course_id);
