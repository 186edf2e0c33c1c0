import type pg from "pg";

/** Tables whose triggers write history or figures. While rows are generated they are off: all of it would be of now. */
const RECORDED = ["companies", "users", "courses", "enrolments", "attempts", "part_states", "turns"];

export async function withoutTriggers(client: pg.PoolClient, fill: () => Promise<void>) {
  for (const table of RECORDED) await client.query(`alter table ${table} disable trigger user`);
  await fill();
  for (const table of RECORDED) await client.query(`alter table ${table} enable trigger user`);
}

/**
 * The last version of everything is the live one. A table and its versions refer to each other, so versions are named
 * afterwards.
 */
export async function publishVersions(client: pg.PoolClient) {
  const versioned = { courses: "course", documents: "document", chatbots: "chatbot", prompts: "prompt" };
  for (const [table, one] of Object.entries(versioned))
    await client.query(`update ${table} set live_version_id = v.id from (select distinct on (${one}_id) id, ${one}_id from ${one}_versions
      order by ${one}_id, number desc) v where v.${one}_id = ${table}.id and live_version_id is null`);
  await client.query("update prompts set draft_version_id = live_version_id where draft_version_id is null");
}

/** The history of the generated rows as triggers would have written it at the times of the rows. */
export async function fillHistory(client: pg.PoolClient) {
  for (const statement of HISTORY) await client.query(statement);
}

const HISTORY = [
  `insert into company_history (company_id, change, status, timezone, happened_at, recorded_at)
    select id, 'created', status, timezone, created_at, created_at from companies order by created_at`,
  `insert into course_history (course_id, change, status, live_version_id, happened_at, recorded_at)
    select id, 'created', status, live_version_id, created_at, created_at from courses order by created_at`,
  `insert into membership_history (person_id, company_id, change, role, status, happened_at, recorded_at)
    select id, company_id, 'created', role, status, created_at, created_at from users order by created_at`,
  `with steps as (
      select id, 'assigned' as change, 'assigned' as state, assigned_at as at, 1 as step from enrolments
      union all select id, 'started', 'in_progress', first_started_at, 2 from enrolments where first_started_at is not null
      union all select id, case status when 'completed' then 'completed' when 'withdrawn' then 'withdrawn' else 'status' end, status,
        coalesce(completed_at, last_activity_at, assigned_at), 3 from enrolments where status not in ('assigned', 'in_progress')
    ), latest as (
      select distinct on (enrolment_id) enrolment_id, no, version_id from attempts where not preview order by enrolment_id, no desc)
    insert into enrolment_history (enrolment_id, person_id, company_id, course_id, change, source, cycle, status, success, score_percent, due_date,
      attempt_no, version_id, happened_at, recorded_at, assigned_at, first_started_at, completed_at)
    select e.id, e.user_id, e.company_id, e.course_id, s.change, e.source, e.cycle, s.state,
      case when s.step = 3 then e.success else 'unknown' end, case when s.step = 3 then e.score_percent end, e.due_date,
      case when s.step > 1 then latest.no end, case when s.step > 1 then latest.version_id end, s.at, s.at, e.assigned_at,
      case when s.step > 1 then e.first_started_at end, case when s.step = 3 then e.completed_at end
    from steps s join enrolments e on e.id = s.id left join latest on latest.enrolment_id = e.id order by s.at, s.id, s.step`,
  `insert into completion_rule_history (course_id, rule, rule_text, happened_at, recorded_at)
    select id, completion_rule, completion_rule_text(completion_rule, kind), created_at, created_at
    from courses order by created_at`,
  `insert into completion_history (enrolment_id, attempt_id, attempt_no, person_id, company_id, course_id, version_id,
      session_id, rule, rule_text, success, score_percent, active_seconds, reported_seconds, actor_id, reason,
      first_started_at, happened_at, recorded_at)
    select a.enrolment_id, a.id, a.no, a.user_id, a.company_id, a.course_id, a.version_id, last.id, c.completion_rule,
      completion_rule_text(c.completion_rule, c.kind), a.success, a.score_percent, a.active_seconds, a.reported_seconds,
      a.user_id, 'player.commit', a.started_at, a.completed_at, a.completed_at
    from attempts a
    join courses c on c.id = a.course_id
    left join lateral (
      select id from sessions where attempt_id = a.id and started_at <= a.completed_at order by started_at desc limit 1
    ) last on true
    where a.completed_at is not null and a.enrolment_id is not null and not a.preview
    order by a.completed_at, a.id`,
  // The counters after every session but the last, whose counters are in the enrolment.
  `insert into enrolment_activity (enrolment_id, recorded_at, progress, parts_done, active_seconds, reported_seconds)
    select enrolment_id, last_seen_at, null, 0, seconds, seconds from (
      select a.enrolment_id, s.last_seen_at, (sum(s.active_ms) over visits / 1000)::int as seconds, lead(s.id) over visits as next
      from sessions s join attempts a on a.id = s.attempt_id where a.enrolment_id is not null
      window visits as (partition by a.enrolment_id order by s.last_seen_at)) visited
    where next is not null on conflict do nothing`,
  `insert into part_history (enrolment_id, attempt_no, position, state, score_percent, recorded_at)
    select a.enrolment_id, a.no, p.place, part_outcome(p.is_sco, s.completion, s.success), s.score_percent, s.updated_at
    from part_states s join attempts a on a.id = s.attempt_id
    left join (select id, parts.* from course_versions, parts_in_order(id) parts) p on p.id = a.version_id and p.sco = s.sco
    where a.enrolment_id is not null and not a.preview order by s.updated_at, p.place`,
  "insert into conversation_figures select f.* from figures_of_turns((select array_agg(id) from conversations)) f",
  "insert into conversation_calls select c.* from calls_of_turns((select array_agg(id) from conversations)) c",
];
