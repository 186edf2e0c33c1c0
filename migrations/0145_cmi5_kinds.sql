-- Packages of cmi5 and xAPI (Tin Can).
alter table courses drop constraint courses_kind_check;
alter table courses
add constraint courses_kind_check
check (kind in ('scorm12', 'scorm2004', 'html', 'lessons', 'mixed', 'cmi5', 'xapi')) not valid;

alter table packages drop constraint packages_kind_check;
alter table packages
add constraint packages_kind_check check (kind in ('scorm12', 'scorm2004', 'html', 'cmi5', 'xapi')) not valid;

create trigger add_other_package_of_version
after insert on course_versions
for each row
when (new.kind in ('cmi5', 'xapi'))
execute function add_package_of_version();
