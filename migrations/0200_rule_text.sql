-- Packages with sequencing rules decide themselves (docs/decisions/0088-scorm-2004-sequencing.md).
create or replace function completion_rule_text(rule jsonb, kind text) returns text language sql immutable
  return case
    when rule ? 'tests' then (
      select upper(left(words, 1)) || substr(words, 2)
      from completion_group_text(rule -> 'tests', rule ->> 'match', kind) as words
    )
    when rule ->> 'kind' = 'score' then 'Score of ' || (rule ->> 'percent') || ' % or more'
    when rule ->> 'kind' = 'confirmed' then 'The learner selects “Mark as complete” in the player.'
    when kind in ('lessons', 'mixed') then case rule ->> 'kind'
      when 'reported' then
        'The learner has reached the end of every lesson and done everything that is required in it.'
      when 'passed' then 'Every lesson is completed, and every lesson with graded questions is passed.'
      when 'opened' then 'The learner has opened every lesson at least once.'
      else upper(left(completion_test_text(rule, kind), 1)) || substr(completion_test_text(rule, kind), 2) end
    else case rule ->> 'kind'
      when 'reported' then
        'The package reports every part as completed or passed. A package with sequencing rules decides by its rules.'
      when 'passed' then 'The package reports “passed”. “Completed” alone is not enough.'
      when 'opened' then 'The learner has opened every part at least once. For packages that report nothing.'
      else upper(left(completion_test_text(rule, kind), 1)) || substr(completion_test_text(rule, kind), 2) end
  end;
