-- A new flow first passes on the values that are current, if an admin has asked for it. Until then nothing else passes.
alter table flows add column waits boolean not null default false;
-- Values up to this one of the transaction since_tx are not sent through either.
alter table flows add column since_value_id bigint not null default 0;

-- Systems of two companies may give their values the same ids.
drop index variable_values_external;
create unique index variable_values_external on variable_values (company_id, external_id) where external_id is not null;

-- A delivery is tried again until it arrives: no delivery fails for good.
alter table webhook_deliveries drop constraint webhook_deliveries_status_check;
alter table webhook_deliveries add constraint webhook_deliveries_status_check check (status in ('pending', 'delivered'));
