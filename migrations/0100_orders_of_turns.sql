-- outside a transaction
drop index concurrently if exists turns_orders;
create index concurrently turns_orders on turns (conversation_id) where gives_orders;
