-- Messages with a phrase that the admin of a chatbot has named are answered with the admin's text, and never reach a model.
-- People may speak their messages where the admin allows it.
alter table turns drop constraint turns_state_check;
alter table turns add constraint turns_state_check check (state in
  ('stored', 'waiting', 'streaming', 'done', 'stopped', 'cut', 'failed', 'refused', 'limited', 'care', 'blocked'));
update chatbots set settings = settings || '{"blockedPhrases": [], "blockedText": "", "dictation": false}';
update chatbot_versions set settings = settings || '{"blockedPhrases": [], "blockedText": "", "dictation": false}';
