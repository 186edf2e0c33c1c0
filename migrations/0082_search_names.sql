-- outside a transaction
-- The search in the navigation bar finds parts of these names. An interrupted build leaves an invalid index.
drop index concurrently if exists documents_title_trigrams;
create index concurrently documents_title_trigrams
  on documents using gin (title gin_trgm_ops) with (gin_pending_list_limit = '64');
drop index concurrently if exists chatbots_name_trigrams;
create index concurrently chatbots_name_trigrams
  on chatbots using gin (name gin_trgm_ops) with (gin_pending_list_limit = '64');
drop index concurrently if exists prompts_trigrams;
create index concurrently prompts_trigrams
  on prompts using gin (name gin_trgm_ops, key gin_trgm_ops) with (gin_pending_list_limit = '64');
drop index concurrently if exists button_prompts_trigrams;
create index concurrently button_prompts_trigrams
  on button_prompts using gin (label gin_trgm_ops, key gin_trgm_ops) with (gin_pending_list_limit = '64');
drop index concurrently if exists variables_trigrams;
create index concurrently variables_trigrams
  on variables using gin (label gin_trgm_ops, key gin_trgm_ops) with (gin_pending_list_limit = '64');
drop index concurrently if exists saved_views_name_trigrams;
create index concurrently saved_views_name_trigrams
  on saved_views using gin (name gin_trgm_ops) with (gin_pending_list_limit = '64');
