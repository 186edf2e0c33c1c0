/** SQL that copies the one learner of a server with all events of their attempt, until there are `count`. */
export const copyLearner = (count: number) => `
  create temporary table copies as
    select n, gen_random_uuid() as u, gen_random_uuid() as e, gen_random_uuid() as a, gen_random_uuid() as s
    from generate_series(2, ${count}) n;
  insert into users
    select copy.*
    from copies, users original,
      jsonb_populate_record(original, jsonb_build_object('id', u, 'email', 'copy' || n || '@example.com')) copy
    where original.role = 'learner';
  insert into enrolments
    select copy.*
    from copies, enrolments original,
      jsonb_populate_record(original, jsonb_build_object('id', e, 'user_id', u)) copy
    where original.id not in (select e from copies) and original.user_id not in (select u from copies);
  insert into attempts
    select copy.*
    from copies, attempts original,
      jsonb_populate_record(original, jsonb_build_object('id', a, 'enrolment_id', e, 'user_id', u)) copy
    where original.user_id not in (select u from copies);
  insert into sessions (id, attempt_id, user_id, company_id, token_hash, client_id, started_at, last_seen_at, active_ms,
      last_seq)
    select s, a, u, company_id, token_hash || n, client_id, started_at, last_seen_at, active_ms, last_seq
    from copies, sessions original
    where original.user_id not in (select u from copies);
  insert into session_events
    select s, first_seq, last_seq, received_at, events
    from copies, session_events;
  insert into part_states
    select copy.*
    from copies, part_states original,
      jsonb_populate_record(original, jsonb_build_object('attempt_id', a)) copy`;
