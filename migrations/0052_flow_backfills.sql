-- A new flow has still to pass on what its source has when it begins, if an admin has asked for it.
alter table flows rename column waits to backfill_pending;

-- withdrawn: the value was corrected before it was sent. The row stays without its content, because the correction is sent instead.
-- `not valid`: the rows are checked by the next migration, which lets others read and write them meanwhile.
alter table webhook_deliveries drop constraint webhook_deliveries_status_check;
alter table webhook_deliveries add constraint webhook_deliveries_status_check check (status in ('pending', 'delivered', 'withdrawn'))
  not valid;

-- How far the backfill of a sum has come: it passes the values up to `until` one batch after another, in the order of their ids.
-- The row stays afterwards: corrections of these values pass.
create table flow_backfills (
  flow_id uuid primary key references flows (id) on delete cascade,
  until_tx xid8 not null,
  until_value_id bigint not null,
  after_value_id bigint not null default 0,
  -- Per company, what it has added that comes from no value any more and has still to pass: of people who were erased, for example.
  removed jsonb not null
);
