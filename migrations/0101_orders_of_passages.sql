-- outside a transaction
drop index concurrently if exists passages_orders;
create index concurrently passages_orders on passages (version_id) where gives_orders;
