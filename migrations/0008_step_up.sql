-- Confirming again who sits at a session, and sessions that a company's provider opened.

-- When the person confirmed it last, after the sign-in itself (created_at).
alter table auth_sessions add column proven_at timestamptz;
-- Opened by this connection; the end that no visit puts off.
alter table auth_sessions add column connection_id uuid references sso_connections (id) on delete cascade;
alter table auth_sessions add column ends_at timestamptz;
create index auth_sessions_connection on auth_sessions (connection_id) where connection_id is not null;
create index auth_sessions_ends on auth_sessions (ends_at) where ends_at is not null;

-- Who has no other way in than a company's provider came by it.
update auth_sessions s set connection_id = c.id, ends_at = now() + interval '12 hours'
from auth_accounts a join sso_connections c on a.provider_id = 'sso:' || c.id
where a.user_id = s.user_id and not exists (select from auth_accounts o where o.user_id = s.user_id and o.provider_id not like 'sso:%')
  and not exists (select from auth_passkeys p where p.user_id = s.user_id);

alter table auth_flows drop constraint auth_flows_purpose_check;
alter table auth_flows add constraint auth_flows_purpose_check check (purpose in ('signIn', 'register', 'link', 'prove'));
