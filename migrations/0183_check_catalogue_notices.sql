-- outside a transaction
alter table catalogue_notices validate constraint catalogue_notices_kind_check;
