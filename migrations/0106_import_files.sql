-- Files with people are uploaded for an import, and deleted once they are read.
alter table files drop constraint files_purpose_check;
alter table files
add constraint files_purpose_check
check (purpose in ('course', 'document', 'event_cover', 'avatar', 'brand', 'export', 'import')) not valid;
