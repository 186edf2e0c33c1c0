-- A statement that deletes a certificate and the one that it replaced may delete the newer one first: the badge of the
-- older one stays revoked.
create or replace function follow_certificate_of_badge() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.replaces is not null then
    update badges
    set was_revoked = true
    where certificate_id = old.replaces;
  end if;
  update badges
  set credential = null,
    made_at = date_trunc('day', made_at),
    was_revoked = was_revoked or tg_op = 'DELETE' and (
      old.revoked_at is not null
      or exists (
        select from certificates later
        where later.replaces = old.id
      )
    )
  where certificate_id = old.id;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
