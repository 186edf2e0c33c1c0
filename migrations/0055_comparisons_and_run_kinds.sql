-- An admin asks the published version of a chatbot an earlier question: a call of a purpose of its own.
alter table ai_usage drop constraint ai_usage_purpose_check;
alter table ai_usage add constraint ai_usage_purpose_check
  check (purpose in ('chat', 'prompt', 'button', 'analysis', 'document', 'embedding',
    'transcription', 'speech', 'test', 'comparison'));

-- Analyses that look for misunderstandings only, or for how people write.
alter table analysis_runs drop constraint analysis_runs_kind_check;
alter table analysis_runs add constraint analysis_runs_kind_check
  check (kind in ('counts', 'themes', 'misconceptions', 'tone', 'question'));
