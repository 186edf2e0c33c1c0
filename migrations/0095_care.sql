-- Who is told about calls for help: nobody, until a company names them, why they are told, and when they look.
-- Until now the person that the chatbot names was told, or all admins.
create table care_settings (
  id uuid primary key default gen_random_uuid(),
  -- null: people without a company
  company_id uuid references companies (id) on delete cascade,
  purpose text not null,
  hours text not null,
  connector_id uuid references connectors (id) on delete set null,
  model text not null default '',
  version integer not null default 1,
  unique nulls not distinct (company_id)
);
create table care_people (
  settings_id uuid not null references care_settings (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  primary key (settings_id, user_id)
);
create index care_people_user on care_people (user_id);
create index care_settings_connector on care_settings (connector_id);
-- The help text is shown below the message, because a moderation model has found a call for help in it.
alter table turns add column shows_help boolean not null default false;
alter table ai_usage drop constraint ai_usage_purpose_check;
alter table ai_usage add constraint ai_usage_purpose_check check (purpose in (
  'chat', 'prompt', 'button', 'analysis', 'document', 'embedding', 'transcription', 'speech', 'test', 'comparison',
  'moderation'
)) not valid;
