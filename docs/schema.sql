-- The schema of the database, for reading: made from the migrations by `npm run db:types`, checked by
-- `npm run check`. The domain.ts of a domain says how many rows its tables get, and how long rows are kept.
-- The numbers that the migrations skip (0022, 0029, 0036, 0037, 0043, 0044, 0058, 0066, 0067, 0068, 0069, 0075, 0076, 0077, 0078, 0079, 0080, 0081, 0083, 0084, 0087, 0088, 0089, 0090, 0093, 0094, 0096, 0098, 0108, 0109, 0111, 0112, 0116, 0121, 0122, 0127, 0128, 0138, 0139, 0141, 0142, 0143, 0144, 0147, 0148, 0149, 0153, 0154, 0158, 0159, 0161, 0162, 0163, 0166, 0167, 0168, 0169, 0172, 0174, 0175, 0191, 0192, 0193, 0194) were reserved for parallel work that needed none.

-- analysis

-- 1000 rows a year per chatbot; kept as long as the analysis and the conversation
create table analysis_quotes (
  id bigint generated always as identity not null,
  statement_id bigint not null,
  turn_id uuid not null,
  starts integer not null,
  ends integer not null,
  constraint analysis_quotes_pkey PRIMARY KEY (id),
  constraint analysis_quotes_statement_id_turn_id_key UNIQUE (statement_id, turn_id),
  constraint analysis_quotes_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES analysis_statements(id) ON DELETE CASCADE,
  constraint analysis_quotes_turn_id_fkey FOREIGN KEY (turn_id) REFERENCES turns(id) ON DELETE CASCADE
);
CREATE INDEX analysis_quotes_turn ON analysis_quotes (turn_id);
CREATE TRIGGER analysis_quotes_removed AFTER DELETE ON analysis_quotes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION remove_unquoted_statements();

-- 20 rows a year per chatbot; kept until an admin removes it
create table analysis_runs (
  id uuid default gen_random_uuid() not null,
  title text not null,
  kind text not null,
  question text default ''::text not null,
  filter jsonb not null,
  connector_id uuid,
  state text default 'waiting'::text not null,
  code text,
  company_id uuid,
  conversation_ids uuid[] default '{}'::uuid[] not null,
  read integer default 0 not null,
  model text,
  spent_micros bigint default 0 not null,
  leased_until timestamptz,
  created_at timestamptz default now() not null,
  created_by uuid,
  finished_at timestamptz,
  dropped integer default 0 not null,
  read_until timestamptz default now() not null,
  sample jsonb default '{"kind": "all"}'::jsonb not null,
  batch_size integer default 15 not null,
  unread_ids uuid[] default '{}'::uuid[] not null,
  with_tone boolean default false not null,
  constraint analysis_runs_pkey PRIMARY KEY (id),
  constraint analysis_runs_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint analysis_runs_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connectors(id) ON DELETE SET NULL,
  constraint analysis_runs_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint analysis_runs_kind_check CHECK (kind = ANY (ARRAY['counts'::text, 'themes'::text, 'misconceptions'::text, 'tone'::text, 'question'::text])),
  constraint analysis_runs_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))
);
CREATE INDEX analysis_runs_company ON analysis_runs (company_id);
CREATE INDEX analysis_runs_connector ON analysis_runs (connector_id);
CREATE INDEX analysis_runs_created ON analysis_runs (created_at DESC);
CREATE INDEX analysis_runs_created_by ON analysis_runs (created_by);
CREATE INDEX analysis_runs_open ON analysis_runs (leased_until) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));

-- 200 rows a year per chatbot; kept as long as the analysis
create table analysis_statements (
  id bigint generated always as identity not null,
  run_id uuid not null,
  number integer not null,
  text text not null,
  detail text default ''::text not null,
  constraint analysis_statements_pkey PRIMARY KEY (id),
  constraint analysis_statements_run_id_number_key UNIQUE (run_id, number),
  constraint analysis_statements_run_id_fkey FOREIGN KEY (run_id) REFERENCES analysis_runs(id) ON DELETE CASCADE
);

-- 2 rows a year per learner; kept as long as the conversation
create table clustered_questions (
  turn_id uuid not null,
  cluster_id uuid not null,
  asked_at timestamptz not null,
  question_id uuid not null,
  conversation_id uuid not null,
  typicality real default 0 not null,
  constraint clustered_questions_pkey PRIMARY KEY (turn_id),
  constraint clustered_questions_cluster_id_fkey FOREIGN KEY (cluster_id) REFERENCES question_clusters(id) ON DELETE CASCADE,
  constraint clustered_questions_turn_id_fkey FOREIGN KEY (turn_id) REFERENCES turns(id) ON DELETE CASCADE
);
CREATE INDEX clustered_questions_cluster ON clustered_questions (cluster_id, question_id, asked_at);

-- 2 rows a year per learner; kept as long as the conversation
create table conversation_feedback (
  conversation_id uuid not null,
  content jsonb not null,
  model text not null,
  created_at timestamptz default now() not null,
  objection text default ''::text not null,
  objected_at timestamptz,
  constraint conversation_feedback_pkey PRIMARY KEY (conversation_id),
  constraint conversation_feedback_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE
);

-- 100 rows a year per chatbot; kept as long as a question of the group
create table question_clusters (
  id uuid default gen_random_uuid() not null,
  chatbot_id uuid not null,
  status text default 'open'::text not null,
  owner_id uuid,
  document_id uuid,
  answer_version_id uuid,
  test_question_id uuid,
  answered_at timestamptz,
  answered_by uuid,
  reopened_at timestamptz,
  created_at timestamptz default now() not null,
  rules smallint default 1 not null,
  constraint question_clusters_pkey PRIMARY KEY (id),
  constraint question_clusters_answer_version_id_fkey FOREIGN KEY (answer_version_id) REFERENCES document_versions(id) ON DELETE SET NULL,
  constraint question_clusters_answered_by_fkey FOREIGN KEY (answered_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint question_clusters_chatbot_id_fkey FOREIGN KEY (chatbot_id) REFERENCES chatbots(id) ON DELETE CASCADE,
  constraint question_clusters_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents(id) ON DELETE SET NULL,
  constraint question_clusters_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint question_clusters_test_question_id_fkey FOREIGN KEY (test_question_id) REFERENCES test_questions(id) ON DELETE SET NULL,
  constraint question_clusters_status_check CHECK (status = ANY (ARRAY['open'::text, 'answered'::text, 'dismissed'::text]))
);
CREATE INDEX question_clusters_answer_version ON question_clusters (answer_version_id);
CREATE INDEX question_clusters_answered_by ON question_clusters (answered_by);
CREATE INDEX question_clusters_chatbot ON question_clusters (chatbot_id);
CREATE INDEX question_clusters_document ON question_clusters (document_id);
CREATE INDEX question_clusters_owner ON question_clusters (owner_id);
CREATE INDEX question_clusters_test_question ON question_clusters (test_question_id);

-- 2 rows a year per learner; kept as long as the conversation
create table question_vectors (
  question_id uuid not null,
  connector_id text not null,
  model text not null,
  size integer not null,
  vector bytea not null,
  constraint question_vectors_pkey PRIMARY KEY (question_id, connector_id, model, size),
  constraint question_vectors_question_id_fkey FOREIGN KEY (question_id) REFERENCES turns(id) ON DELETE CASCADE
);

-- 20 rows a year per learner; kept as long as the conversation
create table rubric_scores (
  id uuid default gen_random_uuid() not null,
  conversation_id uuid not null,
  reviewer_id uuid,
  scores jsonb not null,
  created_at timestamptz default now() not null,
  constraint rubric_scores_pkey PRIMARY KEY (id),
  constraint rubric_scores_conversation_id_reviewer_id_key UNIQUE (conversation_id, reviewer_id),
  constraint rubric_scores_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  constraint rubric_scores_reviewer_id_fkey FOREIGN KEY (reviewer_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX rubric_scores_reviewer ON rubric_scores (reviewer_id);

-- apiKeys

-- 1 rows a year per company; kept until the person is erased
create table api_keys (
  id uuid default gen_random_uuid() not null,
  name text not null,
  prefix text not null,
  key_hash text not null,
  scopes text[] not null,
  company_id uuid,
  created_by uuid not null,
  created_at timestamptz default now() not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_key_hash_key UNIQUE (key_hash),
  constraint api_keys_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX api_keys_company ON api_keys (company_id);
CREATE INDEX api_keys_created_by ON api_keys (created_by);

-- audit

-- 60 rows a year per learner; kept logins and failed logins 90 days, everything else for good
create table audit_entries (
  id uuid default gen_random_uuid() not null,
  at timestamptz default clock_timestamp() not null,
  action text not null,
  actor_id uuid,
  actor_role text not null,
  person_id uuid,
  company_id uuid,
  course_id uuid,
  details jsonb default '{}'::jsonb not null,
  constraint audit_entries_pkey PRIMARY KEY (id),
  constraint audit_entries_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint audit_entries_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE SET NULL,
  constraint audit_entries_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE SET NULL,
  constraint audit_entries_person_id_fkey FOREIGN KEY (person_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX audit_entries_act ON audit_entries (action, at DESC);
CREATE INDEX audit_entries_actor ON audit_entries (actor_id, at DESC);
CREATE INDEX audit_entries_at ON audit_entries (at DESC);
CREATE INDEX audit_entries_company ON audit_entries (company_id, at DESC);
CREATE INDEX audit_entries_course ON audit_entries (course_id, at DESC);
CREATE INDEX audit_entries_person ON audit_entries (person_id, at DESC);
CREATE TRIGGER audit_entries_append_only BEFORE DELETE OR UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();

-- auditPacks

-- 4 rows a year per company; kept until an admin removes it
create table audit_links (
  id uuid default gen_random_uuid() not null,
  pack_id uuid not null,
  label text not null,
  may_download boolean not null,
  seed text not null,
  until timestamptz not null,
  created_by uuid,
  created_at timestamptz default now() not null,
  ended_at timestamptz,
  constraint audit_links_pkey PRIMARY KEY (id),
  constraint audit_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint audit_links_pack_id_fkey FOREIGN KEY (pack_id) REFERENCES audit_packs(id) ON DELETE CASCADE
);
CREATE INDEX audit_links_created_by ON audit_links (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX audit_links_pack ON audit_links (pack_id, created_at DESC);

-- 100 rows a year per company; kept until an admin removes it
create table audit_openings (
  id bigint generated always as identity not null,
  link_id uuid not null,
  what text not null,
  sample_no integer,
  person_id uuid,
  opened_at timestamptz default now() not null,
  constraint audit_openings_pkey PRIMARY KEY (id),
  constraint audit_openings_link_id_fkey FOREIGN KEY (link_id) REFERENCES audit_links(id) ON DELETE CASCADE,
  constraint audit_openings_person_id_fkey FOREIGN KEY (person_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint audit_openings_what_check CHECK (what = ANY (ARRAY['overview'::text, 'sample'::text, 'person'::text, 'download'::text]))
);
CREATE INDEX audit_openings_link ON audit_openings (link_id, id DESC);
CREATE INDEX audit_openings_person ON audit_openings (person_id) WHERE (person_id IS NOT NULL);

-- 4 rows a year per company; kept until an admin removes it
create table audit_packs (
  id uuid default gen_random_uuid() not null,
  number text not null,
  company_id uuid not null,
  course_ids uuid[] not null,
  from_day date not null,
  to_day date not null,
  as_of timestamptz not null,
  as_of_day date not null,
  zone text not null,
  state text default 'waiting'::text not null,
  counts jsonb,
  files jsonb,
  checked_files jsonb,
  checked_at timestamptz,
  made_at timestamptz,
  requested_by uuid,
  created_at timestamptz default now() not null,
  leased_until timestamptz,
  tries integer default 0 not null,
  constraint audit_packs_pkey PRIMARY KEY (id),
  constraint audit_packs_number_key UNIQUE (number),
  constraint audit_packs_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint audit_packs_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint audit_packs_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'made'::text, 'checking'::text, 'failed'::text]))
);
CREATE INDEX audit_packs_company ON audit_packs (company_id, created_at DESC);
CREATE INDEX audit_packs_requested_by ON audit_packs (requested_by) WHERE (requested_by IS NOT NULL);
CREATE INDEX audit_packs_waiting ON audit_packs (created_at) WHERE (state = ANY (ARRAY['waiting'::text, 'checking'::text]));

-- 10 rows a year per company; kept until an admin removes it
create table audit_samples (
  link_id uuid not null,
  no integer not null,
  size integer not null,
  course_id uuid,
  state text,
  population integer not null,
  keys uuid[] not null,
  drawn_at timestamptz default now() not null,
  constraint audit_samples_pkey PRIMARY KEY (link_id, no),
  constraint audit_samples_link_id_fkey FOREIGN KEY (link_id) REFERENCES audit_links(id) ON DELETE CASCADE
);

-- auth

-- 1 rows a year per learner; kept until the person is erased
create table auth_accounts (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  constraint auth_accounts_pkey PRIMARY KEY (id),
  constraint auth_accounts_provider_id_account_id_key UNIQUE (provider_id, account_id),
  constraint auth_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX auth_accounts_user ON auth_accounts (user_id);

-- 1 rows a year per learner; kept minutes or hours
create table auth_challenges (
  hash text not null,
  user_id uuid,
  expires_at timestamptz not null,
  constraint auth_challenges_pkey PRIMARY KEY (hash),
  constraint auth_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- 1 rows a year per admin; kept minutes or hours
create table auth_email_changes (
  user_id uuid not null,
  hash text not null,
  email text not null,
  expires_at timestamptz not null,
  constraint auth_email_changes_pkey PRIMARY KEY (user_id),
  constraint auth_email_changes_hash_key UNIQUE (hash),
  constraint auth_email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- 1 rows a year per admin; kept until the person is erased
create table auth_factors (
  user_id uuid not null,
  secret text not null,
  confirmed_at timestamptz,
  last_step bigint default 0 not null,
  created_at timestamptz default now() not null,
  constraint auth_factors_pkey PRIMARY KEY (user_id),
  constraint auth_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- 1 rows a year per installation; kept for good
create table auth_keys (
  id uuid not null,
  public_key text not null,
  private_key text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  alg text,
  crv text,
  constraint auth_keys_pkey PRIMARY KEY (id)
);

-- 1 rows a year per learner; kept minutes or hours
create table auth_oauth_flows (
  state_hash text not null,
  id uuid not null,
  browser_hash text not null,
  connection_id uuid,
  purpose text not null,
  user_id uuid,
  request jsonb default '{}'::jsonb not null,
  profile jsonb,
  expires_at timestamptz not null,
  constraint auth_flows_pkey PRIMARY KEY (state_hash),
  constraint auth_flows_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES sso_connections(id) ON DELETE CASCADE,
  constraint auth_flows_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint auth_oauth_flows_purpose_check CHECK (purpose = ANY (ARRAY['signIn'::text, 'register'::text, 'link'::text, 'reauth'::text]))
);

-- 2 rows a year per learner; kept minutes or hours
create table auth_one_time_tokens (
  hash text not null,
  purpose text not null,
  user_id uuid not null,
  details jsonb default '{}'::jsonb not null,
  expires_at timestamptz not null,
  created_at timestamptz default now() not null,
  constraint auth_tickets_pkey PRIMARY KEY (hash),
  constraint auth_tickets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint auth_one_time_tokens_purpose_check CHECK (purpose = ANY (ARRAY['passwordReset'::text, 'verifyEmail'::text, 'secondStep'::text]))
);
CREATE INDEX auth_one_time_tokens_user ON auth_one_time_tokens (user_id, purpose);

-- 1 rows a year per admin; kept until the person is erased
create table auth_passkeys (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] default '{}'::text[] not null,
  name text not null,
  created_at timestamptz default now() not null,
  last_used_at timestamptz,
  constraint auth_passkeys_pkey PRIMARY KEY (id),
  constraint auth_passkeys_credential_id_key UNIQUE (credential_id),
  constraint auth_passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX auth_passkeys_user ON auth_passkeys (user_id);

-- 1 rows a year per learner; kept until the person is erased
create table auth_pins (
  user_id uuid not null,
  pin_hash text not null,
  is_initial boolean default true not null,
  card_hash text not null,
  issued_at timestamptz default now() not null,
  issued_by uuid,
  changed_at timestamptz,
  constraint auth_pins_pkey PRIMARY KEY (user_id),
  constraint auth_pins_card_hash_key UNIQUE (card_hash),
  constraint auth_pins_issued_by_fkey FOREIGN KEY (issued_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint auth_pins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX auth_pins_issued_by ON auth_pins (issued_by) WHERE (issued_by IS NOT NULL);

-- 10 rows a year per admin; kept until the person is erased
create table auth_recovery_codes (
  user_id uuid not null,
  hash text not null,
  constraint auth_recovery_codes_pkey PRIMARY KEY (user_id, hash),
  constraint auth_recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- 30 rows a year per learner; kept at most 30 days
create table auth_sessions (
  id uuid not null,
  user_id uuid not null,
  token text not null,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  seen_at timestamptz default now() not null,
  reauthenticated_at timestamptz,
  connection_id uuid,
  ends_at timestamptz,
  is_shared boolean default false not null,
  constraint auth_sessions_pkey PRIMARY KEY (id),
  constraint auth_sessions_token_key UNIQUE (token),
  constraint auth_sessions_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES sso_connections(id) ON DELETE CASCADE,
  constraint auth_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX auth_sessions_connection ON auth_sessions (connection_id) WHERE (connection_id IS NOT NULL);
CREATE INDEX auth_sessions_ends ON auth_sessions (ends_at) WHERE (ends_at IS NOT NULL);
CREATE INDEX auth_sessions_user ON auth_sessions (user_id);
CREATE TRIGGER auth_sessions_access_delete AFTER DELETE ON auth_sessions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_changed_sessions();
CREATE TRIGGER auth_sessions_access_update AFTER UPDATE ON auth_sessions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_changed_sessions();

-- 1 rows a year per learner; kept minutes or hours
create table auth_verifications (
  id uuid not null,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint auth_verifications_pkey PRIMARY KEY (id)
);
CREATE INDEX auth_verifications_identifier ON auth_verifications (identifier);

-- 1 rows a year per company; kept as long as the company
create table sso_connections (
  id uuid default gen_random_uuid() not null,
  company_id uuid not null,
  kind text not null,
  issuer text not null,
  client_id text default ''::text not null,
  client_secret text,
  entry_point text default ''::text not null,
  certificates text[] default '{}'::text[] not null,
  enforced boolean default false not null,
  enabled boolean default true not null,
  version integer default 1 not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  constraint sso_connections_pkey PRIMARY KEY (id),
  constraint sso_connections_company_id_key UNIQUE (company_id),
  constraint sso_connections_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint sso_connections_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint sso_connections_kind_check CHECK (kind = ANY (ARRAY['oidc'::text, 'saml'::text]))
);

-- 1 rows a year per company; kept as long as the company
create table sso_domains (
  domain text not null,
  connection_id uuid not null,
  constraint sso_domains_pkey PRIMARY KEY (domain),
  constraint sso_domains_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES sso_connections(id) ON DELETE CASCADE
);
CREATE INDEX sso_domains_connection ON sso_domains (connection_id);

-- badges

-- 1 rows a year per installation; kept for good: proof, or the history that reports are computed from
create table badge_keys (
  id text not null,
  public_key jsonb not null,
  sealed_key text not null,
  created_at timestamptz default now() not null,
  constraint badge_keys_pkey PRIMARY KEY (id)
);

-- 1 rows a year per company; kept for good: proof, or the history that reports are computed from
create table badge_lists (
  company_id uuid not null,
  number integer not null,
  size integer default 0 not null,
  constraint badge_lists_pkey PRIMARY KEY (company_id, number),
  constraint badge_lists_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);

-- 1 rows a year per learner; kept for good, without the holder after their erasure
create table badges (
  id uuid default gen_random_uuid() not null,
  certificate_id uuid,
  company_id uuid not null,
  list integer not null,
  "position" integer not null,
  credential text,
  was_revoked boolean default false not null,
  made_at timestamptz default now() not null,
  constraint badges_pkey PRIMARY KEY (id),
  constraint badges_certificate_id_key UNIQUE (certificate_id),
  constraint badges_company_id_list_position_key UNIQUE (company_id, list, "position"),
  constraint badges_certificate_id_fkey FOREIGN KEY (certificate_id) REFERENCES certificates(id) ON DELETE SET NULL,
  constraint badges_company_id_list_fkey FOREIGN KEY (company_id, list) REFERENCES badge_lists(company_id, number)
);

-- care

-- 2 rows a year per company; kept until the person is erased
create table care_people (
  settings_id uuid not null,
  user_id uuid not null,
  constraint care_people_pkey PRIMARY KEY (settings_id, user_id),
  constraint care_people_settings_id_fkey FOREIGN KEY (settings_id) REFERENCES care_settings(id) ON DELETE CASCADE,
  constraint care_people_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX care_people_user ON care_people (user_id);

-- 1 rows a year per company; kept until an admin removes it
create table care_settings (
  id uuid default gen_random_uuid() not null,
  company_id uuid,
  purpose text not null,
  hours text not null,
  connector_id uuid,
  model text default ''::text not null,
  version integer default 1 not null,
  constraint care_settings_pkey PRIMARY KEY (id),
  constraint care_settings_company_id_key UNIQUE NULLS NOT DISTINCT (company_id),
  constraint care_settings_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint care_settings_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connectors(id) ON DELETE SET NULL
);
CREATE INDEX care_settings_connector ON care_settings (connector_id);

-- catalogue

-- 20 rows a year per learner; kept until a job has followed it, within seconds
create table catalogue_changes (
  id bigint generated always as identity not null,
  offer_id uuid,
  user_id uuid,
  due_at timestamptz default now() not null,
  constraint catalogue_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX catalogue_changes_due ON catalogue_changes (due_at, id);

-- 3 rows a year per learner; kept two days
create table catalogue_notices (
  user_id uuid not null,
  kind text not null,
  about uuid not null,
  of_people boolean default false not null,
  sent_at timestamptz default now() not null,
  constraint catalogue_notices_pkey PRIMARY KEY (user_id, kind, about, of_people),
  constraint catalogue_notices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint catalogue_notices_kind_check CHECK (kind = ANY (ARRAY['asked'::text, 'approved'::text, 'declined'::text, 'takenOff'::text, 'placed'::text, 'closed'::text]))
);
CREATE INDEX catalogue_notices_sent ON catalogue_notices (sent_at);

-- 20 rows a year per company; kept for good: what was taken out is only marked
create table catalogue_offers (
  id uuid default gen_random_uuid() not null,
  company_id uuid not null,
  course_id uuid not null,
  is_visible boolean default true not null,
  way text not null,
  places integer,
  price_minor bigint,
  currency text,
  cost_centre text default ''::text not null,
  languages text[] default '{}'::text[] not null,
  held integer default 0 not null,
  waiting integer default 0 not null,
  version integer default 1 not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  removed_at timestamptz,
  paused_at timestamptz,
  constraint catalogue_offers_pkey PRIMARY KEY (id),
  constraint catalogue_offers_company_id_course_id_key UNIQUE (company_id, course_id),
  constraint catalogue_offers_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint catalogue_offers_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE,
  constraint catalogue_offers_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint catalogue_offers_check CHECK ((price_minor IS NULL) = (currency IS NULL)),
  constraint catalogue_offers_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  constraint catalogue_offers_places_check CHECK (places >= 1 AND places <= 100000),
  constraint catalogue_offers_price_minor_check CHECK (price_minor >= 0 AND price_minor <= 1000000000),
  constraint catalogue_offers_way_check CHECK (way = ANY (ARRAY['self'::text, 'request'::text, 'none'::text]))
);
CREATE INDEX catalogue_offers_course ON catalogue_offers (course_id);
CREATE INDEX catalogue_offers_updated_by ON catalogue_offers (updated_by) WHERE (updated_by IS NOT NULL);
CREATE INDEX catalogue_offers_waiting ON catalogue_offers (id) WHERE (waiting > 0);

-- 10 rows a year per company; kept until an admin removes it
create table catalogue_prerequisites (
  company_id uuid not null,
  course_id uuid not null,
  required_id uuid not null,
  constraint catalogue_prerequisites_pkey PRIMARY KEY (company_id, course_id, required_id),
  constraint catalogue_prerequisites_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint catalogue_prerequisites_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE,
  constraint catalogue_prerequisites_required_id_fkey FOREIGN KEY (required_id) REFERENCES courses(id) ON DELETE CASCADE,
  constraint catalogue_prerequisites_check CHECK (course_id <> required_id)
);
CREATE INDEX catalogue_prerequisites_course ON catalogue_prerequisites (course_id);
CREATE INDEX catalogue_prerequisites_required ON catalogue_prerequisites (required_id);

-- 3 rows a year per learner; kept until the person is erased
create table catalogue_requests (
  id uuid default gen_random_uuid() not null,
  offer_id uuid not null,
  company_id uuid not null,
  user_id uuid not null,
  status text not null,
  note text default ''::text not null,
  asked_at timestamptz default now() not null,
  waiting_since timestamptz,
  decided_at timestamptz,
  decided_by uuid,
  reason text default ''::text not null,
  closed text,
  price_minor bigint,
  currency text,
  cost_centre text default ''::text not null,
  told_to uuid,
  told_admins boolean default false not null,
  told_at timestamptz,
  looked_at timestamptz,
  constraint catalogue_requests_pkey PRIMARY KEY (id),
  constraint catalogue_requests_offer_id_user_id_key UNIQUE (offer_id, user_id),
  constraint catalogue_requests_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint catalogue_requests_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint catalogue_requests_offer_id_fkey FOREIGN KEY (offer_id) REFERENCES catalogue_offers(id) ON DELETE CASCADE,
  constraint catalogue_requests_told_to_fkey FOREIGN KEY (told_to) REFERENCES users(id) ON DELETE SET NULL,
  constraint catalogue_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint catalogue_requests_check CHECK ((status = 'waiting'::text) <= (waiting_since IS NOT NULL)),
  constraint catalogue_requests_check1 CHECK ((status = 'closed'::text) = (closed IS NOT NULL)),
  constraint catalogue_requests_closed_check CHECK (closed = ANY (ARRAY['offer'::text, 'person'::text, 'has'::text, 'taken'::text])),
  constraint catalogue_requests_status_check CHECK (status = ANY (ARRAY['open'::text, 'waiting'::text, 'enrolled'::text, 'declined'::text, 'withdrawn'::text, 'left'::text, 'closed'::text]))
);
CREATE INDEX catalogue_requests_company ON catalogue_requests (company_id, asked_at, id);
CREATE INDEX catalogue_requests_decided_by ON catalogue_requests (decided_by) WHERE (decided_by IS NOT NULL);
CREATE INDEX catalogue_requests_looked ON catalogue_requests (looked_at NULLS FIRST, id) WHERE (status = 'open'::text);
CREATE INDEX catalogue_requests_open ON catalogue_requests (offer_id, asked_at, id) WHERE (status = 'open'::text);
CREATE INDEX catalogue_requests_status ON catalogue_requests (company_id, status, asked_at, id);
CREATE INDEX catalogue_requests_told_to ON catalogue_requests (told_to) WHERE (told_to IS NOT NULL);
CREATE INDEX catalogue_requests_user ON catalogue_requests (user_id, status);
CREATE INDEX catalogue_requests_waiting ON catalogue_requests (offer_id, waiting_since, id) WHERE (status = 'waiting'::text);
CREATE TRIGGER free_place_of_request AFTER DELETE ON catalogue_requests REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION free_place_of_request();

-- certificates

-- 3 rows a year per course; kept for good: certificates keep the design they were issued with
create table certificate_design_versions (
  id uuid default gen_random_uuid() not null,
  course_id uuid,
  number integer not null,
  content jsonb not null,
  created_at timestamptz default now() not null,
  created_by uuid,
  path_id uuid,
  constraint certificate_design_versions_pkey PRIMARY KEY (id),
  constraint certificate_design_versions_course_id_number_key UNIQUE (course_id, number),
  constraint certificate_design_versions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint certificate_design_versions_one CHECK (num_nonnulls(course_id, path_id) = 1)
);
CREATE UNIQUE INDEX certificate_design_versions_path ON certificate_design_versions (path_id, number) WHERE (path_id IS NOT NULL);
CREATE TRIGGER certificate_design_versions_append_only BEFORE DELETE ON certificate_design_versions FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();

-- 1 rows a year per course; kept as long as the course or the learning path
create table certificate_designs (
  course_id uuid,
  enabled boolean default false not null,
  number integer not null,
  version integer default 1 not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  id uuid default gen_random_uuid() not null,
  path_id uuid,
  constraint certificate_designs_pkey PRIMARY KEY (id),
  constraint certificate_designs_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE,
  constraint certificate_designs_path_id_fkey FOREIGN KEY (path_id) REFERENCES paths(id) ON DELETE CASCADE,
  constraint certificate_designs_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint certificate_designs_one CHECK (num_nonnulls(course_id, path_id) = 1)
);
CREATE UNIQUE INDEX certificate_designs_course ON certificate_designs (course_id);
CREATE UNIQUE INDEX certificate_designs_path ON certificate_designs (path_id);

-- 0.2 rows a year per learner; kept for good: proof, or the history that reports are computed from
create table certificate_gaps (
  company_id uuid not null,
  "position" bigint not null,
  deleted_on date default CURRENT_DATE not null,
  constraint certificate_gaps_pkey PRIMARY KEY (company_id, "position")
);

-- 200 rows a year per company; kept for good: proof, or the history that reports are computed from
create table certificate_heads (
  company_id uuid not null,
  day date not null,
  size bigint not null,
  root bytea not null,
  key_id text not null,
  signature bytea not null,
  constraint certificate_heads_pkey PRIMARY KEY (company_id, day),
  constraint certificate_heads_key_id_fkey FOREIGN KEY (key_id) REFERENCES certificate_keys(id)
);

-- 1 rows a year per installation; kept for good: proof, or the history that reports are computed from
create table certificate_keys (
  id text not null,
  public_key text not null,
  sealed_key text not null,
  created_at timestamptz default now() not null,
  constraint certificate_keys_pkey PRIMARY KEY (id)
);

-- 12 rows a year per learner; kept for good: proof, or the history that reports are computed from
create table certificate_nodes (
  company_id uuid not null,
  level smallint not null,
  "position" bigint not null,
  hash bytea not null,
  constraint certificate_nodes_pkey PRIMARY KEY (company_id, level, "position")
);
CREATE TRIGGER certificate_nodes_append_only BEFORE DELETE ON certificate_nodes FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();

-- 3 rows a year per course; kept for good: certificates keep the pictures they were issued with
create table certificate_pictures (
  hash text not null,
  type text not null,
  bytes bytea not null,
  created_at timestamptz default now() not null,
  constraint certificate_pictures_pkey PRIMARY KEY (hash)
);

-- 200 rows a year per company; kept for good: proof, or the history that reports are computed from
create table certificate_timestamps (
  company_id uuid not null,
  day date not null,
  reply bytea not null,
  authority text not null,
  stamped_at timestamptz not null,
  received_at timestamptz default now() not null,
  constraint certificate_timestamps_pkey PRIMARY KEY (company_id, day),
  constraint certificate_timestamps_company_id_day_fkey FOREIGN KEY (company_id, day) REFERENCES certificate_heads(company_id, day),
  constraint certificate_timestamps_reply_check CHECK (octet_length(reply) <= 65536)
);
CREATE TRIGGER certificate_timestamps_append_only BEFORE DELETE ON certificate_timestamps FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();

-- 1 rows a year per company; kept for good: proof, or the history that reports are computed from
create table certificate_trees (
  company_id uuid not null,
  size bigint default 0 not null,
  constraint certificate_trees_pkey PRIMARY KEY (company_id),
  constraint certificate_trees_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);

-- 6 rows a year per learner; kept until the person is erased; then as the company has chosen
create table certificates (
  id uuid default gen_random_uuid() not null,
  number text not null,
  company_id uuid not null,
  course_id uuid,
  design_id uuid not null,
  completion_id bigint,
  person_id uuid,
  name text,
  score_percent real,
  minutes integer,
  facts jsonb not null,
  brand jsonb not null,
  salt bytea,
  leaf bytea not null,
  "position" bigint,
  completed_on date not null,
  valid_until date,
  issued_at timestamptz default now() not null,
  show_name boolean default false not null,
  show_score boolean default false not null,
  show_minutes boolean default false not null,
  revoked_at timestamptz,
  revoked_by uuid,
  revoked_reason text,
  replaces uuid,
  nameless_since date,
  keep_until date,
  keep_ground text,
  path_id uuid,
  path_enrolment_id uuid,
  path_completed_at timestamptz,
  taken_back_at timestamptz,
  constraint certificates_pkey PRIMARY KEY (id),
  constraint certificates_number_key UNIQUE (number),
  constraint certificates_replaces_key UNIQUE (replaces),
  constraint certificates_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint certificates_design_id_fkey FOREIGN KEY (design_id) REFERENCES certificate_design_versions(id),
  constraint certificates_person_id_fkey FOREIGN KEY (person_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint certificates_replaces_fkey FOREIGN KEY (replaces) REFERENCES certificates(id) ON DELETE SET NULL,
  constraint certificates_revoked_by_fkey FOREIGN KEY (revoked_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint certificates_one CHECK (num_nonnulls(course_id, path_id) = 1)
);
CREATE INDEX certificates_company ON certificates (company_id, issued_at DESC, id);
CREATE UNIQUE INDEX certificates_completion ON certificates (completion_id) WHERE (replaces IS NULL);
CREATE INDEX certificates_course ON certificates (course_id, issued_at DESC, id);
CREATE INDEX certificates_design ON certificates (design_id);
CREATE INDEX certificates_issued ON certificates (issued_at DESC, id);
CREATE INDEX certificates_keep_until ON certificates (keep_until) WHERE (keep_until IS NOT NULL);
CREATE INDEX certificates_path ON certificates (path_id, issued_at DESC, id) WHERE (path_id IS NOT NULL);
CREATE UNIQUE INDEX certificates_path_completion ON certificates (path_enrolment_id, path_completed_at) WHERE ((replaces IS NULL) AND (path_enrolment_id IS NOT NULL));
CREATE INDEX certificates_path_enrolment ON certificates (path_enrolment_id) WHERE (path_enrolment_id IS NOT NULL);
CREATE INDEX certificates_person ON certificates (person_id, issued_at DESC);
CREATE UNIQUE INDEX certificates_position ON certificates (company_id, "position") WHERE ("position" IS NOT NULL);
CREATE INDEX certificates_taken_back ON certificates (issued_at DESC, id) WHERE (taken_back_at IS NOT NULL);
CREATE INDEX certificates_unsealed ON certificates (company_id, id) WHERE ("position" IS NULL);
CREATE TRIGGER certificates_badge_deleted BEFORE DELETE ON certificates FOR EACH ROW EXECUTE FUNCTION follow_certificate_of_badge();
CREATE TRIGGER certificates_badge_nameless BEFORE UPDATE OF name ON certificates FOR EACH ROW WHEN (new.name IS NULL AND old.name IS NOT NULL) EXECUTE FUNCTION follow_certificate_of_badge();
CREATE TRIGGER certificates_frozen BEFORE DELETE OR UPDATE ON certificates FOR EACH ROW EXECUTE FUNCTION refuse_certificate_change();

-- chatbots

-- 2 rows a year per chatbot; kept as long as the chatbot
create table chatbot_courses (
  chatbot_id uuid not null,
  course_id uuid not null,
  constraint chatbot_courses_pkey PRIMARY KEY (chatbot_id, course_id),
  constraint chatbot_courses_chatbot_id_fkey FOREIGN KEY (chatbot_id) REFERENCES chatbots(id) ON DELETE CASCADE,
  constraint chatbot_courses_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE
);
CREATE INDEX chatbot_courses_course ON chatbot_courses (course_id);

-- 200 rows a year per chatbot; kept as long as the chatbot
create table chatbot_question_results (
  question_id uuid not null,
  tested text not null,
  passed boolean not null,
  passed_before boolean,
  answer text not null,
  missing text[] default '{}'::text[] not null,
  tested_at timestamptz default now() not null,
  constraint chatbot_question_results_pkey PRIMARY KEY (question_id, tested),
  constraint chatbot_question_results_question_id_fkey FOREIGN KEY (question_id) REFERENCES chatbot_questions(id) ON DELETE CASCADE,
  constraint chatbot_question_results_tested_check CHECK (tested = ANY (ARRAY['draft'::text, 'live'::text]))
);

-- 20 rows a year per chatbot; kept as long as the chatbot
create table chatbot_questions (
  id uuid default gen_random_uuid() not null,
  chatbot_id uuid not null,
  question text not null,
  document_ids uuid[] default '{}'::uuid[] not null,
  facts text[] default '{}'::text[] not null,
  expects_refusal boolean default false not null,
  created_at timestamptz default now() not null,
  created_by uuid,
  constraint chatbot_questions_pkey PRIMARY KEY (id),
  constraint chatbot_questions_chatbot_id_fkey FOREIGN KEY (chatbot_id) REFERENCES chatbots(id) ON DELETE CASCADE,
  constraint chatbot_questions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX chatbot_questions_chatbot ON chatbot_questions (chatbot_id, created_at);
CREATE INDEX chatbot_questions_created_by ON chatbot_questions (created_by);

-- 10 rows a year per chatbot; kept as long as the chatbot
create table chatbot_versions (
  id uuid default gen_random_uuid() not null,
  chatbot_id uuid not null,
  number integer not null,
  name text not null,
  settings jsonb not null,
  note text default ''::text not null,
  published_at timestamptz default now() not null,
  published_by uuid,
  phrases_applied boolean default false not null,
  constraint chatbot_versions_pkey PRIMARY KEY (id),
  constraint chatbot_versions_chatbot_id_number_key UNIQUE (chatbot_id, number),
  constraint chatbot_versions_chatbot_id_fkey FOREIGN KEY (chatbot_id) REFERENCES chatbots(id) ON DELETE CASCADE,
  constraint chatbot_versions_published_by_fkey FOREIGN KEY (published_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX chatbot_versions_published_by ON chatbot_versions (published_by);

-- 1 rows a year per chatbot; kept until an admin removes it
create table chatbots (
  id uuid default gen_random_uuid() not null,
  name text not null,
  status text default 'draft'::text not null,
  settings jsonb not null,
  version integer default 1 not null,
  live_version_id uuid,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  created_by uuid,
  constraint chatbots_pkey PRIMARY KEY (id),
  constraint chatbots_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint chatbots_live_version_id_fkey FOREIGN KEY (live_version_id) REFERENCES chatbot_versions(id) ON DELETE SET NULL,
  constraint chatbots_status_check CHECK (status = ANY (ARRAY['draft'::text, 'published'::text, 'paused'::text, 'archived'::text]))
);
CREATE INDEX chatbots_created_by ON chatbots (created_by);
CREATE INDEX chatbots_live_version ON chatbots (live_version_id);
CREATE INDEX chatbots_name ON chatbots (lower(name));
CREATE INDEX chatbots_name_trigrams ON chatbots USING gin (name gin_trgm_ops) WITH (gin_pending_list_limit='64');

-- companies

-- 1 rows a year per company; kept for good: companies are archived
create table companies (
  id uuid default gen_random_uuid() not null,
  name text not null,
  slug text not null,
  status text default 'active'::text not null,
  access_code text not null,
  previous_code text,
  previous_code_until timestamptz,
  code_enabled boolean default true not null,
  code_expires_at timestamptz,
  code_max_uses integer,
  code_used_count integer default 0 not null,
  allowed_domains text[] default '{}'::text[] not null,
  timezone text default 'UTC'::text not null,
  contact_name text default ''::text not null,
  contact_email text default ''::text not null,
  learner_limit integer,
  notes text default ''::text not null,
  color text,
  welcome text default ''::text not null,
  logo bytea,
  logo_type text,
  version integer default 1 not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  erasure_policy text default 'anonymise'::text not null,
  retention_years integer default 5 not null,
  mask_names boolean default false not null,
  record_pages boolean default false not null,
  recording_days integer default 90 not null,
  managers_see_people boolean default true not null,
  pin_login text default 'off'::text not null,
  constraint companies_pkey PRIMARY KEY (id),
  constraint companies_access_code_key UNIQUE (access_code),
  constraint companies_previous_code_key UNIQUE (previous_code),
  constraint companies_slug_key UNIQUE (slug),
  constraint companies_erasure_policy_check CHECK (erasure_policy = ANY (ARRAY['delete'::text, 'anonymise'::text, 'retain'::text])),
  constraint companies_pin_login_check CHECK (pin_login = ANY (ARRAY['off'::text, 'pin'::text, 'card'::text])),
  constraint companies_proof_years_check CHECK (retention_years >= 1 AND retention_years <= 30),
  constraint companies_recording_days_check CHECK (recording_days >= 1 AND recording_days <= 3650),
  constraint companies_status_check CHECK (status = ANY (ARRAY['active'::text, 'suspended'::text, 'archived'::text]))
);
CREATE INDEX companies_listed_name ON companies (lower(name), id);
CREATE INDEX companies_name_trgm ON companies USING gin (name gin_trgm_ops);
CREATE TRIGGER companies_access_delete AFTER DELETE ON companies FOR EACH ROW EXECUTE FUNCTION notify_changed_companies();
CREATE TRIGGER companies_access_managers AFTER UPDATE ON companies FOR EACH ROW WHEN (old.managers_see_people <> new.managers_see_people) EXECUTE FUNCTION notify_changed_companies();
CREATE TRIGGER companies_access_update AFTER UPDATE ON companies FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status) EXECUTE FUNCTION notify_changed_companies();
CREATE TRIGGER follow_company_for_catalogue AFTER UPDATE ON companies FOR EACH ROW WHEN (old.status <> 'active'::text AND new.status = 'active'::text) EXECUTE FUNCTION follow_company_for_catalogue();
CREATE TRIGGER follow_zone_for_requirements AFTER UPDATE ON companies FOR EACH ROW WHEN (old.timezone <> new.timezone) EXECUTE FUNCTION follow_zone_for_requirements();
CREATE TRIGGER write_history_delete AFTER DELETE ON companies FOR EACH ROW EXECUTE FUNCTION write_company_history();
CREATE TRIGGER write_history_insert AFTER INSERT ON companies FOR EACH ROW EXECUTE FUNCTION write_company_history();
CREATE TRIGGER write_history_update AFTER UPDATE ON companies FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status OR old.timezone IS DISTINCT FROM new.timezone) EXECUTE FUNCTION write_company_history();
CREATE TRIGGER write_privacy_history_insert AFTER INSERT ON companies FOR EACH ROW EXECUTE FUNCTION write_company_privacy_history();
CREATE TRIGGER write_privacy_history_update AFTER UPDATE ON companies FOR EACH ROW WHEN (old.erasure_policy IS DISTINCT FROM new.erasure_policy OR old.retention_years IS DISTINCT FROM new.retention_years OR old.mask_names IS DISTINCT FROM new.mask_names OR old.record_pages IS DISTINCT FROM new.record_pages OR old.recording_days IS DISTINCT FROM new.recording_days OR old.managers_see_people IS DISTINCT FROM new.managers_see_people) EXECUTE FUNCTION write_company_privacy_history();

-- 3 rows a year per company; kept for good: proof, or the history that reports are computed from
create table company_history (
  id bigint generated always as identity not null,
  company_id uuid not null,
  change text not null,
  status text not null,
  timezone text not null,
  actor_id uuid,
  reason text,
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  backfilled boolean default false not null,
  constraint company_history_pkey PRIMARY KEY (id),
  constraint company_history_change_check CHECK (change = ANY (ARRAY['created'::text, 'suspended'::text, 'archived'::text, 'restored'::text, 'timezone'::text, 'removed'::text])),
  constraint company_history_status_check CHECK (status = ANY (ARRAY['active'::text, 'suspended'::text, 'archived'::text]))
);
CREATE INDEX company_history_actor ON company_history (actor_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX company_history_company ON company_history (company_id, id);
CREATE TRIGGER company_history_append_only BEFORE DELETE OR UPDATE ON company_history FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER company_history_no_truncate BEFORE TRUNCATE ON company_history FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();

-- 1 rows a year per company; kept for good: proof, or the history that reports are computed from
create table company_privacy_history (
  id bigint generated always as identity not null,
  company_id uuid not null,
  erasure_policy text not null,
  retention_years integer not null,
  mask_names boolean not null,
  record_pages boolean not null,
  recording_days integer not null,
  managers_see_people boolean not null,
  actor_id uuid,
  recorded_at timestamptz not null,
  backfilled boolean default false not null,
  constraint company_privacy_history_pkey PRIMARY KEY (id)
);
CREATE INDEX company_privacy_history_actor ON company_privacy_history (actor_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX company_privacy_history_company ON company_privacy_history (company_id, id);
CREATE TRIGGER company_privacy_history_append_only BEFORE DELETE OR UPDATE ON company_privacy_history FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER company_privacy_history_no_truncate BEFORE TRUNCATE ON company_privacy_history FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();

-- completionRules

-- 0.1 rows a year per learner; kept two days
create table rule_change_rows (
  change_id uuid not null,
  enrolment_id uuid not null,
  attempt_id uuid not null,
  change text not null,
  happened_at timestamptz,
  tests jsonb not null,
  applied boolean default false not null,
  completed_before jsonb default '[]'::jsonb not null,
  constraint rule_change_rows_pkey PRIMARY KEY (change_id, enrolment_id),
  constraint rule_change_rows_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempts(id) ON DELETE CASCADE,
  constraint rule_change_rows_change_id_fkey FOREIGN KEY (change_id) REFERENCES rule_changes(id) ON DELETE CASCADE,
  constraint rule_change_rows_enrolment_id_fkey FOREIGN KEY (enrolment_id) REFERENCES enrolments(id) ON DELETE CASCADE,
  constraint rule_change_rows_change_check CHECK (change = ANY (ARRAY['becomes'::text, 'ends'::text]))
);
CREATE INDEX rule_change_rows_attempt ON rule_change_rows (attempt_id);
CREATE INDEX rule_change_rows_enrolment ON rule_change_rows (enrolment_id);

-- 3 rows a year per course; kept two days
create table rule_changes (
  id uuid default gen_random_uuid() not null,
  course_id uuid not null,
  rule jsonb not null,
  rule_before jsonb not null,
  course_version integer not null,
  made_by uuid,
  made_at timestamptz default now() not null,
  state text not null,
  keeps boolean default true not null,
  cursor uuid,
  total integer default 0 not null,
  counted integer default 0 not null,
  events bigint default 0 not null,
  complete_before integer default 0 not null,
  uncounted integer default 0 not null,
  becomes integer default 0 not null,
  ends integer default 0 not null,
  met integer[] default '{}'::integer[] not null,
  applied_at timestamptz,
  turn_at timestamptz default now() not null,
  leased_until timestamptz,
  failures integer default 0 not null,
  constraint rule_changes_pkey PRIMARY KEY (id),
  constraint rule_changes_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE,
  constraint rule_changes_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint rule_changes_state_check CHECK (state = ANY (ARRAY['counting'::text, 'counted'::text, 'applying'::text, 'applied'::text, 'undoing'::text, 'undone'::text]))
);
CREATE INDEX rule_changes_course ON rule_changes (course_id, made_at);
CREATE INDEX rule_changes_made_by ON rule_changes (made_by) WHERE (made_by IS NOT NULL);
CREATE INDEX rule_changes_waiting ON rule_changes (turn_at) WHERE (state = ANY (ARRAY['counting'::text, 'applying'::text, 'undoing'::text]));

-- completions

-- 0.1 rows a year per learner; kept until the person is erased
create table completion_decisions (
  id uuid default gen_random_uuid() not null,
  enrolment_id uuid not null,
  attempt_id uuid,
  company_id uuid not null,
  kind text not null,
  reason text not null,
  made_by uuid,
  made_at timestamptz default clock_timestamp() not null,
  before jsonb not null,
  ended_at timestamptz,
  undone_by uuid,
  undone_at timestamptz,
  constraint completion_decisions_pkey PRIMARY KEY (id),
  constraint completion_decisions_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempts(id) ON DELETE SET NULL,
  constraint completion_decisions_enrolment_id_fkey FOREIGN KEY (enrolment_id) REFERENCES enrolments(id) ON DELETE CASCADE,
  constraint completion_decisions_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint completion_decisions_undone_by_fkey FOREIGN KEY (undone_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint completion_decisions_kind_check CHECK (kind = ANY (ARRAY['set'::text, 'reopened'::text, 'restarted'::text])),
  constraint completion_decisions_reason_check CHECK (char_length(reason) >= 3 AND char_length(reason) <= 300)
);
CREATE INDEX completion_decisions_attempt ON completion_decisions (attempt_id);
CREATE INDEX completion_decisions_enrolment ON completion_decisions (enrolment_id, made_at);
CREATE INDEX completion_decisions_made_by ON completion_decisions (made_by) WHERE (made_by IS NOT NULL);
CREATE INDEX completion_decisions_undone_by ON completion_decisions (undone_by) WHERE (undone_by IS NOT NULL);

-- 2 rows a year per learner; kept until the person is erased
create table external_completions (
  id uuid default gen_random_uuid() not null,
  company_id uuid not null,
  person_id uuid not null,
  course_id uuid,
  title text not null,
  completed_on date not null,
  score_percent real,
  reference text default ''::text not null,
  file_name text,
  import_id uuid,
  row_number integer,
  attempt_id uuid,
  before jsonb,
  ended_at timestamptz,
  created_by uuid,
  created_at timestamptz default now() not null,
  constraint external_completions_pkey PRIMARY KEY (id),
  constraint external_completions_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempts(id) ON DELETE SET NULL,
  constraint external_completions_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint external_completions_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE SET NULL,
  constraint external_completions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint external_completions_import_id_fkey FOREIGN KEY (import_id) REFERENCES people_imports(id) ON DELETE SET NULL,
  constraint external_completions_person_id_fkey FOREIGN KEY (person_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint external_completions_score_percent_check CHECK (score_percent >= 0::double precision AND score_percent <= 100::double precision)
);
CREATE INDEX external_completions_attempt ON external_completions (attempt_id);
CREATE INDEX external_completions_company ON external_completions (company_id);
CREATE INDEX external_completions_course ON external_completions (course_id);
CREATE INDEX external_completions_created_by ON external_completions (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX external_completions_import ON external_completions (import_id, row_number);
CREATE UNIQUE INDEX external_completions_once ON external_completions (person_id, company_id, completed_on, COALESCE((course_id)::text, lower(title)));
CREATE TRIGGER follow_external_delete AFTER DELETE ON external_completions FOR EACH ROW WHEN (old.attempt_id IS NULL) EXECUTE FUNCTION follow_external_completion();
CREATE TRIGGER follow_external_insert AFTER INSERT ON external_completions FOR EACH ROW WHEN (new.attempt_id IS NULL) EXECUTE FUNCTION follow_external_completion();

-- connectors

-- 1 rows a year per company; kept as long as the company
create table ai_budgets (
  id uuid default gen_random_uuid() not null,
  kind text not null,
  owner_id uuid,
  limit_micros bigint,
  month date default (date_trunc('month'::text, (now() AT TIME ZONE 'UTC'::text)))::date not null,
  spent_micros bigint default 0 not null,
  reserved_micros bigint default 0 not null,
  notified_percent integer default 0 not null,
  constraint ai_budgets_pkey PRIMARY KEY (id),
  constraint ai_budgets_kind_check CHECK (kind = ANY (ARRAY['academy'::text, 'company'::text, 'connector'::text]))
);
CREATE UNIQUE INDEX ai_budgets_owner ON ai_budgets (kind, owner_id) NULLS NOT DISTINCT;

-- 1 rows a year per installation; kept for good
create table ai_settings (
  id boolean default true not null,
  currency text default 'EUR'::text not null,
  limit_text text not null,
  constraint ai_settings_pkey PRIMARY KEY (id),
  constraint ai_settings_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  constraint ai_settings_id_check CHECK (id)
);

-- 60 rows a year per learner; kept for good: what calls have cost, without their text
create table ai_usage (
  id uuid default gen_random_uuid() not null,
  at timestamptz default now() not null,
  purpose text not null,
  connector_id uuid not null,
  model text not null,
  fallback_for uuid,
  user_id uuid,
  visitor_id text,
  company_id uuid,
  chatbot_id uuid,
  prompt_version_id uuid,
  status text default 'running'::text not null,
  code text,
  input_tokens integer default 0 not null,
  output_tokens integer default 0 not null,
  is_estimated boolean default true not null,
  input_price double precision,
  output_price double precision,
  reserved_micros bigint default 0 not null,
  cost_micros bigint,
  budget_ids uuid[] default '{}'::uuid[] not null,
  first_token_ms integer,
  total_ms integer,
  passage_ids jsonb default '[]'::jsonb not null,
  expires_at timestamptz not null,
  constraint ai_usage_pkey PRIMARY KEY (id),
  constraint ai_usage_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint ai_usage_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connectors(id),
  constraint ai_usage_fallback_for_fkey FOREIGN KEY (fallback_for) REFERENCES connectors(id),
  constraint ai_usage_prompt_version_id_fkey FOREIGN KEY (prompt_version_id) REFERENCES prompt_versions(id) ON DELETE SET NULL,
  constraint ai_usage_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint ai_usage_purpose_check CHECK (purpose = ANY (ARRAY['chat'::text, 'prompt'::text, 'button'::text, 'analysis'::text, 'document'::text, 'embedding'::text, 'transcription'::text, 'speech'::text, 'test'::text, 'comparison'::text, 'moderation'::text])) NOT VALID,
  constraint ai_usage_status_check CHECK (status = ANY (ARRAY['running'::text, 'done'::text, 'length'::text, 'stopped'::text, 'refused'::text, 'cut'::text, 'failed'::text, 'lost'::text]))
);
CREATE INDEX ai_usage_at ON ai_usage (at DESC, id);
CREATE INDEX ai_usage_chatbot ON ai_usage (chatbot_id, at DESC) WHERE (chatbot_id IS NOT NULL);
CREATE INDEX ai_usage_company ON ai_usage (company_id, at DESC);
CREATE INDEX ai_usage_connector ON ai_usage (connector_id, at DESC);
CREATE INDEX ai_usage_fallback ON ai_usage (fallback_for) WHERE (fallback_for IS NOT NULL);
CREATE INDEX ai_usage_prompt ON ai_usage (prompt_version_id, at DESC) WHERE (prompt_version_id IS NOT NULL);
CREATE INDEX ai_usage_running ON ai_usage (expires_at) WHERE (status = 'running'::text);
CREATE INDEX ai_usage_user ON ai_usage (user_id);

-- 5 rows a year per installation; kept until an admin removes it
create table connectors (
  id uuid default gen_random_uuid() not null,
  name text not null,
  kind text not null,
  base_url text default ''::text not null,
  api_key text,
  key_hint text,
  models jsonb default '[]'::jsonb not null,
  fallbacks jsonb default '[]'::jsonb not null,
  cheaper_model text,
  first_token_timeout_ms integer default 30000 not null,
  total_timeout_ms integer default 120000 not null,
  max_concurrent integer default 20 not null,
  company_ids uuid[] default '{}'::uuid[] not null,
  is_default boolean default false not null,
  status text default 'draft'::text not null,
  failures integer default 0 not null,
  first_failure_at timestamptz,
  paused_until timestamptz,
  last_error_code text,
  last_error_at timestamptz,
  last_test jsonb,
  version integer default 1 not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  vector_sizes jsonb default '{}'::jsonb not null,
  constraint connectors_pkey PRIMARY KEY (id),
  constraint connectors_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint connectors_kind_check CHECK (kind = ANY (ARRAY['builtin'::text, 'openai'::text, 'azure'::text, 'anthropic'::text, 'google'::text, 'local'::text])) NOT VALID,
  constraint connectors_status_check CHECK (status = ANY (ARRAY['draft'::text, 'active'::text, 'disabled'::text, 'archived'::text]))
);
CREATE UNIQUE INDEX connectors_default ON connectors (is_default) WHERE is_default;
CREATE INDEX connectors_updated_by ON connectors (updated_by);

-- consent

-- 2 rows a year per learner; kept while valid, and three more years
create table consent_records (
  id uuid default gen_random_uuid() not null,
  user_id uuid,
  consent_id uuid not null,
  kind text default 'cookies'::text not null,
  status text not null,
  preferences jsonb not null,
  policy_version integer not null,
  text_id uuid not null,
  via text not null,
  gpc boolean default false not null,
  browser text,
  decided_at timestamptz not null,
  recorded_at timestamptz default now() not null,
  expires_at timestamptz not null,
  supersedes uuid,
  text_shown boolean default false not null,
  constraint consent_records_pkey PRIMARY KEY (id),
  constraint consent_records_supersedes_fkey FOREIGN KEY (supersedes) REFERENCES consent_records(id) ON DELETE SET NULL,
  constraint consent_records_text_id_fkey FOREIGN KEY (text_id) REFERENCES consent_texts(id),
  constraint consent_records_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint consent_records_kind_check CHECK (kind = 'cookies'::text),
  constraint consent_records_status_check CHECK (status = ANY (ARRAY['accept_all'::text, 'reject_all'::text, 'customized'::text])),
  constraint consent_records_via_check CHECK (via = ANY (ARRAY['banner'::text, 'dialog'::text, 'settings'::text, 'sync'::text]))
);
CREATE INDEX consent_records_decided ON consent_records (user_id, decided_at DESC);
CREATE INDEX consent_records_user ON consent_records (user_id, recorded_at DESC);
CREATE TRIGGER consent_records_append_only BEFORE DELETE OR UPDATE ON consent_records FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();

-- conversations

-- 60 rows a year per learner; kept as long as the chatbot states, at most ten years
create table conversation_calls (
  conversation_id uuid not null,
  model text not null,
  prompt_version_id uuid,
  calls integer not null,
  answers integer not null,
  refused integer not null,
  ratings integer not null,
  thumbs_up integer not null,
  tokens bigint not null,
  cost_micros bigint not null
);
CREATE INDEX conversation_calls_conversation ON conversation_calls (conversation_id);

-- 10 rows a year per learner; kept as long as the chatbot states, at most ten years
create table conversation_figures (
  conversation_id uuid not null,
  started_at timestamptz not null,
  questions integer default 0 not null,
  answers integer default 0 not null,
  refused integer default 0 not null,
  guided integer default 0 not null,
  partial integer default 0 not null,
  solutions integer default 0 not null,
  ratings integer default 0 not null,
  thumbs_up integer default 0 not null,
  tokens bigint default 0 not null,
  cost_micros bigint default 0 not null,
  unpriced integer default 0 not null,
  asked_at timestamptz[] default '{}'::timestamptz[] not null,
  solved_at timestamptz[] default '{}'::timestamptz[] not null,
  first_ms double precision[] default '{}'::double precision[] not null,
  total_ms double precision[] default '{}'::double precision[] not null,
  document_ids uuid[] default '{}'::uuid[] not null,
  refused_ids uuid[] default '{}'::uuid[] not null,
  constraint conversation_figures_pkey PRIMARY KEY (conversation_id)
);
CREATE INDEX conversation_figures_started ON conversation_figures (started_at);

-- 10 rows a year per learner; kept as long as the chatbot states, at most ten years
create table conversations (
  id uuid default gen_random_uuid() not null,
  chatbot_id uuid not null,
  version_id uuid,
  user_id uuid,
  visitor text,
  company_id uuid,
  course_id uuid,
  attempt_id uuid,
  session_id uuid,
  title text default ''::text not null,
  is_preview boolean default false not null,
  channel text default 'page'::text not null,
  started_at timestamptz default now() not null,
  last_at timestamptz default now() not null,
  scene_step text,
  ended_at timestamptz,
  outcome text,
  questions integer default 0 not null,
  hint_step integer default 0 not null,
  event_id uuid,
  constraint conversations_pkey PRIMARY KEY (id),
  constraint conversations_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempts(id) ON DELETE SET NULL,
  constraint conversations_chatbot_id_fkey FOREIGN KEY (chatbot_id) REFERENCES chatbots(id) ON DELETE CASCADE,
  constraint conversations_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint conversations_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE,
  constraint conversations_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE SET NULL,
  constraint conversations_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE SET NULL,
  constraint conversations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint conversations_version_id_fkey FOREIGN KEY (version_id) REFERENCES chatbot_versions(id) ON DELETE SET NULL,
  constraint conversations_channel_check CHECK (channel = ANY (ARRAY['page'::text, 'course'::text, 'embed'::text, 'event'::text, 'preview'::text])),
  constraint conversations_check CHECK (user_id IS NULL OR visitor IS NULL),
  constraint conversations_outcome_check CHECK (outcome = ANY (ARRAY['goal'::text, 'ended'::text]))
);
CREATE INDEX conversations_attempt ON conversations (attempt_id);
CREATE INDEX conversations_chatbot ON conversations (chatbot_id, last_at, id) INCLUDE (is_preview, questions);
CREATE INDEX conversations_company ON conversations (company_id, last_at DESC);
CREATE INDEX conversations_course ON conversations (course_id, last_at DESC);
CREATE INDEX conversations_event ON conversations (event_id);
CREATE INDEX conversations_last ON conversations (last_at, id) INCLUDE (is_preview, questions);
CREATE INDEX conversations_session ON conversations (session_id);
CREATE INDEX conversations_started ON conversations (started_at, id) WHERE ((questions > 0) AND (NOT is_preview));
CREATE INDEX conversations_title_trigrams ON conversations USING gin (title gin_trgm_ops) WITH (gin_pending_list_limit='64');
CREATE INDEX conversations_user ON conversations (user_id, last_at DESC) WHERE (user_id IS NOT NULL);
CREATE INDEX conversations_version ON conversations (version_id);
CREATE INDEX conversations_visitor ON conversations (visitor, last_at DESC) WHERE (visitor IS NOT NULL);
CREATE TRIGGER conversations_counted_update AFTER UPDATE ON conversations FOR EACH ROW WHEN (old.started_at IS DISTINCT FROM new.started_at) EXECUTE FUNCTION count_moved_conversation();

-- 60 rows a year per learner; kept as long as the chatbot states, at most ten years
create table turns (
  id uuid not null,
  conversation_id uuid not null,
  parent_id uuid,
  number integer not null,
  role text not null,
  state text not null,
  text text default ''::text not null,
  sources jsonb default '[]'::jsonb not null,
  options jsonb default '[]'::jsonb not null,
  why jsonb,
  code text,
  usage_id uuid,
  connector text,
  model text,
  tokens_in integer,
  tokens_out integer,
  cost_micros bigint,
  button_id uuid,
  hint_step integer,
  give_away text,
  created_at timestamptz default now() not null,
  first_at timestamptz,
  finished_at timestamptz,
  leased_until timestamptz,
  stop_requested boolean default false not null,
  watched_until timestamptz,
  rating text,
  rating_reason text,
  rating_text text default ''::text not null,
  spoken boolean default false not null,
  shows_help boolean default false not null,
  gives_orders boolean default false not null,
  constraint turns_pkey PRIMARY KEY (id),
  constraint turns_conversation_id_number_key UNIQUE (conversation_id, number),
  constraint turns_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  constraint turns_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES turns(id) ON DELETE CASCADE,
  constraint turns_give_away_check CHECK (give_away = ANY (ARRAY['hint'::text, 'partial'::text, 'full'::text])),
  constraint turns_rating_check CHECK (rating = ANY (ARRAY['up'::text, 'down'::text])),
  constraint turns_role_check CHECK (role = ANY (ARRAY['user'::text, 'assistant'::text])),
  constraint turns_state_check CHECK (state = ANY (ARRAY['stored'::text, 'waiting'::text, 'streaming'::text, 'done'::text, 'stopped'::text, 'cut'::text, 'failed'::text, 'refused'::text, 'limited'::text, 'care'::text, 'blocked'::text]))
);
CREATE INDEX turns_cost ON turns (created_at) INCLUDE (conversation_id, cost_micros) WHERE (cost_micros > 0);
CREATE INDEX turns_created ON turns (created_at);
CREATE INDEX turns_open ON turns (leased_until) WHERE (state = ANY (ARRAY['waiting'::text, 'streaming'::text]));
CREATE INDEX turns_orders ON turns (conversation_id) WHERE gives_orders;
CREATE INDEX turns_parent ON turns (parent_id);
CREATE INDEX turns_refused ON turns (created_at, id) WHERE (state = 'refused'::text);
CREATE TRIGGER turns_counted_delete AFTER DELETE ON turns REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_removed_turns();
CREATE TRIGGER turns_counted_insert AFTER INSERT ON turns REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_new_turns();
CREATE TRIGGER turns_counted_update AFTER UPDATE ON turns FOR EACH ROW WHEN ((new.state <> ALL (ARRAY['waiting'::text, 'streaming'::text])) AND (old.state IS DISTINCT FROM new.state OR old.role IS DISTINCT FROM new.role OR old.parent_id IS DISTINCT FROM new.parent_id OR old.rating IS DISTINCT FROM new.rating OR old.give_away IS DISTINCT FROM new.give_away OR old.tokens_in IS DISTINCT FROM new.tokens_in OR old.tokens_out IS DISTINCT FROM new.tokens_out OR old.cost_micros IS DISTINCT FROM new.cost_micros OR old.usage_id IS DISTINCT FROM new.usage_id OR old.connector IS DISTINCT FROM new.connector OR old.model IS DISTINCT FROM new.model OR old.sources IS DISTINCT FROM new.sources OR old.created_at IS DISTINCT FROM new.created_at OR old.first_at IS DISTINCT FROM new.first_at OR old.finished_at IS DISTINCT FROM new.finished_at)) EXECUTE FUNCTION count_changed_turn();

-- core

-- 365 rows a year per installation; kept for good: when backups were made
create table backups (
  id uuid default gen_random_uuid() not null,
  started_at timestamptz not null,
  finished_at timestamptz default now() not null,
  bytes bigint not null,
  rows bigint not null,
  files integer not null,
  constraint backups_pkey PRIMARY KEY (id)
);
CREATE INDEX backups_finished ON backups (finished_at DESC);

-- 100 rows a year per installation; kept until its time window ends
create table throttles (
  key text not null,
  tries integer not null,
  until timestamptz not null,
  subject text,
  constraint throttles_pkey PRIMARY KEY (key)
);
CREATE INDEX throttles_subject ON throttles (subject) WHERE (subject IS NOT NULL);

-- courses

-- 1 rows a year per course; kept as long as the course
create table answered_courses (
  course_id uuid not null,
  constraint answered_courses_pkey PRIMARY KEY (course_id),
  constraint answered_courses_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE
);

-- 10 rows a year per company; kept until an admin removes it
create table company_courses (
  company_id uuid not null,
  course_id uuid not null,
  due_date date,
  assigned_by uuid,
  assigned_at timestamptz default now() not null,
  constraint company_courses_pkey PRIMARY KEY (company_id, course_id),
  constraint company_courses_assigned_by_fkey FOREIGN KEY (assigned_by) REFERENCES users(id),
  constraint company_courses_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint company_courses_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE
);

-- 2 rows a year per course; kept for good: proof, or the history that reports are computed from
create table completion_rule_history (
  id bigint generated always as identity not null,
  course_id uuid not null,
  rule jsonb not null,
  rule_text text not null,
  actor_id uuid,
  reason text,
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  backfilled boolean default false not null,
  constraint completion_rule_history_pkey PRIMARY KEY (id)
);
CREATE INDEX completion_rule_history_actor ON completion_rule_history (actor_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX completion_rule_history_course ON completion_rule_history (course_id, id);
CREATE TRIGGER completion_rule_history_append_only BEFORE DELETE OR UPDATE ON completion_rule_history FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER completion_rule_history_no_truncate BEFORE TRUNCATE ON completion_rule_history FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();

-- 5 rows a year per course; kept for good: proof, or the history that reports are computed from
create table course_history (
  id bigint generated always as identity not null,
  course_id uuid not null,
  change text not null,
  status text not null,
  live_version_id uuid,
  actor_id uuid,
  reason text,
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  backfilled boolean default false not null,
  constraint course_history_pkey PRIMARY KEY (id),
  constraint course_history_change_check CHECK (change = ANY (ARRAY['created'::text, 'published'::text, 'unpublished'::text, 'archived'::text, 'version'::text, 'rule'::text, 'removed'::text])),
  constraint course_history_status_check CHECK (status = ANY (ARRAY['draft'::text, 'published'::text, 'archived'::text]))
);
CREATE INDEX course_history_actor ON course_history (actor_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX course_history_course ON course_history (course_id, id);
CREATE TRIGGER course_history_append_only BEFORE DELETE OR UPDATE ON course_history FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER course_history_no_truncate BEFORE TRUNCATE ON course_history FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();

-- 2 rows a year per course; kept as long as the course
create table course_versions (
  id uuid default gen_random_uuid() not null,
  course_id uuid not null,
  number integer not null,
  kind text not null,
  title text not null,
  file_name text not null,
  bytes bigint not null,
  files integer not null,
  sha256 text not null,
  manifest jsonb,
  parts jsonb not null,
  warnings jsonb not null,
  created_at timestamptz default now() not null,
  created_by uuid,
  file_id uuid,
  questions jsonb default '{}'::jsonb not null,
  package_names jsonb default '[]'::jsonb not null,
  is_sequenced boolean default false not null,
  constraint course_versions_pkey PRIMARY KEY (id),
  constraint course_versions_course_id_number_key UNIQUE (course_id, number),
  constraint course_versions_file_id_key UNIQUE (file_id),
  constraint course_versions_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE,
  constraint course_versions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint course_versions_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id)
);
CREATE TRIGGER add_kind_of_parts BEFORE INSERT ON course_versions FOR EACH ROW EXECUTE FUNCTION add_kind_of_parts();
CREATE TRIGGER add_other_package_of_version AFTER INSERT ON course_versions FOR EACH ROW WHEN (new.kind = ANY (ARRAY['cmi5'::text, 'xapi'::text])) EXECUTE FUNCTION add_package_of_version();
CREATE TRIGGER add_package_of_version AFTER INSERT ON course_versions FOR EACH ROW WHEN (new.kind = ANY (ARRAY['scorm12'::text, 'scorm2004'::text, 'html'::text])) EXECUTE FUNCTION add_package_of_version();

-- 1 rows a year per course; kept for good: courses are archived
create table courses (
  id uuid default gen_random_uuid() not null,
  title text not null,
  code text not null,
  summary text default ''::text not null,
  minutes integer,
  kind text not null,
  status text default 'draft'::text not null,
  completion_rule jsonb not null,
  live_version_id uuid,
  version integer default 1 not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  constraint courses_pkey PRIMARY KEY (id),
  constraint courses_live_version_id_fkey FOREIGN KEY (live_version_id) REFERENCES course_versions(id),
  constraint courses_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id),
  constraint courses_kind_check CHECK (kind = ANY (ARRAY['scorm12'::text, 'scorm2004'::text, 'html'::text, 'lessons'::text, 'mixed'::text, 'cmi5'::text, 'xapi'::text])) NOT VALID,
  constraint courses_status_check CHECK (status = ANY (ARRAY['draft'::text, 'published'::text, 'archived'::text]))
);
CREATE UNIQUE INDEX courses_code ON courses (lower(code));
CREATE INDEX courses_listed_title ON courses (lower(title), id);
CREATE INDEX courses_title_trgm ON courses USING gin (title gin_trgm_ops);
CREATE TRIGGER write_history_delete AFTER DELETE ON courses FOR EACH ROW EXECUTE FUNCTION write_course_history();
CREATE TRIGGER write_history_insert AFTER INSERT ON courses FOR EACH ROW EXECUTE FUNCTION write_course_history();
CREATE TRIGGER write_history_update AFTER UPDATE ON courses FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status OR old.live_version_id IS DISTINCT FROM new.live_version_id OR old.completion_rule IS DISTINCT FROM new.completion_rule) EXECUTE FUNCTION write_course_history();
CREATE TRIGGER write_rule_history_insert AFTER INSERT ON courses FOR EACH ROW EXECUTE FUNCTION write_completion_rule_history();
CREATE TRIGGER write_rule_history_update AFTER UPDATE ON courses FOR EACH ROW WHEN (old.completion_rule IS DISTINCT FROM new.completion_rule) EXECUTE FUNCTION write_completion_rule_history();

-- 60 rows a year per learner; kept for good: proof, or the history that reports are computed from
create table enrolment_activity (
  id bigint generated always as identity not null,
  enrolment_id uuid not null,
  recorded_at timestamptz not null,
  progress real,
  parts_done integer not null,
  active_seconds integer not null,
  reported_seconds integer not null,
  constraint enrolment_activity_pkey PRIMARY KEY (id),
  constraint enrolment_activity_enrolment_id_recorded_at_key UNIQUE (enrolment_id, recorded_at)
);
CREATE TRIGGER enrolment_activity_append_only BEFORE DELETE OR UPDATE ON enrolment_activity FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER enrolment_activity_no_truncate BEFORE TRUNCATE ON enrolment_activity FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();

-- 40 rows a year per learner; kept for good: proof, or the history that reports are computed from
create table enrolment_history (
  id bigint generated always as identity not null,
  enrolment_id uuid not null,
  person_id uuid not null,
  company_id uuid not null,
  course_id uuid not null,
  change text not null,
  source text not null,
  cycle integer not null,
  status text not null,
  success text not null,
  score_percent real,
  due_date date,
  attempt_no integer,
  version_id uuid,
  actor_id uuid,
  reason text,
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  backfilled boolean default false not null,
  assigned_at timestamptz not null,
  first_started_at timestamptz,
  completed_at timestamptz,
  constraint enrolment_history_pkey PRIMARY KEY (id),
  constraint enrolment_history_change_check CHECK (change = ANY (ARRAY['assigned'::text, 'due'::text, 'withdrawn'::text, 'restored'::text, 'started'::text, 'completed'::text, 'status'::text, 'result'::text, 'attempt'::text, 'removed'::text])),
  constraint enrolment_history_source_check CHECK (source = ANY (ARRAY['manual'::text, 'company'::text, 'code'::text, 'invitation'::text])),
  constraint enrolment_history_status_check CHECK (status = ANY (ARRAY['assigned'::text, 'in_progress'::text, 'completed'::text, 'failed'::text, 'withdrawn'::text])),
  constraint enrolment_history_success_check CHECK (success = ANY (ARRAY['unknown'::text, 'passed'::text, 'failed'::text]))
);
CREATE INDEX enrolment_history_actor ON enrolment_history (actor_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX enrolment_history_company ON enrolment_history (company_id, course_id);
CREATE INDEX enrolment_history_enrolment ON enrolment_history (enrolment_id, id);
CREATE INDEX enrolment_history_person ON enrolment_history (person_id);
CREATE INDEX enrolment_history_states ON enrolment_history (course_id, company_id, enrolment_id, id DESC) INCLUDE (person_id, recorded_at, change, status, success, score_percent, due_date, attempt_no, assigned_at, first_started_at, completed_at);
CREATE TRIGGER enrolment_history_append_only BEFORE DELETE OR UPDATE ON enrolment_history FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER enrolment_history_no_truncate BEFORE TRUNCATE ON enrolment_history FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();

-- 12 rows a year per learner; kept as long as the enrolment
create table enrolment_reasons (
  id bigint generated always as identity not null,
  enrolment_id uuid not null,
  company_id uuid not null,
  kind text not null,
  rule_id uuid,
  due_date date,
  since timestamptz default now() not null,
  made_by uuid,
  until timestamptz,
  ended text,
  ended_by uuid,
  constraint enrolment_reasons_pkey PRIMARY KEY (id),
  constraint enrolment_reasons_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint enrolment_reasons_enrolment_id_fkey FOREIGN KEY (enrolment_id) REFERENCES enrolments(id) ON DELETE CASCADE,
  constraint enrolment_reasons_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint enrolment_reasons_check CHECK ((until IS NULL) = (ended IS NULL)),
  constraint enrolment_reasons_ended_check CHECK (ended = ANY (ARRAY['withdrawn'::text, 'left'::text, 'undone'::text, 'removed'::text, 'replaced'::text])),
  constraint enrolment_reasons_every_kind CHECK (kind = ANY (ARRAY['person'::text, 'company'::text, 'rule'::text, 'path'::text, 'self'::text, 'code'::text, 'invitation'::text, 'import'::text, 'event'::text, 'kept'::text, 'elsewhere'::text]))
);
CREATE INDEX enrolment_reasons_ended_by ON enrolment_reasons (ended_by) WHERE (ended_by IS NOT NULL);
CREATE INDEX enrolment_reasons_enrolment ON enrolment_reasons (enrolment_id, until);
CREATE INDEX enrolment_reasons_made_by ON enrolment_reasons (made_by, since) WHERE (made_by IS NOT NULL);
CREATE UNIQUE INDEX enrolment_reasons_open ON enrolment_reasons (enrolment_id, kind, rule_id) NULLS NOT DISTINCT WHERE (until IS NULL);
CREATE INDEX enrolment_reasons_rule ON enrolment_reasons (rule_id, enrolment_id) WHERE (rule_id IS NOT NULL);

-- 8 rows a year per learner; kept until the person is erased
create table enrolments (
  id uuid default gen_random_uuid() not null,
  user_id uuid,
  company_id uuid not null,
  course_id uuid not null,
  cycle integer default 1 not null,
  source text not null,
  assigned_by uuid,
  assigned_at timestamptz default now() not null,
  due_date date,
  status text default 'assigned'::text not null,
  progress real,
  success text default 'unknown'::text not null,
  score_percent real,
  current_part text,
  parts_done integer default 0 not null,
  active_seconds integer default 0 not null,
  reported_seconds integer default 0 not null,
  first_started_at timestamptz,
  completed_at timestamptz,
  last_activity_at timestamptz,
  happened_at timestamptz,
  reminded_at timestamptz,
  first_attempt integer default 1 not null,
  constraint enrolments_pkey PRIMARY KEY (id),
  constraint enrolments_user_id_course_id_cycle_key UNIQUE (user_id, course_id, cycle),
  constraint enrolments_assigned_by_fkey FOREIGN KEY (assigned_by) REFERENCES users(id),
  constraint enrolments_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint enrolments_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id),
  constraint enrolments_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint enrolments_source_check CHECK (source = ANY (ARRAY['manual'::text, 'company'::text, 'code'::text, 'invitation'::text])),
  constraint enrolments_status_check CHECK (status = ANY (ARRAY['assigned'::text, 'in_progress'::text, 'completed'::text, 'failed'::text, 'withdrawn'::text])),
  constraint enrolments_success_check CHECK (success = ANY (ARRAY['unknown'::text, 'passed'::text, 'failed'::text]))
);
CREATE INDEX enrolments_assigned_by ON enrolments (assigned_by) WHERE (assigned_by IS NOT NULL);
CREATE INDEX enrolments_company ON enrolments (company_id, status);
CREATE INDEX enrolments_completed ON enrolments (completed_at DESC) INCLUDE (company_id, status, due_date) WHERE (completed_at IS NOT NULL);
CREATE INDEX enrolments_counted ON enrolments (course_id, company_id, status);
CREATE INDEX enrolments_course ON enrolments (course_id, status);
CREATE INDEX enrolments_due ON enrolments (due_date) INCLUDE (company_id, user_id, course_id, status) WHERE ((due_date IS NOT NULL) AND (status = ANY (ARRAY['assigned'::text, 'in_progress'::text, 'failed'::text])));
CREATE INDEX enrolments_due_completed ON enrolments (due_date) INCLUDE (company_id, completed_at) WHERE ((due_date IS NOT NULL) AND (status = 'completed'::text));
CREATE INDEX enrolments_failed ON enrolments (company_id) WHERE (status = 'failed'::text);
CREATE INDEX enrolments_last_due ON enrolments (due_date DESC NULLS LAST, id) WHERE ((user_id IS NOT NULL) AND (status <> 'withdrawn'::text));
CREATE INDEX enrolments_next_due ON enrolments (due_date, id) WHERE ((user_id IS NOT NULL) AND (status <> 'withdrawn'::text));
CREATE INDEX enrolments_of_course ON enrolments (course_id, id);
CREATE INDEX enrolments_started ON enrolments (first_started_at) INCLUDE (company_id, course_id, status) WHERE (first_started_at IS NOT NULL);
CREATE INDEX enrolments_unstarted ON enrolments (company_id, assigned_at) WHERE ((status = 'assigned'::text) AND (user_id IS NOT NULL));
CREATE INDEX enrolments_user_status ON enrolments (user_id, status);
CREATE TRIGGER follow_due_day_for_paths AFTER UPDATE OF due_date ON enrolments FOR EACH ROW WHEN (old.due_date IS DISTINCT FROM new.due_date AND new.user_id IS NOT NULL) EXECUTE FUNCTION follow_due_day_for_paths();
CREATE TRIGGER follow_enrolment_changed AFTER UPDATE ON enrolments FOR EACH ROW WHEN (old.status <> new.status AND ('withdrawn'::text = old.status OR 'withdrawn'::text = new.status OR 'completed'::text = old.status OR 'completed'::text = new.status)) EXECUTE FUNCTION follow_enrolment();
CREATE TRIGGER follow_enrolment_for_paths_changed AFTER UPDATE ON enrolments FOR EACH ROW WHEN (old.status <> new.status AND ('completed'::text = old.status OR 'completed'::text = new.status OR 'withdrawn'::text = old.status OR 'withdrawn'::text = new.status)) EXECUTE FUNCTION follow_enrolment_for_paths();
CREATE TRIGGER follow_enrolment_for_paths_made AFTER INSERT ON enrolments FOR EACH ROW WHEN (new.status = 'completed'::text) EXECUTE FUNCTION follow_enrolment_for_paths();
CREATE TRIGGER follow_enrolment_made AFTER INSERT OR DELETE ON enrolments FOR EACH ROW EXECUTE FUNCTION follow_enrolment();
CREATE TRIGGER follow_enrolments_for_catalogue AFTER UPDATE ON enrolments REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_enrolments_for_catalogue();
CREATE TRIGGER follow_new_requirements AFTER INSERT ON enrolments REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION follow_new_requirements();
CREATE TRIGGER follow_requirement AFTER UPDATE ON enrolments FOR EACH ROW WHEN (old.status <> new.status OR old.user_id IS NOT NULL AND new.user_id IS NULL) EXECUTE FUNCTION follow_requirement();
CREATE TRIGGER follow_withdrawal AFTER UPDATE ON enrolments FOR EACH ROW WHEN ((old.status = 'withdrawn'::text) <> (new.status = 'withdrawn'::text)) EXECUTE FUNCTION follow_withdrawal();
CREATE TRIGGER write_activity_delete AFTER DELETE ON enrolments FOR EACH ROW WHEN (old.last_activity_at IS NOT NULL) EXECUTE FUNCTION write_enrolment_activity();
CREATE TRIGGER write_activity_update AFTER UPDATE ON enrolments FOR EACH ROW WHEN (old.last_activity_at IS NOT NULL AND (date_bin('00:15:00'::interval, old.last_activity_at, '2000-01-01 00:00:00+00'::timestamptz) IS DISTINCT FROM date_bin('00:15:00'::interval, new.last_activity_at, '2000-01-01 00:00:00+00'::timestamptz) OR old.user_id IS DISTINCT FROM new.user_id)) EXECUTE FUNCTION write_enrolment_activity();
CREATE TRIGGER write_enrolment_reason_insert AFTER INSERT ON enrolments FOR EACH ROW EXECUTE FUNCTION write_enrolment_reason();
CREATE TRIGGER write_enrolment_reason_update AFTER UPDATE ON enrolments FOR EACH ROW WHEN ((old.status = 'withdrawn'::text) <> (new.status = 'withdrawn'::text) OR old.user_id IS NOT NULL AND new.user_id IS NULL) EXECUTE FUNCTION write_enrolment_reason();
CREATE TRIGGER write_history_delete AFTER DELETE ON enrolments FOR EACH ROW EXECUTE FUNCTION write_enrolment_history();
CREATE TRIGGER write_history_insert AFTER INSERT ON enrolments FOR EACH ROW EXECUTE FUNCTION write_enrolment_history();
CREATE TRIGGER write_history_update AFTER UPDATE ON enrolments FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status OR old.due_date IS DISTINCT FROM new.due_date OR old.success IS DISTINCT FROM new.success OR old.score_percent IS DISTINCT FROM new.score_percent) EXECUTE FUNCTION write_enrolment_history();

-- 2 rows a year per course; kept as long as the package
create table package_checks (
  package_id uuid not null,
  reading jsonb,
  reader integer not null,
  number integer default 1 not null,
  took_ms integer not null,
  checked_at timestamptz default now() not null,
  constraint package_checks_pkey PRIMARY KEY (package_id),
  constraint package_checks_package_id_fkey FOREIGN KEY (package_id) REFERENCES packages(id) ON DELETE CASCADE
);

-- 2 rows a year per course; kept as long as the course
create table packages (
  id uuid not null,
  course_id uuid not null,
  kind text not null,
  title text not null,
  file_name text not null,
  bytes bigint not null,
  files integer not null,
  parts jsonb not null,
  warnings jsonb not null,
  questions jsonb not null,
  package_names jsonb not null,
  file_id uuid,
  created_at timestamptz default now() not null,
  created_by uuid,
  constraint packages_pkey PRIMARY KEY (id),
  constraint packages_file_id_key UNIQUE (file_id),
  constraint packages_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE,
  constraint packages_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint packages_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id),
  constraint packages_kind_check CHECK (kind = ANY (ARRAY['scorm12'::text, 'scorm2004'::text, 'html'::text, 'cmi5'::text, 'xapi'::text])) NOT VALID
);
CREATE INDEX packages_course ON packages (course_id);
CREATE INDEX packages_created_by ON packages (created_by);

-- 8 rows a year per learner; kept for good: proof, or the history that reports are computed from
create table reminder_log (
  id bigint generated always as identity not null,
  enrolment_id uuid not null,
  person_id uuid not null,
  company_id uuid not null,
  course_id uuid not null,
  step text not null,
  due_date date,
  mail_id uuid,
  was_queued boolean,
  actor_id uuid,
  reason text,
  happened_at timestamptz not null,
  recorded_at timestamptz default clock_timestamp() not null,
  backfilled boolean default false not null,
  constraint reminder_log_pkey PRIMARY KEY (id),
  constraint reminder_log_step_check CHECK (step = 'overdue'::text)
);
CREATE INDEX reminder_log_actor ON reminder_log (actor_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX reminder_log_course ON reminder_log (course_id, company_id);
CREATE INDEX reminder_log_enrolment ON reminder_log (enrolment_id, id);
CREATE INDEX reminder_log_person ON reminder_log (person_id);
CREATE TRIGGER reminder_log_append_only BEFORE DELETE OR UPDATE ON reminder_log FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER reminder_log_no_truncate BEFORE TRUNCATE ON reminder_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();

-- 10 rows a year per company; kept a day
create table undo_company_courses (
  step_id uuid not null,
  company_id uuid not null,
  course_id uuid not null,
  existed boolean not null,
  due_date date,
  constraint undo_company_courses_pkey PRIMARY KEY (step_id, company_id, course_id),
  constraint undo_company_courses_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint undo_company_courses_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE,
  constraint undo_company_courses_step_id_fkey FOREIGN KEY (step_id) REFERENCES undo_steps(id) ON DELETE CASCADE
);
CREATE INDEX undo_company_courses_company ON undo_company_courses (company_id);
CREATE INDEX undo_company_courses_course ON undo_company_courses (course_id);

-- 8 rows a year per learner; kept a day
create table undo_enrolments (
  step_id uuid not null,
  enrolment_id uuid not null,
  status text,
  due_date date,
  notified_at timestamptz,
  constraint undo_enrolments_pkey PRIMARY KEY (step_id, enrolment_id),
  constraint undo_enrolments_enrolment_id_fkey FOREIGN KEY (enrolment_id) REFERENCES enrolments(id) ON DELETE CASCADE,
  constraint undo_enrolments_step_id_fkey FOREIGN KEY (step_id) REFERENCES undo_steps(id) ON DELETE CASCADE,
  constraint undo_enrolments_status_check CHECK (status = ANY (ARRAY['assigned'::text, 'in_progress'::text, 'completed'::text, 'failed'::text, 'withdrawn'::text]))
);
CREATE INDEX undo_enrolments_enrolment ON undo_enrolments (enrolment_id);

-- 50 rows a year per admin; kept a day
create table undo_steps (
  id uuid default gen_random_uuid() not null,
  made_by uuid,
  made_at timestamptz default now() not null,
  undone_at timestamptz,
  constraint undo_steps_pkey PRIMARY KEY (id),
  constraint undo_steps_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX undo_steps_made_at ON undo_steps (made_at);
CREATE INDEX undo_steps_made_by ON undo_steps (made_by);

-- 0.1 rows a year per learner; kept a day
create table undo_suspensions (
  step_id uuid not null,
  user_id uuid not null,
  suspended_at timestamptz not null,
  constraint undo_suspensions_pkey PRIMARY KEY (step_id, user_id),
  constraint undo_suspensions_step_id_fkey FOREIGN KEY (step_id) REFERENCES undo_steps(id) ON DELETE CASCADE,
  constraint undo_suspensions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX undo_suspensions_user ON undo_suspensions (user_id);

-- 3 rows a year per course; kept as long as the version
create table version_packages (
  version_id uuid not null,
  package_id uuid not null,
  entry text not null,
  constraint version_packages_pkey PRIMARY KEY (version_id, entry),
  constraint version_packages_package_id_fkey FOREIGN KEY (package_id) REFERENCES packages(id),
  constraint version_packages_version_id_fkey FOREIGN KEY (version_id) REFERENCES course_versions(id) ON DELETE CASCADE
);
CREATE INDEX version_packages_package ON version_packages (package_id);

-- documents

-- 1 rows a year per document; kept as long as the document
create table course_texts (
  version_id uuid not null,
  document_id uuid not null,
  course_version_id uuid not null,
  constraint course_texts_pkey PRIMARY KEY (version_id),
  constraint course_texts_course_version_id_fkey FOREIGN KEY (course_version_id) REFERENCES course_versions(id) ON DELETE CASCADE,
  constraint course_texts_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents(id) ON DELETE CASCADE,
  constraint course_texts_version_id_fkey FOREIGN KEY (version_id) REFERENCES document_versions(id) ON DELETE CASCADE
);
CREATE INDEX course_texts_course_version ON course_texts (course_version_id);
CREATE INDEX course_texts_document ON course_texts (document_id);

-- 1 rows a year per document; kept as long as the document
create table document_companies (
  document_id uuid not null,
  company_id uuid not null,
  constraint document_companies_pkey PRIMARY KEY (document_id, company_id),
  constraint document_companies_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint document_companies_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents(id) ON DELETE CASCADE
);
CREATE INDEX document_companies_company ON document_companies (company_id);

-- 1 rows a year per document; kept as long as the document
create table document_courses (
  document_id uuid not null,
  course_id uuid not null,
  constraint document_courses_pkey PRIMARY KEY (document_id, course_id),
  constraint document_courses_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE,
  constraint document_courses_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents(id) ON DELETE CASCADE
);
CREATE INDEX document_courses_course ON document_courses (course_id);

-- 3 rows a year per document; kept as long as the document
create table document_texts (
  version_id uuid not null,
  text text not null,
  blocks jsonb not null,
  constraint document_texts_pkey PRIMARY KEY (version_id),
  constraint document_texts_version_id_fkey FOREIGN KEY (version_id) REFERENCES document_versions(id) ON DELETE CASCADE
);

-- 3 rows a year per document; kept as long as the document
create table document_versions (
  id uuid default gen_random_uuid() not null,
  document_id uuid not null,
  number integer not null,
  file_id uuid,
  name text not null,
  kind text default 'unknown'::text not null,
  bytes bigint default 0 not null,
  state text default 'waiting'::text not null,
  code text,
  page integer,
  done integer default 0 not null,
  total integer default 0 not null,
  tries integer default 0 not null,
  lease uuid,
  leased_until timestamptz,
  next_try_at timestamptz default now() not null,
  language text default ''::text not null,
  pages integer default 0 not null,
  chars integer default 0 not null,
  passages integer default 0 not null,
  words double precision default 0 not null,
  created_at timestamptz default now() not null,
  created_by uuid,
  ready_at timestamptz,
  constraint document_versions_pkey PRIMARY KEY (id),
  constraint document_versions_document_id_number_key UNIQUE (document_id, number),
  constraint document_versions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint document_versions_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents(id) ON DELETE CASCADE,
  constraint document_versions_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id),
  constraint document_versions_kind_check CHECK (kind = ANY (ARRAY['unknown'::text, 'pdf'::text, 'docx'::text, 'pptx'::text, 'xlsx'::text, 'odt'::text, 'html'::text, 'markdown'::text, 'text'::text, 'subtitles'::text])),
  constraint document_versions_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'checking'::text, 'reading'::text, 'splitting'::text, 'indexing'::text, 'testing'::text, 'ready'::text, 'held'::text, 'failed'::text, 'replaced'::text]))
);
CREATE INDEX document_versions_created_by ON document_versions (created_by);
CREATE INDEX document_versions_file ON document_versions (file_id);
CREATE INDEX document_versions_open ON document_versions (next_try_at) WHERE (state = ANY (ARRAY['waiting'::text, 'checking'::text, 'reading'::text, 'splitting'::text, 'indexing'::text, 'testing'::text]));

-- 1 rows a year per document; kept until an admin removes it
create table documents (
  id uuid default gen_random_uuid() not null,
  title text not null,
  folder text default ''::text not null,
  tags text[] default '{}'::text[] not null,
  source text not null,
  url text,
  company_id uuid,
  all_companies boolean default true not null,
  owner_id uuid,
  review_by date,
  language text,
  status text default 'active'::text not null,
  live_version_id uuid,
  version integer default 1 not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  constraint documents_pkey PRIMARY KEY (id),
  constraint documents_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint documents_live_version_id_fkey FOREIGN KEY (live_version_id) REFERENCES document_versions(id) ON DELETE SET NULL,
  constraint documents_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint documents_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint documents_source_check CHECK (source = ANY (ARRAY['upload'::text, 'web'::text, 'text'::text, 'course'::text])) NOT VALID,
  constraint documents_status_check CHECK (status = ANY (ARRAY['active'::text, 'archived'::text]))
);
CREATE INDEX documents_company ON documents (company_id);
CREATE INDEX documents_folder ON documents (folder);
CREATE INDEX documents_live ON documents (live_version_id);
CREATE INDEX documents_owner ON documents (owner_id);
CREATE INDEX documents_title ON documents (status, lower(title), id);
CREATE INDEX documents_title_trigrams ON documents USING gin (title gin_trgm_ops) WITH (gin_pending_list_limit='64');
CREATE INDEX documents_updated ON documents (status, updated_at, id);
CREATE INDEX documents_updated_by ON documents (updated_by);

-- 9000 rows a year per document; kept as long as the document
create table passage_terms (
  term text not null,
  version_id uuid not null,
  passage_id bigint not null,
  frequency real not null,
  length real not null,
  constraint passage_terms_passage_id_fkey FOREIGN KEY (passage_id) REFERENCES passages(id) ON DELETE CASCADE
);
CREATE INDEX passage_terms_passage ON passage_terms (passage_id);
CREATE INDEX passage_terms_term ON passage_terms (term) INCLUDE (version_id, passage_id, frequency, length);

-- 150 rows a year per document; kept as long as the document
create table passage_vectors (
  passage_id bigint not null,
  connector_id text not null,
  model text not null,
  size integer not null,
  vector bytea not null,
  constraint passage_vectors_pkey PRIMARY KEY (passage_id, connector_id, model, size),
  constraint passage_vectors_passage_id_fkey FOREIGN KEY (passage_id) REFERENCES passages(id) ON DELETE CASCADE
);

-- 150 rows a year per document; kept as long as the document
create table passages (
  id bigint generated always as identity not null,
  version_id uuid not null,
  number integer not null,
  heading text default ''::text not null,
  page_from integer,
  page_to integer,
  char_from integer not null,
  char_to integer not null,
  text text not null,
  stems text default ''::text not null,
  gives_orders boolean default false not null,
  constraint passages_pkey PRIMARY KEY (id),
  constraint passages_version_id_number_key UNIQUE (version_id, number),
  constraint passages_version_id_fkey FOREIGN KEY (version_id) REFERENCES document_versions(id) ON DELETE CASCADE
);
CREATE INDEX passages_orders ON passages (version_id) WHERE gives_orders;

-- 5 rows a year per document; kept as long as the document
create table test_questions (
  id uuid default gen_random_uuid() not null,
  document_id uuid not null,
  question text not null,
  expected text not null,
  facts text[] default '{}'::text[] not null,
  created_at timestamptz default now() not null,
  created_by uuid,
  constraint test_questions_pkey PRIMARY KEY (id),
  constraint test_questions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint test_questions_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents(id) ON DELETE CASCADE
);
CREATE INDEX test_questions_created_by ON test_questions (created_by);
CREATE INDEX test_questions_document ON test_questions (document_id);

-- 50 rows a year per document; kept as long as the document
create table test_results (
  question_id uuid not null,
  version_id uuid not null,
  rank integer,
  missing text[] default '{}'::text[] not null,
  tested_at timestamptz default now() not null,
  constraint test_results_pkey PRIMARY KEY (question_id, version_id),
  constraint test_results_question_id_fkey FOREIGN KEY (question_id) REFERENCES test_questions(id) ON DELETE CASCADE,
  constraint test_results_version_id_fkey FOREIGN KEY (version_id) REFERENCES document_versions(id) ON DELETE CASCADE
);
CREATE INDEX test_results_version ON test_results (version_id);

-- enrolmentRules

-- 20 rows a year per learner; kept until a job has followed it, within seconds; after failures within hours
create table enrolment_rule_changes (
  id bigint generated always as identity not null,
  company_id uuid not null,
  user_id uuid not null,
  kind text not null,
  target text default ''::text not null,
  due_at timestamptz default now() not null,
  failures integer default 0 not null,
  constraint enrolment_rule_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX enrolment_rule_changes_company ON enrolment_rule_changes (company_id, id);
CREATE INDEX enrolment_rule_changes_user ON enrolment_rule_changes (user_id);

-- 10 rows a year per company; kept as long as the rule
create table enrolment_rule_courses (
  rule_id uuid not null,
  course_id uuid not null,
  constraint enrolment_rule_courses_pkey PRIMARY KEY (rule_id, course_id),
  constraint enrolment_rule_courses_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE,
  constraint enrolment_rule_courses_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES enrolment_rules(id) ON DELETE CASCADE
);
CREATE INDEX enrolment_rule_courses_course ON enrolment_rule_courses (course_id);

-- 1 rows a year per company; kept as long as the company
create table enrolment_rule_days (
  company_id uuid not null,
  checked_on date,
  begun_on date,
  cursor uuid,
  turn_at timestamptz default now() not null,
  constraint enrolment_rule_days_pkey PRIMARY KEY (company_id),
  constraint enrolment_rule_days_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);

-- 0.5 rows a year per learner; kept as long as the rule is met
create table enrolment_rule_exceptions (
  rule_id uuid not null,
  user_id uuid not null,
  constraint enrolment_rule_exceptions_pkey PRIMARY KEY (rule_id, user_id),
  constraint enrolment_rule_exceptions_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES enrolment_rules(id) ON DELETE CASCADE,
  constraint enrolment_rule_exceptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX enrolment_rule_exceptions_user ON enrolment_rule_exceptions (user_id);

-- 2 rows a year per learner; kept two days
create table enrolment_rule_run_rows (
  run_id uuid not null,
  enrolment_id uuid not null,
  undone boolean,
  constraint enrolment_rule_run_rows_pkey PRIMARY KEY (run_id, enrolment_id),
  constraint enrolment_rule_run_rows_enrolment_id_fkey FOREIGN KEY (enrolment_id) REFERENCES enrolments(id) ON DELETE CASCADE,
  constraint enrolment_rule_run_rows_run_id_fkey FOREIGN KEY (run_id) REFERENCES enrolment_rule_runs(id) ON DELETE CASCADE
);
CREATE INDEX enrolment_rule_run_rows_enrolment ON enrolment_rule_run_rows (enrolment_id);

-- 10 rows a year per company; kept two days
create table enrolment_rule_runs (
  id uuid default gen_random_uuid() not null,
  rule_id uuid not null,
  state text not null,
  made_by uuid,
  made_at timestamptz default now() not null,
  applied_at timestamptz,
  cursor uuid,
  checked integer default 0 not null,
  turn_at timestamptz default now() not null,
  leased_until timestamptz,
  failures integer default 0 not null,
  constraint enrolment_rule_runs_pkey PRIMARY KEY (id),
  constraint enrolment_rule_runs_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint enrolment_rule_runs_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES enrolment_rules(id) ON DELETE CASCADE,
  constraint enrolment_rule_runs_state_check CHECK (state = ANY (ARRAY['applying'::text, 'applied'::text, 'undoing'::text, 'undone'::text]))
);
CREATE INDEX enrolment_rule_runs_made_by ON enrolment_rule_runs (made_by) WHERE (made_by IS NOT NULL);
CREATE INDEX enrolment_rule_runs_rule ON enrolment_rule_runs (rule_id, made_at);
CREATE INDEX enrolment_rule_runs_waiting ON enrolment_rule_runs (turn_at) WHERE (state = ANY (ARRAY['applying'::text, 'undoing'::text]));

-- 10 rows a year per company; kept as long as the rule
create table enrolment_rule_uses (
  rule_id uuid not null,
  kind text not null,
  target text not null,
  constraint enrolment_rule_uses_pkey PRIMARY KEY (rule_id, kind, target),
  constraint enrolment_rule_uses_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES enrolment_rules(id) ON DELETE CASCADE
);
CREATE INDEX enrolment_rule_uses_target ON enrolment_rule_uses (kind, target);

-- 5 rows a year per company; kept until an admin removes it; its name as long as the company, as a reason of enrolments
create table enrolment_rules (
  id uuid default gen_random_uuid() not null,
  company_id uuid,
  name text not null,
  explanation text default ''::text not null,
  condition jsonb,
  due jsonb not null,
  people text default 'all'::text not null,
  leaving text default 'keep'::text not null,
  notify boolean default true not null,
  state text default 'draft'::text not null,
  version integer default 1 not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  follows_days boolean default false not null,
  removed_at timestamptz,
  constraint enrolment_rules_pkey PRIMARY KEY (id),
  constraint enrolment_rules_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint enrolment_rules_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint enrolment_rules_leaving_check CHECK (leaving = ANY (ARRAY['keep'::text, 'withdraw'::text])),
  constraint enrolment_rules_people_check CHECK (people = ANY (ARRAY['all'::text, 'existing'::text, 'future'::text])),
  constraint enrolment_rules_state_check CHECK (state = ANY (ARRAY['draft'::text, 'active'::text, 'paused'::text]))
);
CREATE INDEX enrolment_rules_company ON enrolment_rules (company_id) WHERE (removed_at IS NULL);
CREATE INDEX enrolment_rules_updated_by ON enrolment_rules (updated_by) WHERE (updated_by IS NOT NULL);

-- events

-- 30 rows a year per event; kept until the retention period of the event ends
create table event_check_ins (
  id bigint generated always as identity not null,
  registration_id uuid not null,
  direction text not null,
  at timestamptz not null,
  recorded_at timestamptz default now() not null,
  by_user uuid,
  device text default ''::text not null,
  constraint event_check_ins_pkey PRIMARY KEY (id),
  constraint event_check_ins_by_user_fkey FOREIGN KEY (by_user) REFERENCES users(id) ON DELETE SET NULL,
  constraint event_check_ins_registration_id_fkey FOREIGN KEY (registration_id) REFERENCES event_registrations(id) ON DELETE CASCADE,
  constraint event_check_ins_direction_check CHECK (direction = ANY (ARRAY['in'::text, 'undo'::text]))
);
CREATE INDEX event_check_ins_registration ON event_check_ins (registration_id);

-- 120 rows a year per event; kept until the retention period of the event ends
create table event_mail_log (
  registration_id uuid not null,
  key text not null,
  at timestamptz default now() not null,
  constraint event_letters_pkey PRIMARY KEY (registration_id, key),
  constraint event_letters_registration_id_fkey FOREIGN KEY (registration_id) REFERENCES event_registrations(id) ON DELETE CASCADE
);

-- 1 rows a year per event; kept as long as the event
create table event_privacy_notices (
  event_id uuid not null,
  version integer not null,
  text text not null,
  sha256 text not null,
  created_at timestamptz default now() not null,
  constraint event_notices_pkey PRIMARY KEY (event_id, version),
  constraint event_notices_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
);

-- 2 rows a year per event; kept as long as the event
create table event_question_versions (
  event_id uuid not null,
  version integer not null,
  questions jsonb not null,
  created_at timestamptz default now() not null,
  constraint event_question_versions_pkey PRIMARY KEY (event_id, version),
  constraint event_question_versions_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
);

-- 120 rows a year per event; kept until the retention period of the event ends
create table event_registration_log (
  id bigint generated always as identity not null,
  registration_id uuid not null,
  at timestamptz default now() not null,
  action text not null,
  actor text not null,
  by_user uuid,
  detail text default ''::text not null,
  constraint event_registration_log_pkey PRIMARY KEY (id),
  constraint event_registration_log_by_user_fkey FOREIGN KEY (by_user) REFERENCES users(id) ON DELETE SET NULL,
  constraint event_registration_log_registration_id_fkey FOREIGN KEY (registration_id) REFERENCES event_registrations(id) ON DELETE CASCADE,
  constraint event_registration_log_actor_check CHECK (actor = ANY (ARRAY['self'::text, 'admin'::text, 'system'::text]))
);
CREATE INDEX event_registration_log_registration ON event_registration_log (registration_id);

-- 40 rows a year per event; kept until the retention period of the event ends
create table event_registrations (
  id uuid default gen_random_uuid() not null,
  event_id uuid not null,
  reference text not null,
  state text not null,
  email text not null,
  email_verified_at timestamptz,
  name text not null,
  company text default ''::text not null,
  user_id uuid,
  attendance text not null,
  answers jsonb default '{}'::jsonb not null,
  question_version integer not null,
  timezone text default 'UTC'::text not null,
  notice_version integer,
  privacy_accepted_at timestamptz,
  marketing_opt_in boolean default false not null,
  manage_token_hash text,
  ticket_version integer default 1 not null,
  queue_number bigint default nextval('event_queue'::regclass) not null,
  confirm_until timestamptz,
  offered_at timestamptz,
  offer_expires_at timestamptz,
  source text not null,
  confirmed_at timestamptz,
  cancelled_at timestamptz,
  cancelled_by text,
  attended_at timestamptz,
  followed_up_at timestamptz,
  purged_at timestamptz,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  version integer default 1 not null,
  constraint event_registrations_pkey PRIMARY KEY (id),
  constraint event_registrations_manage_token_hash_key UNIQUE (manage_token_hash),
  constraint event_registrations_reference_key UNIQUE (reference),
  constraint event_registrations_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE,
  constraint event_registrations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint event_registrations_attendance_check CHECK (attendance = ANY (ARRAY['in_person'::text, 'online'::text])),
  constraint event_registrations_cancelled_by_check CHECK (cancelled_by = ANY (ARRAY['self'::text, 'admin'::text, 'event'::text])),
  constraint event_registrations_email_check CHECK (email = lower(email)),
  constraint event_registrations_source_check CHECK (source = ANY (ARRAY['web'::text, 'admin'::text, 'invite'::text])),
  constraint event_registrations_state_check CHECK (state = ANY (ARRAY['pending_email'::text, 'pending_approval'::text, 'confirmed'::text, 'waitlisted'::text, 'offered'::text, 'rejected'::text, 'offer_declined'::text, 'offer_expired'::text, 'expired'::text, 'cancelled'::text]))
);
CREATE UNIQUE INDEX event_registrations_active ON event_registrations (event_id, lower(email)) WHERE ((state = ANY (ARRAY['pending_email'::text, 'pending_approval'::text, 'confirmed'::text, 'waitlisted'::text, 'offered'::text])) AND (purged_at IS NULL));
CREATE INDEX event_registrations_email ON event_registrations (lower(email)) WHERE (purged_at IS NULL);
CREATE INDEX event_registrations_event ON event_registrations (event_id, state, queue_number);
CREATE INDEX event_registrations_offers ON event_registrations (offer_expires_at) WHERE (state = 'offered'::text);
CREATE INDEX event_registrations_unconfirmed ON event_registrations (confirm_until) WHERE (state = 'pending_email'::text);
CREATE INDEX event_registrations_user ON event_registrations (user_id) WHERE (user_id IS NOT NULL);

-- 2 rows a year per event; kept as long as the event
create table event_slugs (
  slug text not null,
  event_id uuid,
  created_at timestamptz default now() not null,
  constraint event_slugs_pkey PRIMARY KEY (slug),
  constraint event_slugs_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE SET NULL
);
CREATE INDEX event_slugs_event ON event_slugs (event_id);

-- 1 rows a year per event; kept until an admin removes it
create table events (
  id uuid default gen_random_uuid() not null,
  slug text not null,
  status text default 'draft'::text not null,
  title text not null,
  summary text default ''::text not null,
  description text default ''::text not null,
  category text default ''::text not null,
  language text default 'en'::text not null,
  cover text,
  timezone text not null,
  starts_local text not null,
  ends_local text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  attendance_mode text default 'in_person'::text not null,
  venue jsonb not null,
  online_url text default ''::text not null,
  join_opens_minutes integer default 30 not null,
  visibility text default 'public'::text not null,
  company_id uuid,
  access_code_hash text,
  registration_mode text default 'open'::text not null,
  external_url text default ''::text not null,
  registration_opens_local text,
  registration_opens_at timestamptz,
  registration_closes_local text,
  registration_closes_at timestamptz,
  capacity integer,
  capacity_online integer,
  seats_taken integer default 0 not null,
  seats_taken_online integer default 0 not null,
  waitlist_enabled boolean default true not null,
  waitlist_mode text default 'auto_offer'::text not null,
  offer_minutes integer default 720 not null,
  require_email_confirmation boolean default true not null,
  challenge text default 'none'::text not null,
  modification_mode text default 'until_close'::text not null,
  questions jsonb default '[]'::jsonb not null,
  question_version integer default 1 not null,
  agenda jsonb default '[]'::jsonb not null,
  speakers jsonb default '[]'::jsonb not null,
  privacy_notice text default ''::text not null,
  notice_version integer default 1 not null,
  retention_days integer default 180 not null,
  organiser_name text default ''::text not null,
  organiser_email text default ''::text not null,
  indexable boolean default true not null,
  reminders boolean default true not null,
  follow_up_course_id uuid,
  follow_up_company_id uuid,
  ics_sequence integer default 0 not null,
  published_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text default ''::text not null,
  created_by uuid,
  updated_by uuid,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  version integer default 1 not null,
  search text generated always as (((((((((((title || ' '::text) || summary) || ' '::text) || category) || ' '::text) || COALESCE((venue ->> 'name'::text), ''::text)) || ' '::text) || COALESCE((venue ->> 'city'::text), ''::text)) || ' '::text) || COALESCE((venue ->> 'country'::text), ''::text))) stored not null,
  organiser_kind text default 'organisation'::text not null,
  chatbot_id uuid,
  constraint events_pkey PRIMARY KEY (id),
  constraint events_slug_key UNIQUE (slug),
  constraint events_chatbot_id_fkey FOREIGN KEY (chatbot_id) REFERENCES chatbots(id) ON DELETE SET NULL,
  constraint events_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint events_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint events_follow_up_company_id_fkey FOREIGN KEY (follow_up_company_id) REFERENCES companies(id),
  constraint events_follow_up_course_id_fkey FOREIGN KEY (follow_up_course_id) REFERENCES courses(id),
  constraint events_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint events_attendance_mode_check CHECK (attendance_mode = ANY (ARRAY['in_person'::text, 'online'::text, 'hybrid'::text])),
  constraint events_challenge_check CHECK (challenge = ANY (ARRAY['none'::text, 'pow'::text])),
  constraint events_check CHECK (ends_at > starts_at),
  constraint events_modification_mode_check CHECK (modification_mode = ANY (ARRAY['always'::text, 'until_close'::text, 'never'::text])),
  constraint events_organiser_kind_check CHECK (organiser_kind = ANY (ARRAY['person'::text, 'organisation'::text])),
  constraint events_registration_mode_check CHECK (registration_mode = ANY (ARRAY['open'::text, 'approval'::text, 'closed'::text, 'external'::text])),
  constraint events_seats_taken_check CHECK (seats_taken >= 0),
  constraint events_seats_taken_online_check CHECK (seats_taken_online >= 0),
  constraint events_status_check CHECK (status = ANY (ARRAY['draft'::text, 'published'::text, 'cancelled'::text, 'archived'::text])),
  constraint events_visibility_check CHECK (visibility = ANY (ARRAY['public'::text, 'unlisted'::text, 'company'::text, 'code'::text])),
  constraint events_waitlist_mode_check CHECK (waitlist_mode = ANY (ARRAY['auto_offer'::text, 'manual'::text]))
);
CREATE INDEX events_chatbot ON events (chatbot_id);
CREATE INDEX events_company ON events (company_id) WHERE (company_id IS NOT NULL);
CREATE INDEX events_end ON events (ends_at);
CREATE INDEX events_public ON events (ends_at, starts_at) INCLUDE (category, language) WHERE ((status = ANY (ARRAY['published'::text, 'cancelled'::text])) AND (visibility = 'public'::text));
CREATE INDEX events_start ON events (status, starts_at);

-- fields

-- 6 rows a year per learner; kept for good; the values until the person is erased
create table field_value_history (
  id bigint generated always as identity not null,
  person_id uuid not null,
  company_id uuid,
  field_id uuid not null,
  change text not null,
  value jsonb,
  actor_id uuid,
  reason text,
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  constraint field_value_history_pkey PRIMARY KEY (id),
  constraint field_value_history_change_check CHECK (change = ANY (ARRAY['set'::text, 'removed'::text]))
);
CREATE INDEX field_value_history_actor ON field_value_history (actor_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX field_value_history_field ON field_value_history (field_id, id);
CREATE INDEX field_value_history_person ON field_value_history (person_id, id);
CREATE TRIGGER field_value_history_append_only BEFORE DELETE OR UPDATE ON field_value_history FOR EACH ROW EXECUTE FUNCTION refuse_field_history_change();
CREATE TRIGGER field_value_history_no_truncate BEFORE TRUNCATE ON field_value_history FOR EACH STATEMENT EXECUTE FUNCTION refuse_field_history_change();

-- 4 rows a year per learner; kept until the person is erased
create table field_values (
  user_id uuid not null,
  field_id uuid not null,
  text text,
  day date,
  number double precision,
  constraint field_values_pkey PRIMARY KEY (user_id, field_id),
  constraint field_values_field_id_fkey FOREIGN KEY (field_id) REFERENCES fields(id) ON DELETE CASCADE,
  constraint field_values_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint field_values_check CHECK (num_nonnulls(text, day, number) = 1),
  constraint field_values_text_check CHECK (length(text) <= 1000)
);
CREATE INDEX field_values_day ON field_values (field_id, day) WHERE (day IS NOT NULL);
CREATE INDEX field_values_number ON field_values (field_id, number) WHERE (number IS NOT NULL);
CREATE INDEX field_values_text ON field_values (field_id, lower(text));
CREATE TRIGGER follow_field_value AFTER INSERT OR DELETE OR UPDATE ON field_values FOR EACH ROW EXECUTE FUNCTION follow_field_value();
CREATE TRIGGER write_history_delete AFTER DELETE ON field_values FOR EACH ROW EXECUTE FUNCTION write_field_value_history();
CREATE TRIGGER write_history_insert AFTER INSERT ON field_values FOR EACH ROW EXECUTE FUNCTION write_field_value_history();
CREATE TRIGGER write_history_update AFTER UPDATE ON field_values FOR EACH ROW WHEN (old.text IS DISTINCT FROM new.text OR old.day IS DISTINCT FROM new.day OR old.number IS DISTINCT FROM new.number) EXECUTE FUNCTION write_field_value_history();

-- 2 rows a year per company; kept until an admin removes it, or as long as the company
create table fields (
  id uuid default gen_random_uuid() not null,
  company_id uuid,
  key text not null,
  name text not null,
  kind text not null,
  choices jsonb default '[]'::jsonb not null,
  visible_to text default 'admins'::text not null,
  archived_at timestamptz,
  version integer default 1 not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  constraint fields_pkey PRIMARY KEY (id),
  constraint fields_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint fields_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint fields_kind_check CHECK (kind = ANY (ARRAY['text'::text, 'choice'::text, 'date'::text, 'number'::text])),
  constraint fields_visible_to_check CHECK (visible_to = ANY (ARRAY['admins'::text, 'learner'::text]))
);
CREATE INDEX fields_company ON fields (company_id);
CREATE UNIQUE INDEX fields_key ON fields (COALESCE(company_id, '00000000-0000-0000-0000-000000000000'::uuid), key);

-- files

-- 20 rows a year per course; kept until an admin removes it
create table files (
  id uuid default gen_random_uuid() not null,
  bucket text not null,
  full_path text not null,
  generation bigint default nextval('file_generations'::regclass) not null,
  metageneration bigint default 1 not null,
  size bigint not null,
  md5_hash text not null,
  sha256 text not null,
  content_type text not null,
  detected_type text not null,
  cache_control text,
  content_disposition text,
  content_encoding text,
  content_language text,
  custom_metadata jsonb default '{}'::jsonb not null,
  storage_key text not null,
  purpose text not null,
  visibility text not null,
  owner_id uuid,
  company_id uuid,
  in_use boolean default false not null,
  tokens uuid[] default '{}'::uuid[] not null,
  revoked_tokens uuid[] default '{}'::uuid[] not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  deleted_at timestamptz,
  constraint files_pkey PRIMARY KEY (id),
  constraint files_storage_key_key UNIQUE (storage_key),
  constraint files_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint files_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint files_purpose_check CHECK (purpose = ANY (ARRAY['course'::text, 'document'::text, 'event_cover'::text, 'avatar'::text, 'brand'::text, 'export'::text, 'import'::text, 'lesson'::text])) NOT VALID,
  constraint files_visibility_check CHECK (visibility = ANY (ARRAY['private'::text, 'company'::text, 'public'::text]))
);
CREATE INDEX files_company ON files (company_id);
CREATE INDEX files_deleted ON files (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX files_owner ON files (owner_id);
CREATE UNIQUE INDEX files_path ON files (bucket, full_path) WHERE (deleted_at IS NULL);

-- 10 rows a year per course; kept 7 days after the last byte
create table upload_sessions (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  company_id uuid,
  bucket text not null,
  full_path text not null,
  purpose text not null,
  visibility text not null,
  metadata jsonb not null,
  declared_size bigint not null,
  received bigint default 0 not null,
  chunk_start bigint default 0 not null,
  storage_key text not null,
  part_state jsonb default '{}'::jsonb not null,
  status text default 'active'::text not null,
  file_id uuid,
  created_at timestamptz default now() not null,
  last_byte_at timestamptz,
  expires_at timestamptz not null,
  constraint upload_sessions_pkey PRIMARY KEY (id),
  constraint upload_sessions_storage_key_key UNIQUE (storage_key),
  constraint upload_sessions_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint upload_sessions_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id) ON DELETE SET NULL,
  constraint upload_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint upload_sessions_declared_size_check CHECK (declared_size >= 0),
  constraint upload_sessions_status_check CHECK (status = ANY (ARRAY['active'::text, 'final'::text, 'cancelled'::text, 'expired'::text]))
);
CREATE INDEX upload_sessions_company ON upload_sessions (company_id) WHERE (status = 'active'::text);
CREATE INDEX upload_sessions_expiry ON upload_sessions (expires_at);
CREATE INDEX upload_sessions_user ON upload_sessions (user_id, status);

-- flows

-- 1 rows a year per variable; kept as long as the flow
create table flow_backfills (
  flow_id uuid not null,
  until_tx xid8 not null,
  until_value_id bigint not null,
  after_value_id bigint default 0 not null,
  removed jsonb not null,
  constraint flow_backfills_pkey PRIMARY KEY (flow_id),
  constraint flow_backfills_flow_id_fkey FOREIGN KEY (flow_id) REFERENCES flows(id) ON DELETE CASCADE
);

-- 1 rows a year per installation; kept for good
create table flow_cursor (
  id boolean default true not null,
  tx xid8 not null,
  value_id bigint not null,
  constraint flow_cursor_pkey PRIMARY KEY (id),
  constraint flow_cursor_id_check CHECK (id)
);

-- 1 rows a year per variable; kept until an admin removes it
create table flows (
  id uuid default gen_random_uuid() not null,
  source_variable_id uuid not null,
  transform jsonb default '{"kind": "none"}'::jsonb not null,
  target_variable_id uuid,
  target_webhook_id uuid,
  is_active boolean default true not null,
  version integer default 1 not null,
  created_at timestamptz default now() not null,
  created_by uuid,
  since_tx xid8 default pg_current_xact_id() not null,
  fired bigint default 0 not null,
  last_fired_at timestamptz,
  refused bigint default 0 not null,
  backfill_pending boolean default false not null,
  since_value_id bigint default 0 not null,
  constraint flows_pkey PRIMARY KEY (id),
  constraint flows_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint flows_source_variable_id_fkey FOREIGN KEY (source_variable_id) REFERENCES variables(id) ON DELETE CASCADE,
  constraint flows_target_variable_id_fkey FOREIGN KEY (target_variable_id) REFERENCES variables(id) ON DELETE CASCADE,
  constraint flows_target_webhook_id_fkey FOREIGN KEY (target_webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE,
  constraint flows_check CHECK (num_nonnulls(target_variable_id, target_webhook_id) = 1)
);
CREATE INDEX flows_created_by ON flows (created_by);
CREATE INDEX flows_source ON flows (source_variable_id);
CREATE UNIQUE INDEX flows_target_variable ON flows (target_variable_id) WHERE (target_variable_id IS NOT NULL);
CREATE UNIQUE INDEX flows_target_webhook ON flows (source_variable_id, target_webhook_id) WHERE (target_webhook_id IS NOT NULL);
CREATE INDEX flows_webhook ON flows (target_webhook_id);

-- groups

-- 20 rows a year per learner; kept until a job has followed it, within seconds
create table group_changes (
  id bigint generated always as identity not null,
  company_id uuid not null,
  user_id uuid not null,
  kind text not null,
  target text default ''::text not null,
  constraint group_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX group_changes_company ON group_changes (company_id, id);

-- 6 rows a year per learner; kept for good: proof, or the history that reports are computed from
create table group_members (
  id bigint generated always as identity not null,
  group_id uuid not null,
  company_id uuid not null,
  person_id uuid not null,
  why text not null,
  since timestamptz default clock_timestamp() not null,
  until timestamptz,
  constraint group_members_pkey PRIMARY KEY (id),
  constraint group_members_why_check CHECK (why = ANY (ARRAY['rule'::text, 'hand'::text, 'provided'::text])) NOT VALID
);
CREATE INDEX group_members_group ON group_members (group_id, since);
CREATE UNIQUE INDEX group_members_now ON group_members (group_id, person_id) WHERE (until IS NULL);
CREATE INDEX group_members_person ON group_members (person_id, group_id);
CREATE TRIGGER follow_group_member_joined AFTER INSERT ON group_members FOR EACH ROW EXECUTE FUNCTION follow_group_member();
CREATE TRIGGER follow_group_member_left AFTER UPDATE ON group_members FOR EACH ROW WHEN (old.until IS NULL AND new.until IS NOT NULL) EXECUTE FUNCTION follow_group_member();
CREATE TRIGGER group_members_append_only BEFORE DELETE OR UPDATE ON group_members FOR EACH ROW EXECUTE FUNCTION refuse_membership_change();
CREATE TRIGGER group_members_no_truncate BEFORE TRUNCATE ON group_members FOR EACH STATEMENT EXECUTE FUNCTION refuse_membership_change();

-- 0.2 rows a year per learner; kept until the person is erased, or until its last day
create table group_overrides (
  group_id uuid not null,
  user_id uuid not null,
  place text not null,
  until date,
  note text default ''::text not null,
  created_at timestamptz default now() not null,
  created_by uuid,
  constraint group_overrides_pkey PRIMARY KEY (group_id, user_id),
  constraint group_overrides_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint group_overrides_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE,
  constraint group_overrides_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint group_overrides_place_check CHECK (place = ANY (ARRAY['in'::text, 'out'::text]))
);
CREATE INDEX group_overrides_until ON group_overrides (until) WHERE (until IS NOT NULL);
CREATE INDEX group_overrides_user ON group_overrides (user_id);

-- 5 rows a year per learner; kept until the person is erased, or until the directory removes it
create table group_provided_members (
  group_id uuid not null,
  user_id uuid not null,
  constraint group_provided_members_pkey PRIMARY KEY (group_id, user_id),
  constraint group_provided_members_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE,
  constraint group_provided_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX group_provided_members_user ON group_provided_members (user_id);

-- 20 rows a year per company; kept as long as the rule
create table group_rule_uses (
  group_id uuid not null,
  company_id uuid not null,
  kind text not null,
  target text not null,
  choice text default ''::text not null,
  constraint group_rule_uses_pkey PRIMARY KEY (group_id, kind, target, choice),
  constraint group_rule_uses_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE,
  constraint group_rule_uses_kind_check CHECK (kind = ANY (ARRAY['field'::text, 'group'::text, 'joined'::text, 'status'::text, 'course'::text, 'variable'::text]))
);
CREATE INDEX group_rule_uses_any ON group_rule_uses (kind, target);
CREATE INDEX group_rule_uses_target ON group_rule_uses (company_id, kind, target);

-- 10 rows a year per company; kept until an admin removes it; its name as long as the company, for reports about it
create table groups (
  id uuid default gen_random_uuid() not null,
  company_id uuid not null,
  name text not null,
  description text default ''::text not null,
  rule jsonb,
  follows_days boolean default false not null,
  checked_on date,
  people integer default 0 not null,
  version integer default 1 not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  removed_at timestamptz,
  provided boolean default false not null,
  external_id text,
  constraint groups_pkey PRIMARY KEY (id),
  constraint groups_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint groups_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX groups_days ON groups (checked_on) WHERE (follows_days AND (removed_at IS NULL));
CREATE UNIQUE INDEX groups_name ON groups (company_id, lower(name)) WHERE (removed_at IS NULL);
CREATE INDEX groups_name_trigrams ON groups USING gin (name gin_trgm_ops) WITH (gin_pending_list_limit='64');
CREATE INDEX groups_people ON groups (company_id, people, id) WHERE (removed_at IS NULL);

-- imports

-- 1 rows a year per learner; kept 30 days
create table people_import_leavers (
  import_id uuid not null,
  user_id uuid not null,
  applied_at timestamptz,
  before jsonb,
  undone text,
  constraint people_import_leavers_pkey PRIMARY KEY (import_id, user_id),
  constraint people_import_leavers_import_id_fkey FOREIGN KEY (import_id) REFERENCES people_imports(id) ON DELETE CASCADE,
  constraint people_import_leavers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint people_import_leavers_undone_check CHECK (undone = ANY (ARRAY['restored'::text, 'acted'::text, 'changed'::text]))
);
CREATE INDEX people_import_leavers_user ON people_import_leavers (user_id);

-- 1 rows a year per company; kept as long as the company
create table people_import_mappings (
  company_id uuid not null,
  fields jsonb default '{}'::jsonb not null,
  constraint people_import_mappings_pkey PRIMARY KEY (company_id),
  constraint people_import_mappings_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);

-- 12 rows a year per learner; kept 30 days
create table people_import_rows (
  import_id uuid not null,
  number integer not null,
  cells jsonb not null,
  left_out boolean default false not null,
  said jsonb,
  faults jsonb default '[]'::jsonb not null,
  email_key text,
  number_key text,
  outcome text,
  reasons jsonb default '[]'::jsonb not null,
  user_id uuid,
  applied_at timestamptz,
  before jsonb,
  undone text,
  completion_key text,
  constraint people_import_rows_pkey PRIMARY KEY (import_id, number),
  constraint people_import_rows_import_id_fkey FOREIGN KEY (import_id) REFERENCES people_imports(id) ON DELETE CASCADE,
  constraint people_import_rows_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint people_import_rows_outcome_check CHECK (outcome = ANY (ARRAY['create'::text, 'update'::text, 'same'::text, 'rejected'::text, 'leftOut'::text])),
  constraint people_import_rows_undone_check CHECK (undone = ANY (ARRAY['restored'::text, 'acted'::text, 'changed'::text]))
);
CREATE INDEX people_import_rows_address ON people_import_rows (email_key);
CREATE INDEX people_import_rows_email ON people_import_rows (import_id, email_key);
CREATE INDEX people_import_rows_number ON people_import_rows (import_id, number_key);
CREATE INDEX people_import_rows_outcome ON people_import_rows (import_id, outcome, number);
CREATE INDEX people_import_rows_user ON people_import_rows (user_id, import_id);

-- 12 rows a year per company; kept 30 days
create table people_imports (
  id uuid default gen_random_uuid() not null,
  company_id uuid not null,
  created_by uuid,
  created_at timestamptz default now() not null,
  ordered_by uuid,
  file_id uuid,
  file_name text not null,
  state text default 'reading'::text not null,
  code text,
  code_row integer,
  format text,
  delimiter text,
  encoding text,
  head jsonb default '[]'::jsonb not null,
  mapping jsonb default '[]'::jsonb not null,
  existing text default 'update'::text not null,
  invites boolean default true not null,
  done integer default 0 not null,
  total integer default 0 not null,
  revision integer default 1 not null,
  tries integer default 0 not null,
  leased_until timestamptz,
  applied_at timestamptz,
  undone_at timestamptz,
  about text default 'people'::text not null,
  dates text default 'iso'::text not null,
  keeps_unknown boolean default false not null,
  constraint people_imports_pkey PRIMARY KEY (id),
  constraint people_imports_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint people_imports_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint people_imports_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id) ON DELETE SET NULL,
  constraint people_imports_ordered_by_fkey FOREIGN KEY (ordered_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint people_imports_about_check CHECK (about = ANY (ARRAY['people'::text, 'completions'::text])),
  constraint people_imports_dates_check CHECK (dates = ANY (ARRAY['iso'::text, 'dayFirst'::text, 'monthFirst'::text])),
  constraint people_imports_existing_check CHECK (existing = ANY (ARRAY['update'::text, 'skip'::text])),
  constraint people_imports_format_check CHECK (format = ANY (ARRAY['csv'::text, 'xlsx'::text])),
  constraint people_imports_state_check CHECK (state = ANY (ARRAY['reading'::text, 'checking'::text, 'ready'::text, 'applying'::text, 'applied'::text, 'undoing'::text, 'undone'::text, 'failed'::text]))
);
CREATE INDEX people_imports_company ON people_imports (company_id, created_at DESC);
CREATE INDEX people_imports_created_at ON people_imports (created_at DESC);
CREATE UNIQUE INDEX people_imports_file ON people_imports (file_id);
CREATE INDEX people_imports_work ON people_imports (created_at) WHERE (state = ANY (ARRAY['reading'::text, 'checking'::text, 'applying'::text, 'undoing'::text]));

-- 1 rows a year per learner; kept until the person is erased
create table personnel_numbers (
  user_id uuid not null,
  company_id uuid not null,
  number text not null,
  constraint personnel_numbers_pkey PRIMARY KEY (user_id),
  constraint personnel_numbers_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint personnel_numbers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX personnel_numbers_number ON personnel_numbers (company_id, lower(number));

-- learners

-- 3 rows a year per learner; kept for good: proof, or the history that reports are computed from
create table membership_history (
  id bigint generated always as identity not null,
  person_id uuid not null,
  company_id uuid,
  change text not null,
  role text not null,
  status text not null,
  actor_id uuid,
  reason text,
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  backfilled boolean default false not null,
  constraint membership_history_pkey PRIMARY KEY (id),
  constraint membership_history_change_check CHECK (change = ANY (ARRAY['created'::text, 'activated'::text, 'deactivated'::text, 'moved'::text, 'role'::text, 'suspended'::text, 'restored'::text, 'removed'::text])),
  constraint membership_history_role_check CHECK (role = ANY (ARRAY['admin'::text, 'learner'::text])),
  constraint membership_history_status_check CHECK (status = ANY (ARRAY['invited'::text, 'active'::text, 'suspended'::text]))
);
CREATE INDEX membership_history_actor ON membership_history (actor_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX membership_history_company ON membership_history (company_id);
CREATE INDEX membership_history_person ON membership_history (person_id, id);
CREATE TRIGGER membership_history_append_only BEFORE DELETE OR UPDATE ON membership_history FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER membership_history_no_truncate BEFORE TRUNCATE ON membership_history FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();

-- 1 rows a year per learner; kept until the person is erased
create table users (
  id uuid default gen_random_uuid() not null,
  email text,
  email_verified boolean default false not null,
  name text default ''::text not null,
  image text,
  role text default 'learner'::text not null,
  status text default 'invited'::text not null,
  company_id uuid,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  last_active timestamptz,
  last_login_at timestamptz,
  invited_at timestamptz,
  invited_by uuid,
  invitation_hash text,
  invitation_expires_at timestamptz,
  activated_via text,
  suspended_at timestamptz,
  suspended_reason text default ''::text not null,
  token_valid_after timestamptz default '-infinity'::timestamptz not null,
  version integer default 1 not null,
  email_verification_pending boolean default false not null,
  joined_at timestamptz,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_invitation_hash_key UNIQUE (invitation_hash),
  constraint users_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint users_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id),
  constraint users_activated_via_check CHECK (activated_via = ANY (ARRAY['invitation'::text, 'code'::text, 'claim'::text, 'admin'::text, 'sso'::text, 'pin'::text])),
  constraint users_check CHECK ((role = 'admin'::text) = (company_id IS NULL)),
  constraint users_email_check CHECK (email IS NOT NULL OR role = 'learner'::text AND name <> ''::text),
  constraint users_role_check CHECK (role = ANY (ARRAY['admin'::text, 'learner'::text])),
  constraint users_status_check CHECK (status = ANY (ARRAY['invited'::text, 'active'::text, 'suspended'::text]))
);
CREATE INDEX users_company ON users (company_id, status);
CREATE UNIQUE INDEX users_email ON users (lower(email));
CREATE INDEX users_email_trgm ON users USING gin (email gin_trgm_ops);
CREATE INDEX users_email_trigrams ON users USING gin (email gin_trgm_ops) WITH (gin_pending_list_limit='64');
CREATE INDEX users_invited ON users (company_id) WHERE (status = 'invited'::text);
CREATE INDEX users_joined ON users (created_at DESC) WHERE ((status = 'active'::text) AND (activated_via IS NOT NULL));
CREATE INDEX users_joined_at ON users (joined_at) WHERE ((role = 'learner'::text) AND (joined_at IS NOT NULL));
CREATE INDEX users_last_active ON users (last_active DESC NULLS LAST, id) WHERE (role = 'learner'::text);
CREATE INDEX users_listed_email ON users (lower(email), id) WHERE (role = 'learner'::text);
CREATE INDEX users_listed_name ON users (lower(COALESCE(NULLIF(name, ''::text), email)), id);
CREATE INDEX users_longest_inactive ON users (last_active, id) WHERE (role = 'learner'::text);
CREATE INDEX users_name_trgm ON users USING gin (name gin_trgm_ops);
CREATE INDEX users_name_trigrams ON users USING gin (name gin_trgm_ops) WITH (gin_pending_list_limit='64');
CREATE TRIGGER follow_person_for_catalogue AFTER UPDATE ON users FOR EACH ROW WHEN (old.company_id IS DISTINCT FROM new.company_id OR old.role <> new.role OR (old.status = 'suspended'::text) <> (new.status = 'suspended'::text)) EXECUTE FUNCTION follow_person_for_catalogue();
CREATE TRIGGER follow_person_for_paths AFTER UPDATE ON users FOR EACH ROW WHEN (old.company_id IS DISTINCT FROM new.company_id) EXECUTE FUNCTION follow_person_for_paths();
CREATE TRIGGER follow_person_insert AFTER INSERT ON users FOR EACH ROW WHEN (new.role = 'learner'::text) EXECUTE FUNCTION follow_person();
CREATE TRIGGER follow_person_update AFTER UPDATE ON users FOR EACH ROW WHEN (old.company_id IS DISTINCT FROM new.company_id OR old.role <> new.role OR old.status <> new.status OR old.joined_at IS DISTINCT FROM new.joined_at) EXECUTE FUNCTION follow_person();
CREATE TRIGGER forget_enrolment_rule_changes BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION forget_enrolment_rule_changes();
CREATE TRIGGER forget_field_values AFTER UPDATE OF company_id ON users FOR EACH ROW WHEN (old.company_id IS DISTINCT FROM new.company_id) EXECUTE FUNCTION forget_field_values();
CREATE TRIGGER forget_given_rights AFTER UPDATE OF company_id, role ON users FOR EACH ROW WHEN (old.company_id IS DISTINCT FROM new.company_id OR old.role <> new.role) EXECUTE FUNCTION forget_given_rights();
CREATE TRIGGER forget_personnel_number AFTER UPDATE OF company_id ON users FOR EACH ROW WHEN (old.company_id IS DISTINCT FROM new.company_id) EXECUTE FUNCTION forget_personnel_number();
CREATE TRIGGER leave_groups BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION leave_groups();
CREATE TRIGGER note_joining BEFORE INSERT OR UPDATE OF status, email_verification_pending ON users FOR EACH ROW EXECUTE FUNCTION note_joining();
CREATE TRIGGER pass_on_people_delete BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION pass_on_people_of_leaver();
CREATE TRIGGER pass_on_people_update AFTER UPDATE OF company_id, role ON users FOR EACH ROW WHEN (old.company_id IS DISTINCT FROM new.company_id OR old.role <> new.role) EXECUTE FUNCTION pass_on_people_of_leaver();
CREATE TRIGGER users_access_delete AFTER DELETE ON users REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_changed_users();
CREATE TRIGGER users_access_update AFTER UPDATE ON users REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_changed_users();
CREATE TRIGGER users_end_hold AFTER UPDATE OF status ON users FOR EACH ROW WHEN (new.status = 'suspended'::text AND old.status <> 'suspended'::text) EXECUTE FUNCTION end_hold();
CREATE TRIGGER users_end_provisioning AFTER UPDATE ON users FOR EACH ROW WHEN (old.company_id IS DISTINCT FROM new.company_id OR old.role <> new.role) EXECUTE FUNCTION end_provisioning();
CREATE TRIGGER users_hold_email AFTER UPDATE OF email ON users FOR EACH ROW WHEN (old.email IS DISTINCT FROM new.email) EXECUTE FUNCTION hold_email();
CREATE TRIGGER users_new_people AFTER INSERT ON users REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_new_users();
CREATE TRIGGER write_history_delete AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION write_membership_history();
CREATE TRIGGER write_history_insert AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION write_membership_history();
CREATE TRIGGER write_history_number AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION replace_person_in_history();
CREATE TRIGGER write_history_of_fields AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION forget_field_history();
CREATE TRIGGER write_history_update AFTER UPDATE ON users FOR EACH ROW WHEN (old.role IS DISTINCT FROM new.role OR old.status IS DISTINCT FROM new.status OR old.company_id IS DISTINCT FROM new.company_id) EXECUTE FUNCTION write_membership_history();

-- lessons

-- 50 rows a year per course; kept as long as the comment
create table comment_mentions (
  comment_id uuid not null,
  user_id uuid not null,
  constraint comment_mentions_pkey PRIMARY KEY (comment_id, user_id),
  constraint comment_mentions_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES lesson_comments(id) ON DELETE CASCADE,
  constraint comment_mentions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX comment_mentions_user ON comment_mentions (user_id);

-- 1 rows a year per course; kept as long as the course
create table course_drafts (
  course_id uuid not null,
  language text not null,
  outline jsonb not null,
  version integer default 1 not null,
  writers_since timestamptz default now() not null,
  constraint course_drafts_pkey PRIMARY KEY (course_id),
  constraint course_drafts_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE
);

-- 6 rows a year per course; kept as long as the course
create table course_writers (
  id uuid default gen_random_uuid() not null,
  course_id uuid not null,
  number integer not null,
  author_id uuid,
  first_at timestamptz default now() not null,
  last_at timestamptz default now() not null,
  constraint course_writers_pkey PRIMARY KEY (id),
  constraint course_writers_course_id_number_author_id_key UNIQUE (course_id, number, author_id),
  constraint course_writers_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint course_writers_course_id_fkey FOREIGN KEY (course_id) REFERENCES course_drafts(course_id) ON DELETE CASCADE
);
CREATE INDEX course_writers_author ON course_writers (author_id) WHERE (author_id IS NOT NULL);

-- 1 rows a year per admin; kept until the person opens another lesson of the course
create table lesson_authors (
  lesson_id uuid not null,
  user_id uuid not null,
  seen_at timestamptz default now() not null,
  constraint lesson_authors_pkey PRIMARY KEY (lesson_id, user_id),
  constraint lesson_authors_lesson_id_fkey FOREIGN KEY (lesson_id) REFERENCES lesson_drafts(id) ON DELETE CASCADE,
  constraint lesson_authors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX lesson_authors_user ON lesson_authors (user_id);

-- 200 rows a year per course; kept as long as the course
create table lesson_block_authors (
  lesson_id uuid not null,
  block_id text not null,
  author_id uuid,
  is_known boolean not null,
  written_at timestamptz not null,
  constraint lesson_block_authors_pkey PRIMARY KEY (lesson_id, block_id),
  constraint lesson_block_authors_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint lesson_block_authors_lesson_id_fkey FOREIGN KEY (lesson_id) REFERENCES lesson_drafts(id) ON DELETE CASCADE
);
CREATE INDEX lesson_block_authors_author ON lesson_block_authors (author_id) WHERE (author_id IS NOT NULL);

-- 100 rows a year per course; kept as long as the course
create table lesson_comments (
  id uuid not null,
  thread_id uuid not null,
  lesson_id uuid not null,
  block_id text,
  about text not null,
  text text not null,
  author_id uuid,
  created_at timestamptz default now() not null,
  edited_at timestamptz,
  resolved_at timestamptz,
  resolved_by uuid,
  constraint lesson_comments_pkey PRIMARY KEY (id),
  constraint lesson_comments_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint lesson_comments_lesson_id_fkey FOREIGN KEY (lesson_id) REFERENCES lesson_drafts(id) ON DELETE CASCADE,
  constraint lesson_comments_resolved_by_fkey FOREIGN KEY (resolved_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint lesson_comments_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES lesson_comments(id) ON DELETE CASCADE
);
CREATE INDEX lesson_comments_author ON lesson_comments (author_id) WHERE (author_id IS NOT NULL);
CREATE INDEX lesson_comments_lesson ON lesson_comments (lesson_id, created_at);
CREATE INDEX lesson_comments_resolver ON lesson_comments (resolved_by) WHERE (resolved_by IS NOT NULL);
CREATE INDEX lesson_comments_thread ON lesson_comments (thread_id);

-- 20 rows a year per course; kept as long as the version
create table lesson_contents (
  version_id uuid not null,
  sco text not null,
  document jsonb not null,
  hashes jsonb not null,
  bytes integer not null,
  constraint lesson_contents_pkey PRIMARY KEY (version_id, sco),
  constraint lesson_contents_version_id_fkey FOREIGN KEY (version_id) REFERENCES course_versions(id) ON DELETE CASCADE
);

-- 20 rows a year per course; kept as long as the course
create table lesson_drafts (
  id uuid not null,
  course_id uuid not null,
  updates integer default 0 not null,
  bytes integer default 0 not null,
  constraint lesson_drafts_pkey PRIMARY KEY (id),
  constraint lesson_drafts_course_id_fkey FOREIGN KEY (course_id) REFERENCES course_drafts(course_id) ON DELETE CASCADE
);
CREATE INDEX lesson_drafts_course ON lesson_drafts (course_id);

-- 30 rows a year per course; kept as long as the course
create table lesson_files (
  lesson_id uuid not null,
  file_id uuid not null,
  constraint lesson_files_pkey PRIMARY KEY (lesson_id, file_id),
  constraint lesson_files_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id) ON DELETE CASCADE,
  constraint lesson_files_lesson_id_fkey FOREIGN KEY (lesson_id) REFERENCES lesson_drafts(id) ON DELETE CASCADE
);
CREATE INDEX lesson_files_file ON lesson_files (file_id);

-- 30 rows a year per course; kept as long as the version
create table lesson_media (
  version_id uuid not null,
  file_id uuid not null,
  constraint lesson_media_pkey PRIMARY KEY (version_id, file_id),
  constraint lesson_media_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id),
  constraint lesson_media_version_id_fkey FOREIGN KEY (version_id) REFERENCES course_versions(id) ON DELETE CASCADE
);
CREATE INDEX lesson_media_file ON lesson_media (file_id);

-- 5 rows a year per course; kept 30 days
create table lesson_restores (
  id uuid default gen_random_uuid() not null,
  course_id uuid not null,
  version_number integer not null,
  scope text not null,
  title text not null,
  outline_before jsonb not null,
  outline_after jsonb not null,
  created_by uuid,
  created_at timestamptz default now() not null,
  undone_at timestamptz,
  constraint lesson_restores_pkey PRIMARY KEY (id),
  constraint lesson_restores_course_id_fkey FOREIGN KEY (course_id) REFERENCES course_drafts(course_id) ON DELETE CASCADE,
  constraint lesson_restores_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint lesson_restores_scope_check CHECK (scope = ANY (ARRAY['block'::text, 'lesson'::text, 'version'::text]))
);
CREATE INDEX lesson_restores_author ON lesson_restores (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX lesson_restores_course ON lesson_restores (course_id, created_at);

-- 400 rows a year per course; kept as long as the course
create table lesson_updates (
  lesson_id uuid not null,
  number integer not null,
  key uuid,
  content bytea not null,
  author_id uuid,
  written_at timestamptz default now() not null,
  origin text default 'unknown'::text not null,
  constraint lesson_updates_pkey PRIMARY KEY (lesson_id, number),
  constraint lesson_updates_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint lesson_updates_lesson_id_fkey FOREIGN KEY (lesson_id) REFERENCES lesson_drafts(id) ON DELETE CASCADE,
  constraint lesson_updates_origin_check CHECK (origin = ANY (ARRAY['unknown'::text, 'author'::text, 'merged'::text]))
);
CREATE INDEX lesson_updates_author ON lesson_updates (author_id) WHERE (author_id IS NOT NULL);
CREATE UNIQUE INDEX lesson_updates_key ON lesson_updates (lesson_id, key);

-- 10 rows a year per course; kept 30 days
create table restored_lessons (
  restore_id uuid not null,
  lesson_id uuid not null,
  before jsonb not null,
  after jsonb not null,
  constraint restored_lessons_pkey PRIMARY KEY (restore_id, lesson_id),
  constraint restored_lessons_lesson_id_fkey FOREIGN KEY (lesson_id) REFERENCES lesson_drafts(id) ON DELETE CASCADE,
  constraint restored_lessons_restore_id_fkey FOREIGN KEY (restore_id) REFERENCES lesson_restores(id) ON DELETE CASCADE
);
CREATE INDEX restored_lessons_lesson ON restored_lessons (lesson_id);

-- 3 rows a year per learner; kept until the person is erased
create table unclear_marks (
  attempt_id uuid not null,
  sco text not null,
  block_id text not null,
  course_id uuid not null,
  line text not null,
  marked_at timestamptz not null,
  received_at timestamptz default date_trunc('milliseconds'::text, clock_timestamp()) not null,
  notified_at timestamptz,
  dealt_at timestamptz,
  dealt_by uuid,
  constraint unclear_marks_pkey PRIMARY KEY (attempt_id, sco, block_id),
  constraint unclear_marks_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempts(id) ON DELETE CASCADE,
  constraint unclear_marks_dealt_by_fkey FOREIGN KEY (dealt_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX unclear_marks_course ON unclear_marks (course_id, sco, block_id);
CREATE INDEX unclear_marks_dealer ON unclear_marks (dealt_by) WHERE (dealt_by IS NOT NULL);
CREATE INDEX unclear_marks_new ON unclear_marks (course_id) WHERE (notified_at IS NULL);

-- mails

-- 1 rows a year per installation; kept until an admin removes it
create table mail_server (
  id boolean default true not null,
  host text not null,
  port integer not null,
  security text not null,
  username text default ''::text not null,
  password text,
  sender_name text default ''::text not null,
  sender_address text not null,
  version integer default 1 not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  constraint mail_server_pkey PRIMARY KEY (id),
  constraint mail_server_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint mail_server_id_check CHECK (id),
  constraint mail_server_port_check CHECK (port >= 1 AND port <= 65535),
  constraint mail_server_security_check CHECK (security = ANY (ARRAY['tls'::text, 'starttls'::text, 'none'::text]))
);

-- 12 rows a year per learner; kept until the person is erased
create table mails (
  id uuid default gen_random_uuid() not null,
  recipient text not null,
  user_id uuid,
  company_id uuid,
  subject text not null,
  body text not null,
  html text not null,
  reason text not null,
  status text default 'kept'::text not null,
  error text,
  created_at timestamptz default now() not null,
  sent_at timestamptz,
  attachments jsonb default '[]'::jsonb not null,
  reply_to text,
  registration_id uuid,
  not_after timestamptz,
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint mails_status_check CHECK (status = ANY (ARRAY['kept'::text, 'queued'::text, 'sent'::text, 'failed'::text]))
);
CREATE INDEX mails_created ON mails (created_at DESC);
CREATE INDEX mails_failed ON mails (company_id) WHERE (status = 'failed'::text);
CREATE INDEX mails_recipient ON mails (lower(recipient));
CREATE INDEX mails_registration ON mails (registration_id) WHERE (registration_id IS NOT NULL);
CREATE INDEX mails_user ON mails (user_id);

-- managers

-- 1 rows a year per company; kept until the person is erased
create table given_rights (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  company_id uuid not null,
  kind text not null,
  ends_on date,
  given_by uuid,
  given_at timestamptz default now() not null,
  constraint given_rights_pkey PRIMARY KEY (id),
  constraint given_rights_user_id_kind_key UNIQUE (user_id, kind),
  constraint given_rights_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint given_rights_given_by_fkey FOREIGN KEY (given_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint given_rights_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint given_rights_kind_check CHECK (kind = 'manager'::text)
);
CREATE INDEX given_rights_company ON given_rights (company_id);
CREATE TRIGGER given_rights_access AFTER INSERT OR DELETE OR UPDATE ON given_rights FOR EACH ROW EXECUTE FUNCTION notify_changed_right();

-- 1 rows a year per company; kept until the person is erased
create table manager_deputies (
  id uuid default gen_random_uuid() not null,
  manager_id uuid not null,
  deputy_id uuid not null,
  company_id uuid not null,
  from_day date not null,
  until_day date not null,
  created_by uuid,
  created_at timestamptz default now() not null,
  constraint manager_deputies_pkey PRIMARY KEY (id),
  constraint manager_deputies_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint manager_deputies_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint manager_deputies_deputy_id_fkey FOREIGN KEY (deputy_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint manager_deputies_manager_id_fkey FOREIGN KEY (manager_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint manager_deputies_check CHECK (manager_id <> deputy_id),
  constraint manager_deputies_check1 CHECK (until_day >= from_day AND until_day <= (from_day + 366))
);
CREATE INDEX manager_deputies_company ON manager_deputies (company_id);
CREATE INDEX manager_deputies_deputy ON manager_deputies (deputy_id);
CREATE INDEX manager_deputies_manager ON manager_deputies (manager_id);
CREATE TRIGGER manager_deputies_access AFTER INSERT OR DELETE OR UPDATE ON manager_deputies FOR EACH ROW EXECUTE FUNCTION notify_changed_right();

-- 1 rows a year per learner; kept for good: proof, or the history that reports are computed from
create table manager_history (
  id bigint generated always as identity not null,
  person_id uuid not null,
  manager_id uuid,
  company_id uuid not null,
  change text not null,
  actor_id uuid,
  reason text,
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  constraint manager_history_pkey PRIMARY KEY (id),
  constraint manager_history_change_check CHECK (change = ANY (ARRAY['set'::text, 'changed'::text, 'removed'::text]))
);
CREATE INDEX manager_history_actor ON manager_history (actor_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX manager_history_company ON manager_history (company_id);
CREATE INDEX manager_history_manager ON manager_history (manager_id) WHERE (manager_id IS NOT NULL);
CREATE INDEX manager_history_person ON manager_history (person_id, id);
CREATE TRIGGER manager_history_append_only BEFORE DELETE OR UPDATE ON manager_history FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER manager_history_no_truncate BEFORE TRUNCATE ON manager_history FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();

-- 1 rows a year per learner; kept until the person is erased
create table managers (
  user_id uuid not null,
  manager_id uuid not null,
  company_id uuid not null,
  since date not null,
  constraint managers_pkey PRIMARY KEY (user_id),
  constraint managers_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint managers_manager_id_fkey FOREIGN KEY (manager_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint managers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint managers_check CHECK (user_id <> manager_id)
);
CREATE INDEX managers_company ON managers (company_id);
CREATE INDEX managers_manager ON managers (manager_id);
CREATE TRIGGER check_manager AFTER INSERT OR UPDATE ON managers FOR EACH ROW EXECUTE FUNCTION check_manager();
CREATE TRIGGER managers_access_delete AFTER DELETE ON managers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_changed_managers();
CREATE TRIGGER managers_access_insert AFTER INSERT ON managers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_changed_managers();
CREATE TRIGGER managers_access_update AFTER UPDATE ON managers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_changed_managers();
CREATE TRIGGER write_history_delete AFTER DELETE ON managers FOR EACH ROW EXECUTE FUNCTION write_manager_history();
CREATE TRIGGER write_history_insert AFTER INSERT ON managers FOR EACH ROW EXECUTE FUNCTION write_manager_history();
CREATE TRIGGER write_history_update AFTER UPDATE ON managers FOR EACH ROW WHEN (old.manager_id <> new.manager_id OR old.company_id <> new.company_id) EXECUTE FUNCTION write_manager_history();

-- measures

-- 1 rows a year per company; kept for good: proof, or the history that reports are computed from
create table company_measures (
  id uuid default gen_random_uuid() not null,
  company_id uuid not null,
  version integer not null,
  replay text not null,
  active_time text not null,
  last_activity text not null,
  conversations text not null,
  scores text not null,
  smallest_group integer not null,
  reason text default ''::text not null,
  changed_by uuid,
  since timestamptz default now() not null,
  until timestamptz,
  constraint company_measures_pkey PRIMARY KEY (id),
  constraint company_measures_company_id_version_key UNIQUE (company_id, version),
  constraint company_measures_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint company_measures_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint company_measures_active_time_check CHECK (active_time = ANY (ARRAY['admins'::text, 'nobody'::text])),
  constraint company_measures_check CHECK (replay = 'nobody'::text OR 'nobody'::text <> active_time AND 'nobody'::text <> last_activity AND 'nobody'::text <> conversations AND 'nobody'::text <> scores),
  constraint company_measures_conversations_check CHECK (conversations = ANY (ARRAY['admins'::text, 'nobody'::text])),
  constraint company_measures_last_activity_check CHECK (last_activity = ANY (ARRAY['admins'::text, 'nobody'::text])),
  constraint company_measures_replay_check CHECK (replay = ANY (ARRAY['admins'::text, 'nobody'::text])),
  constraint company_measures_scores_check CHECK (scores = ANY (ARRAY['admins'::text, 'nobody'::text])),
  constraint company_measures_smallest_group_check CHECK (smallest_group >= 10 AND smallest_group <= 50),
  constraint company_measures_version_check CHECK (version > 0)
);
CREATE INDEX company_measures_changed_by ON company_measures (changed_by) WHERE (changed_by IS NOT NULL);
CREATE UNIQUE INDEX company_measures_in_force ON company_measures (company_id) WHERE (until IS NULL);

-- 1 rows a year per learner; kept until the person is erased
create table measures_seen (
  user_id uuid not null,
  company_id uuid not null,
  version integer not null,
  seen_at timestamptz default now() not null,
  constraint measures_seen_pkey PRIMARY KEY (user_id),
  constraint measures_seen_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint measures_seen_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX measures_seen_company ON measures_seen (company_id);

-- notifications

-- 1 rows a year per admin; kept until the person is erased
create table notification_choices (
  user_id uuid not null,
  kind text not null,
  is_shown boolean not null,
  is_mailed boolean not null,
  constraint notification_choices_pkey PRIMARY KEY (user_id, kind),
  constraint notification_choices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- 50 rows a year per admin; kept 90 days
create table notifications (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  kind text not null,
  params jsonb default '{}'::jsonb not null,
  link text not null,
  key text not null,
  is_shown boolean default true not null,
  created_at timestamptz default now() not null,
  read_at timestamptz,
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_user_id_key_key UNIQUE (user_id, key),
  constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX notifications_created ON notifications (created_at);
CREATE INDEX notifications_user ON notifications (user_id, created_at DESC);

-- paths

-- 20 rows a year per learner; kept until a job has followed it, within seconds; after failures within hours
create table path_changes (
  id bigint generated always as identity not null,
  enrolment_id uuid not null,
  priority integer default 0 not null,
  due_at timestamptz default now() not null,
  failures integer default 0 not null,
  constraint path_changes_pkey PRIMARY KEY (id),
  constraint path_changes_enrolment_id_fkey FOREIGN KEY (enrolment_id) REFERENCES path_enrolments(id) ON DELETE CASCADE
);
CREATE INDEX path_changes_due ON path_changes (priority, due_at, id);
CREATE INDEX path_changes_enrolment ON path_changes (enrolment_id);

-- 1 rows a year per learner; kept until the person is erased
create table path_enrolments (
  id uuid default gen_random_uuid() not null,
  path_id uuid not null,
  version_no integer not null,
  user_id uuid not null,
  company_id uuid not null,
  joined_at timestamptz default now() not null,
  joined_on date not null,
  notify boolean default false not null,
  completed_at timestamptz,
  withdrawn_at timestamptz,
  made_by uuid,
  constraint path_enrolments_pkey PRIMARY KEY (id),
  constraint path_enrolments_path_id_user_id_company_id_key UNIQUE (path_id, user_id, company_id),
  constraint path_enrolments_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint path_enrolments_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint path_enrolments_path_id_fkey FOREIGN KEY (path_id) REFERENCES paths(id) ON DELETE CASCADE,
  constraint path_enrolments_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX path_enrolments_company ON path_enrolments (company_id);
CREATE INDEX path_enrolments_made_by ON path_enrolments (made_by) WHERE (made_by IS NOT NULL);
CREATE INDEX path_enrolments_user ON path_enrolments (user_id);

-- 5 rows a year per learner; kept as long as the person is on the path
create table path_steps (
  enrolment_id uuid not null,
  step_id uuid not null,
  due_date date,
  opened_at timestamptz default now() not null,
  done_at timestamptz,
  done_version integer,
  constraint path_steps_pkey PRIMARY KEY (enrolment_id, step_id),
  constraint path_steps_enrolment_id_fkey FOREIGN KEY (enrolment_id) REFERENCES path_enrolments(id) ON DELETE CASCADE,
  constraint path_steps_check CHECK ((done_at IS NULL) = (done_version IS NULL))
);

-- 20 rows a year per installation; kept as long as the path
create table path_versions (
  path_id uuid not null,
  no integer not null,
  steps jsonb not null,
  moves boolean not null,
  published_at timestamptz default now() not null,
  published_by uuid,
  constraint path_versions_pkey PRIMARY KEY (path_id, no),
  constraint path_versions_path_id_fkey FOREIGN KEY (path_id) REFERENCES paths(id) ON DELETE CASCADE,
  constraint path_versions_published_by_fkey FOREIGN KEY (published_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX path_versions_published_by ON path_versions (published_by) WHERE (published_by IS NOT NULL);
CREATE TRIGGER refuse_path_version_change BEFORE UPDATE ON path_versions FOR EACH ROW EXECUTE FUNCTION refuse_path_version_change();

-- 5 rows a year per installation; kept for good: paths are archived
create table paths (
  id uuid default gen_random_uuid() not null,
  title text not null,
  description text default ''::text not null,
  status text default 'draft'::text not null,
  draft jsonb default '[]'::jsonb not null,
  version integer default 1 not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  constraint paths_pkey PRIMARY KEY (id),
  constraint paths_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint paths_status_check CHECK (status = ANY (ARRAY['draft'::text, 'published'::text, 'archived'::text]))
);
CREATE INDEX paths_title ON paths (lower(title), id);
CREATE INDEX paths_updated ON paths (updated_at, id);
CREATE INDEX paths_updated_by ON paths (updated_by) WHERE (updated_by IS NOT NULL);

-- player

-- 15 rows a year per learner; kept until the person is erased
create table activity_launches (
  id uuid default gen_random_uuid() not null,
  session_id uuid not null,
  attempt_id uuid not null,
  user_id uuid not null,
  company_id uuid not null,
  sco text not null,
  mode text not null,
  fetch_hash text,
  token_hash text,
  said text[] default '{}'::text[] not null,
  launched_at timestamptz default clock_timestamp() not null,
  preferences_read_at timestamptz,
  last_said_at timestamptz,
  terminated_at timestamptz,
  abandoned_at timestamptz,
  constraint activity_launches_pkey PRIMARY KEY (id),
  constraint activity_launches_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempts(id) ON DELETE CASCADE,
  constraint activity_launches_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint activity_launches_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint activity_launches_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint activity_launches_mode_check CHECK (mode = ANY (ARRAY['Normal'::text, 'Browse'::text, 'Review'::text]))
);
CREATE INDEX activity_launches_attempt ON activity_launches (attempt_id, launched_at);
CREATE INDEX activity_launches_company ON activity_launches (company_id);
CREATE INDEX activity_launches_session ON activity_launches (session_id);
CREATE INDEX activity_launches_user ON activity_launches (user_id);

-- 80 rows a year per learner; kept until the person is erased
create table answers (
  attempt_id uuid not null,
  sco text not null,
  n integer not null,
  session_id uuid,
  t bigint,
  fields jsonb default '{}'::jsonb not null,
  updated_at timestamptz default now() not null,
  constraint answers_pkey PRIMARY KEY (attempt_id, sco, n),
  constraint answers_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempts(id) ON DELETE CASCADE,
  constraint answers_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE SET NULL
);
CREATE TRIGGER answers_noted AFTER INSERT ON answers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_answered_courses();

-- 8 rows a year per learner; kept until the person is erased
create table attempts (
  id uuid default gen_random_uuid() not null,
  enrolment_id uuid,
  user_id uuid,
  company_id uuid not null,
  course_id uuid not null,
  version_id uuid not null,
  no integer not null,
  preview boolean default false not null,
  rev bigint default 0 not null,
  completion text default 'incomplete'::text not null,
  success text default 'unknown'::text not null,
  progress real,
  score_percent real,
  current_part text,
  active_seconds integer default 0 not null,
  reported_seconds integer default 0 not null,
  started_at timestamptz default now() not null,
  last_activity_at timestamptz,
  completed_at timestamptz,
  confirmed boolean default false not null,
  completion_no integer default 1 not null,
  sequencing jsonb,
  constraint attempts_pkey PRIMARY KEY (id),
  constraint attempts_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint attempts_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id),
  constraint attempts_enrolment_id_fkey FOREIGN KEY (enrolment_id) REFERENCES enrolments(id) ON DELETE CASCADE,
  constraint attempts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint attempts_version_id_fkey FOREIGN KEY (version_id) REFERENCES course_versions(id),
  constraint attempts_completion_check CHECK (completion = ANY (ARRAY['incomplete'::text, 'complete'::text])),
  constraint attempts_success_check CHECK (success = ANY (ARRAY['unknown'::text, 'passed'::text, 'failed'::text]))
);
CREATE UNIQUE INDEX attempts_no ON attempts (enrolment_id, no);
CREATE INDEX attempts_preview ON attempts (id) WHERE preview;
CREATE INDEX attempts_user ON attempts (user_id, course_id);
CREATE INDEX attempts_version ON attempts (version_id);
CREATE TRIGGER end_completion_decision AFTER UPDATE ON attempts FOR EACH ROW WHEN (old.completed_at IS NOT NULL AND new.completed_at IS NULL AND new.enrolment_id IS NOT NULL) EXECUTE FUNCTION end_completion_decision();
CREATE TRIGGER write_completion_insert AFTER INSERT ON attempts FOR EACH ROW WHEN (new.completed_at IS NOT NULL AND new.enrolment_id IS NOT NULL AND NOT new.preview) EXECUTE FUNCTION write_completion_history();
CREATE TRIGGER write_completion_update AFTER UPDATE ON attempts FOR EACH ROW WHEN (old.completed_at IS NULL AND new.completed_at IS NOT NULL AND new.enrolment_id IS NOT NULL AND NOT new.preview) EXECUTE FUNCTION write_completion_history();
CREATE TRIGGER write_completion_withdrawal AFTER UPDATE ON attempts FOR EACH ROW WHEN (old.completed_at IS NOT NULL AND new.completed_at IS NULL AND new.enrolment_id IS NOT NULL AND NOT new.preview) EXECUTE FUNCTION write_completion_withdrawal();
CREATE TRIGGER write_history_insert AFTER INSERT ON attempts FOR EACH ROW WHEN (new.enrolment_id IS NOT NULL AND NOT new.preview) EXECUTE FUNCTION write_attempt_history();

-- 400 rows a year per learner; kept until the person is erased
create table block_views (
  attempt_id uuid not null,
  sco text not null,
  block_id text not null,
  session_id uuid not null,
  seq integer not null,
  t integer not null,
  recorded_at timestamptz default now() not null,
  constraint block_views_pkey PRIMARY KEY (attempt_id, sco, block_id),
  constraint block_views_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempts(id) ON DELETE CASCADE,
  constraint block_views_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX block_views_session ON block_views (session_id);

-- 5 rows a year per installation; kept for good
create table completion_followers (
  domain text not null,
  since timestamptz default now() not null,
  constraint completion_followers_pkey PRIMARY KEY (domain)
);

-- 8 rows a year per learner; kept for good: proof, or the history that reports are computed from
create table completion_history (
  id bigint generated always as identity not null,
  enrolment_id uuid not null,
  attempt_id uuid not null,
  attempt_no integer not null,
  person_id uuid not null,
  company_id uuid not null,
  course_id uuid not null,
  version_id uuid not null,
  session_id uuid,
  rule jsonb,
  rule_text text,
  success text not null,
  score_percent real,
  active_seconds integer not null,
  reported_seconds integer not null,
  actor_id uuid,
  reason text,
  first_started_at timestamptz not null,
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  backfilled boolean default false not null,
  completion_no integer default 1 not null,
  constraint completion_history_pkey PRIMARY KEY (id),
  constraint completion_history_success_check CHECK (success = ANY (ARRAY['unknown'::text, 'passed'::text, 'failed'::text]))
);
CREATE INDEX completion_history_actor ON completion_history (actor_id) WHERE (actor_id IS NOT NULL);
CREATE UNIQUE INDEX completion_history_completion ON completion_history (attempt_id, completion_no);
CREATE INDEX completion_history_course ON completion_history (course_id, company_id);
CREATE INDEX completion_history_enrolment ON completion_history (enrolment_id, id);
CREATE INDEX completion_history_person ON completion_history (person_id);
CREATE INDEX completion_history_recorded ON completion_history (recorded_at);
CREATE TRIGGER completion_history_append_only BEFORE DELETE OR UPDATE ON completion_history FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER completion_history_no_truncate BEFORE TRUNCATE ON completion_history FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER follow_completion_for_requirements AFTER INSERT ON completion_history FOR EACH ROW EXECUTE FUNCTION follow_completion_for_requirements();
CREATE TRIGGER queue_completion AFTER INSERT ON completion_history FOR EACH ROW WHEN (NOT new.backfilled) EXECUTE FUNCTION queue_completion();

-- 8 rows a year per learner; kept until the domain has handled the completion
create table completion_queue (
  domain text not null,
  completion_id bigint not null,
  failures integer default 0 not null,
  due_at timestamptz default now() not null,
  constraint completion_queue_pkey PRIMARY KEY (domain, completion_id),
  constraint completion_queue_domain_fkey FOREIGN KEY (domain) REFERENCES completion_followers(domain) ON DELETE CASCADE
);
CREATE INDEX completion_queue_due ON completion_queue (domain, due_at);

-- 0.1 rows a year per learner; kept for good: proof, or the history that reports are computed from
create table completion_withdrawals (
  completion_id bigint not null,
  actor_id uuid,
  reason text,
  recorded_at timestamptz default clock_timestamp() not null,
  constraint completion_withdrawals_pkey PRIMARY KEY (completion_id)
);
CREATE INDEX completion_withdrawals_actor ON completion_withdrawals (actor_id) WHERE (actor_id IS NOT NULL);
CREATE TRIGGER completion_withdrawals_append_only BEFORE DELETE OR UPDATE ON completion_withdrawals FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER completion_withdrawals_no_truncate BEFORE TRUNCATE ON completion_withdrawals FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER follow_completion_withdrawal AFTER INSERT ON completion_withdrawals FOR EACH ROW EXECUTE FUNCTION follow_completion_withdrawal();

-- 60 rows a year per learner; kept for good: proof, or the history that reports are computed from
create table part_history (
  id bigint generated always as identity not null,
  enrolment_id uuid not null,
  attempt_no integer not null,
  "position" integer,
  state text not null,
  score_percent real,
  recorded_at timestamptz not null,
  backfilled boolean default false not null,
  constraint part_history_pkey PRIMARY KEY (id),
  constraint part_history_state_check CHECK (state = ANY (ARRAY['started'::text, 'done'::text, 'failed'::text]))
);
CREATE INDEX part_history_states ON part_history (enrolment_id, attempt_no, "position", id DESC) INCLUDE (state, recorded_at);
CREATE TRIGGER part_history_append_only BEFORE DELETE OR UPDATE ON part_history FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER part_history_no_truncate BEFORE TRUNCATE ON part_history FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();

-- 30 rows a year per learner; kept until the person is erased
create table part_states (
  attempt_id uuid not null,
  sco text not null,
  cmi jsonb default '{}'::jsonb not null,
  suspend_data text,
  completion text default 'unknown'::text not null,
  success text default 'unknown'::text not null,
  score_percent real,
  progress real,
  visits integer default 0 not null,
  terminated boolean default false not null,
  reported_seconds real default 0 not null,
  updated_at timestamptz default now() not null,
  learner_attempt integer default 0 not null,
  seconds_before real default 0 not null,
  lesson jsonb,
  constraint part_states_pkey PRIMARY KEY (attempt_id, sco),
  constraint part_states_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempts(id) ON DELETE CASCADE
);
CREATE TRIGGER store_unclear_marks_insert AFTER INSERT ON part_states FOR EACH ROW WHEN (new.lesson ? 'unclear'::text) EXECUTE FUNCTION store_unclear_marks();
CREATE TRIGGER store_unclear_marks_update AFTER UPDATE ON part_states FOR EACH ROW WHEN ((old.lesson -> 'unclear'::text) IS DISTINCT FROM (new.lesson -> 'unclear'::text)) EXECUTE FUNCTION store_unclear_marks();
CREATE TRIGGER write_history_insert AFTER INSERT ON part_states FOR EACH ROW EXECUTE FUNCTION write_part_history();
CREATE TRIGGER write_history_update AFTER UPDATE ON part_states FOR EACH ROW WHEN (old.completion IS DISTINCT FROM new.completion OR old.success IS DISTINCT FROM new.success OR old.score_percent IS DISTINCT FROM new.score_percent) EXECUTE FUNCTION write_part_history();

-- 1 rows a year per learner; kept until the person is erased
create table quiz_allowances (
  enrolment_id uuid not null,
  sco text not null,
  attempts integer default 0 not null,
  minutes integer default 0 not null,
  constraint quiz_allowances_pkey PRIMARY KEY (enrolment_id, sco),
  constraint quiz_allowances_enrolment_id_fkey FOREIGN KEY (enrolment_id) REFERENCES enrolments(id) ON DELETE CASCADE
);

-- 900 rows a year per learner; kept until the person is erased
create table session_events (
  session_id uuid not null,
  first_seq integer not null,
  last_seq integer not null,
  received_at timestamptz default now() not null,
  events json not null,
  constraint session_events_pkey PRIMARY KEY (session_id, first_seq),
  constraint session_events_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE TRIGGER store_block_views AFTER INSERT ON session_events FOR EACH ROW WHEN (new.events::text ~~ '%block.seen%'::text OR new.events::text ~~ '%lesson.end%'::text) EXECUTE FUNCTION store_block_views();

-- 30 rows a year per learner; kept until the person is erased
create table sessions (
  id uuid default gen_random_uuid() not null,
  attempt_id uuid not null,
  user_id uuid not null,
  company_id uuid not null,
  token_hash text not null,
  client_id text not null,
  device jsonb default '{}'::jsonb not null,
  started_at timestamptz default now() not null,
  last_seen_at timestamptz default now() not null,
  ended_at timestamptz,
  end_reason text,
  active_ms bigint default 0 not null,
  reported jsonb default '{}'::jsonb not null,
  commits integer default 0 not null,
  failed_commits integer default 0 not null,
  last_seq integer default 0 not null,
  ended_ms bigint generated always as (
CASE
    WHEN (ended_at IS NOT NULL) THEN active_ms
    ELSE NULL::bigint
END) stored,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempts(id) ON DELETE CASCADE,
  constraint sessions_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint sessions_end_reason_check CHECK (end_reason = ANY (ARRAY['exit'::text, 'tab_closed'::text, 'timeout'::text, 'superseded'::text, 'revoked'::text]))
);
CREATE INDEX sessions_attempt ON sessions (attempt_id, started_at);
CREATE UNIQUE INDEX sessions_live ON sessions (attempt_id) WHERE (ended_at IS NULL);
CREATE INDEX sessions_started ON sessions (started_at DESC) INCLUDE (user_id, company_id, attempt_id, ended_ms);
CREATE INDEX sessions_user ON sessions (user_id, started_at);

-- privacy

-- 0.1 rows a year per learner; kept for good: proof of the erasure
create table erasures (
  id uuid default gen_random_uuid() not null,
  subject_hash text not null,
  receipt jsonb not null,
  erased_at timestamptz default now() not null,
  constraint erasures_pkey PRIMARY KEY (id),
  constraint erasures_subject_hash_key UNIQUE (subject_hash)
);

-- 0.1 rows a year per learner; kept as many years as the company must prove training
create table retained_training_records (
  id uuid default gen_random_uuid() not null,
  company_id uuid not null,
  course_id uuid not null,
  course text not null,
  completed_on date not null,
  success text not null,
  score_percent real,
  basis text not null,
  keep_until date not null,
  constraint retained_proofs_pkey PRIMARY KEY (id),
  constraint retained_proofs_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint retained_proofs_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE
);
CREATE INDEX retained_proofs_until ON retained_training_records (keep_until);

-- prompts

-- 1 rows a year per course; kept as long as the button
create table button_prompt_courses (
  button_id uuid not null,
  course_id uuid not null,
  constraint button_prompt_courses_pkey PRIMARY KEY (button_id, course_id),
  constraint button_prompt_courses_button_id_fkey FOREIGN KEY (button_id) REFERENCES button_prompts(id) ON DELETE CASCADE,
  constraint button_prompt_courses_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE
);
CREATE INDEX button_prompt_courses_course ON button_prompt_courses (course_id);

-- 1 rows a year per course; kept until an admin removes it
create table button_prompts (
  id uuid default gen_random_uuid() not null,
  key text not null,
  label text not null,
  prompt_id uuid not null,
  connector_id uuid,
  model text,
  outputs jsonb default '[]'::jsonb not null,
  visible_when jsonb,
  daily_limit integer,
  cooldown_seconds integer default 0 not null,
  confirm_text text default ''::text not null,
  failure_text text not null,
  status text default 'draft'::text not null,
  version integer default 1 not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  constraint button_prompts_pkey PRIMARY KEY (id),
  constraint button_prompts_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connectors(id),
  constraint button_prompts_prompt_id_fkey FOREIGN KEY (prompt_id) REFERENCES prompts(id),
  constraint button_prompts_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint button_prompts_key_check CHECK (key ~ '^[a-z][a-z0-9-]{0,63}$'::text),
  constraint button_prompts_status_check CHECK (status = ANY (ARRAY['draft'::text, 'active'::text, 'archived'::text]))
);
CREATE INDEX button_prompts_connector ON button_prompts (connector_id);
CREATE UNIQUE INDEX button_prompts_key ON button_prompts (key);
CREATE INDEX button_prompts_prompt ON button_prompts (prompt_id);
CREATE INDEX button_prompts_trigrams ON button_prompts USING gin (label gin_trgm_ops, key gin_trgm_ops) WITH (gin_pending_list_limit='64');
CREATE INDEX button_prompts_updated_by ON button_prompts (updated_by);

-- 10 rows a year per learner; kept until the person is erased
create table button_runs (
  id uuid default gen_random_uuid() not null,
  button_id uuid not null,
  user_id uuid not null,
  company_id uuid not null,
  course_id uuid not null,
  at timestamptz default now() not null,
  status text default 'running'::text not null,
  cost_micros bigint,
  constraint button_runs_pkey PRIMARY KEY (id),
  constraint button_runs_button_id_fkey FOREIGN KEY (button_id) REFERENCES button_prompts(id) ON DELETE CASCADE,
  constraint button_runs_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint button_runs_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE,
  constraint button_runs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint button_runs_status_check CHECK (status = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text]))
);
CREATE INDEX button_runs_company ON button_runs (company_id);
CREATE INDEX button_runs_course ON button_runs (course_id);
CREATE INDEX button_runs_limit ON button_runs (button_id, user_id, at DESC);
CREATE INDEX button_runs_user ON button_runs (user_id);

-- 100 rows a year per installation; kept as long as the prompt
create table prompt_cases (
  id uuid default gen_random_uuid() not null,
  prompt_id uuid not null,
  name text not null,
  message text not null,
  contains text[] default '{}'::text[] not null,
  lacks text[] default '{}'::text[] not null,
  max_words integer,
  created_at timestamptz default now() not null,
  constraint prompt_cases_pkey PRIMARY KEY (id),
  constraint prompt_cases_prompt_id_fkey FOREIGN KEY (prompt_id) REFERENCES prompts(id) ON DELETE CASCADE
);
CREATE INDEX prompt_cases_prompt ON prompt_cases (prompt_id, created_at);

-- 1000 rows a year per installation; kept as long as the prompt
create table prompt_results (
  case_id uuid not null,
  version_id uuid not null,
  connector text not null,
  model text not null,
  passed boolean not null,
  answer text not null,
  faults text[] default '{}'::text[] not null,
  at timestamptz default now() not null,
  constraint prompt_results_pkey PRIMARY KEY (case_id, version_id),
  constraint prompt_results_case_id_fkey FOREIGN KEY (case_id) REFERENCES prompt_cases(id) ON DELETE CASCADE,
  constraint prompt_results_version_id_fkey FOREIGN KEY (version_id) REFERENCES prompt_versions(id) ON DELETE CASCADE
);
CREATE INDEX prompt_results_version ON prompt_results (version_id);

-- 200 rows a year per installation; kept as long as the prompt
create table prompt_versions (
  id uuid default gen_random_uuid() not null,
  prompt_id uuid not null,
  number integer not null,
  body text not null,
  note text default ''::text not null,
  created_at timestamptz default now() not null,
  created_by uuid,
  constraint prompt_versions_pkey PRIMARY KEY (id),
  constraint prompt_versions_prompt_id_number_key UNIQUE (prompt_id, number),
  constraint prompt_versions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint prompt_versions_prompt_id_fkey FOREIGN KEY (prompt_id) REFERENCES prompts(id) ON DELETE CASCADE
);
CREATE INDEX prompt_versions_created_by ON prompt_versions (created_by);
CREATE TRIGGER prompt_versions_immutable BEFORE UPDATE ON prompt_versions FOR EACH ROW WHEN (old.id IS DISTINCT FROM new.id OR old.prompt_id IS DISTINCT FROM new.prompt_id OR old.number IS DISTINCT FROM new.number OR old.body IS DISTINCT FROM new.body OR old.note IS DISTINCT FROM new.note OR old.created_at IS DISTINCT FROM new.created_at) EXECUTE FUNCTION refuse_prompt_change();

-- 20 rows a year per installation; kept until an admin removes it
create table prompts (
  id uuid default gen_random_uuid() not null,
  key text not null,
  name text not null,
  description text default ''::text not null,
  purpose text not null,
  status text default 'active'::text not null,
  live_version_id uuid,
  draft_version_id uuid,
  version integer default 1 not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  constraint prompts_pkey PRIMARY KEY (id),
  constraint prompts_draft_version_id_fkey FOREIGN KEY (draft_version_id) REFERENCES prompt_versions(id),
  constraint prompts_live_version_id_fkey FOREIGN KEY (live_version_id) REFERENCES prompt_versions(id),
  constraint prompts_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint prompts_key_check CHECK (key ~ '^[a-z][a-z0-9-]{0,63}$'::text),
  constraint prompts_purpose_check CHECK (purpose = ANY (ARRAY['chatbot'::text, 'analysis'::text, 'rubric'::text, 'button'::text, 'refusal'::text])),
  constraint prompts_status_check CHECK (status = ANY (ARRAY['active'::text, 'archived'::text]))
);
CREATE INDEX prompts_draft ON prompts (draft_version_id);
CREATE UNIQUE INDEX prompts_key ON prompts (key);
CREATE INDEX prompts_live ON prompts (live_version_id);
CREATE INDEX prompts_name ON prompts (status, lower(name));
CREATE INDEX prompts_trigrams ON prompts USING gin (name gin_trgm_ops, key gin_trgm_ops) WITH (gin_pending_list_limit='64');
CREATE INDEX prompts_updated_by ON prompts (updated_by);

-- provisioning

-- 1 rows a year per learner; kept until the person is erased
create table provisioned_people (
  user_id uuid not null,
  company_id uuid not null,
  user_name text not null,
  external_id text,
  attributes jsonb default '{}'::jsonb not null,
  email text,
  email_held boolean default false not null,
  suspended_at timestamptz,
  removed_at timestamptz,
  inactive_since timestamptz,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  constraint provisioned_people_pkey PRIMARY KEY (user_id),
  constraint provisioned_people_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint provisioned_people_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX provisioned_people_emails ON provisioned_people USING gin (((lower((attributes ->> 'emails'::text)))::jsonb) jsonb_path_ops);
CREATE UNIQUE INDEX provisioned_people_external_id ON provisioned_people (company_id, external_id) WHERE ((removed_at IS NULL) AND (external_id IS NOT NULL));
CREATE INDEX provisioned_people_removed ON provisioned_people (company_id, external_id) WHERE (removed_at IS NOT NULL);
CREATE INDEX provisioned_people_removed_name ON provisioned_people (company_id, lower(user_name)) WHERE (removed_at IS NOT NULL);
CREATE INDEX provisioned_people_suspended ON provisioned_people (company_id, suspended_at) WHERE (suspended_at IS NOT NULL);
CREATE UNIQUE INDEX provisioned_people_user_name ON provisioned_people (company_id, lower(user_name)) WHERE (removed_at IS NULL);

-- 5000 rows a year per company; kept 30 days, and the last 5,000 of a company
create table provisioning_calls (
  id bigint generated always as identity not null,
  company_id uuid not null,
  key_id uuid,
  at timestamptz default clock_timestamp() not null,
  method text not null,
  resource text not null,
  person_id uuid,
  group_id uuid,
  status integer not null,
  result text not null,
  constraint provisioning_calls_pkey PRIMARY KEY (id),
  constraint provisioning_calls_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint provisioning_calls_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE SET NULL,
  constraint provisioning_calls_key_id_fkey FOREIGN KEY (key_id) REFERENCES provisioning_keys(id) ON DELETE SET NULL,
  constraint provisioning_calls_person_id_fkey FOREIGN KEY (person_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX provisioning_calls_at ON provisioning_calls (at);
CREATE INDEX provisioning_calls_company ON provisioning_calls (company_id, id DESC);
CREATE INDEX provisioning_calls_group ON provisioning_calls (group_id) WHERE (group_id IS NOT NULL);
CREATE INDEX provisioning_calls_key ON provisioning_calls (key_id) WHERE (key_id IS NOT NULL);
CREATE INDEX provisioning_calls_person ON provisioning_calls (person_id) WHERE (person_id IS NOT NULL);
CREATE INDEX provisioning_calls_refused ON provisioning_calls (company_id, id DESC) WHERE (status >= 400);

-- 0.1 rows a year per learner; kept until an admin decides; a refusal for a day
create table provisioning_holds (
  user_id uuid not null,
  company_id uuid not null,
  kind text not null,
  key_id uuid,
  asked_at timestamptz default now() not null,
  refused_at timestamptz,
  refused_by uuid,
  constraint provisioning_holds_pkey PRIMARY KEY (user_id),
  constraint provisioning_holds_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint provisioning_holds_key_id_fkey FOREIGN KEY (key_id) REFERENCES provisioning_keys(id) ON DELETE SET NULL,
  constraint provisioning_holds_refused_by_fkey FOREIGN KEY (refused_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint provisioning_holds_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint provisioning_holds_kind_check CHECK (kind = ANY (ARRAY['suspend'::text, 'remove'::text]))
);
CREATE INDEX provisioning_holds_company ON provisioning_holds (company_id, asked_at);
CREATE INDEX provisioning_holds_key ON provisioning_holds (key_id) WHERE (key_id IS NOT NULL);
CREATE INDEX provisioning_holds_refused_by ON provisioning_holds (refused_by) WHERE (refused_by IS NOT NULL);
CREATE INDEX provisioning_holds_waiting ON provisioning_holds (company_id, asked_at, user_id) WHERE (refused_at IS NULL);

-- 1 rows a year per company; kept as long as the company
create table provisioning_keys (
  id uuid default gen_random_uuid() not null,
  company_id uuid not null,
  name text not null,
  prefix text not null,
  key_hash text not null,
  created_by uuid,
  created_at timestamptz default now() not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint provisioning_keys_pkey PRIMARY KEY (id),
  constraint provisioning_keys_key_hash_key UNIQUE (key_hash),
  constraint provisioning_keys_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint provisioning_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX provisioning_keys_company ON provisioning_keys (company_id, created_at DESC);
CREATE INDEX provisioning_keys_created_by ON provisioning_keys (created_by) WHERE (created_by IS NOT NULL);

-- 1 rows a year per company; kept as long as the company
create table provisioning_settings (
  company_id uuid not null,
  removal text default 'suspend'::text not null,
  invites boolean default false not null,
  mapping jsonb default '{}'::jsonb not null,
  counted_from timestamptz default '-infinity'::timestamptz not null,
  version integer default 0 not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  constraint provisioning_settings_pkey PRIMARY KEY (company_id),
  constraint provisioning_settings_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint provisioning_settings_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint provisioning_settings_removal_check CHECK (removal = ANY (ARRAY['suspend'::text, 'leave'::text]))
);
CREATE INDEX provisioning_settings_updated_by ON provisioning_settings (updated_by) WHERE (updated_by IS NOT NULL);

-- recordings

-- 600 rows a year per learner; kept for the days that the company has set, or until the consent is withdrawn
create table recording_chunks (
  session_id uuid not null,
  number integer not null,
  received_at timestamptz default now() not null,
  body bytea not null,
  constraint recording_chunks_pkey PRIMARY KEY (session_id, number),
  constraint recording_chunks_session_id_fkey FOREIGN KEY (session_id) REFERENCES recordings(session_id) ON DELETE CASCADE
);

-- 30 rows a year per learner; kept for the days that the company has set, or until the consent is withdrawn
create table recordings (
  session_id uuid not null,
  user_id uuid not null,
  company_id uuid not null,
  started_at timestamptz default now() not null,
  chunks integer default 0 not null,
  bytes bigint default 0 not null,
  constraint recordings_pkey PRIMARY KEY (session_id),
  constraint recordings_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint recordings_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint recordings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX recordings_company ON recordings (company_id, started_at);
CREATE INDEX recordings_user ON recordings (user_id);

-- reminders

-- 1 rows a year per company; kept until an admin removes it
create table reminder_plans (
  company_id uuid not null,
  is_on boolean default false not null,
  starts_on date not null,
  hour integer not null,
  skips_weekends boolean not null,
  steps jsonb not null,
  version integer default 1 not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  planned_on date,
  cursor_on date,
  cursor uuid,
  constraint reminder_plans_pkey PRIMARY KEY (company_id),
  constraint reminder_plans_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint reminder_plans_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint reminder_plans_hour_check CHECK (hour >= 0 AND hour <= 23)
);
CREATE INDEX reminder_plans_updated_by ON reminder_plans (updated_by) WHERE (updated_by IS NOT NULL);

-- 10 rows a year per learner; kept 730 days
create table reminders (
  id bigint generated always as identity not null,
  company_id uuid not null,
  enrolment_id uuid not null,
  user_id uuid not null,
  course_id uuid not null,
  kind text not null,
  days integer not null,
  counted_from date not null,
  audience text not null,
  recipient_id uuid,
  planned_at timestamptz default now() not null,
  status text not null,
  dropped text,
  mail_id uuid,
  done_at timestamptz,
  constraint reminders_pkey PRIMARY KEY (id),
  constraint reminders_enrolment_id_kind_days_counted_from_audience_key UNIQUE (enrolment_id, kind, days, counted_from, audience),
  constraint reminders_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint reminders_enrolment_id_fkey FOREIGN KEY (enrolment_id) REFERENCES enrolments(id) ON DELETE CASCADE,
  constraint reminders_mail_id_fkey FOREIGN KEY (mail_id) REFERENCES mails(id) ON DELETE SET NULL,
  constraint reminders_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint reminders_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint reminders_audience_check CHECK (audience = ANY (ARRAY['learner'::text, 'manager'::text])),
  constraint reminders_check CHECK ((status = 'dropped'::text) = (dropped IS NOT NULL)),
  constraint reminders_kind_check CHECK (kind = ANY (ARRAY['not_started'::text, 'due_soon'::text, 'overdue'::text])),
  constraint reminders_status_check CHECK (status = ANY (ARRAY['planned'::text, 'sent'::text, 'dropped'::text]))
);
CREATE INDEX reminders_age ON reminders (planned_at);
CREATE INDEX reminders_company ON reminders (company_id, id);
CREATE INDEX reminders_mail ON reminders (mail_id) WHERE (mail_id IS NOT NULL);
CREATE INDEX reminders_planned ON reminders (recipient_id, id) WHERE (status = 'planned'::text);
CREATE INDEX reminders_recipient ON reminders (recipient_id) WHERE (recipient_id IS NOT NULL);
CREATE INDEX reminders_user ON reminders (user_id, id);

-- reports

-- 0.2 rows a year per learner; kept for good: a report can be checked by its number
create table issued_reports (
  id uuid default gen_random_uuid() not null,
  number integer generated always as identity not null,
  kind text not null,
  company_id uuid,
  course_id uuid,
  filters jsonb not null,
  as_of timestamptz not null,
  figures jsonb not null,
  digest text not null,
  rows integer not null,
  issued_at timestamptz default now() not null,
  issued_by uuid,
  person_id uuid,
  constraint issued_reports_pkey PRIMARY KEY (id),
  constraint issued_reports_number_key UNIQUE (number),
  constraint issued_reports_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint issued_reports_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE,
  constraint issued_reports_issued_by_fkey FOREIGN KEY (issued_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint issued_reports_kind_check CHECK (kind = ANY (ARRAY['company'::text, 'course'::text, 'learner'::text])),
  constraint issued_reports_person_check CHECK ((kind = 'learner'::text) = (person_id IS NOT NULL))
);
CREATE INDEX issued_reports_company ON issued_reports (company_id, issued_at DESC);
CREATE INDEX issued_reports_course ON issued_reports (course_id, issued_at DESC);
CREATE INDEX issued_reports_issued_by ON issued_reports (issued_by) WHERE (issued_by IS NOT NULL);
CREATE INDEX issued_reports_person ON issued_reports (person_id, issued_at DESC) WHERE (person_id IS NOT NULL);

-- 10 rows a year per admin; kept until the person is erased
create table saved_views (
  id uuid default gen_random_uuid() not null,
  version integer default 1 not null,
  owner_id uuid not null,
  company_id uuid,
  name text not null,
  path text not null,
  query text not null,
  is_shared boolean default false not null,
  created_at timestamptz default now() not null,
  constraint saved_views_pkey PRIMARY KEY (id),
  constraint saved_views_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint saved_views_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX saved_views_company ON saved_views (company_id);
CREATE UNIQUE INDEX saved_views_name ON saved_views (owner_id, path, lower(name));
CREATE INDEX saved_views_name_trigrams ON saved_views USING gin (name gin_trgm_ops) WITH (gin_pending_list_limit='64');
CREATE INDEX saved_views_path ON saved_views (path);

-- 3 rows a year per admin; kept until the person is erased
create table view_mails (
  view_id uuid not null,
  user_id uuid not null,
  rhythm text not null,
  zone text not null,
  next_at timestamptz not null,
  constraint view_mails_pkey PRIMARY KEY (view_id, user_id),
  constraint view_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint view_mails_view_id_fkey FOREIGN KEY (view_id) REFERENCES saved_views(id) ON DELETE CASCADE,
  constraint view_mails_rhythm_check CHECK (rhythm = ANY (ARRAY['weekly'::text, 'monthly'::text]))
);
CREATE INDEX view_mails_due ON view_mails (next_at);
CREATE INDEX view_mails_user ON view_mails (user_id);

-- requirements

-- 10 rows a year per company; kept for good: proof, or the history that reports are computed from
create table course_requirement_history (
  id bigint generated always as identity not null,
  requirement_id uuid not null,
  company_id uuid not null,
  course_id uuid not null,
  is_required boolean not null,
  months integer,
  counts_from text not null,
  fixed_month integer,
  fixed_day integer,
  skip_days integer not null,
  window_days integer not null,
  grace_days integer not null,
  actor_id uuid,
  reason text,
  recorded_at timestamptz not null,
  backfilled boolean default false not null,
  constraint course_requirement_history_pkey PRIMARY KEY (id)
);
CREATE INDEX course_requirement_history_actor ON course_requirement_history (actor_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX course_requirement_history_company ON course_requirement_history (company_id, course_id, id DESC);
CREATE TRIGGER course_requirement_history_append_only BEFORE DELETE OR UPDATE ON course_requirement_history FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER course_requirement_history_no_truncate BEFORE TRUNCATE ON course_requirement_history FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();

-- 5 rows a year per company; kept until an admin removes it
create table course_requirements (
  id uuid default gen_random_uuid() not null,
  company_id uuid not null,
  course_id uuid not null,
  months integer,
  counts_from text default 'completion'::text not null,
  fixed_month integer,
  fixed_day integer,
  skip_days integer default 0 not null,
  window_days integer default 60 not null,
  grace_days integer default 0 not null,
  version integer default 1 not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  removed_at timestamptz,
  applied_version integer default 0 not null,
  cursor uuid,
  constraint course_requirements_pkey PRIMARY KEY (id),
  constraint course_requirements_company_id_course_id_key UNIQUE (company_id, course_id),
  constraint course_requirements_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint course_requirements_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE,
  constraint course_requirements_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint course_requirements_check CHECK ((counts_from = 'day'::text) = (fixed_month IS NOT NULL AND fixed_day IS NOT NULL)),
  constraint course_requirements_check1 CHECK (counts_from <> 'day'::text OR months IS NOT NULL AND (months % 12) = 0),
  constraint course_requirements_counts_from_check CHECK (counts_from = ANY (ARRAY['completion'::text, 'previous'::text, 'day'::text])),
  constraint course_requirements_fixed_day_check CHECK (fixed_day >= 1 AND fixed_day <= 31),
  constraint course_requirements_fixed_month_check CHECK (fixed_month >= 1 AND fixed_month <= 12),
  constraint course_requirements_grace_days_check CHECK (grace_days >= 0 AND grace_days <= 365),
  constraint course_requirements_months_check CHECK (months >= 1 AND months <= 120),
  constraint course_requirements_skip_days_check CHECK (skip_days >= 0 AND skip_days <= 365),
  constraint course_requirements_window_days_check CHECK (window_days >= 0 AND window_days <= 365)
);
CREATE INDEX course_requirements_course ON course_requirements (course_id);
CREATE INDEX course_requirements_updated_by ON course_requirements (updated_by) WHERE (updated_by IS NOT NULL);
CREATE INDEX course_requirements_waiting ON course_requirements (id) WHERE (applied_version < version);
CREATE TRIGGER write_history_delete AFTER DELETE ON course_requirements FOR EACH ROW WHEN (old.removed_at IS NULL) EXECUTE FUNCTION write_course_requirement_history();
CREATE TRIGGER write_history_insert AFTER INSERT ON course_requirements FOR EACH ROW EXECUTE FUNCTION write_course_requirement_history();
CREATE TRIGGER write_history_update AFTER UPDATE ON course_requirements FOR EACH ROW WHEN (old.months IS DISTINCT FROM new.months OR old.counts_from IS DISTINCT FROM new.counts_from OR old.fixed_month IS DISTINCT FROM new.fixed_month OR old.fixed_day IS DISTINCT FROM new.fixed_day OR old.skip_days IS DISTINCT FROM new.skip_days OR old.window_days IS DISTINCT FROM new.window_days OR old.grace_days IS DISTINCT FROM new.grace_days OR (old.removed_at IS NULL) IS DISTINCT FROM (new.removed_at IS NULL)) EXECUTE FUNCTION write_course_requirement_history();

-- 3 rows a year per learner; kept until the person is erased
create table enrolment_cycles (
  enrolment_id uuid not null,
  cycle integer not null,
  first_attempt integer not null,
  assigned_at timestamptz not null,
  first_started_at timestamptz,
  completed_at timestamptz not null,
  due_date date,
  success text not null,
  score_percent real,
  progress real,
  parts_done integer not null,
  current_part text,
  closed_at timestamptz default now() not null,
  constraint enrolment_cycles_pkey PRIMARY KEY (enrolment_id, cycle),
  constraint enrolment_cycles_enrolment_id_fkey FOREIGN KEY (enrolment_id) REFERENCES enrolments(id) ON DELETE CASCADE
);

-- 1 rows a year per learner; kept until the person is erased
create table requirement_exemptions (
  id uuid default gen_random_uuid() not null,
  company_id uuid not null,
  course_id uuid not null,
  person_id uuid not null,
  from_day date not null,
  until_day date not null,
  due_day date not null,
  ground text not null,
  note text default ''::text not null,
  replaced_due_date date,
  created_at timestamptz default now() not null,
  created_by uuid,
  ended_at timestamptz,
  ended_by uuid,
  constraint requirement_exemptions_pkey PRIMARY KEY (id),
  constraint requirement_exemptions_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint requirement_exemptions_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE,
  constraint requirement_exemptions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint requirement_exemptions_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint requirement_exemptions_person_id_fkey FOREIGN KEY (person_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint requirement_exemptions_check CHECK (until_day >= from_day),
  constraint requirement_exemptions_check1 CHECK (due_day > until_day),
  constraint requirement_exemptions_ground_check CHECK (ground = ANY (ARRAY['absence'::text, 'health'::text, 'role'::text, 'equivalent'::text, 'other'::text])),
  constraint requirement_exemptions_note_check CHECK (length(note) <= 1000)
);
CREATE INDEX requirement_exemptions_company ON requirement_exemptions (company_id, course_id, until_day);
CREATE INDEX requirement_exemptions_course ON requirement_exemptions (course_id);
CREATE INDEX requirement_exemptions_created_by ON requirement_exemptions (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX requirement_exemptions_ended_by ON requirement_exemptions (ended_by) WHERE (ended_by IS NOT NULL);
CREATE INDEX requirement_exemptions_person ON requirement_exemptions (person_id, company_id, course_id);
CREATE TRIGGER follow_exemption AFTER INSERT OR UPDATE ON requirement_exemptions FOR EACH ROW EXECUTE FUNCTION follow_exemption();

-- 6 rows a year per learner; kept for good: proof, or the history that reports are computed from
create table requirement_history (
  id bigint generated always as identity not null,
  enrolment_id uuid not null,
  company_id uuid not null,
  course_id uuid not null,
  is_required boolean not null,
  since date not null,
  completed_on date,
  valid_until date,
  opens_on date,
  opened_on date,
  recorded_at timestamptz not null,
  backfilled boolean default false not null,
  exempt_from date,
  exempt_until date,
  constraint requirement_history_pkey PRIMARY KEY (id)
);
CREATE INDEX requirement_history_enrolment ON requirement_history (enrolment_id);
CREATE INDEX requirement_history_held ON requirement_history (company_id, course_id, enrolment_id, id DESC) INCLUDE (recorded_at, is_required, since, completed_on, valid_until, opens_on, opened_on, exempt_from, exempt_until);
CREATE TRIGGER requirement_history_append_only BEFORE DELETE OR UPDATE ON requirement_history FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER requirement_history_no_truncate BEFORE TRUNCATE ON requirement_history FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();

-- 3 rows a year per learner; kept until the person is erased
create table requirements (
  enrolment_id uuid not null,
  company_id uuid not null,
  course_id uuid not null,
  user_id uuid not null,
  since date not null,
  completed_on date,
  valid_until date,
  opens_on date,
  opened_on date,
  opened_by uuid,
  notified_at timestamptz,
  exempt_from date,
  exempt_until date,
  exempt_due date,
  constraint requirements_pkey PRIMARY KEY (enrolment_id),
  constraint requirements_enrolment_id_fkey FOREIGN KEY (enrolment_id) REFERENCES enrolments(id) ON DELETE CASCADE,
  constraint requirements_opened_by_fkey FOREIGN KEY (opened_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint requirements_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX requirements_company ON requirements (company_id, course_id, valid_until);
CREATE INDEX requirements_opened_by ON requirements (opened_by) WHERE (opened_by IS NOT NULL);
CREATE INDEX requirements_opening ON requirements (opens_on, enrolment_id) WHERE (opened_on IS NULL);
CREATE INDEX requirements_unnotified ON requirements (user_id) WHERE ((opened_on IS NOT NULL) AND (notified_at IS NULL));
CREATE INDEX requirements_user ON requirements (user_id, company_id);
CREATE TRIGGER write_history_delete AFTER DELETE ON requirements FOR EACH ROW EXECUTE FUNCTION write_requirement_history();
CREATE TRIGGER write_history_insert AFTER INSERT ON requirements FOR EACH ROW EXECUTE FUNCTION write_requirement_history();
CREATE TRIGGER write_history_update AFTER UPDATE ON requirements FOR EACH ROW WHEN (old.since IS DISTINCT FROM new.since OR old.completed_on IS DISTINCT FROM new.completed_on OR old.valid_until IS DISTINCT FROM new.valid_until OR old.opens_on IS DISTINCT FROM new.opens_on OR old.opened_on IS DISTINCT FROM new.opened_on OR old.exempt_from IS DISTINCT FROM new.exempt_from OR old.exempt_until IS DISTINCT FROM new.exempt_until) EXECUTE FUNCTION write_requirement_history();

-- settings

-- 5 rows a year per installation; kept for good: proof of what people agreed to
create table consent_texts (
  id uuid default gen_random_uuid() not null,
  kind text not null,
  version integer not null,
  locale text default 'en'::text not null,
  body text not null,
  sha256 text not null,
  published_at timestamptz default now() not null,
  published_by uuid,
  constraint consent_texts_pkey PRIMARY KEY (id),
  constraint consent_texts_kind_version_locale_key UNIQUE (kind, version, locale),
  constraint consent_texts_published_by_fkey FOREIGN KEY (published_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint consent_texts_kind_check CHECK (kind = ANY (ARRAY['cookies'::text, 'policy'::text]))
);
CREATE TRIGGER consent_texts_append_only BEFORE DELETE OR UPDATE ON consent_texts FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();

-- 1 rows a year per installation; kept for good
create table settings (
  id boolean default true not null,
  academy_name text default 'Lyceum'::text not null,
  headline text default ''::text not null,
  tagline text default ''::text not null,
  about text default ''::text not null,
  color text,
  support_email text default ''::text not null,
  backup_days integer,
  version integer default 1 not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  admin_email_hash text,
  logo bytea,
  logo_type text,
  logo_width integer,
  logo_height integer,
  time_zone text,
  constraint settings_pkey PRIMARY KEY (id),
  constraint settings_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint settings_backup_days_check CHECK (backup_days >= 0 AND backup_days <= 3650),
  constraint settings_id_check CHECK (id)
);

-- statements

-- 50 rows a year per course; kept as long as the company
create table activity_definitions (
  company_id uuid not null,
  activity_key uuid not null,
  activity text not null,
  definition jsonb not null,
  updated_at timestamptz default now() not null,
  constraint activity_definitions_pkey PRIMARY KEY (company_id, activity_key),
  constraint activity_definitions_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);

-- 1000 rows a year per learner; kept as long as their statement
create table statement_activities (
  company_id uuid not null,
  activity_key uuid not null,
  stored_at timestamptz not null,
  "position" bigint not null,
  is_main boolean not null,
  verb_key uuid not null,
  constraint statement_activities_pkey PRIMARY KEY (company_id, activity_key, stored_at, "position"),
  constraint statement_activities_position_fkey FOREIGN KEY ("position") REFERENCES statements("position") ON DELETE CASCADE
);
CREATE INDEX statement_activities_main ON statement_activities (company_id, activity_key, stored_at, "position") WHERE is_main;
CREATE INDEX statement_activities_position ON statement_activities ("position");
CREATE INDEX statement_activities_verb ON statement_activities (company_id, activity_key, verb_key, stored_at, "position") WHERE is_main;

-- 1500 rows a year per learner; kept as long as their statement
create table statement_agents (
  company_id uuid not null,
  agent_key uuid not null,
  stored_at timestamptz not null,
  "position" bigint not null,
  is_main boolean not null,
  constraint statement_agents_pkey PRIMARY KEY (company_id, agent_key, stored_at, "position"),
  constraint statement_agents_position_fkey FOREIGN KEY ("position") REFERENCES statements("position") ON DELETE CASCADE
);
CREATE INDEX statement_agents_main ON statement_agents (company_id, agent_key, stored_at, "position") WHERE is_main;
CREATE INDEX statement_agents_position ON statement_agents ("position");

-- 1 rows a year per learner; kept as long as their statement
create table statement_attachments (
  company_id uuid not null,
  hash text not null,
  "position" bigint not null,
  constraint statement_attachments_pkey PRIMARY KEY ("position", hash),
  constraint statement_attachments_company_id_hash_fkey FOREIGN KEY (company_id, hash) REFERENCES statement_files(company_id, hash) ON DELETE CASCADE,
  constraint statement_attachments_position_fkey FOREIGN KEY ("position") REFERENCES statements("position") ON DELETE CASCADE
);
CREATE INDEX statement_attachments_file ON statement_attachments (company_id, hash);

-- 1 rows a year per company; kept as long as the company
create table statement_clients (
  id uuid default gen_random_uuid() not null,
  company_id uuid not null,
  name text not null,
  user_name text not null,
  secret_hash text not null,
  scopes text[] not null,
  created_by uuid,
  created_at timestamptz default now() not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint statement_clients_pkey PRIMARY KEY (id),
  constraint statement_clients_user_name_key UNIQUE (user_name),
  constraint statement_clients_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint statement_clients_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX statement_clients_company ON statement_clients (company_id, created_at DESC, id);
CREATE INDEX statement_clients_created_by ON statement_clients (created_by) WHERE (created_by IS NOT NULL);

-- 10 rows a year per learner; kept until the person is erased
create table statement_documents (
  company_id uuid not null,
  kind text not null,
  activity_key uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  agent_key uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  registration uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  document_id text not null,
  activity text,
  user_id uuid,
  content_type text not null,
  bytes bytea not null,
  etag text not null,
  updated_at timestamptz default now() not null,
  constraint statement_documents_pkey PRIMARY KEY (company_id, kind, activity_key, agent_key, registration, document_id),
  constraint statement_documents_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint statement_documents_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint statement_documents_kind_check CHECK (kind = ANY (ARRAY['state'::text, 'activity'::text, 'agent'::text]))
);
CREATE INDEX statement_documents_user ON statement_documents (user_id) WHERE (user_id IS NOT NULL);

-- 1 rows a year per learner; kept as long as a statement has them as attachment
create table statement_files (
  company_id uuid not null,
  hash text not null,
  bytes bytea not null,
  constraint statement_files_pkey PRIMARY KEY (company_id, hash),
  constraint statement_files_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);

-- 1 rows a year per learner; kept as long as their statement
create table statement_references (
  company_id uuid not null,
  stored_at timestamptz not null,
  "position" bigint not null,
  target bigint not null,
  constraint statement_references_pkey PRIMARY KEY (company_id, stored_at, "position", target),
  constraint statement_references_position_fkey FOREIGN KEY ("position") REFERENCES statements("position") ON DELETE CASCADE,
  constraint statement_references_target_fkey FOREIGN KEY (target) REFERENCES statements("position") ON DELETE CASCADE
);
CREATE INDEX statement_references_position ON statement_references ("position");
CREATE INDEX statement_references_target ON statement_references (target);

-- 500 rows a year per learner; kept as long as the company; without the person after an erasure
create table statements (
  "position" bigint generated always as identity not null,
  company_id uuid not null,
  id uuid not null,
  stored_at timestamptz not null,
  happened_at timestamptz not null,
  user_id uuid,
  client_id uuid,
  session_id uuid,
  attempt_id uuid,
  registration uuid,
  verb text not null,
  verb_key uuid not null,
  activity text,
  object_statement uuid,
  is_voiding boolean default false not null,
  is_voided boolean default false not null,
  statement jsonb not null,
  constraint statements_pkey PRIMARY KEY ("position"),
  constraint statements_company_id_id_key UNIQUE (company_id, id),
  constraint statements_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempts(id) ON DELETE SET NULL,
  constraint statements_client_id_fkey FOREIGN KEY (client_id) REFERENCES statement_clients(id) ON DELETE SET NULL,
  constraint statements_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint statements_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE SET NULL,
  constraint statements_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX statements_attempt ON statements (attempt_id, stored_at, "position") WHERE (attempt_id IS NOT NULL);
CREATE INDEX statements_client ON statements (client_id, stored_at, "position") WHERE (client_id IS NOT NULL);
CREATE INDEX statements_object ON statements (company_id, object_statement) WHERE (object_statement IS NOT NULL);
CREATE INDEX statements_registration ON statements (company_id, registration, stored_at, "position") WHERE (registration IS NOT NULL);
CREATE INDEX statements_session ON statements (session_id) WHERE (session_id IS NOT NULL);
CREATE INDEX statements_stored ON statements (company_id, stored_at, "position");
CREATE INDEX statements_user ON statements (user_id, stored_at) WHERE (user_id IS NOT NULL);
CREATE INDEX statements_verb ON statements (company_id, verb_key, stored_at, "position");

-- transcripts

-- 1 rows a year per learner; kept until the person deletes them or is erased
create table transcripts (
  id uuid default gen_random_uuid() not null,
  number text not null,
  company_id uuid not null,
  person_id uuid not null,
  facts jsonb not null,
  sources jsonb not null,
  digest text not null,
  issued_at timestamptz default now() not null,
  link_until timestamptz,
  link_no integer default 0 not null,
  opened integer default 0 not null,
  last_opened_at timestamptz,
  constraint transcripts_pkey PRIMARY KEY (id),
  constraint transcripts_number_key UNIQUE (number),
  constraint transcripts_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint transcripts_person_id_fkey FOREIGN KEY (person_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX transcripts_company ON transcripts (company_id);
CREATE INDEX transcripts_person ON transcripts (person_id, issued_at DESC);

-- variables

-- 1 rows a year per variable; kept as long as the variable
create table variable_checkpoints (
  variable_id uuid not null,
  company_id uuid not null,
  folded jsonb not null,
  constraint variable_checkpoints_pkey PRIMARY KEY (variable_id, company_id),
  constraint variable_checkpoints_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint variable_checkpoints_variable_id_fkey FOREIGN KEY (variable_id) REFERENCES variables(id) ON DELETE CASCADE
);
CREATE INDEX variable_checkpoints_company ON variable_checkpoints (company_id);

-- 2 rows a year per variable; kept as long as the variable
create table variable_courses (
  course_id uuid not null,
  key text not null,
  variable_id uuid not null,
  access text default 'both'::text not null,
  path text,
  constraint variable_courses_pkey PRIMARY KEY (course_id, key),
  constraint variable_courses_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE,
  constraint variable_courses_variable_id_fkey FOREIGN KEY (variable_id) REFERENCES variables(id) ON DELETE CASCADE,
  constraint variable_courses_access_check CHECK (access = ANY (ARRAY['read'::text, 'write'::text, 'both'::text])),
  constraint variable_courses_key_check CHECK (key ~ '^[a-z][a-z0-9_]{0,63}$'::text)
);
CREATE INDEX variable_courses_variable ON variable_courses (variable_id);

-- 20 rows a year per learner; kept as long as its values
create table variable_current (
  variable_id uuid not null,
  subject text not null,
  user_id uuid,
  company_id uuid not null,
  course_id uuid,
  attempt_id uuid,
  count integer not null,
  current jsonb not null,
  current_at timestamptz not null,
  current_id bigint not null,
  first jsonb not null,
  first_at timestamptz not null,
  first_id bigint not null,
  last_at timestamptz not null,
  number double precision,
  first_number double precision,
  constraint variable_current_pkey PRIMARY KEY (variable_id, subject),
  constraint variable_current_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempts(id) ON DELETE CASCADE,
  constraint variable_current_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint variable_current_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE,
  constraint variable_current_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint variable_current_variable_id_fkey FOREIGN KEY (variable_id) REFERENCES variables(id) ON DELETE CASCADE
);
CREATE INDEX variable_current_attempt ON variable_current (attempt_id);
CREATE INDEX variable_current_company ON variable_current (company_id, variable_id);
CREATE INDEX variable_current_course ON variable_current (course_id);
CREATE INDEX variable_current_last ON variable_current (variable_id, last_at DESC);
CREATE INDEX variable_current_number ON variable_current (variable_id, number) WHERE (number IS NOT NULL);
CREATE INDEX variable_current_user ON variable_current (user_id, variable_id);
CREATE TRIGGER follow_variable_changed AFTER UPDATE ON variable_current FOR EACH ROW WHEN (old.current IS DISTINCT FROM new.current) EXECUTE FUNCTION follow_variable();
CREATE TRIGGER follow_variable_made AFTER INSERT OR DELETE ON variable_current FOR EACH ROW EXECUTE FUNCTION follow_variable();

-- 0.1 rows a year per course; kept as long as it can be undone
create table variable_deletions (
  id uuid default gen_random_uuid() not null,
  course_id uuid,
  variable_ids uuid[],
  company_id uuid,
  user_ids uuid[],
  only_preview boolean default false not null,
  happened_from timestamptz,
  happened_until timestamptz default now() not null,
  value_count integer default 0 not null,
  deleted_at timestamptz default now() not null,
  deleted_by uuid,
  restored_at timestamptz,
  restored_by uuid,
  purged_at timestamptz,
  constraint variable_deletions_pkey PRIMARY KEY (id),
  constraint variable_deletions_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint variable_deletions_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id) ON DELETE CASCADE,
  constraint variable_deletions_deleted_by_fkey FOREIGN KEY (deleted_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint variable_deletions_restored_by_fkey FOREIGN KEY (restored_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX variable_deletions_company ON variable_deletions (company_id);
CREATE INDEX variable_deletions_course ON variable_deletions (course_id);
CREATE INDEX variable_deletions_deleted_by ON variable_deletions (deleted_by);
CREATE INDEX variable_deletions_restored_by ON variable_deletions (restored_by);

-- 1 rows a year per installation; kept for good
create table variable_fold (
  id boolean default true not null,
  tx xid8 not null,
  value_id bigint not null,
  constraint variable_fold_pkey PRIMARY KEY (id),
  constraint variable_fold_id_check CHECK (id)
);

-- 10 rows a year per variable; kept as long as the variable
create table variable_tallies (
  variable_id uuid not null,
  company_id uuid not null,
  label text not null,
  number double precision,
  count integer not null,
  constraint variable_tallies_pkey PRIMARY KEY (variable_id, company_id, label),
  constraint variable_tallies_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint variable_tallies_variable_id_fkey FOREIGN KEY (variable_id) REFERENCES variables(id) ON DELETE CASCADE
);
CREATE INDEX variable_tallies_company ON variable_tallies (company_id);

-- 10 rows a year per variable; kept as long as the variable
create table variable_totals (
  variable_id uuid not null,
  company_id uuid not null,
  subjects integer default 0 not null,
  learners integer default 0 not null,
  accepted bigint default 0 not null,
  refused bigint default 0 not null,
  last_at timestamptz,
  constraint variable_totals_pkey PRIMARY KEY (variable_id, company_id),
  constraint variable_totals_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint variable_totals_variable_id_fkey FOREIGN KEY (variable_id) REFERENCES variables(id) ON DELETE CASCADE
);
CREATE INDEX variable_totals_company ON variable_totals (company_id);

-- 100 rows a year per learner; kept until the person is erased, or as many days as the variable says
create table variable_values (
  id bigint generated always as identity not null,
  tx xid8 default pg_current_xact_id() not null,
  variable_id uuid not null,
  user_id uuid,
  company_id uuid not null,
  course_id uuid,
  version_id uuid,
  attempt_id uuid,
  session_id uuid,
  seq integer,
  sco text,
  source text not null,
  actor_id uuid,
  value jsonb not null,
  refusal text,
  reason text default ''::text not null,
  corrects bigint,
  is_corrected boolean default false not null,
  preview boolean default false not null,
  happened_at timestamptz not null,
  recorded_at timestamptz default now() not null,
  deletion_id uuid,
  origin_id bigint,
  flow_id uuid,
  external_id uuid,
  turn_id uuid,
  constraint variable_values_pkey PRIMARY KEY (id),
  constraint variable_values_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint variable_values_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempts(id) ON DELETE CASCADE,
  constraint variable_values_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  constraint variable_values_corrects_fkey FOREIGN KEY (corrects) REFERENCES variable_values(id) ON DELETE SET NULL,
  constraint variable_values_course_id_fkey FOREIGN KEY (course_id) REFERENCES courses(id),
  constraint variable_values_deletion_id_fkey FOREIGN KEY (deletion_id) REFERENCES variable_deletions(id) ON DELETE SET NULL,
  constraint variable_values_flow_id_fkey FOREIGN KEY (flow_id) REFERENCES flows(id) ON DELETE SET NULL,
  constraint variable_values_origin_id_fkey FOREIGN KEY (origin_id) REFERENCES variable_values(id) ON DELETE SET NULL,
  constraint variable_values_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE SET NULL,
  constraint variable_values_turn_id_fkey FOREIGN KEY (turn_id) REFERENCES turns(id) ON DELETE SET NULL,
  constraint variable_values_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint variable_values_variable_id_fkey FOREIGN KEY (variable_id) REFERENCES variables(id),
  constraint variable_values_version_id_fkey FOREIGN KEY (version_id) REFERENCES course_versions(id),
  constraint variable_values_source_check CHECK (source = ANY (ARRAY['content'::text, 'mapping'::text, 'package'::text, 'correction'::text, 'learner'::text, 'api'::text, 'flow'::text, 'chat'::text]))
);
CREATE INDEX variable_values_actor ON variable_values (actor_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX variable_values_attempt ON variable_values (attempt_id, id);
CREATE INDEX variable_values_company ON variable_values (company_id, id);
CREATE INDEX variable_values_corrects ON variable_values (corrects) WHERE (corrects IS NOT NULL);
CREATE INDEX variable_values_course ON variable_values (course_id, id);
CREATE INDEX variable_values_deletion ON variable_values (deletion_id) WHERE (deletion_id IS NOT NULL);
CREATE UNIQUE INDEX variable_values_external ON variable_values (company_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX variable_values_flow ON variable_values (flow_id) WHERE (flow_id IS NOT NULL);
CREATE INDEX variable_values_origin ON variable_values (origin_id) WHERE (origin_id IS NOT NULL);
CREATE INDEX variable_values_previous ON variable_values (user_id, variable_id, preview, happened_at, COALESCE(corrects, id)) WHERE ((refusal IS NULL) AND (NOT is_corrected) AND (deletion_id IS NULL));
CREATE INDEX variable_values_session ON variable_values (session_id, seq);
CREATE INDEX variable_values_turn ON variable_values (turn_id) WHERE (turn_id IS NOT NULL);
CREATE INDEX variable_values_tx ON variable_values (tx, id);
CREATE INDEX variable_values_user ON variable_values (user_id, variable_id, id);
CREATE INDEX variable_values_variable ON variable_values (variable_id, id);
CREATE INDEX variable_values_version ON variable_values (version_id);

-- 1 rows a year per variable; kept until an admin removes it
create table variables (
  id uuid default gen_random_uuid() not null,
  key text not null,
  label text not null,
  description text default ''::text not null,
  type text not null,
  unit text default ''::text not null,
  constraints jsonb default '{}'::jsonb not null,
  scope text not null,
  write_mode text default 'last'::text not null,
  default_value jsonb default 'null'::jsonb not null,
  privacy text default 'none'::text not null,
  learner_visible boolean default true not null,
  learner_editable boolean default false not null,
  usable_in_prompts boolean default true not null,
  leaderboard boolean default false not null,
  retention_days integer,
  status text not null,
  version integer default 1 not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  updated_by uuid,
  constraint variables_pkey PRIMARY KEY (id),
  constraint variables_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint variables_key_check CHECK (key ~ '^[a-z][a-z0-9_]{0,63}$'::text),
  constraint variables_privacy_check CHECK (privacy = ANY (ARRAY['none'::text, 'personal'::text, 'sensitive'::text])),
  constraint variables_scope_check CHECK (scope = ANY (ARRAY['attempt'::text, 'course'::text, 'learner'::text, 'company'::text])),
  constraint variables_status_check CHECK (status = ANY (ARRAY['new'::text, 'active'::text, 'archived'::text, 'ignored'::text])),
  constraint variables_type_check CHECK (type = ANY (ARRAY['number'::text, 'text'::text, 'boolean'::text, 'choice'::text, 'multi'::text, 'duration'::text, 'date'::text, 'json'::text])),
  constraint variables_write_mode_check CHECK (write_mode = ANY (ARRAY['last'::text, 'first'::text, 'max'::text, 'min'::text, 'sum'::text]))
);
CREATE INDEX variables_status ON variables (status, lower(label));
CREATE INDEX variables_trigrams ON variables USING gin (label gin_trgm_ops, key gin_trgm_ops) WITH (gin_pending_list_limit='64');
CREATE INDEX variables_updated_by ON variables (updated_by);

-- webhooks

-- 50 rows a year per learner; kept 30 days
create table webhook_deliveries (
  id bigint generated always as identity not null,
  event_id uuid default gen_random_uuid() not null,
  webhook_id uuid not null,
  flow_id uuid,
  value_id bigint,
  user_id uuid,
  body text not null,
  created_at timestamptz default now() not null,
  status text default 'pending'::text not null,
  tries integer default 0 not null,
  last_status integer,
  last_answer text default ''::text not null,
  last_ms integer,
  last_at timestamptz,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_flow_id_fkey FOREIGN KEY (flow_id) REFERENCES flows(id) ON DELETE SET NULL,
  constraint webhook_deliveries_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint webhook_deliveries_value_id_fkey FOREIGN KEY (value_id) REFERENCES variable_values(id) ON DELETE SET NULL,
  constraint webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE,
  constraint webhook_deliveries_status_check CHECK (status = ANY (ARRAY['pending'::text, 'delivered'::text, 'withdrawn'::text]))
);
CREATE INDEX webhook_deliveries_created ON webhook_deliveries (created_at);
CREATE INDEX webhook_deliveries_flow ON webhook_deliveries (flow_id);
CREATE INDEX webhook_deliveries_list ON webhook_deliveries (webhook_id, id DESC);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (webhook_id, id) WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_user ON webhook_deliveries (user_id);
CREATE UNIQUE INDEX webhook_deliveries_value ON webhook_deliveries (webhook_id, flow_id, value_id) WHERE (value_id IS NOT NULL);
CREATE INDEX webhook_deliveries_value_only ON webhook_deliveries (value_id);

-- 1 rows a year per company; kept until an admin removes it
create table webhooks (
  id uuid default gen_random_uuid() not null,
  name text not null,
  url text not null,
  secret text not null,
  company_id uuid,
  includes_names boolean default false not null,
  status text default 'active'::text not null,
  version integer default 1 not null,
  created_at timestamptz default now() not null,
  created_by uuid,
  failing_since timestamptz,
  tries integer default 0 not null,
  next_at timestamptz default now() not null,
  leased_until timestamptz,
  last_status integer,
  last_answer text default ''::text not null,
  last_at timestamptz,
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint webhooks_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint webhooks_status_check CHECK (status = ANY (ARRAY['active'::text, 'off'::text]))
);
CREATE INDEX webhooks_company ON webhooks (company_id);
CREATE INDEX webhooks_created_by ON webhooks (created_by);

-- Views and functions

CREATE OR REPLACE FUNCTION add_kind_of_parts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.parts := (
    select coalesce(jsonb_agg(jsonb_build_object('kind', new.kind) || part order by place), '[]')
    from jsonb_array_elements(new.parts) with ordinality as listed (part, place)
  );
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION add_package_of_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into packages (
    id, course_id, kind, title, file_name, bytes, files, parts, warnings, questions, package_names, file_id,
    created_at, created_by
  )
  values (
    new.id, new.course_id, new.kind, new.title, new.file_name, new.bytes, new.files, new.parts, new.warnings,
    new.questions, new.package_names, new.file_id, new.created_at, new.created_by
  );
  insert into version_packages (version_id, package_id, entry) values (new.id, new.id, '');
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION calls_of_turns(ids uuid[])
 RETURNS SETOF conversation_calls
 LANGUAGE sql
 STABLE
AS $function$
  select turns.conversation_id, coalesce(turns.model, turns.connector), u.prompt_version_id, count(*)::int,
    (count(*) filter (where turns.role = 'assistant' and turns.state in ('done', 'refused', 'stopped', 'cut') and turns.parent_id is not null))::int,
    (count(*) filter (where turns.state = 'refused'))::int, (count(turns.rating))::int, (count(*) filter (where turns.rating = 'up'))::int,
    coalesce(sum(coalesce(turns.tokens_in, 0) + coalesce(turns.tokens_out, 0)), 0)::bigint, coalesce(sum(turns.cost_micros), 0)::bigint
  from turns left join ai_usage u on u.id = turns.usage_id
  where turns.conversation_id = any(ids) and turns.connector is not null and turns.state not in ('waiting', 'streaming')
  group by turns.conversation_id, coalesce(turns.model, turns.connector), u.prompt_version_id
$function$
;

CREATE OR REPLACE FUNCTION check_manager()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  above uuid := new.manager_id;
begin
  perform lock_managers(new.company_id);
  -- Until the transaction ends, neither moves to another company.
  perform from users where id in (new.user_id, new.manager_id) order by id for share;
  if (
    select count(*)
    from users
    where id in (new.user_id, new.manager_id) and company_id = new.company_id and role = 'learner'
  ) < 2 then
    raise exception 'a manager and the people led belong to one company' using errcode = 'check_violation';
  end if;
  while above is not null loop
    if above = new.user_id then
      raise exception 'nobody leads themselves' using errcode = 'check_violation', constraint = 'managers_cycle';
    end if;
    above := (select manager_id from managers where user_id = above);
  end loop;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION completion_days(enrolment uuid, zone text)
 RETURNS date[]
 LANGUAGE sql
 STABLE
RETURN (SELECT COALESCE(array_agg(days.completed_on ORDER BY days.completed_at), '{}'::date[]) AS "coalesce" FROM (SELECT completion_history.happened_at AS completed_at, COALESCE(external.completed_on, ((completion_history.happened_at AT TIME ZONE completion_days.zone))::date) AS completed_on FROM (completion_history LEFT JOIN external_completions external ON (((external.attempt_id = completion_history.attempt_id) AND (external.ended_at IS NULL)))) WHERE ((completion_history.enrolment_id = completion_days.enrolment) AND (NOT (EXISTS (SELECT FROM completion_withdrawals WHERE (completion_withdrawals.completion_id = completion_history.id))))) UNION ALL SELECT ((external.completed_on + '12:00:00'::time without time zone) AT TIME ZONE completion_days.zone) AS timezone, external.completed_on FROM (enrolments JOIN external_completions external ON (((external.person_id = enrolments.user_id) AND (external.company_id = enrolments.company_id) AND (external.course_id = enrolments.course_id)))) WHERE ((enrolments.id = completion_days.enrolment) AND (external.attempt_id IS NULL) AND (external.ended_at IS NULL))) days)
;

CREATE OR REPLACE FUNCTION completion_group_text(tests jsonb, match text, kind text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN (SELECT string_agg(CASE WHEN (listed.test ? 'tests'::text) THEN (('('::text || (SELECT string_agg(completion_test_text(inner_tests.inner_test, completion_group_text.kind), CASE (listed.test ->> 'match'::text) WHEN 'any'::text THEN ' or '::text ELSE ' and '::text END ORDER BY inner_tests.inner_at) AS string_agg FROM jsonb_array_elements((listed.test -> 'tests'::text)) WITH ORDINALITY inner_tests(inner_test, inner_at))) || ')'::text) ELSE completion_test_text(listed.test, completion_group_text.kind) END, CASE completion_group_text.match WHEN 'any'::text THEN ' or '::text ELSE ' and '::text END ORDER BY listed.at) AS string_agg FROM jsonb_array_elements(completion_group_text.tests) WITH ORDINALITY listed(test, at))
;

CREATE OR REPLACE FUNCTION completion_rule_text(rule jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE (rule ->> 'kind'::text) WHEN 'reported'::text THEN 'The package reports every part as completed or passed.'::text WHEN 'passed'::text THEN 'The package reports “passed”. “Completed” alone is not enough.'::text WHEN 'score'::text THEN (('Score of '::text || (rule ->> 'percent'::text)) || ' % or more'::text) WHEN 'opened'::text THEN 'The learner has opened every part at least once. For packages that report nothing.'::text WHEN 'confirmed'::text THEN 'The learner selects “Mark as complete” in the player.'::text ELSE (rule)::text END
;

CREATE OR REPLACE FUNCTION completion_rule_text(rule jsonb, kind text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (rule ? 'tests'::text) THEN (SELECT (upper("left"(words.words, 1)) || substr(words.words, 2)) FROM completion_group_text((completion_rule_text.rule -> 'tests'::text), (completion_rule_text.rule ->> 'match'::text), completion_rule_text.kind) words(words)) WHEN ((rule ->> 'kind'::text) = 'score'::text) THEN (('Score of '::text || (rule ->> 'percent'::text)) || ' % or more'::text) WHEN ((rule ->> 'kind'::text) = 'confirmed'::text) THEN 'The learner selects “Mark as complete” in the player.'::text WHEN (kind = ANY (ARRAY['lessons'::text, 'mixed'::text])) THEN CASE (rule ->> 'kind'::text) WHEN 'reported'::text THEN 'The learner has reached the end of every lesson and done everything that is required in it.'::text WHEN 'passed'::text THEN 'Every lesson is completed, and every lesson with graded questions is passed.'::text WHEN 'opened'::text THEN 'The learner has opened every lesson at least once.'::text ELSE (upper("left"(completion_test_text(rule, kind), 1)) || substr(completion_test_text(rule, kind), 2)) END ELSE CASE (rule ->> 'kind'::text) WHEN 'reported'::text THEN 'The package reports every part as completed or passed. A package with sequencing rules decides by its rules.'::text WHEN 'passed'::text THEN 'The package reports “passed”. “Completed” alone is not enough.'::text WHEN 'opened'::text THEN 'The learner has opened every part at least once. For packages that report nothing.'::text ELSE (upper("left"(completion_test_text(rule, kind), 1)) || substr(completion_test_text(rule, kind), 2)) END END
;

CREATE OR REPLACE FUNCTION completion_test_text(test jsonb, kind text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE (test ->> 'kind'::text) WHEN 'reported'::text THEN CASE WHEN (kind = ANY (ARRAY['lessons'::text, 'mixed'::text])) THEN 'every lesson is completed'::text ELSE 'every part is completed or passed'::text END WHEN 'passed'::text THEN CASE WHEN (kind = ANY (ARRAY['lessons'::text, 'mixed'::text])) THEN 'every graded lesson is passed'::text ELSE 'the package reports “passed”'::text END WHEN 'score'::text THEN (('the score is '::text || (test ->> 'percent'::text)) || ' % or more'::text) WHEN 'opened'::text THEN CASE WHEN (kind = ANY (ARRAY['lessons'::text, 'mixed'::text])) THEN 'every lesson was opened'::text ELSE 'every part was opened'::text END WHEN 'confirmed'::text THEN 'the learner has marked the course as complete'::text WHEN 'part'::text THEN ((('“'::text || (test ->> 'title'::text)) || '” is '::text) || CASE (test ->> 'is'::text) WHEN 'passed'::text THEN 'passed'::text ELSE 'completed'::text END) WHEN 'partScore'::text THEN (((('“'::text || (test ->> 'title'::text)) || '” has '::text) || (test ->> 'percent'::text)) || ' % or more'::text) WHEN 'time'::text THEN (('active time is '::text || (test ->> 'minutes'::text)) || ' min or more'::text) WHEN 'variable'::text THEN ((test ->> 'key'::text) || CASE (test ->> 'is'::text) WHEN 'equal'::text THEN (' is '::text || (test ->> 'value'::text)) WHEN 'notEqual'::text THEN (' is not '::text || (test ->> 'value'::text)) WHEN 'more'::text THEN (' is more than '::text || (test ->> 'value'::text)) WHEN 'atLeast'::text THEN (' is at least '::text || (test ->> 'value'::text)) WHEN 'less'::text THEN (' is less than '::text || (test ->> 'value'::text)) WHEN 'atMost'::text THEN (' is at most '::text || (test ->> 'value'::text)) WHEN 'contains'::text THEN ((' contains “'::text || (test ->> 'value'::text)) || '”'::text) WHEN 'set'::text THEN ' is set'::text ELSE ' is not set'::text END) ELSE (test)::text END
;

CREATE OR REPLACE FUNCTION count_changed_turn()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform count_conversations(array[new.conversation_id]);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION count_conversations(ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into conversation_figures (conversation_id, started_at) select id, started_at from conversations where id = any(ids)
    on conflict do nothing;
  perform from conversation_figures where conversation_id = any(ids) order by conversation_id for update;
  update conversation_figures f set (questions, answers, refused, guided, partial, solutions, ratings, thumbs_up, tokens, cost_micros, unpriced,
      asked_at, solved_at, first_ms, total_ms, document_ids, refused_ids)
    = (n.questions, n.answers, n.refused, n.guided, n.partial, n.solutions, n.ratings, n.thumbs_up, n.tokens, n.cost_micros, n.unpriced,
      n.asked_at, n.solved_at, n.first_ms, n.total_ms, n.document_ids, n.refused_ids)
    from figures_of_turns(ids) n where n.conversation_id = f.conversation_id;
  delete from conversation_calls where conversation_id = any(ids);
  insert into conversation_calls select * from calls_of_turns(ids);
end $function$
;

CREATE OR REPLACE FUNCTION count_moved_conversation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update conversation_figures set started_at = new.started_at where conversation_id = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION count_new_turns()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare ids uuid[];
begin
  select array_agg(distinct conversation_id) into ids from new_rows where state not in ('waiting', 'streaming');
  if ids is not null then perform count_conversations(ids); end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION count_removed_turns()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare ids uuid[]; kept uuid[];
begin
  select array_agg(distinct conversation_id) into ids from old_rows;
  if ids is null then return null; end if;
  select array_agg(one.id) into kept from unnest(ids) one(id)
    where exists (select from turns where turns.conversation_id = one.id and turns.state not in ('waiting', 'streaming'));
  delete from conversation_figures where conversation_id = any(ids) and conversation_id <> all(coalesce(kept, '{}'));
  delete from conversation_calls where conversation_id = any(ids) and conversation_id <> all(coalesce(kept, '{}'));
  if kept is not null then perform count_conversations(kept); end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION cut_time(company uuid, at timestamptz)
 RETURNS timestamptz
 LANGUAGE sql
 STABLE
RETURN GREATEST(date_bin('00:15:00'::interval, at, '2000-01-01 00:00:00+00'::timestamptz), (SELECT max(audit_packs.as_of) AS max FROM audit_packs WHERE ((audit_packs.company_id = cut_time.company) AND (audit_packs.as_of <= cut_time.at))))
;

CREATE OR REPLACE FUNCTION end_completion_decision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update completion_decisions
    set ended_at = clock_timestamp()
    where attempt_id = new.id
      and kind = 'set'
      and ended_at is null;
  update external_completions
    set ended_at = clock_timestamp()
    where attempt_id = new.id
      and ended_at is null;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION end_hold()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from provisioning_holds where user_id = new.id and refused_at is null;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION end_provisioning()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from provisioned_people where user_id = new.id;
  delete from provisioning_holds where user_id = new.id;
  delete from group_provided_members where user_id = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION figures_of_turns(ids uuid[])
 RETURNS SETOF conversation_figures
 LANGUAGE sql
 STABLE
AS $function$
  with t as (select *, turns.role = 'assistant' and turns.state in ('done', 'refused', 'stopped', 'cut') and turns.parent_id is not null as is_answer,
      turns.give_away is not null and turns.state in ('done', 'stopped', 'cut') as is_guided,
      turns.role = 'assistant' and turns.usage_id is not null and turns.first_at is not null as is_timed
    from turns where turns.conversation_id = any(ids) and turns.state not in ('waiting', 'streaming')),
  cited as (select conversation_id, array_agg(document_id order by number, document_id) as ids from (
      select distinct t.conversation_id, t.number, (s->>'documentId')::uuid as document_id from t cross join lateral jsonb_array_elements(t.sources) s) each
    where document_id is not null group by conversation_id)
  select conversation_id, (select started_at from conversations where id = conversation_id),
    (count(*) filter (where role = 'user'))::int, (count(*) filter (where is_answer))::int, (count(*) filter (where state = 'refused'))::int,
    (count(*) filter (where is_guided))::int, (count(*) filter (where is_guided and give_away = 'partial'))::int,
    (count(*) filter (where is_guided and give_away = 'full'))::int,
    (count(rating))::int, (count(*) filter (where rating = 'up'))::int,
    coalesce(sum(coalesce(tokens_in, 0) + coalesce(tokens_out, 0)), 0)::bigint, coalesce(sum(cost_micros), 0)::bigint,
    (count(*) filter (where usage_id is not null and cost_micros is null))::int,
    coalesce(array_agg(created_at order by number) filter (where role = 'user'), '{}'),
    coalesce(array_agg(created_at order by number) filter (where is_guided and give_away = 'full'), '{}'),
    coalesce(array_agg((extract(epoch from first_at - created_at) * 1000)::double precision order by number) filter (where is_timed), '{}'),
    coalesce(array_agg((extract(epoch from finished_at - created_at) * 1000)::double precision order by number) filter (where is_timed), '{}'),
    coalesce(cited.ids, '{}'),
    coalesce(array_agg(id order by number) filter (where state = 'refused'), '{}')
  from t left join cited using (conversation_id) group by conversation_id, cited.ids
$function$
;

CREATE OR REPLACE FUNCTION follow_certificate_of_badge()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION follow_company_for_catalogue()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION follow_completion_for_requirements()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform refresh_requirement(new.enrolment_id);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION follow_completion_withdrawal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform refresh_requirement(enrolment_id)
  from completion_history
  where id = new.completion_id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION follow_due_day_for_paths()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if history_reason() is not distinct from 'paths:follow' then return null; end if;
  insert into path_changes (enrolment_id, priority)
    select id, 1
    from path_enrolments
    where user_id = new.user_id
      and company_id = new.company_id
      and withdrawn_at is null
      and completed_at is null;
  if found then perform wake_paths(); end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION follow_enrolment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one enrolments;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  perform queue_group_change(
    one.company_id, one.user_id, 'course', one.course_id::text,
    tg_op <> 'UPDATE' or new.happened_at is not distinct from old.happened_at
  );
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION follow_enrolment_for_paths()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.user_id is null then return null; end if;
  if tg_op = 'UPDATE' and 'completed' not in (old.status, new.status) and (
    (new.status = 'withdrawn' and history_reason() is distinct from 'courses.undo')
    or coalesce(current_setting('lyceum.enrolment_reason', true), '') = 'rule'
  ) then
    return null;
  end if;
  insert into path_changes (enrolment_id)
    select id
    from path_enrolments
    where user_id = new.user_id
      and company_id = new.company_id
      and withdrawn_at is null;
  if found and (tg_op = 'INSERT' or new.happened_at is not distinct from old.happened_at) then
    perform wake_paths();
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION follow_enrolments_for_catalogue()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Most changes are progress.
  if not exists (select from new_rows where status in ('withdrawn', 'completed') or user_id is null)
    and not exists (select from old_rows where status in ('withdrawn', 'completed'))
  then return null; end if;
  insert into catalogue_changes (offer_id)
  select id
  from catalogue_offers
  where places is not null
    and (company_id, course_id) in (
      select company_id, course_id
      from (
        select id, company_id, course_id, status in ('withdrawn', 'completed') as is_over, user_id
        from old_rows
        union all
        select id, company_id, course_id, status in ('withdrawn', 'completed'), user_id
        from new_rows
      ) both_rows
      group by id, company_id, course_id
      having bool_or(is_over) <> bool_and(is_over) or count(user_id) = 1
    );
  if found then perform wake_catalogue(); end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION follow_exemption()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform refresh_requirement(id)
  from enrolments
  where user_id = new.person_id
    and company_id = new.company_id
    and course_id = new.course_id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION follow_external_completion()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one external_completions;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  perform refresh_requirement(id)
  from enrolments
  where user_id = one.person_id
    and company_id = one.company_id
    and course_id = one.course_id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION follow_field_value()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one field_values;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  perform queue_group_change(
    (select company_id from users where id = one.user_id), one.user_id, 'field', one.field_id::text
  );
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION follow_group_member()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform queue_enrolment_rules(new.person_id, 'group', new.group_id::text);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION follow_new_requirements()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform refresh_requirement(added.id)
  from added
  join course_requirements using (company_id, course_id);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION follow_person()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    perform queue_group_change(new.company_id, new.id, 'person', '');
    return null;
  end if;
  if old.company_id is distinct from new.company_id or old.role <> new.role then
    delete from group_overrides using groups
      where groups.id = group_overrides.group_id
        and group_overrides.user_id = new.id
        and groups.company_id is distinct from new.company_id;
    perform queue_group_change(old.company_id, new.id, 'person', '');
    if old.company_id is distinct from new.company_id then
      perform queue_group_change(new.company_id, new.id, 'person', '');
    end if;
  end if;
  if old.status <> new.status then perform queue_group_change(new.company_id, new.id, 'status', ''); end if;
  if old.joined_at is distinct from new.joined_at or old.status <> new.status then
    perform queue_group_change(new.company_id, new.id, 'joined', '');
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION follow_person_for_catalogue()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from catalogue_offers where company_id in (old.company_id, new.company_id)) then
    insert into catalogue_changes (user_id) values (new.id);
    perform wake_catalogue();
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION follow_person_for_paths()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into path_changes (enrolment_id)
    select id
    from path_enrolments
    where user_id = new.id
      and company_id = new.company_id
      and withdrawn_at is null;
  if found then perform wake_paths(); end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION follow_requirement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform refresh_requirement(new.id);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION follow_variable()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one variable_current;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  perform queue_group_change(
    one.company_id, one.user_id, 'variable', (select key from variables where id = one.variable_id)
  );
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION follow_withdrawal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.status <> 'withdrawn' or history_reason() = 'courses.undo')
    and current_setting('lyceum.enrolment_reason', true) is distinct from 'rule' then
    perform queue_enrolment_rules(new.user_id, 'person', '');
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION follow_zone_for_requirements()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update course_requirements
  set applied_version = 0,
    cursor = null
  where company_id = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION forget_enrolment_rule_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from enrolment_rule_changes where user_id = old.id;
  return old;
end $function$
;

CREATE OR REPLACE FUNCTION forget_field_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before text := coalesce(current_setting('lyceum.rewrite', true), '');
  pseudonym uuid := gen_random_uuid();
begin
  perform set_config('lyceum.rewrite', 'allowed', true);
  update field_value_history
    set person_id = pseudonym,
      value = null,
      happened_at = date_bin('15 minutes', happened_at, '2000-01-01'),
      recorded_at = date_bin('15 minutes', recorded_at, '2000-01-01')
    where person_id = old.id;
  update field_value_history set actor_id = pseudonym where actor_id = old.id;
  perform set_config('lyceum.rewrite', before, true);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION forget_field_values()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from field_values
  using fields
  where fields.id = field_values.field_id
    and field_values.user_id = new.id
    and fields.company_id is distinct from new.company_id
    and fields.company_id is not null;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION forget_given_rights()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from given_rights where user_id = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION forget_personnel_number()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.email is null and new.company_id is not null then
    update personnel_numbers set company_id = new.company_id where user_id = new.id;
  else
    delete from personnel_numbers where user_id = new.id;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION free_place_of_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION history_actor()
 RETURNS uuid
 LANGUAGE sql
 STABLE
RETURN (NULLIF(current_setting('lyceum.actor'::text, true), ''::text))::uuid
;

CREATE OR REPLACE FUNCTION history_reason()
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN NULLIF(current_setting('lyceum.reason'::text, true), ''::text)
;

CREATE OR REPLACE FUNCTION history_time()
 RETURNS timestamptz
 LANGUAGE sql
 STABLE
RETURN (NULLIF(current_setting('lyceum.happened_at'::text, true), ''::text))::timestamptz
;

CREATE OR REPLACE FUNCTION hold_email()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update provisioned_people
  set email_held = lower(new.email) is distinct from coalesce(provisioned_people.email, lower(old.email))
    and exists (
      select from users
      where users.id = nullif(current_setting('lyceum.actor', true), '')::uuid
        and users.role = 'admin'
    )
  where user_id = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION is_overdue(due date, zone text, status text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN ((due IS NOT NULL) AND (status = ANY (ARRAY['assigned'::text, 'in_progress'::text, 'failed'::text])) AND ((((due + 1))::timestamp without time zone AT TIME ZONE zone) <= now()))
;

CREATE OR REPLACE FUNCTION leads_people(person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (EXISTS (SELECT FROM (managers_in_place_of(leads_people.person) place(id) JOIN managers ON ((managers.manager_id = place.id)))))
;

CREATE OR REPLACE FUNCTION leave_groups()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  member record;
begin
  for member in select company_id, group_id from group_members where person_id = old.id and until is null loop
    perform queue_group_change(member.company_id, gen_random_uuid(), 'erased', member.group_id::text);
  end loop;
  return old;
end $function$
;

CREATE OR REPLACE FUNCTION lock_managers(company uuid)
 RETURNS void
 LANGUAGE sql
BEGIN ATOMIC
 SELECT pg_advisory_xact_lock(hashtextextended(('managers '::text || company), (0)::bigint)) AS pg_advisory_xact_lock;
END
;

CREATE OR REPLACE FUNCTION mail_manager_of(person uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 WITH RECURSIVE above(id, step) AS (
          SELECT managers.manager_id,
             1 AS "?column?"
            FROM managers
           WHERE (managers.user_id = mail_manager_of.person)
         UNION ALL
          SELECT managers.manager_id,
             (above_1.step + 1)
            FROM (above above_1
              JOIN managers ON ((managers.user_id = above_1.id)))
           WHERE (above_1.step < 100)
         )
  SELECT users.id
    FROM (above
      JOIN users ON ((users.id = above.id)))
   WHERE ((users.email IS NOT NULL) AND (EXISTS ( SELECT
            FROM managers_in_place_of(users.id) managers_in_place_of(managers_in_place_of))))
   ORDER BY above.step
  LIMIT 1;
END
;

CREATE OR REPLACE FUNCTION managers_in_place_of(person uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE ROWS 2
BEGIN ATOMIC
 WITH viewer AS (
          SELECT users.id,
             users.company_id,
             ((now() AT TIME ZONE companies.timezone))::date AS today
            FROM (users
              JOIN companies ON ((companies.id = users.company_id)))
           WHERE ((users.id = managers_in_place_of.person) AND (users.role = 'learner'::text) AND (users.status = 'active'::text) AND (companies.status = 'active'::text) AND (companies.managers_see_people OR (EXISTS ( SELECT
                    FROM given_rights
                   WHERE ((given_rights.user_id = users.id) AND (given_rights.kind = 'manager'::text) AND (given_rights.company_id = users.company_id) AND COALESCE((given_rights.ends_on >= ((now() AT TIME ZONE companies.timezone))::date), true))))))
         )
  SELECT viewer.id
    FROM viewer
 UNION
  SELECT manager_deputies.manager_id
    FROM (viewer
      JOIN manager_deputies ON (((manager_deputies.deputy_id = viewer.id) AND (manager_deputies.company_id = viewer.company_id) AND ((viewer.today >= manager_deputies.from_day) AND (viewer.today <= manager_deputies.until_day)))));
END
;

CREATE OR REPLACE FUNCTION next_fixed_day(after date, fixed_month integer, fixed_day integer)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE
RETURN (SELECT min(days.day) AS min FROM (SELECT LEAST(((months.first + next_fixed_day.fixed_day) - 1), (((months.first + '1 mon'::interval))::date - 1)) AS day FROM (SELECT make_date(((EXTRACT(year FROM next_fixed_day.after))::integer + year.year), next_fixed_day.fixed_month, 1) AS first FROM generate_series(0, 1) year(year)) months) days WHERE (days.day > next_fixed_day.after))
;

CREATE OR REPLACE FUNCTION note_answered_courses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into answered_courses select distinct a.course_id from new_rows n join attempts a on a.id = n.attempt_id
    where not exists (select from answered_courses known where known.course_id = a.course_id) on conflict do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION note_joining()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.status = 'invited' or new.email_verification_pending then
    new.joined_at := null;
  elsif tg_op = 'INSERT' then
    new.joined_at := coalesce(new.joined_at, new.created_at);
  elsif old.status = 'invited' or old.email_verification_pending then
    new.joined_at := now();
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION notify_access_changes(ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if cardinality(ids) > 100 then
    perform pg_notify('access_changes', '*');
  else
    perform pg_notify('access_changes', id::text) from unnest(ids) id;
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION notify_changed_companies()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('access_changes', '*');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION notify_changed_managers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed uuid[];
begin
  if tg_op = 'INSERT' then changed := array(select distinct manager_id from new_rows limit 101);
  elsif tg_op = 'DELETE' then changed := array(select distinct manager_id from old_rows limit 101);
  else changed := array(select manager_id from old_rows union select manager_id from new_rows limit 101);
  end if;
  perform notify_access_changes(
    array(select unnest(changed) union select deputy_id from manager_deputies where manager_id = any(changed) limit 101)
  );
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION notify_changed_right()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  perform notify_access_changes(array[coalesce(one->>'deputy_id', one->>'user_id')::uuid]);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION notify_changed_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  passing text[] := array['expires_at', 'updated_at', 'seen_at', 'reauthenticated_at'];
begin
  if tg_op = 'DELETE' then
    perform notify_access_changes(array(select distinct user_id from old_rows limit 101));
  else
    perform notify_access_changes(array(select distinct o.user_id from old_rows o left join new_rows n using (id)
      where to_jsonb(o) - passing is distinct from to_jsonb(n) - passing limit 101));
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION notify_changed_users()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  passing text[] := array['last_active', 'last_login_at', 'updated_at', 'version'];
begin
  if tg_op = 'DELETE' then
    perform notify_access_changes(array(select id from old_rows limit 101));
  else
    perform notify_access_changes(array(select id from old_rows o left join new_rows n using (id)
      where to_jsonb(o) - passing is distinct from to_jsonb(n) - passing limit 101));
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION notify_new_users()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  ids text[] := array(select id::text from new_rows where company_id is not null limit 101);
begin
  if cardinality(ids) > 100 then
    ids := array(select distinct 'company ' || company_id from new_rows where company_id is not null limit 101);
  end if;
  if cardinality(ids) > 100 then
    ids := array['*'];
  end if;
  perform pg_notify('new_people', id) from unnest(ids) id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION part_outcome(is_sco boolean, completion text, success text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN ((NOT COALESCE(is_sco, true)) OR (completion = 'completed'::text) OR (success = 'passed'::text)) THEN 'done'::text WHEN (success = 'failed'::text) THEN 'failed'::text ELSE 'started'::text END
;

CREATE OR REPLACE FUNCTION parts_in_order(version uuid)
 RETURNS TABLE(sco text, is_sco boolean, place integer)
 LANGUAGE sql
 STABLE
AS $function$
  select part ->> 'sco', (part ->> 'isSco')::boolean, (row_number() over (order by listed.place))::integer
  from course_versions, jsonb_array_elements(parts) with ordinality as listed (part, place)
  where course_versions.id = version and part ->> 'href' is not null
$function$
;

CREATE OR REPLACE FUNCTION pass_on_people(leaver uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  company uuid := (select company_id from managers where leaver in (user_id, manager_id) limit 1);
  above uuid := leaver;
begin
  if company is null then return; end if;
  perform lock_managers(company);
  loop
    above := (select manager_id from managers where user_id = above);
    exit when above is null or exists (
      select from users where id = above and id <> leaver and company_id = company and role = 'learner'
    );
  end loop;
  if above is not null then
    update managers
    set manager_id = above,
      since = (now() at time zone companies.timezone)::date
    from users, companies
    where managers.manager_id = leaver
      and users.id = managers.user_id
      and users.company_id = managers.company_id
      and users.role = 'learner'
      and companies.id = managers.company_id;
  end if;
  delete from managers where leaver in (user_id, manager_id);
  delete from manager_deputies where leaver in (manager_id, deputy_id);
end $function$
;

CREATE OR REPLACE FUNCTION pass_on_people_of_leaver()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pass_on_people(old.id);
  return old;
end $function$
;

CREATE OR REPLACE FUNCTION people_of(manager uuid)
 RETURNS TABLE(user_id uuid, is_direct boolean)
 LANGUAGE sql
 STABLE ROWS 20
BEGIN ATOMIC
 WITH RECURSIVE led(user_id, is_direct, status) AS (
          SELECT managers.user_id,
             true AS "?column?",
             users.status
            FROM ((managers_in_place_of(people_of.manager) place(id)
              JOIN managers ON ((managers.manager_id = place.id)))
              JOIN users ON (((users.id = managers.user_id) AND (users.company_id = managers.company_id) AND (users.role = 'learner'::text))))
         UNION
          SELECT below.user_id,
             (led_1.is_direct AND (led_1.status <> 'active'::text)),
             below.status
            FROM (led led_1
              CROSS JOIN LATERAL ( SELECT managers.user_id,
                     ( SELECT users.status
                            FROM users
                           WHERE ((users.id = managers.user_id) AND (users.company_id = managers.company_id) AND (users.role = 'learner'::text))) AS status
                    FROM managers
                   WHERE (managers.manager_id = led_1.user_id)
                  OFFSET 0) below)
           WHERE (below.status IS NOT NULL)
         )
  SELECT led.user_id,
     bool_or(led.is_direct) AS bool_or
    FROM led
   WHERE ((led.status <> 'suspended'::text) AND (led.user_id <> people_of.manager))
   GROUP BY led.user_id;
END
;

CREATE OR REPLACE FUNCTION queue_completion()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into completion_queue (domain, completion_id)
  select domain, new.id
  from completion_followers;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION queue_enrolment_rules(person uuid, change text, changed text, wakes boolean DEFAULT true)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  company uuid := (select company_id from users where id = person);
begin
  if company is null then return; end if;
  if change <> 'person' and not exists (
    select from enrolment_rule_uses where kind = change and target = changed
  ) then return;
  end if;
  insert into enrolment_rule_changes (company_id, user_id, kind, target) values (company, person, change, changed);
  if wakes and current_setting('lyceum.enrolment_rules_woken', true)
    is distinct from pg_current_xact_id()::text then
    perform set_config('lyceum.enrolment_rules_woken', pg_current_xact_id()::text, true);
    perform graphile_worker.add_job('enrolmentRules:follow', '{}', queue_name := 'enrolment-rules');
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION queue_group_change(company uuid, person uuid, change text, changed text, wakes boolean DEFAULT true)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if company is null or person is null then return; end if;
  perform queue_enrolment_rules(person, change, changed, wakes);
  if change in ('person', 'erased') then
    if not exists (select from groups where company_id = company and removed_at is null) then return; end if;
  elsif not exists (
    select from group_rule_uses where company_id = company and kind = change and target = changed
  ) then return;
  end if;
  insert into group_changes (company_id, user_id, kind, target) values (company, person, change, changed);
  if wakes and current_setting('lyceum.groups_woken', true) is distinct from pg_current_xact_id()::text then
    perform set_config('lyceum.groups_woken', pg_current_xact_id()::text, true);
    perform graphile_worker.add_job('groups:follow', '{}', queue_name := 'groups');
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION reason_of_enrolment(source text, assigned_by uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN COALESCE(NULLIF(current_setting('lyceum.enrolment_reason'::text, true), ''::text), CASE WHEN ((source = 'company'::text) OR ((source <> 'manual'::text) AND (assigned_by IS NULL))) THEN source ELSE 'person'::text END)
;

CREATE OR REPLACE FUNCTION refresh_requirement(enrolment uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  one record;
  exempt record;
  asked course_requirements;
  days date[];
  ends date;
  -- When the present cycle began, unless it is the first.
  reopened timestamptz;
begin
  if not exists (
    select from enrolments
    join course_requirements using (company_id, course_id)
    where enrolments.id = enrolment
  ) then return;
  end if;
  select enrolments.company_id, course_id, user_id, enrolments.status, assigned_at, timezone into one
  from enrolments
  join companies on companies.id = enrolments.company_id
  where enrolments.id = enrolment
  -- Waits for a completion that is being stored. Commits lock in the same order.
  for no key update of enrolments;
  select * into asked
  from course_requirements
  where company_id = one.company_id
    and course_id = one.course_id
    and removed_at is null;
  if one.user_id is null or one.status = 'withdrawn' or asked.id is null then
    delete from requirements where enrolment_id = enrolment;
    return;
  end if;
  days := completion_days(enrolment, one.timezone);
  ends := requirement_end(
    days, asked.months, asked.counts_from, asked.fixed_month, asked.fixed_day, asked.skip_days, asked.window_days,
    asked.grace_days
  );
  if one.status <> 'completed' then
    select max(closed_at) into reopened from enrolment_cycles where enrolment_id = enrolment;
  end if;
  select from_day, last_day, due_day into exempt
  from (
    select from_day, due_day, least(until_day, (ended_at at time zone one.timezone)::date - 1) as last_day
    from requirement_exemptions
    where person_id = one.user_id
      and company_id = one.company_id
      and course_id = one.course_id
  ) exemptions
  where last_day >= from_day
  order by last_day desc
  limit 1;
  insert into requirements (
    enrolment_id, company_id, course_id, user_id, since, completed_on, valid_until, opens_on, opened_on, notified_at,
    exempt_from, exempt_until, exempt_due
  )
  values (
    enrolment, one.company_id, one.course_id, one.user_id, (one.assigned_at at time zone one.timezone)::date,
    days[cardinality(days)], ends, ends - asked.window_days, (reopened at time zone one.timezone)::date, reopened,
    exempt.from_day, exempt.last_day, exempt.due_day
  )
  on conflict (enrolment_id) do update
  set completed_on = excluded.completed_on,
    valid_until = excluded.valid_until,
    opens_on = excluded.opens_on,
    opened_on = case when one.status <> 'completed' then coalesce(requirements.opened_on, excluded.opened_on) end,
    opened_by = case when one.status <> 'completed' then requirements.opened_by end,
    notified_at = case
      when one.status = 'completed' then null
      when requirements.opened_on is null then excluded.notified_at
      else requirements.notified_at
    end,
    exempt_from = excluded.exempt_from,
    exempt_until = excluded.exempt_until,
    exempt_due = excluded.exempt_due;
end $function$
;

CREATE OR REPLACE FUNCTION refuse_certificate_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  -- What follows the issue, or goes with the person.
  changing text[] := array[
    'position', 'person_id', 'show_name', 'show_score', 'show_minutes', 'revoked_at', 'revoked_by', 'revoked_reason',
    'replaces', 'taken_back_at'
  ];
  erased text[] := array[
    'name', 'score_percent', 'minutes', 'salt', 'completion_id', 'issued_at', 'nameless_since', 'keep_until',
    'keep_ground', 'path_enrolment_id', 'path_completed_at'
  ];
begin
  if current_setting('lyceum.rewrite', true) = 'allowed' then
    changing := changing || erased;
  elsif tg_op = 'DELETE' then
    raise exception 'certificates are deleted by erasures only';
  end if;
  if tg_op = 'DELETE' then
    if old.position is not null then
      insert into certificate_gaps (company_id, position) values (old.company_id, old.position);
    end if;
    return old;
  end if;
  if to_jsonb(new) - changing <> to_jsonb(old) - changing
    or (old.position is not null and new.position is distinct from old.position) then
    raise exception 'an issued certificate never changes';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION refuse_field_history_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  replaced text[] := array['person_id', 'actor_id', 'happened_at', 'recorded_at', 'value'];
begin
  if tg_op = 'UPDATE' and current_setting('lyceum.rewrite', true) = 'allowed' then
    if to_jsonb(new) - replaced = to_jsonb(old) - replaced and (new.value is null or new.value = old.value) then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name;
end $function$
;

CREATE OR REPLACE FUNCTION refuse_history_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  replaced text[] := array[
    'person_id', 'actor_id', 'manager_id', 'happened_at', 'recorded_at', 'assigned_at', 'first_started_at',
    'completed_at'
  ];
begin
  if tg_op = 'UPDATE' and current_setting('lyceum.rewrite', true) = 'allowed' then
    if to_jsonb(new) - replaced = to_jsonb(old) - replaced then return new; end if;
  end if;
  raise exception '% is append-only', tg_table_name;
end $function$
;

CREATE OR REPLACE FUNCTION refuse_membership_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  replaced text[] := array['person_id', 'since', 'until'];
begin
  if tg_op = 'UPDATE' then
    if old.until is null and to_jsonb(new) - 'until'::text = to_jsonb(old) - 'until'::text then return new; end if;
    if current_setting('lyceum.rewrite', true) = 'allowed' and to_jsonb(new) - replaced = to_jsonb(old) - replaced then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name;
end $function$
;

CREATE OR REPLACE FUNCTION refuse_path_version_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.path_id, new.no, new.steps, new.moves, new.published_at)
    is distinct from (old.path_id, old.no, old.steps, old.moves, old.published_at) then
    raise exception 'a published version of a path does not change';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION refuse_prompt_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'versions of prompts never change';
end $function$
;

CREATE OR REPLACE FUNCTION refuse_rewriting()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  links text[] := array['user_id', 'actor_id', 'person_id', 'company_id', 'course_id', 'published_by', 'supersedes'];
begin
  if current_setting('lyceum.rewrite', true) = 'allowed' then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  if tg_op = 'UPDATE' and to_jsonb(new) - links = to_jsonb(old) - links and jsonb_strip_nulls(to_jsonb(new)) <@ to_jsonb(old) then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $function$
;

CREATE OR REPLACE FUNCTION reminder_day(step_day date, is_before boolean, skips_weekends boolean)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE
RETURN (step_day + CASE WHEN ((NOT skips_weekends) OR (EXTRACT(isodow FROM step_day) < (6)::numeric)) THEN 0 WHEN is_before THEN (5 - (EXTRACT(isodow FROM step_day))::integer) ELSE (8 - (EXTRACT(isodow FROM step_day))::integer) END)
;

CREATE OR REPLACE FUNCTION remove_unquoted_statements()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare ids bigint[];
begin
  select array_agg(distinct statement_id) into ids from old_rows;
  -- Two transactions that each delete one of the last two quotes wait for each other.
  perform from analysis_statements where id = any(ids) order by id for update;
  delete from analysis_statements s where s.id = any(ids) and not exists (select from analysis_quotes q where q.statement_id = s.id);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION replace_person_in_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  pseudonym uuid := gen_random_uuid();
  quarter interval := '15 minutes';
  epoch timestamptz := '2000-01-01';
  before text := coalesce(current_setting('lyceum.rewrite', true), '');
begin
  perform set_config('lyceum.rewrite', 'allowed', true);
  update enrolment_activity
    set recorded_at = date_bin(quarter, recorded_at, epoch)
    where enrolment_id in (select enrolment_id from enrolment_history where person_id = old.id);
  update part_history
    set recorded_at = date_bin(quarter, recorded_at, epoch)
    where enrolment_id in (select enrolment_id from enrolment_history where person_id = old.id);
  update requirement_history
    set recorded_at = cut_time(company_id, recorded_at)
    where enrolment_id in (select enrolment_id from enrolment_history where person_id = old.id);
  update enrolment_history
    set person_id = pseudonym,
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = cut_time(company_id, recorded_at),
      assigned_at = date_bin(quarter, assigned_at, epoch),
      first_started_at = date_bin(quarter, first_started_at, epoch),
      completed_at = date_bin(quarter, completed_at, epoch)
    where person_id = old.id;
  update membership_history
    set person_id = pseudonym,
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = cut_time(company_id, recorded_at)
    where person_id = old.id;
  update completion_history
    set person_id = pseudonym,
      first_started_at = date_bin(quarter, first_started_at, epoch),
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = cut_time(company_id, recorded_at)
    where person_id = old.id;
  update reminder_log
    set person_id = pseudonym,
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = date_bin(quarter, recorded_at, epoch)
    where person_id = old.id;
  update group_members
    set until = date_bin(quarter, coalesce(until, clock_timestamp()), epoch),
      since = date_bin(quarter, since, epoch),
      person_id = pseudonym
    where person_id = old.id;
  update manager_history
    set person_id = pseudonym,
      happened_at = date_bin(quarter, happened_at, epoch),
      recorded_at = date_bin(quarter, recorded_at, epoch)
    where person_id = old.id;
  update manager_history set manager_id = pseudonym where manager_id = old.id;
  update manager_history set actor_id = pseudonym where actor_id = old.id;
  update enrolment_history set actor_id = pseudonym where actor_id = old.id;
  update membership_history set actor_id = pseudonym where actor_id = old.id;
  update company_history set actor_id = pseudonym where actor_id = old.id;
  update course_history set actor_id = pseudonym where actor_id = old.id;
  update completion_history set actor_id = pseudonym where actor_id = old.id;
  update completion_rule_history set actor_id = pseudonym where actor_id = old.id;
  update completion_withdrawals set actor_id = pseudonym where actor_id = old.id;
  update course_requirement_history set actor_id = pseudonym where actor_id = old.id;
  update company_privacy_history set actor_id = pseudonym where actor_id = old.id;
  update reminder_log set actor_id = pseudonym where actor_id = old.id;
  update issued_reports set person_id = pseudonym where person_id = old.id;
  delete from saved_views where path = '/learners/report/' || old.id;
  perform set_config('lyceum.rewrite', before, true);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION request_managers(person uuid, in_company uuid)
 RETURNS TABLE(user_id uuid, step integer, is_deputy boolean)
 LANGUAGE sql
 STABLE ROWS 2
BEGIN ATOMIC
 WITH RECURSIVE above(id, step) AS (
          SELECT managers.manager_id,
             1 AS "?column?"
            FROM (managers
              JOIN users ON (((users.id = managers.user_id) AND (users.company_id = managers.company_id) AND (users.role = 'learner'::text) AND (users.status <> 'suspended'::text))))
           WHERE ((managers.user_id = request_managers.person) AND (managers.company_id = request_managers.in_company))
         UNION ALL
          SELECT managers.manager_id,
             (above.step + 1)
            FROM ((above
              JOIN managers ON (((managers.user_id = above.id) AND (managers.company_id = request_managers.in_company))))
              JOIN users ON (((users.id = managers.user_id) AND (users.company_id = managers.company_id) AND (users.role = 'learner'::text))))
           WHERE (above.step < 100)
         ), candidates(id, step, place, is_deputy) AS (
          SELECT above.id,
             above.step,
             above.id,
             false AS "?column?"
            FROM above
         UNION ALL
          SELECT manager_deputies.deputy_id,
             above.step,
             above.id,
             true
            FROM (above
              JOIN manager_deputies ON (((manager_deputies.manager_id = above.id) AND (manager_deputies.company_id = request_managers.in_company))))
         )
  SELECT candidates.id,
     candidates.step,
     candidates.is_deputy
    FROM candidates
   WHERE ((candidates.id <> request_managers.person) AND (candidates.place IN ( SELECT managers_in_place_of(candidates.id) AS managers_in_place_of)));
END
;

CREATE OR REPLACE FUNCTION requirement_end(completed date[], months integer, counts_from text, fixed_month integer, fixed_day integer, skip_days integer, window_days integer, grace_days integer)
 RETURNS date
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
declare
  one date;
  ends date;
begin
  if months is null then return null; end if;
  foreach one in array coalesce(completed, '{}') loop
    if counts_from = 'day' then
      ends := next_fixed_day(one, fixed_month, fixed_day);
      -- A completion in the window is a renewal. Otherwise the course would open again immediately.
      if ends - one < greatest(skip_days, window_days + 1) then
        ends := next_fixed_day(ends, fixed_month, fixed_day);
      end if;
      ends := next_fixed_day(
        (ends + make_interval(months => months - 12))::date - 2, fixed_month, fixed_day
      );
    elsif counts_from = 'previous' and one between ends - window_days and ends + grace_days then
      ends := (ends + make_interval(months => months))::date;
    else
      ends := greatest(ends, (one + make_interval(months => months))::date);
    end if;
  end loop;
  return ends;
end $function$
;

CREATE OR REPLACE FUNCTION store_block_views()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into block_views (attempt_id, sco, block_id, session_id, seq, t, recorded_at)
  select
    sessions.attempt_id, event ->> 'sco', coalesce(event ->> 'key', ''), sessions.id, (event ->> 'seq')::int,
    least((event ->> 't')::bigint, 2147483647)::int, new.received_at
  from sessions
  cross join json_array_elements(new.events) event
  where sessions.id = new.session_id
    and event ->> 'sco' is not null
    and (event ->> 'type' = 'block.seen' and event ->> 'key' <> '' or event ->> 'type' = 'lesson.end')
  order by (event ->> 'seq')::int
  on conflict do nothing;
  return null;
exception
  -- No figure may refuse a commit, such as one with a text that SQL cannot read.
  when data_exception then return null;
end $function$
;

CREATE OR REPLACE FUNCTION store_unclear_marks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from unclear_marks
  where attempt_id = new.attempt_id
    and sco = new.sco
    and new.lesson -> 'unclear' -> block_id ->> 'line' is null;
  insert into unclear_marks (attempt_id, sco, block_id, course_id, line, marked_at)
  select attempts.id, new.sco, mark.key, attempts.course_id, mark.value ->> 'line', (mark.value ->> 'at')::timestamptz
  from attempts
  cross join jsonb_each(coalesce(new.lesson -> 'unclear', '{}')) mark
  where attempts.id = new.attempt_id
    and attempts.enrolment_id is not null
    and mark.value ->> 'line' is not null
    and not attempts.preview
  on conflict (attempt_id, sco, block_id) do update
  set
    line = excluded.line,
    marked_at = excluded.marked_at,
    received_at = excluded.received_at,
    dealt_at = null,
    dealt_by = null
  where (unclear_marks.line, unclear_marks.marked_at) is distinct from (excluded.line, excluded.marked_at);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION wake_catalogue()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('lyceum.catalogue_woken', true) is distinct from pg_current_xact_id()::text then
    perform set_config('lyceum.catalogue_woken', pg_current_xact_id()::text, true);
    perform graphile_worker.add_job('catalogue:follow', '{}', queue_name := 'catalogue');
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION wake_paths()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('lyceum.paths_woken', true) is distinct from pg_current_xact_id()::text then
    perform set_config('lyceum.paths_woken', pg_current_xact_id()::text, true);
    perform graphile_worker.add_job('paths:follow', '{}', queue_name := 'paths');
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION write_attempt_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into enrolment_history (enrolment_id, person_id, company_id, course_id, change, source, cycle, status, success, score_percent,
    due_date, attempt_no, version_id, actor_id, reason, happened_at, recorded_at, assigned_at, first_started_at, completed_at)
  select id, coalesce(user_id, gen_random_uuid()), company_id, course_id, 'attempt', source, cycle, status, success, score_percent,
    due_date, new.no, new.version_id, history_actor(), history_reason(), coalesce(history_time(), clock_timestamp()), clock_timestamp(),
    assigned_at, first_started_at, completed_at
  from enrolments where id = new.enrolment_id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION write_company_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one companies;
  what text;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  if tg_op = 'INSERT' then what := 'created';
  elsif tg_op = 'DELETE' then what := 'removed';
  else
    what := case when new.status = old.status then 'timezone' when new.status = 'active' then 'restored' else new.status end;
  end if;
  insert into company_history (company_id, change, status, timezone, actor_id, reason, happened_at, recorded_at)
  values (one.id, what, one.status, one.timezone, history_actor(), history_reason(), coalesce(history_time(), clock_timestamp()), clock_timestamp());
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION write_company_privacy_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into company_privacy_history (
    company_id, erasure_policy, retention_years, mask_names, record_pages, recording_days, managers_see_people,
    actor_id, recorded_at
  )
  values (
    new.id, new.erasure_policy, new.retention_years, new.mask_names, new.record_pages, new.recording_days,
    new.managers_see_people, history_actor(), clock_timestamp()
  );
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION write_completion_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  actor uuid := history_actor();
  why text := history_reason();
  course record;
  by_session uuid;
  is_set boolean;
  is_external boolean := exists (
    select from external_completions
    where attempt_id = new.id
      and ended_at is null
  );
  restored record;
begin
  select completion_rule as rule, kind into course
  from courses
  where id = new.course_id;
  select rule, rule_text into restored
  from completion_history
  where attempt_id = new.id
    and completion_no < new.completion_no
    and current_setting('lyceum.restores', true) = 'completion'
  order by completion_no desc
  limit 1;
  -- The commit statement has touched its session in this transaction, and names nobody (decision 20).
  if why is null then
    select id into by_session
    from sessions
    where attempt_id = new.id and last_seen_at = now()
    order by started_at desc
    limit 1;
    if by_session is not null then
      actor := coalesce(actor, new.user_id);
      why := 'player.commit';
    end if;
  end if;
  is_set := by_session is null and exists (
    select from completion_decisions
    where attempt_id = new.id
      and kind = 'set'
      and ended_at is null
  );
  insert into completion_history (
    enrolment_id, attempt_id, attempt_no, completion_no, person_id, company_id, course_id, version_id, session_id, rule,
    rule_text, success, score_percent, active_seconds, reported_seconds, actor_id, reason,
    first_started_at, happened_at, recorded_at, backfilled
  )
  values (
    new.enrolment_id, new.id, new.no, new.completion_no, coalesce(new.user_id, gen_random_uuid()), new.company_id,
    new.course_id, new.version_id, by_session, coalesce(restored.rule, course.rule),
    case
      when restored.rule_text is not null then restored.rule_text
      when is_set then 'Set complete by an admin'
      when is_external then 'Completed elsewhere'
      else completion_rule_text(course.rule, course.kind)
    end,
    new.success, new.score_percent, new.active_seconds, new.reported_seconds, actor, why,
    new.started_at, new.completed_at, clock_timestamp(), is_external
  )
  on conflict (attempt_id, completion_no) do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION write_completion_rule_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into completion_rule_history (course_id, rule, rule_text, actor_id, reason, happened_at, recorded_at)
  values (new.id, new.completion_rule, completion_rule_text(new.completion_rule, new.kind), history_actor(),
    history_reason(), coalesce(history_time(), clock_timestamp()), clock_timestamp());
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION write_completion_withdrawal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into completion_withdrawals (completion_id, actor_id, reason)
  select id, history_actor(), history_reason()
  from completion_history
  where attempt_id = new.id
    and completion_no = old.completion_no
  on conflict do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION write_course_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one courses;
  what text;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  if tg_op = 'INSERT' then what := 'created';
  elsif tg_op = 'DELETE' then what := 'removed';
  else
    what := case
      when new.status <> old.status then case new.status when 'draft' then 'unpublished' else new.status end
      when new.live_version_id is distinct from old.live_version_id then 'version'
      else 'rule' end;
  end if;
  insert into course_history (course_id, change, status, live_version_id, actor_id, reason, happened_at, recorded_at)
  values (one.id, what, one.status, one.live_version_id, history_actor(), history_reason(), coalesce(history_time(), clock_timestamp()), clock_timestamp());
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION write_course_requirement_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one course_requirements;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  insert into course_requirement_history (
    requirement_id, company_id, course_id, is_required, months, counts_from, fixed_month, fixed_day, skip_days,
    window_days, grace_days, actor_id, reason, recorded_at
  )
  values (
    one.id, one.company_id, one.course_id, tg_op <> 'DELETE' and one.removed_at is null, one.months, one.counts_from,
    one.fixed_month, one.fixed_day, one.skip_days, one.window_days, one.grace_days, history_actor(), history_reason(),
    clock_timestamp()
  );
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION write_enrolment_activity()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into enrolment_activity (enrolment_id, recorded_at, progress, parts_done, active_seconds, reported_seconds)
  values (old.id, old.last_activity_at, old.progress, old.parts_done, old.active_seconds, old.reported_seconds)
  on conflict do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION write_enrolment_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one enrolments;
  what text;
  person uuid;
  actor uuid := history_actor();
  why text := history_reason();
  happened timestamptz := history_time();
  last_attempt record;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  person := one.user_id;
  if tg_op = 'INSERT' then what := 'assigned';
  elsif tg_op = 'DELETE' then what := 'removed';
  else
    what := case
      when new.status is distinct from old.status then case
        when new.status = 'withdrawn' then 'withdrawn'
        when old.status = 'withdrawn' then 'restored'
        when new.status = 'completed' then 'completed'
        when old.status = 'assigned' then 'started'
        else 'status' end
      when new.due_date is distinct from old.due_date then 'due'
      else 'result' end;
    -- An erasure takes the person off first; their number follows when the user goes.
    person := coalesce(new.user_id, old.user_id);
    -- The dates of anonymised results are cut to the day; in the history they are cut to the quarter of an hour when the user goes.
    if new.user_id is null and old.user_id is not null then
      one.assigned_at := old.assigned_at; one.first_started_at := old.first_started_at; one.completed_at := old.completed_at;
    end if;
    -- A commit: the learner did it, at a time that the browser says and the server bounds.
    if new.user_id is not null and new.happened_at is distinct from old.happened_at then
      actor := coalesce(actor, new.user_id);
      why := coalesce(why, 'player.commit');
      happened := coalesce(happened, new.happened_at);
    end if;
  end if;
  -- Results that were anonymised belong to the number of their earlier rows.
  if person is null then
    select person_id into person from enrolment_history where enrolment_id = one.id order by id desc limit 1;
    person := coalesce(person, gen_random_uuid());
  end if;
  select no, version_id into last_attempt from attempts where enrolment_id = one.id and not preview order by no desc limit 1;
  insert into enrolment_history (enrolment_id, person_id, company_id, course_id, change, source, cycle, status, success, score_percent,
    due_date, attempt_no, version_id, actor_id, reason, happened_at, recorded_at, assigned_at, first_started_at, completed_at)
  values (one.id, person, one.company_id, one.course_id, what, one.source, one.cycle, one.status, one.success, one.score_percent,
    one.due_date, last_attempt.no, last_attempt.version_id, actor, why, coalesce(happened, clock_timestamp()), clock_timestamp(),
    one.assigned_at, one.first_started_at, one.completed_at);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION write_enrolment_reason()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  earlier text;
  -- Rules write their reasons themselves, because several can enrol a learner at once.
  is_by_rule boolean := coalesce(current_setting('lyceum.enrolment_reason', true) = 'rule', false);
begin
  if tg_op = 'INSERT' then
    if new.status <> 'withdrawn' and new.user_id is not null and not is_by_rule then
      insert into enrolment_reasons (enrolment_id, company_id, kind, since, made_by)
        values (
          new.id, new.company_id, reason_of_enrolment(new.source, new.assigned_by), new.assigned_at,
          coalesce(new.assigned_by, history_actor())
        );
    end if;
    return null;
  end if;
  -- Results without a name have no reasons.
  if new.user_id is null then
    delete from enrolment_reasons where enrolment_id = new.id;
    return null;
  end if;
  if new.status = 'withdrawn' then
    -- Who undoes the return of a course is back at the withdrawal by an admin.
    select ended into earlier
      from enrolment_reasons
      where enrolment_id = new.id and until is not null
      order by until desc, id desc
      limit 1;
    update enrolment_reasons
      set until = greatest(now(), since),
        ended = case when history_reason() = 'courses.undo' and earlier is distinct from 'withdrawn'
          then 'undone' else 'withdrawn' end,
        ended_by = history_actor()
      where enrolment_id = new.id and until is null;
  elsif old.status = 'withdrawn' then
    -- An undone withdrawal brings the reasons back that it had ended.
    if history_reason() = 'courses.undo' then
      insert into enrolment_reasons (enrolment_id, company_id, kind, rule_id, due_date, since, made_by)
        select enrolment_id, company_id, kind, rule_id, due_date, since, made_by
        from enrolment_reasons
        where enrolment_id = new.id
          and ended = 'withdrawn'
          and until = (select max(until) from enrolment_reasons where enrolment_id = new.id)
        on conflict do nothing;
    end if;
    if not is_by_rule and not exists (
      select from enrolment_reasons where enrolment_id = new.id and until is null
    ) then
      insert into enrolment_reasons (enrolment_id, company_id, kind, made_by)
        values (new.id, new.company_id, 'person', coalesce(history_actor(), new.assigned_by));
    end if;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION write_field_value_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one field_values;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  -- Deleted with the person.
  if tg_op = 'DELETE' and not exists (select from users where id = old.user_id) then return null; end if;
  insert into field_value_history (person_id, company_id, field_id, change, value, actor_id, reason, happened_at,
    recorded_at)
  values (
    one.user_id,
    (select company_id from users where id = one.user_id),
    one.field_id,
    case when tg_op = 'DELETE' then 'removed' else 'set' end,
    case when tg_op <> 'DELETE' then coalesce(to_jsonb(one.text), to_jsonb(one.day), to_jsonb(one.number)) end,
    history_actor(),
    history_reason(),
    coalesce(history_time(), clock_timestamp()),
    clock_timestamp()
  );
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION write_manager_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one managers := case when tg_op = 'DELETE' then old else new end;
begin
  insert into manager_history (
    person_id, manager_id, company_id, change, actor_id, reason, happened_at, recorded_at
  )
  values (
    one.user_id,
    case when tg_op <> 'DELETE' then one.manager_id end,
    one.company_id,
    case tg_op when 'INSERT' then 'set' when 'UPDATE' then 'changed' else 'removed' end,
    history_actor(), history_reason(), coalesce(history_time(), clock_timestamp()), clock_timestamp()
  );
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION write_membership_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one users;
  what text;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  if tg_op = 'INSERT' then what := 'created';
  elsif tg_op = 'DELETE' then what := 'removed';
  else
    what := case
      when new.role <> old.role then 'role'
      when new.company_id is distinct from old.company_id then 'moved'
      when new.status = 'suspended' then 'suspended'
      when old.status = 'suspended' then 'restored'
      when new.status = 'active' then 'activated'
      else 'deactivated' end;
  end if;
  insert into membership_history (person_id, company_id, change, role, status, actor_id, reason, happened_at, recorded_at)
  values (one.id, one.company_id, what, one.role, one.status, history_actor(), history_reason(),
    coalesce(history_time(), clock_timestamp()), clock_timestamp());
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION write_part_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into part_history (enrolment_id, attempt_no, position, state, score_percent, recorded_at)
  select a.enrolment_id, a.no, p.place, part_outcome(p.is_sco, new.completion, new.success), new.score_percent, clock_timestamp()
  from attempts a left join parts_in_order(a.version_id) p on p.sco = new.sco
  where a.id = new.attempt_id and a.enrolment_id is not null and not a.preview;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION write_requirement_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one requirements;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  insert into requirement_history (
    enrolment_id, company_id, course_id, is_required, since, completed_on, valid_until, opens_on, opened_on,
    exempt_from, exempt_until, recorded_at
  )
  values (
    one.enrolment_id, one.company_id, one.course_id, tg_op <> 'DELETE', one.since, one.completed_on, one.valid_until,
    one.opens_on, one.opened_on, one.exempt_from, one.exempt_until, clock_timestamp()
  );
  return null;
end $function$
;
