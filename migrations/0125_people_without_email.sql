-- People without an email address (decision 64): found by company and personnel number, they log in with a PIN.
alter table users alter column email drop not null;
-- `not valid`: the rows fulfil it, because every one of them has an address.
alter table users
  add constraint users_email_check check (email is not null or (role = 'learner' and name <> '')) not valid;

-- Whether people of the company log in with a PIN: not at all, with the PIN always, or with a printed card alone.
alter table companies
  add column pin_login text not null default 'off' check (pin_login in ('off', 'pin', 'card'));

-- The PIN of a person and the secret of their printed card, both as hashes. `is_initial`: another person knows the PIN,
-- so it must be changed at the next login.
create table auth_pins (
  user_id uuid primary key references users (id) on delete cascade,
  pin_hash text not null,
  is_initial boolean not null default true,
  card_hash text not null unique,
  issued_at timestamptz not null default now(),
  issued_by uuid references users (id) on delete set null,
  changed_at timestamptz
);
create index auth_pins_issued_by on auth_pins (issued_by) where issued_by is not null;

-- A session on a device that several people use.
alter table auth_sessions add column is_shared boolean not null default false;

-- A person without an email address keeps the number in another company, because nothing else identifies them.
create or replace function forget_personnel_number() returns trigger language plpgsql as $$
begin
  if new.email is null and new.company_id is not null then
    update personnel_numbers set company_id = new.company_id where user_id = new.id;
  else
    delete from personnel_numbers where user_id = new.id;
  end if;
  return null;
end $$;

-- A person without an email address joins with the first PIN of their own.
alter table users drop constraint users_activated_via_check;
alter table users
  add constraint users_activated_via_check
  check (activated_via in ('invitation', 'code', 'claim', 'admin', 'sso', 'pin')) not valid;

-- Who gets emails about a person without an address: the next manager above who has one, and the right to see them.
create function mail_manager_of(person uuid) returns uuid language sql stable
  begin atomic
    with recursive above (id, step) as (
      select managers.manager_id, 1
      from managers
      where managers.user_id = person
      union all
      select managers.manager_id, above.step + 1
      from above
      join managers on managers.user_id = above.id
      where above.step < 100
    )
    select users.id
    from above
    join users on users.id = above.id
    where users.email is not null
      and exists (select from managers_in_place_of(users.id))
    order by above.step
    limit 1;
  end;
