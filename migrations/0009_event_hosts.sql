-- Who invites: a person has a round mark, an organisation a square one, and search engines are told which it is.
alter table events add column organiser_kind text not null default 'organisation' check (organiser_kind in ('person', 'organisation'));
