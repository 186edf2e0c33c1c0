-- outside a transaction
-- An account that is deleted leaves the updates that it wrote.
drop index concurrently if exists lesson_updates_author;
create index concurrently lesson_updates_author on lesson_updates (author_id) where author_id is not null;
