-- Time stamps (RFC 3161) of the signed roots of days that have ended, as the authority has sent them.
create table certificate_timestamps (
  company_id uuid not null,
  day date not null,
  reply bytea not null check (octet_length(reply) <= 65536),
  authority text not null,
  stamped_at timestamptz not null,
  received_at timestamptz not null default now(),
  primary key (company_id, day),
  foreign key (company_id, day) references certificate_heads (company_id, day)
);
create trigger certificate_timestamps_append_only before delete on certificate_timestamps
  for each row execute function refuse_rewriting();
