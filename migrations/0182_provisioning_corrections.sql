-- outside a transaction
-- Calls that were refused, and people who wait for a decision, are listed by themselves. An interrupted build leaves an
-- invalid index.
drop index concurrently if exists provisioning_calls_refused;
create index concurrently provisioning_calls_refused on provisioning_calls (company_id, id desc)
  where status >= 400;
drop index concurrently if exists provisioning_holds_waiting;
create index concurrently provisioning_holds_waiting on provisioning_holds (company_id, asked_at, user_id)
  where refused_at is null;
