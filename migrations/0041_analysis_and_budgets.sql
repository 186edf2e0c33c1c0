-- Until when an analysis has taken conversations. When it began stays as it is.
alter table analysis_runs add column read_until timestamptz not null default now();
update analysis_runs set read_until = created_at;

-- Chatbots have limits of messages, not of money.
alter table ai_budgets drop constraint ai_budgets_kind_check;
delete from ai_budgets where kind = 'chatbot';
alter table ai_budgets add check (kind in ('academy', 'company', 'connector'));
