-- Packages, apart from the versions that use them: an uploaded version consists of one, a version that was written
-- here refers to those among its lessons.
create table packages (
  -- The name of its folder.
  id uuid primary key,
  course_id uuid not null references courses (id) on delete cascade,
  kind text not null check (kind in ('scorm12', 'scorm2004', 'html')),
  title text not null,
  file_name text not null,
  bytes bigint not null,
  files integer not null,
  parts jsonb not null,
  warnings jsonb not null,
  questions jsonb not null,
  package_names jsonb not null,
  file_id uuid unique references files (id),
  created_at timestamptz not null default now(),
  created_by uuid references users (id)
);
create index packages_course on packages (course_id);
create index packages_created_by on packages (created_by);

create table version_packages (
  version_id uuid not null references course_versions (id) on delete cascade,
  package_id uuid not null references packages (id),
  -- The lesson that the package stands for; a version that was uploaded is its package.
  entry text not null,
  primary key (version_id, entry)
);
create index version_packages_package on version_packages (package_id);

create function add_package_of_version() returns trigger language plpgsql as $$
begin
  insert into packages (
    id, course_id, kind, title, file_name, bytes, files, parts, warnings, questions, package_names, file_id,
    created_at, created_by
  )
  values (
    new.id, new.course_id, new.kind, new.title, new.file_name, new.bytes, new.files, new.parts, new.warnings,
    new.questions, new.package_names, new.file_id, new.created_at, new.created_by
  );
  insert into version_packages (version_id, package_id, entry) values (new.id, new.id, '');
  return new;
end $$;
create trigger add_package_of_version
after insert on course_versions
for each row
when (new.kind in ('scorm12', 'scorm2004', 'html'))
execute function add_package_of_version();

insert into packages (
  id, course_id, kind, title, file_name, bytes, files, parts, warnings, questions, package_names, file_id, created_at,
  created_by
)
select
  id, course_id, kind, title, file_name, bytes, files, parts, warnings, questions, package_names, file_id, created_at,
  created_by
from course_versions
where kind in ('scorm12', 'scorm2004', 'html');
insert into version_packages (version_id, package_id, entry)
select id, id, ''
from course_versions
where kind in ('scorm12', 'scorm2004', 'html');

alter table courses drop constraint courses_kind_check;
alter table courses
add constraint courses_kind_check check (kind in ('scorm12', 'scorm2004', 'html', 'lessons', 'mixed')) not valid;
