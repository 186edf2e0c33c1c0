-- outside a transaction
-- Designs of courses stay unique when `course_id` is no longer the primary key.
drop index concurrently if exists certificate_designs_course;
create unique index concurrently certificate_designs_course on certificate_designs (course_id);
