-- A message with a phrase that is not allowed is marked itself: its answer may be about a limit, or about care.
update turns question set state = 'blocked'
  from turns answer where answer.parent_id = question.id and answer.state = 'blocked' and question.role = 'user';
