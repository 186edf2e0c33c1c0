-- Checks the deliveries of before 0052, in a transaction of its own: it locks nobody out.
alter table webhook_deliveries validate constraint webhook_deliveries_status_check;
