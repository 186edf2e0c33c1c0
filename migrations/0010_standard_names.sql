-- Tables, columns and values get the names that the code and the documentation use. Nothing is lost: every row stays.

alter table audit_entries rename column act to action;
set local lyceum.rewrite = 'allowed';
update audit_entries set action = 'account.reauthFailed' where action = 'account.proofFailed';
update audit_entries set details = replace(details::text, '"proofYears"', '"retentionYears"')::jsonb
  where details::text like '%"proofYears"%';
set local lyceum.rewrite = '';

alter table auth_tickets rename to auth_one_time_tokens;
alter table auth_one_time_tokens drop constraint auth_tickets_purpose_check;
update auth_one_time_tokens set purpose = 'verifyEmail' where purpose = 'mailbox';
update auth_one_time_tokens set purpose = 'secondStep' where purpose = 'step';
update auth_one_time_tokens set purpose = 'passwordReset' where purpose = 'reset';
alter table auth_one_time_tokens add constraint auth_one_time_tokens_purpose_check
  check (purpose in ('passwordReset', 'verifyEmail', 'secondStep'));

alter table auth_flows rename to auth_oauth_flows;
alter table auth_oauth_flows drop constraint auth_flows_purpose_check;
update auth_oauth_flows set purpose = 'reauth' where purpose = 'prove';
alter table auth_oauth_flows add constraint auth_oauth_flows_purpose_check
  check (purpose in ('signIn', 'register', 'link', 'reauth'));

alter table auth_sessions rename column proven_at to reauthenticated_at;
alter table users rename column mailbox_pending to email_verification_pending;

alter table retained_proofs rename to retained_training_records;
alter table companies rename column proof_years to retention_years;
alter table companies drop constraint companies_erasure_policy_check;
update companies set erasure_policy = 'retain' where erasure_policy = 'proof';
alter table companies add constraint companies_erasure_policy_check
  check (erasure_policy in ('delete', 'anonymise', 'retain'));

update erasures set receipt = receipt - 'proofs' || jsonb_build_object('retainedRecords', receipt -> 'proofs')
  where receipt ? 'proofs';

alter table event_letters rename to event_mail_log;
alter table event_notices rename to event_privacy_notices;
alter table event_registration_log rename column act to action;
alter table mails rename column about to registration_id;
alter table files rename column held to in_use;

alter index auth_tickets_user rename to auth_one_time_tokens_user;
alter index mails_about rename to mails_registration;
