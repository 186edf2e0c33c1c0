-- outside a transaction
-- What was seen before there was the trigger; in batches of attempts, so that no commit or erasure waits for long.
do $$
declare
  batch uuid[];
  after uuid := '00000000-0000-0000-0000-000000000000';
begin
  loop
    batch := array(
      select attempts.id
      from attempts
      where attempts.id > after
      order by attempts.id
      limit 200
    );
    exit when cardinality(batch) = 0;
    begin
      insert into block_views (attempt_id, sco, block_id, session_id, seq, t, recorded_at)
      select distinct on (sessions.attempt_id, event ->> 'sco', coalesce(event ->> 'key', ''))
        sessions.attempt_id, event ->> 'sco', coalesce(event ->> 'key', ''), sessions.id, (event ->> 'seq')::int,
        least((event ->> 't')::bigint, 2147483647)::int, session_events.received_at
      from attempts
      join course_versions on course_versions.id = attempts.version_id
      join sessions on sessions.attempt_id = attempts.id
      join session_events on session_events.session_id = sessions.id
      cross join json_array_elements(session_events.events) event
      where attempts.id = any(batch)
        and course_versions.kind in ('lessons', 'mixed')
        and event ->> 'sco' is not null
        and (event ->> 'type' = 'block.seen' and event ->> 'key' <> '' or event ->> 'type' = 'lesson.end')
      order by
        sessions.attempt_id, event ->> 'sco', coalesce(event ->> 'key', ''), session_events.received_at,
        (event ->> 'seq')::int
      on conflict (attempt_id, sco, block_id) do update
      set
        session_id = excluded.session_id,
        seq = excluded.seq,
        t = excluded.t,
        recorded_at = excluded.recorded_at
      where excluded.recorded_at < block_views.recorded_at;
    exception
      -- A text that SQL cannot read: these attempts stay without views.
      when data_exception then null;
    end;
    after := batch[cardinality(batch)];
    commit;
  end loop;
end
$$;
