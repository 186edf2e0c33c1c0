-- Conversations by voice. Recordings are not stored: only that a message was spoken, and what its transcription and speech have cost.
alter table turns add column spoken boolean not null default false;
alter table ai_usage drop constraint ai_usage_purpose_check;
-- Of `transcription`, `input_tokens` are seconds of audio; of `speech`, characters.
alter table ai_usage add constraint ai_usage_purpose_check check (purpose in
  ('chat', 'prompt', 'button', 'analysis', 'document', 'embedding', 'transcription', 'speech', 'test'));
update chatbots set settings = settings
  || '{"voice": {"isOn": false, "transcriptionModel": null, "speechModel": null, "name": "", "speed": 1, "checks": false, "forVisitors": false}}';
update chatbot_versions set settings = settings
  || '{"voice": {"isOn": false, "transcriptionModel": null, "speechModel": null, "name": "", "speed": 1, "checks": false, "forVisitors": false}}';
