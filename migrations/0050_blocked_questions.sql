-- A message with a phrase that is not allowed is marked itself: its answer may be about a limit, or about care. Messages of earlier versions
-- are searched by a job (server/conversations/refusedMessages.ts) for the phrases of each published version once.
update turns question set state = 'blocked'
  from turns answer where answer.parent_id = question.id and answer.state = 'blocked' and question.role = 'user';
alter table chatbot_versions add column phrases_applied boolean not null default false;
