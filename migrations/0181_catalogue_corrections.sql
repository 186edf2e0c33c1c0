-- Taken off a waiting list is told in other words than a refusal.
alter table catalogue_notices
  drop constraint catalogue_notices_kind_check,
  add constraint catalogue_notices_kind_check
    check (kind in ('asked', 'approved', 'declined', 'takenOff', 'placed', 'closed'))
    not valid;

-- People hold no places while their company is suspended. When it is active again, offers with places are counted again
-- even if no request waits.
create or replace function follow_company_for_catalogue() returns trigger language plpgsql as $$
begin
  insert into catalogue_changes (offer_id)
  select id
  from catalogue_offers
  where company_id = new.id
    and (
      places is not null
      or exists (
        select from catalogue_requests
        where catalogue_requests.offer_id = catalogue_offers.id
          and catalogue_requests.status in ('open', 'waiting')
      )
    );
  if found then perform wake_catalogue(); end if;
  return null;
end $$;

-- An erasure deletes the requests of a person. An offer that is deleted takes its requests along and needs no count.
create or replace function free_place_of_request() returns trigger language plpgsql as $$
begin
  insert into catalogue_changes (offer_id)
  select id
  from catalogue_offers
  where id in (
    select offer_id
    from gone
    where status in ('open', 'waiting', 'enrolled')
  );
  if found then perform wake_catalogue(); end if;
  return null;
end $$;
create or replace trigger free_place_of_request after delete on catalogue_requests
  referencing old table as gone
  for each statement
  execute function free_place_of_request();

-- Companies that were suspended before this version left offers that count nobody.
insert into catalogue_changes (offer_id)
select id
from catalogue_offers
where places is not null;
do $$
begin
  if exists (select from catalogue_changes) then perform wake_catalogue(); end if;
end $$;
