-- Messages and passages that seem to give orders to a language model. Answers: a passage that the model read does.
-- Documents and conversations from before are not looked at.
alter table turns add column gives_orders boolean not null default false;
alter table passages add column gives_orders boolean not null default false;
