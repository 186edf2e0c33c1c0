-- A new flow has still to pass on what is current before anything else, if an admin has asked for it.
alter table flows rename column waits to backfill_pending;

-- withdrawn: the value was corrected before it was sent. The row stays without its content, because the correction is sent instead.
alter table webhook_deliveries drop constraint webhook_deliveries_status_check;
alter table webhook_deliveries add constraint webhook_deliveries_status_check check (status in ('pending', 'delivered', 'withdrawn'));
