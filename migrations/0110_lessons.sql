-- Courses that are written here: a version is a sequence of parts, and each part has its kind.
alter table courses drop constraint courses_kind_check;
alter table courses
add constraint courses_kind_check check (kind in ('scorm12', 'scorm2004', 'html', 'lessons')) not valid;

-- A version without a package has no manifest.
alter table course_versions alter column manifest drop not null;

update course_versions
set parts = (
  select coalesce(jsonb_agg(part || jsonb_build_object('kind', kind) order by place), '[]')
  from jsonb_array_elements(parts) with ordinality as listed (part, place)
)
where exists (
  select
  from jsonb_array_elements(parts) part
  where not part ? 'kind'
);
-- A server of the version before this one may still be running, and imports packages without a kind of their parts.
create function add_kind_of_parts() returns trigger language plpgsql as $$
begin
  new.parts := (
    select coalesce(jsonb_agg(jsonb_build_object('kind', new.kind) || part order by place), '[]')
    from jsonb_array_elements(new.parts) with ordinality as listed (part, place)
  );
  return new;
end $$;
create trigger add_kind_of_parts before insert on course_versions for each row execute function add_kind_of_parts();

-- The lessons of a version as they were published, which never change.
create table lesson_contents (
  version_id uuid not null references course_versions (id) on delete cascade,
  sco text not null,
  document jsonb not null,
  -- SHA-256 of every text by its id.
  hashes jsonb not null,
  bytes integer not null,
  primary key (version_id, sco)
);
-- The files that the lessons of a version show.
create table lesson_media (
  version_id uuid not null references course_versions (id) on delete cascade,
  file_id uuid not null references files (id),
  primary key (version_id, file_id)
);
create index lesson_media_file on lesson_media (file_id);

-- Which blocks the learner has seen, answered and watched.
alter table part_states add column lesson jsonb;

alter table files drop constraint files_purpose_check;
alter table files
add constraint files_purpose_check
check (purpose in ('course', 'document', 'event_cover', 'avatar', 'brand', 'export', 'import', 'lesson')) not valid;
