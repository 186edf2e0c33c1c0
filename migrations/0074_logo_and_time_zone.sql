-- The logo of the academy, with its size in px.
alter table settings add column logo bytea;
alter table settings add column logo_type text;
alter table settings add column logo_width integer;
alter table settings add column logo_height integer;
-- Used where neither a company nor an event has its own; null counts as UTC.
alter table settings add column time_zone text;
